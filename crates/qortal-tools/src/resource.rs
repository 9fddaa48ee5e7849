//! Resources: answers that have a URI. Each is a row of one table that names the tool behind it, so that hosts
//! without resources lose nothing.

mod argument;
mod native;
mod pattern;
mod table;

use std::time::Duration;

use serde_json::{Map, Value};
use thiserror::Error;

pub(crate) use self::native::native_link;
pub use self::pattern::UriError;
pub(crate) use self::pattern::{expand, segments};
use self::{argument::Argument, pattern::Values};
use crate::{
    catalog::Catalog,
    declare::{CSV, DETAIL, Entry, FORMAT, Outcome, ResourceLink},
    error::ToolError,
    subscription::SubscribeError,
};

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
    arguments: &'static [(&'static str, Argument)],
    part: Part,
    listing: Listing,
    /// What signals a change; `None` if the resource does not support subscriptions.
    signal: Option<Signal>,
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
enum Part {
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
enum Listing {
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

/// The contents of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contents {
    /// The URI that was read.
    pub uri: String,
    /// For example `application/json`.
    pub mime_type: String,
    /// The contents.
    pub body: Body,
    /// How long they stay valid.
    pub freshness: Freshness,
}

/// Text, or bytes in the encoding that MCP uses for them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "contents are text or bytes in every revision of MCP"
)]
pub enum Body {
    /// Text.
    Text(String),
    /// Bytes in Base64.
    Base64(String),
}

/// Why a resource cannot be read.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No resource has this URI, or the chain does not have what it names.
    #[error("there is no such resource")]
    NotFound,
    /// The URI is malformed.
    #[error(transparent)]
    InvalidUri(#[from] UriError),
    /// There are more rows than one file holds, or some cannot be read.
    #[error(
        "the file would be incomplete; {tool} returns the rows in pages and lists what it leaves out"
    )]
    Incomplete {
        /// The tool that returns the rows in pages.
        tool: &'static str,
    },
    /// The tool refused the values in the URI, or the node did not answer.
    #[error(transparent)]
    Tool(ToolError),
}

impl ReadError {
    /// Whether another URI would be read, rather than the same one at another time.
    #[must_use]
    pub const fn is_of_caller(&self) -> bool {
        match self {
            Self::NotFound | Self::InvalidUri(_) | Self::Tool(ToolError::Arguments(_)) => true,
            Self::Incomplete { .. } | Self::Tool(_) => false,
        }
    }
}

impl From<ToolError> for ReadError {
    fn from(err: ToolError) -> Self {
        match err {
            ToolError::NotFound { .. } => Self::NotFound,
            err => Self::Tool(err),
        }
    }
}

impl Source {
    /// All rows of the table, including those whose tool a catalog may not have.
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        table::all()
    }

    /// The names of the variables in the template, in order.
    pub fn variables(&self) -> impl Iterator<Item = &'static str> {
        pattern::variables(self.template)
    }

    /// Whether the contents are a file for other programs rather than JSON.
    const fn is_file(&self) -> bool {
        match self.part {
            Part::Structure | Part::Member(_) => false,
            Part::Picture | Part::Drawing | Part::Csv | Part::WholeCsv => true,
        }
    }

    /// The resources with the facts of a tool in another form than JSON.
    pub(crate) fn files_of(tool: &str) -> Vec<&'static Self> {
        let files = Self::all().filter(|it| it.tool == tool && it.is_file());
        files.collect()
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
    fn uri_of(&self, call: &Map<String, Value>) -> Option<String> {
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

    /// The values of the variable for which resources are listed.
    pub(crate) fn listed_values(&self, entry: &Entry) -> Vec<String> {
        match self.listing {
            Listing::Once => Vec::new(),
            Listing::Each => {
                let mut variables = self.variables();
                variables
                    .next()
                    .map_or_else(Vec::new, |it| entry.choices(it))
            }
        }
    }

    /// The arguments of the tool for one URI.
    fn arguments(&self, values: &Values<'_>) -> Map<String, Value> {
        let arguments = self.arguments.iter();
        arguments
            .map(|(parameter, it)| ((*parameter).to_owned(), it.value(values)))
            .collect()
    }
}

/// Parameters that select the rows and the format of an answer, but not its subject.
const PAGING: [&str; 5] = ["limit", "offset", "order", DETAIL, FORMAT];

