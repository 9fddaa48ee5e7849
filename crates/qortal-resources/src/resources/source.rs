//! What a resource is: its URI, the tool that answers, and which part of the answer.
//! And the parts that the rows of the table are made of.

use std::time::Duration;

use qortal_tools::{
    Entry, Object,
    uri::{self, Values},
};
use serde_json::Value;

/// A resource or a template of resources, and the call of the tool that answers it.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// A URI, or a URI template (RFC 6570).
    pub template: &'static str,
    /// Short and unique.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// The contents, in one sentence.
    pub description: &'static str,
    /// The name of the tool that answers.
    pub tool: &'static str,
    /// How long an answer stays valid.
    pub freshness: Freshness,
    /// The arguments of the tool, by parameter.
    pub(super) arguments: &'static [(&'static str, Argument)],
    pub(super) part: Part,
    pub(super) listing: Listing,
    /// What signals a change; `None` if the resource does not support subscriptions.
    pub(crate) signal: Option<Signal>,
}

/// What signals that a resource may have changed.
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
    /// Nothing: the resource is polled.
    Time,
}

/// The part of the tool's answer that is the contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Structure,
    /// One member of the structure.
    Member(&'static str),
    /// The PNG attachment.
    Image,
    /// The SVG attachment.
    Drawing,
    /// The CSV member of the structure.
    Csv,
    /// The same, refused unless it has all rows: readers of a file assume that it is complete.
    WholeCsv,
}

/// How a row appears in the lists of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// As one resource or one template.
    Once,
    /// As a template, and as one resource for each value of its variable.
    Each,
}

/// How long contents stay valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Freshness {
    /// They change at any time and differ between nodes.
    Moment,
    /// Until the next block.
    Block,
    /// They are in a block: only a reorganization of the chain changes them.
    Settled,
    /// Until the next version of this crate.
    Release,
}

impl Freshness {
    /// How long the contents may be cached.
    #[must_use]
    pub const fn lifetime(self) -> Duration {
        let seconds = match self {
            Self::Moment => 0,
            // A tenth of a block time: a cached answer is hardly older than the node's own.
            Self::Block => 6,
            Self::Settled => 300,
            Self::Release => 86_400,
        };
        Duration::from_secs(seconds)
    }

    /// Whether all clients get the same contents.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::Moment)
    }
}

impl Source {
    /// The names of the variables in the template, in order.
    pub fn variables(&self) -> impl Iterator<Item = &'static str> {
        uri::variables(self.template)
    }

    /// Whether it is a row for native links: its first segment is a variable.
    pub(super) fn is_native(&self) -> bool {
        let path = self.template.strip_prefix(uri::SCHEME);
        path.is_some_and(|it| it.starts_with('{'))
    }

    /// Whether the resource supports subscriptions.
    #[must_use]
    pub const fn is_subscribable(&self) -> bool {
        self.signal.is_some()
    }

    /// The media type of the contents.
    #[must_use]
    pub const fn mime_type(&self) -> &'static str {
        match self.part {
            Part::Structure | Part::Member(_) => "application/json",
            Part::Image => "image/png",
            Part::Drawing => "image/svg+xml",
            Part::Csv | Part::WholeCsv => "text/csv",
        }
    }

    /// The values of the variable for which resources are listed: those that its tool accepts.
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

    /// The arguments of the tool for one URI.
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
    /// The value of a URI variable as an integer. What is not one is passed as text, for the tool to refuse.
    IntegerVariable(&'static str),
    /// The values of several URI variables as a list.
    Variables(&'static [&'static str]),
    Text(&'static str),
    Integer(i64),
}

impl Argument {
    /// The JSON value for one URI.
    pub(super) fn value(self, values: &Values<'_>) -> Value {
        // A test checks that the variables of the arguments are those of the template.
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

/// A row whose contents are the tool's structure, listed once.
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

/// The parameter with the name of a URI variable.
pub(super) const fn variable(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::Variable(name))
}

/// The same for an integer.
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
