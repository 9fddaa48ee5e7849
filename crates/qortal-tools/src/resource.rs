//! Resources: answers that have an address. Each is a row of one table which names the tool that answers
//! it, so that hosts without resources miss nothing.

mod native;
mod pattern;
mod table;

use std::{fmt, time::Duration};

use mcp_protocol::Object;
use serde_json::Value;

pub(crate) use self::native::native_link;
pub use self::pattern::BadUri;
use self::pattern::Values;
pub(crate) use self::pattern::{expand, segments};
use crate::{
    catalog::Catalog,
    declare::{CSV, Entry, FORMAT, Link, Outcome},
    error::ToolError,
    watch::Unwatched,
};

/// An address, or all addresses of one form, and how a tool answers them.
#[derive(Debug, PartialEq, Eq)]
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
    /// One record of the structure.
    Member(&'static str),
    /// The picture in pixels that comes with the structure.
    Picture,
    /// The same picture in lines.
    Drawing,
    /// The CSV in the structure.
    Csv,
    /// The same, which is refused unless it has all rows: a file is taken for all there is.
    WholeCsv,
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
    /// What stands in a block, which only a reorganization of the chain changes.
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
    /// There are more rows than one file of this address holds, or some that cannot be read.
    Incomplete {
        /// The tool that returns them in pages.
        tool: &'static str,
    },
    /// The tool refused what the address says, or the node did not answer.
    Tool(ToolError),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such resource"),
            Self::BadUri(err) => err.fmt(f),
            Self::Incomplete { tool } => write!(
                f,
                "the file would not have all rows, {tool} returns them in pages and says what it leaves out"
            ),
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
    pub fn all() -> impl Iterator<Item = &'static Self> + Clone {
        table::all()
    }

    /// The names of the variables in its template, in order.
    pub fn variables(&self) -> impl Iterator<Item = &'static str> {
        pattern::variables(self.template)
    }

    /// Whether it is something else than JSON, for other programs to open.
    const fn is_file(&self) -> bool {
        match self.part {
            Part::Structure | Part::Member(_) => false,
            Part::Picture | Part::Drawing | Part::Csv | Part::WholeCsv => true,
        }
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
            Part::Structure | Part::Member(_) => "application/json",
            Part::Picture => "image/png",
            Part::Drawing => "image/svg+xml",
            Part::Csv | Part::WholeCsv => "text/csv",
        }
    }

    /// The address with the same value for every variable.
    pub(crate) fn uri(&self, value: &str) -> String {
        expand(self.template, |_| Some(value))
    }

    /// The address of what a call of its tool was about; none if the call says less, or asks for something else.
    fn uri_of(&self, call: &Object) -> Option<String> {
        let arguments: Object = serde_json::from_str(self.arguments).ok()?;
        let value = |variable: &str| {
            let place = format!("{{{variable}}}");
            let mut places = arguments.iter();
            let (parameter, _) = places.find(|(_, it)| it.as_str() == Some(&place))?;
            call.get(parameter)?.as_str()
        };
        let mut asked = call.keys().map(String::as_str);
        let is_same = asked.all(|it| PAGING.contains(&it) || arguments.contains_key(it));
        let is_known = is_same && self.variables().all(|it| value(it).is_some());
        is_known.then(|| expand(self.template, value))
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

/// Parameters that say how much of a thing is answered, and how, but not which thing.
const PAGING: [&str; 4] = ["limit", "offset", "reverse", FORMAT];

/// Where what a call was about is to be had in another form than JSON.
pub(crate) fn links(tool: &str, call: &Object) -> Vec<Link> {
    let files = Source::all().filter(|it| it.tool == tool && it.is_file());
    let links = files.filter_map(|source| {
        let uri = source.uri_of(call)?;
        Some(Link {
            uri,
            mime_type: source.mime_type().to_owned(),
            source,
        })
    });
    links.collect()
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

impl Catalog {
    /// The resources that have a tool, in the order they are listed.
    pub fn sources(&self) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
        let sources = Source::all();
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
    let Outcome {
        mut structure,
        attachments,
        ..
    } = outcome;
    let mime_type = source.mime_type();
    let is_cut = structure.get("truncated") == Some(&Value::Bool(true));
    let body = match source.part {
        Part::Structure => Some(Body::Text(Value::Object(structure).to_string())),
        Part::Member(name) => structure.get(name).map(|it| Body::Text(it.to_string())),
        Part::Picture | Part::Drawing => {
            let mut attachments = attachments.into_iter();
            let picture = attachments.find(|it| it.mime_type == mime_type);
            picture.map(|it| it.body)
        }
        Part::WholeCsv if is_cut => return Err(Unread::Incomplete { tool: source.tool }),
        Part::Csv | Part::WholeCsv => match structure.remove(CSV) {
            Some(Value::String(csv)) => Some(Body::Text(csv)),
            Some(_) | None => None,
        },
    };
    Ok(Contents {
        uri: uri.to_owned(),
        mime_type: mime_type.to_owned(),
        // Else there was nothing to draw.
        body: body.ok_or(Unread::NotFound)?,
        freshness: source.freshness,
    })
}