/// Of the `files` of a tool, those with the facts that a call returned as JSON.
pub(crate) fn links(files: &[&'static Source], call: &Map<String, Value>) -> Vec<ResourceLink> {
    let links = files.iter().filter_map(|source| {
        let uri = source.uri_of(call)?;
        Some(ResourceLink {
            uri,
            mime_type: source.mime_type().to_owned(),
            source,
        })
    });
    links.collect()
}

impl Entry {
    /// The values that a parameter accepts, if they are listed in its schema.
    pub(crate) fn choices(&self, parameter: &str) -> Vec<String> {
        let parameters = self.parameters();
        let parameter = parameters.iter().find(|it| it.name == parameter);
        let choices = parameter.and_then(|it| it.schema.get("enum")?.as_array());
        let choices = choices.into_iter().flatten();
        choices
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect()
    }
}

impl Catalog {
    /// The resources and their tools, in the order they are listed.
    pub fn sources(&self) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
        let sources = Source::all();
        sources.filter_map(|it| self.entry(it.tool).map(|entry| (it, entry)))
    }

    /// The tool behind the resource at a URI; `None` if there is no such resource.
    #[must_use]
    pub fn tool_at(&self, uri: &str) -> Option<&'static Entry> {
        let segments = segments(uri).ok().flatten()?;
        if native::is_native(&segments) {
            let mut sources = self.sources();
            return sources
                .find(|(source, _)| native::is_row(source))
                .map(|(_, entry)| entry);
        }
        self.source_at(&segments).map(|(_, entry, _)| entry)
    }

    /// Reads a resource by calling the tool behind it.
    ///
    /// # Errors
    ///
    /// Fails if no resource has this URI, if the URI is malformed, and with the error of the tool.
    pub async fn read(&self, uri: &str) -> Result<Contents, ReadError> {
        let segments = segments(uri)?.ok_or(ReadError::NotFound)?;
        if native::is_native(&segments) {
            return self.read_native(uri, &segments).await;
        }
        let (source, entry, values) = self.source_at(&segments).ok_or(ReadError::NotFound)?;
        let outcome = self.call(entry, source.arguments(&values)).await?;
        contents(uri, source, outcome)
    }

    /// What signals a change of the resource at a URI, and the values of its variables in order.
    pub(crate) fn signal(&self, uri: &str) -> Result<(Signal, Vec<String>), SubscribeError> {
        let segments = segments(uri).map_err(ReadError::from)?;
        let found = segments.as_ref().filter(|it| !native::is_native(it));
        if let Some((source, _, values)) = found.and_then(|it| self.source_at(it))
            && let Some(signal) = source.signal
        {
            let values = source.variables().filter_map(|it| values.of(it));
            return Ok((signal, values.map(str::to_owned).collect()));
        }
        let sources = self.sources().map(|(source, _)| source);
        let subscribable = sources.filter(|it| it.is_subscribable());
        let templates = subscribable.map(|it| it.template).collect();
        Err(SubscribeError::NotSubscribable(templates))
    }

    /// Whether resources of this form can be read.
    pub(crate) fn offers(&self, template: &str) -> bool {
        let segments = segments(template).ok().flatten();
        segments.is_some_and(|it| self.source_at(&it).is_some())
    }

    fn source_at<'a>(
        &self,
        segments: &'a [String],
    ) -> Option<(&'static Source, &'static Entry, Values<'a>)> {
        let mut sources = self.sources().filter(|(source, _)| !native::is_row(source));
        sources.find_map(|(source, entry)| {
            let values = pattern::matched(source.template, segments)?;
            Some((source, entry, values))
        })
    }
}

/// The contents for a URI, taken from the answer of the tool.
fn contents(uri: &str, source: &Source, outcome: Outcome) -> Result<Contents, ReadError> {
    let mime_type = source.mime_type();
    let mut structure = outcome.structure();
    let is_cut = structure.get("truncated") == Some(&Value::Bool(true));
    let body = match source.part {
        Part::Structure => Some(Body::Text(outcome.json())),
        Part::Member(name) => structure.get(name).map(|it| Body::Text(it.to_string())),
        Part::Picture | Part::Drawing => {
            let mut attachments = outcome.attachments.into_iter();
            let picture = attachments.find(|it| it.mime_type == mime_type);
            picture.map(|it| it.body)
        }
        Part::WholeCsv if is_cut => return Err(ReadError::Incomplete { tool: source.tool }),
        Part::Csv | Part::WholeCsv => match structure.remove(CSV) {
            Some(Value::String(csv)) => Some(Body::Text(csv)),
            Some(_) | None => None,
        },
    };
    Ok(Contents {
        uri: uri.to_owned(),
        mime_type: mime_type.to_owned(),
        // Without prices there is no chart.
        body: body.ok_or(ReadError::NotFound)?,
        freshness: source.freshness,
    })
}
