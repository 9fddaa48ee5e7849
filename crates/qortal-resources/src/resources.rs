//! Resources: answers that have a URI. Each is a row of one table that names the tool behind it, so that hosts
//! without resources lose nothing.

mod native;
mod source;
mod table;

use qortal_tools::{
    Body, Catalog, Entry, Outcome, ToolError,
    uri::{UriError, Values, matched, segments},
};
use serde_json::Value;
use thiserror::Error;

pub(crate) use self::source::Signal;
pub use self::source::{Freshness, Source};
use self::{native::native, source::Part};

/// The member of an answer that has its rows as CSV.
const CSV: &str = "csv";

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

/// Why a resource cannot be read.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum ReadResourceError {
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

impl ReadResourceError {
    /// Whether another URI would be read, rather than the same one at another time.
    #[must_use]
    pub fn is_of_caller(&self) -> bool {
        match self {
            Self::NotFound | Self::InvalidUri(_) | Self::Incomplete { .. } => true,
            Self::Tool(err) => err.is_of_caller(),
        }
    }
}

impl From<ToolError> for ReadResourceError {
    fn from(err: ToolError) -> Self {
        match err {
            ToolError::NotFound { .. } => Self::NotFound,
            err => Self::Tool(err),
        }
    }
}

/// Returns the resources of a catalog and their tools, in the order they are listed.
pub fn sources(catalog: &Catalog) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
    Source::all().filter_map(|it| catalog.entry(it.tool).map(|entry| (it, entry)))
}

/// Returns the tool behind the resource at a URI, or `None` if there is no such resource.
#[must_use]
pub fn tool_at(catalog: &Catalog, uri: &str) -> Option<&'static Entry> {
    if native(uri).ok()?.is_some() {
        let mut sources = sources(catalog);
        return sources
            .find(|(source, _)| source.is_native())
            .map(|(_, entry)| entry);
    }
    let segments = segments(uri).ok().flatten()?;
    source_at(catalog, &segments).map(|(_, entry, _)| entry)
}

/// Reads a resource by calling the tool behind it.
///
/// # Errors
///
/// Fails if no resource has this URI, if the URI is malformed, and with the error of the tool.
pub async fn read(catalog: &Catalog, uri: &str) -> Result<Contents, ReadResourceError> {
    if let Some(link) = native(uri)? {
        return native::read(catalog, uri, &link).await;
    }
    let segments = segments(uri)?.ok_or(ReadResourceError::NotFound)?;
    let (source, entry, values) =
        source_at(catalog, &segments).ok_or(ReadResourceError::NotFound)?;
    let outcome = catalog.call(entry, source.arguments(&values)).await?;
    contents(uri, source, outcome)
}

/// Returns whether resources of this form can be read.
pub(crate) fn has(catalog: &Catalog, template: &str) -> bool {
    let segments = segments(template).ok().flatten();
    segments.is_some_and(|it| source_at(catalog, &it).is_some())
}

/// Returns the resource at a URI, its tool, and the values of its variables, unless it is a native link.
pub(crate) fn source_at<'a>(
    catalog: &Catalog,
    segments: &'a [String],
) -> Option<(&'static Source, &'static Entry, Values<'a>)> {
    let mut sources = sources(catalog).filter(|(source, _)| !source.is_native());
    sources.find_map(|(source, entry)| {
        let values = matched(source.template, segments)?;
        Some((source, entry, values))
    })
}

/// The contents for a URI, taken from the answer of the tool.
fn contents(uri: &str, source: &Source, outcome: Outcome) -> Result<Contents, ReadResourceError> {
    let mime_type = source.mime_type();
    let mut structure = outcome.structure();
    let is_cut = structure.get("truncated") == Some(&Value::Bool(true));
    let body = match source.part {
        Part::Structure => Some(Body::Text(outcome.json())),
        Part::Member(name) => structure.get(name).map(|it| Body::Text(it.to_string())),
        Part::Image | Part::Drawing => {
            let mut attachments = outcome.attachments.into_iter();
            let image = attachments.find(|it| it.mime_type == mime_type);
            image.map(|it| it.body)
        }
        Part::WholeCsv if is_cut => {
            return Err(ReadResourceError::Incomplete { tool: source.tool });
        }
        Part::Csv | Part::WholeCsv => match structure.remove(CSV) {
            Some(Value::String(csv)) => Some(Body::Text(csv)),
            Some(_) | None => None,
        },
    };
    Ok(Contents {
        uri: uri.to_owned(),
        mime_type: mime_type.to_owned(),
        // Without prices there is no chart.
        body: body.ok_or(ReadResourceError::NotFound)?,
        freshness: source.freshness,
    })
}
