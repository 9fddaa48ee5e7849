//! What a resource is: its URI, the tool that answers, and which part of the answer.
//! And the parts that the rows of the table are made of.

use std::time::Duration;

use serde_json::{Map, Value};

use super::pattern::{self, SCHEME, Values, expand};
use crate::declare::{DETAIL, FORMAT};

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
    Picture,
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
        pattern::variables(self.template)
    }

    /// Whether the contents are a file for other programs rather than JSON.
    pub(super) const fn is_file(&self) -> bool {
        match self.part {
            Part::Structure | Part::Member(_) => false,
            Part::Picture | Part::Drawing | Part::Csv | Part::WholeCsv => true,
        }
    }

    /// Whether it is a row for native links: its first segment is a variable.
    pub(super) fn is_native(&self) -> bool {
        let path = self.template.strip_prefix(SCHEME);
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
            Part::Picture => "image/png",
            Part::Drawing => "image/svg+xml",
            Part::Csv | Part::WholeCsv => "text/csv",
        }
    }

    /// The URI of what a call of the tool was about; `None` if the arguments name less, or something else.
    pub(crate) fn uri_of(&self, call: &Map<String, Value>) -> Option<String> {
        let value = |variable: &str| {
            let mut arguments = self.arguments.iter();
            let (parameter, _) = arguments.find(|(_, it)| it.is_variable(variable))?;
            call.get(*parameter)?.as_str()
        };
        let takes = |name: &str, value: &Value| {
            let mut arguments = self.arguments.iter();
            arguments.any(|(parameter, it)| *parameter == name && it.accepts(value))
        };
        let mut given = call.iter();
        let is_same = given.all(|(name, it)| PAGING.contains(&name.as_str()) || takes(name, it));
        let is_known = is_same && self.variables().all(|it| value(it).is_some());
        is_known.then(|| expand(self.template, value))
    }

    /// The arguments of the tool for one URI.
    pub(super) fn arguments(&self, values: &Values<'_>) -> Map<String, Value> {
        let arguments = self.arguments.iter();
        arguments
            .map(|(parameter, it)| ((*parameter).to_owned(), it.value(values)))
            .collect()
    }
}

/// Parameters that select the rows and the format of an answer, but not its subject.
const PAGING: [&str; 6] = ["limit", "offset", "past", "order", DETAIL, FORMAT];

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
    pub(super) fn is_variable(self, name: &str) -> bool {
        matches!(self, Self::Variable(variable) if variable == name)
    }

    /// Whether a call with this value can be about the same as the resource.
    pub(super) fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Variable(_) | Self::IntegerVariable(_) | Self::Variables(_) => true,
            Self::Text(text) => value == text,
            Self::Integer(number) => *value == number,
        }
    }

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
pub(in crate::resource) const fn source(
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
pub(in crate::resource) const fn variable(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::Variable(name))
}

/// The same for an integer.
pub(in crate::resource) const fn integer(name: &'static str) -> (&'static str, Argument) {
    (name, Argument::IntegerVariable(name))
}

impl Source {
    pub(in crate::resource) const fn titled(
        mut self,
        title: &'static str,
        description: &'static str,
    ) -> Self {
        self.title = title;
        self.description = description;
        self
    }

    pub(in crate::resource) const fn calls(
        mut self,
        tool: &'static str,
        arguments: &'static [(&'static str, Argument)],
    ) -> Self {
        self.tool = tool;
        self.arguments = arguments;
        self
    }

    pub(in crate::resource) const fn part(mut self, part: Part) -> Self {
        self.part = part;
        self
    }

    pub(in crate::resource) const fn listed_each(mut self) -> Self {
        self.listing = Listing::Each;
        self
    }

    pub(in crate::resource) const fn signal(mut self, signal: Signal) -> Self {
        self.signal = Some(signal);
        self
    }
}
