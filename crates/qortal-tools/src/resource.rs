//! Resources: answers that have an address. Each is a row of one table which names the tool that answers
//! it, so that hosts without resources miss nothing.

mod native;
mod pattern;
mod table;

use std::{fmt, time::Duration};

use mcp_protocol::Object;
use serde_json::Value;

pub use self::pattern::BadUri;
use self::pattern::Values;
pub(crate) use self::pattern::{expand, segments};
use crate::{
    catalogue::Catalogue,
    declare::{Entry, Outcome},
    error::ToolError,
    watch::Unwatched,
};

/// An address, or all addresses of one form, and how a tool answers them.
#[derive(Debug)]
pub struct Source {
    /// A URI, or a URI template (RFC 6570).
    pub template: &'static str,
    /// Short and unique.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// What it holds, in one sentence.
    pub description: &'static str,
    /// The tool that answers.
    pub tool: &'static str,
    /// For how long an answer holds.
    pub freshness: Freshness,
    /// The tool's arguments as JSON; a text `{variable}` stands for what the URI says there.
    arguments: &'static str,
    part: Part,
    listing: Listing,
    /// What tells that it may have changed, for those that can be watched.
    signal: Option<Signal>,
}

/// What tells that a resource may have changed. Where it is about one of several, the variables of the
/// template say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    /// The node's own state.
    Status,
    /// Each new block.
    Tip,
    /// The offers of the coin that is the first variable.
    Offers,
    /// The messages in the group that is the first variable.
    GroupChat,
    /// The messages between the accounts that are the first two variables.
    DirectChat,
    /// Nothing but time.
    Time,
}

/// A resource that can be watched.
pub(crate) struct Watchable {
    pub(crate) signal: Signal,
    /// What the address says for the variables, in order.
    pub(crate) values: Vec<String>,
}

/// Which part of the tool's answer it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Structure,
    /// The picture that comes with the structure.
    Picture,
}

/// How it shows in the lists of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listing {
    Once,
    /// As a template, and each of the few values of its variable as well.
    Each,
}

/// For how long an answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It changes at any time, and another node says something else.
    Moment,
    /// As long as the chain has no new block.
    Block,
    /// What stands in a block, which only a reorganisation of the chain changes.
    Settled,
    /// As long as this version of the program.
    Release,
}

impl Freshness {
    /// How long the answer may be kept.
    #[must_use]
    pub const fn lifetime(self) -> Duration {
        let seconds = match self {
            Self::Moment => 0,
            // A tenth of the time between two blocks: an answer that was kept is hardly older than the node's own.
            Self::Block => 6,
            Self::Settled => 300,
            Self::Release => 86_400,
        };
        Duration::from_secs(seconds)
    }

    /// Whether everyone gets the same answer.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        !matches!(self, Self::Moment)
    }
}

/// What an address holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The address.
    pub uri: String,
    /// For example `application/json`.
    pub mime_type: String,
    /// The contents.
    pub body: Body,
    /// For how long they hold.
    pub freshness: Freshness,
}

/// Contents as MCP has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Text.
    Text(String),
    /// Base64 of bytes.
    Base64(String),
}

/// Why an address holds nothing.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Unread {
    /// There is nothing at this address: no such form, or the chain has no such thing.
    NotFound,
    /// It is no address at all.
    BadUri(BadUri),
    /// The tool refused what the address says, or the node did not answer.
    Tool(ToolError),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such resource"),
            Self::BadUri(err) => err.fmt(f),
            Self::Tool(err) => err.fmt(f),
        }
    }
}

impl std::error::Error for Unread {}

impl From<ToolError> for Unread {
    fn from(err: ToolError) -> Self {
        match err {
            ToolError::NotFound { .. } => Self::NotFound,
            err => Self::Tool(err),
        }
    }
}

