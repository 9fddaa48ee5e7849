//! Resources: tool results with a URI. Each is a row of one table that names its tool, so hosts without resources can call the tool.

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

/// The field of a tool result that holds its rows as CSV.
const CSV: &str = "csv";

/// The contents of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contents {
    /// The URI that was read.
    pub uri: String,
    /// The media type, such as `application/json`.
    pub mime_type: String,
    /// The contents.
    pub body: Body,
    /// The validity period of the contents.
    pub freshness: Freshness,
}

/// An error in reading a resource.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum ReadResourceError {
    /// No resource has this URI, or the chain has no such item.
    #[error("there is no such resource")]
    NotFound,
    /// The URI is malformed.
    #[error(transparent)]
    InvalidUri(#[from] UriError),
    /// The list has more rows than a file may hold, or some rows are unreadable.
    #[error(
        "the file would be incomplete; {tool} returns the rows in pages and lists what it leaves out"
    )]
    Incomplete {
        /// The tool that returns the rows page by page.
        tool: &'static str,
    },
    /// The tool rejected the values in the URI, or the node did not respond.
    #[error(transparent)]
    Tool(ToolError),
}

impl ReadResourceError {
    /// Returns `true` if a different URI could succeed. Otherwise the same URI may succeed later.
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

/// Returns the resources of a catalog and their tools, in list order.
pub fn sources(catalog: &Catalog) -> impl Iterator<Item = (&'static Source, &'static Entry)> {
    Source::all().filter_map(|it| catalog.entry(it.tool).map(|entry| (it, entry)))
}

/// Returns the tool behind the resource at a URI, or `None` if no resource has the URI.
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
/// Returns an error if no resource has this URI, if the URI is malformed, or if the tool fails.
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

/// Returns `true` if the catalog can read resources of this template.
pub(crate) fn has(catalog: &Catalog, template: &str) -> bool {
    let segments = segments(template).ok().flatten();
    segments.is_some_and(|it| source_at(catalog, &it).is_some())
}

/// Returns the resource at a URI, its tool, and the values of its variables. Returns `None` for a native link.
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

/// Converts a tool result to the contents of a URI.
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
