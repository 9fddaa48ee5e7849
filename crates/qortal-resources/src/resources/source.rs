//! The definition of a resource: its URI, its tool, and the part of the tool's result that becomes its contents. Also the building blocks
//! of the table's rows.

use std::time::Duration;

use qortal_tools::{
    Entry, Object,
    uri::{self, Values},
};
use serde_json::Value;

/// A resource or a resource template, and the tool call that reads it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// A URI, or a URI template (RFC 6570).
    pub template: &'static str,
    /// A short, unique name.
    pub name: &'static str,
    /// The title shown to users.
    pub title: &'static str,
    /// The contents, in one sentence.
    pub description: &'static str,
    /// The name of the tool that reads it.
    pub tool: &'static str,
    /// The validity period of the contents.
    pub freshness: Freshness,
    /// The arguments of the tool, by parameter.
    pub(super) arguments: &'static [(&'static str, Argument)],
    pub(super) part: Part,
    pub(super) listing: Listing,
    /// The signal of a change, or `None` if the resource does not support subscriptions.
    pub(crate) signal: Option<Signal>,
}

/// A signal that a resource may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The state of the node.
    Status,
    /// Each new block.
    Tip,
    /// The offers for the coin named by the first variable.
    Offers,
    /// The messages in the group named by the first variable.
    GroupChat,
    /// The messages between the accounts named by the first two variables.
    DirectChat,
    /// None: the resource is polled.
    Time,
}

/// The part of the tool's result that becomes the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Structure,
    /// One field of the structured result.
    Member(&'static str),
    /// The PNG attachment.
    Image,
    /// The SVG attachment.
    Drawing,
    /// The CSV field of the structured result.
    Csv,
    /// The CSV field, rejected unless it has all rows: programs assume that a file is complete.
    WholeCsv,
}

/// The form of a row in a server's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// Listed as one resource or one template.
    Once,
    /// Listed as a template, and as one resource for each value of its variable.
    Each,
}

/// The validity period of contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Freshness {
    /// None: the contents change at any time and differ between nodes.
    Moment,
    /// Until the next block.
    Block,
    /// Contents of a block, which only a reorganization of the chain changes.
    Settled,
    /// Until the next version of this crate.
    Release,
}

impl Freshness {
    /// Returns the time for which the contents may be cached.
    #[must_use]
    pub const fn lifetime(self) -> Duration {
        let seconds = match self {
            Self::Moment => 0,
            // A tenth of the block time: a cached response is hardly older than the node's own.
            Self::Block => 6,
            Self::Settled => 300,
            Self::Release => 86_400,
        };
        Duration::from_secs(seconds)
    }

    /// Returns `true` if all clients receive the same contents.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::Moment)
    }
}

impl Source {
    /// Returns the names of the variables in the template, in order.
    pub fn variables(&self) -> impl Iterator<Item = &'static str> {
        uri::variables(self.template)
    }

    /// Returns `true` if the row is for native links, whose first segment is a variable.
    pub(super) fn is_native(&self) -> bool {
        let path = self.template.strip_prefix(uri::SCHEME);
        path.is_some_and(|it| it.starts_with('{'))
    }

    /// Returns `true` if the resource supports subscriptions.
    #[must_use]
    pub const fn is_subscribable(&self) -> bool {
        self.signal.is_some()
    }

    /// Returns the media type of the contents.
    #[must_use]
    pub const fn mime_type(&self) -> &'static str {
        match self.part {
            Part::Structure | Part::Member(_) => "application/json",
            Part::Image => "image/png",
            Part::Drawing => "image/svg+xml",
            Part::Csv | Part::WholeCsv => "text/csv",
        }
    }

    /// Returns the variable's values for which resources are listed: those that the tool accepts.
    pub(crate) fn listed_values(&self, entry: &Entry) -> Vec<String> {
        let (Listing::Each, Some(variable)) = (self.listing, self.variables().next()) else {
            return Vec::new();
        };
        let parameters = entry.parameters();
        let parameter = parameters.iter().find(|it| it.name == variable);
        let values = parameter.and_then(|it| it.schema.get("enum")?.as_array());
        let values = values.into_iter().flatten().filter_map(Value::as_str);
        values.map(str::to_owned).collect()
    }

    /// Returns the tool's arguments for one URI.
    pub(super) fn arguments(&self, values: &Values<'_>) -> Object {
        let arguments = self.arguments.iter();
        arguments
            .map(|(parameter, it)| ((*parameter).to_owned(), it.value(values)))
            .collect()
    }
}

/// One argument of the tool behind a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Argument {
    /// The value of a URI variable.
    Variable(&'static str),
    /// The value of a URI variable as an integer. An invalid integer is passed as a string, for the tool to reject.
    IntegerVariable(&'static str),
    /// The values of several URI variables as a list.
    Variables(&'static [&'static str]),
    Text(&'static str),
    Integer(i64),
}

impl Argument {
    /// Returns the JSON value for one URI.
    pub(super) fn value(self, values: &Values<'_>) -> Value {
        // A test checks that the arguments use the variables of the template.
        let text = |variable: &str| values.of(variable).unwrap_or_default();
        match self {
            Self::Variable(name) => text(name).into(),
            Self::IntegerVariable(name) => match text(name).parse::<i64>() {
                Ok(number) => number.into(),
                Err(_) => text(name).into(),
            },
            Self::Variables(names) => names.iter().map(|it| text(it)).collect(),
            Self::Text(text) => text.into(),
            Self::Integer(number) => number.into(),
        }
    }
}

/// Creates a row for the tool's structured result, listed once.
pub(super) const fn source(
    template: &'static str,
    name: &'static str,
    freshness: Freshness,
) -> Source {
    Source {
        template,
        name,
        title: "",
        description: "",
        tool: "",
        freshness,
        arguments: &[],
        part: Part::Structure,
        listing: Listing::Once,
        signal: None,
    }
}

/// Creates a parameter with the same name as its URI variable.
pub(super) const fn variable(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::Variable(name))
}

/// Creates an integer parameter with the same name as its URI variable.
pub(super) const fn integer(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::IntegerVariable(name))
}

impl Source {
    pub(super) const fn titled(mut self, title: &'static str, description: &'static str) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    pub(super) const fn calls(
        mut self,
        tool: &'static str,
        arguments: &'static [(&'static str, Argument)],
    ) -> Self {
        self.tool = tool;
        self.arguments = arguments;
        self
    }

    pub(super) const fn part(mut self, part: Part) -> Self {
        self.part = part;
        self
    }

    pub(super) const fn listed_each(mut self) -> Self {
        self.listing = Listing::Each;
        self
    }

    pub(super) const fn signal(mut self, signal: Signal) -> Self {
        self.signal = Some(signal);
        self
    }
}