impl Source {
    /// All that could be offered, with or without a tool.
    #[must_use]
    pub fn all() -> &'static [Self] {
        table::ALL
    }

    /// The names of the variables in its template, in order.
    pub fn variables(&self) -> impl Iterator<Item = &'static str> {
        pattern::variables(self.template)
    }

    /// Whether it can be watched.
    #[must_use]
    pub const fn can_be_watched(&self) -> bool {
        self.signal.is_some()
    }

    /// The media type of what it holds.
    #[must_use]
    pub const fn mime_type(&self) -> &'static str {
        match self.part {
            Part::Structure => "application/json",
            Part::Picture => "image/png",
        }
    }

    /// The address with the same value for every variable.
    pub(crate) fn uri(&self, value: &str) -> String {
        expand(self.template, |_| Some(value))
    }

    /// The values to list it with one by one.
    pub(crate) fn listed_values(&self, entry: &Entry) -> Vec<String> {
        match self.listing {
            Listing::Once => Vec::new(),
            Listing::Each => {
                let mut variables = self.variables();
                variables.next().map_or_else(Vec::new, |it| entry.words(it))
            }
        }
    }

    /// The arguments of the tool for one address.
    fn arguments(&self, values: &Values<'_>, entry: &Entry) -> Result<Object, ToolError> {
        let Ok(Value::Object(mut arguments)) = serde_json::from_str(self.arguments) else {
            let what = format!("the arguments of {} are no object", self.template);
            return Err(ToolError::Declaration(what));
        };
        for (parameter, value) in &mut arguments {
            fill(value, values);
            if entry.takes_integer(parameter)
                && let Some(number) = value.as_str().and_then(|it| it.parse::<i64>().ok())
            {
                *value = number.into();
            }
        }
        Ok(arguments)
    }
}

/// Puts values in the place of the variables; those that the URI does not have stay as they are, and
/// the tool refuses them.
fn fill(place: &mut Value, values: &Values<'_>) {
    match place {
        Value::String(text) => {
            let name = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            if let Some(value) = name.and_then(|it| values.of(it)) {
                value.clone_into(text);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| fill(it, values)),
        _ => (),
    }
}

impl Entry {
    /// The words that a parameter may be, if it is one of a few.
    pub(crate) fn words(&self, parameter: &str) -> Vec<String> {
        let parameters = self.parameters();
        let schema = parameters.iter().find(|it| it.name == parameter);
        let words = schema.and_then(|it| it.schema.get("enum")?.as_array().cloned());
        let texts = words.into_iter().flatten();
        texts
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect()
    }

    fn takes_integer(&self, parameter: &str) -> bool {
        let parameters = self.parameters();
        let schema = parameters.iter().find(|it| it.name == parameter);
        schema.is_some_and(|it| it.schema.get("type").is_some_and(|it| it == "integer"))
    }
}

impl Catalogue {
    /// The resources that have a tool, in the order they are listed.
    pub fn sources(&self) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
        let sources = Source::all().iter();
        sources.filter_map(|it| self.entry(it.tool).map(|entry| (it, entry)))
    }

    /// Reads what is at an address, by calling the tool behind it.
    ///
    /// Errors if there is nothing, if it is no address, and as the tool does.
    pub async fn read(&self, uri: &str) -> Result<Contents, Unread> {
        let Some(segments) = segments(uri).map_err(Unread::BadUri)? else {
            return Err(Unread::NotFound);
        };
        if native::is_native(&segments) {
            return self.read_native(uri, &segments).await;
        }
        let (source, entry, values) = self.source_at(&segments).ok_or(Unread::NotFound)?;
        let arguments = source.arguments(&values, entry)?;
        let outcome = self.call(entry, arguments).await?;
        contents(uri, source, outcome)
    }

    /// What tells that an address may hold something else.
    ///
    /// Errors if it cannot be watched, or is no address.
    pub(crate) fn watchable(&self, uri: &str) -> Result<Watchable, Unwatched> {
        let segments = segments(uri).map_err(Unread::BadUri)?;
        let found = segments.as_ref().filter(|it| !native::is_native(it));
        let found = found.and_then(|it| self.source_at(it));
        let watchable = found.and_then(|(source, _, values)| {
            let values = source.variables().filter_map(|it| values.of(it));
            Some(Watchable {
                signal: source.signal?,
                values: values.map(str::to_owned).collect(),
            })
        });
        watchable.ok_or_else(|| {
            let forms = self.sources().map(|(source, _)| source);
            let forms = forms.filter(|it| it.can_be_watched());
            Unwatched::NotWatchable(forms.map(|it| it.template).collect())
        })
    }

    /// Whether addresses of this form can be read.
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

/// What a tool's answer holds for an address.
fn contents(uri: &str, source: &Source, outcome: Outcome) -> Result<Contents, Unread> {
    let (mime_type, body) = match source.part {
        Part::Structure => {
            let text = Value::Object(outcome.structure).to_string();
            (source.mime_type().to_owned(), Body::Text(text))
        }
        Part::Picture => match outcome.attachments.into_iter().next() {
            Some(picture) => (picture.mime_type, Body::Base64(picture.data)),
            // There was nothing to draw.
            None => return Err(Unread::NotFound),
        },
    };
    Ok(Contents {
        uri: uri.to_owned(),
        mime_type,
        body,
        freshness: source.freshness,
    })
}
