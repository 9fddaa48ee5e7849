//! Native links, in the form that Q-Apps and the Hub use, `qortal://SERVICE/name/path?identifier=ID`, and in the older form
//! `qortal://SERVICE/name/identifier/path`.

use qortal_apps::link::{Form, Link, ResourceLink};
use qortal_tools::{
    Catalog, Object, Outcome, ToolError,
    uri::{UriError, segments},
};
use qortal_types::Service;
use serde_json::Value;

use super::{Contents, ReadResourceError, contents, sources};

/// The tool that reports whether a resource exists. Unlike a read, it does not make the node fetch anything.
const STATUS: &str = "get_qdn_resource_status";

/// The parameter that selects a file of a multi-file resource.
const FILE: &str = "filepath";

/// The file of a site or an app that a link without a path refers to.
const FIRST_PAGE: &str = "index.html";

/// Parses a native link: a URI whose first segment is a service, in upper or lower case. Returns `None` for other URIs.
pub(super) fn native(uri: &str) -> Result<Option<ResourceLink>, UriError> {
    let path = uri.split('?').next().unwrap_or_default();
    let segments = segments(path)?.unwrap_or_default();
    let is_service = |text: &String| {
        let is_word = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        text.bytes().all(is_word) || text.parse::<Service>().is_ok()
    };
    if !segments.first().is_some_and(is_service) {
        return Ok(None);
    }
    Ok(match Link::read(uri) {
        Some(Link::Resource(link)) if link.form == Form::Native => Some(link),
        _ => None,
    })
}

/// Reads a native link.
pub(super) async fn read(
    catalog: &Catalog,
    uri: &str,
    link: &ResourceLink,
) -> Result<Contents, ReadResourceError> {
    let mut sources = sources(catalog).filter(|(source, _)| source.is_native());
    let (source, entry) = sources.next().ok_or(ReadResourceError::NotFound)?;
    let mut arguments = arguments_of(catalog, link).await?;
    let mut answer = catalog.call(entry, arguments.clone()).await;
    if refuses(&answer, FILE) && !arguments.contains_key(FILE) {
        arguments.insert(FILE.to_owned(), FIRST_PAGE.into());
        answer = catalog.call(entry, arguments.clone()).await;
    }
    match answer {
        Ok(outcome) => match outcome.attachments.first() {
            Some(image) => Ok(Contents {
                uri: uri.to_owned(),
                mime_type: image.mime_type.clone(),
                body: image.body.clone(),
                freshness: source.freshness,
            }),
            None => contents(uri, source, outcome),
        },
        // A published resource that cannot be read now exists: the tool's error has the reason.
        Err(err @ ToolError::NotFound { .. }) => {
            arguments.remove(FILE);
            if is_published(catalog, arguments).await? {
                Err(ReadResourceError::Tool(err))
            } else {
                Err(ReadResourceError::NotFound)
            }
        }
        Err(err) => Err(ReadResourceError::Tool(err)),
    }
}

/// Returns the tool's arguments for a link. Without an identifier in the query, the first segment after the name is the identifier if
/// something is published under it, or else part of the path (`q-apps.js` of the Core).
async fn arguments_of(catalog: &Catalog, link: &ResourceLink) -> Result<Object, ReadResourceError> {
    let mut arguments = object([("service", &link.service), ("name", &link.name)]);
    let mut path = link.path.as_slice();
    if let Some(identifier) = &link.identifier {
        arguments.insert("identifier".to_owned(), identifier.as_str().into());
    } else if let [third, rest @ ..] = path {
        let mut with_identifier = arguments.clone();
        with_identifier.insert("identifier".to_owned(), third.as_str().into());
        if is_published(catalog, with_identifier.clone()).await? {
            arguments = with_identifier;
            path = rest;
        }
    }
    if !path.is_empty() {
        arguments.insert(FILE.to_owned(), path.join("/").into());
    }
    Ok(arguments)
}

async fn is_published(catalog: &Catalog, arguments: Object) -> Result<bool, ReadResourceError> {
    let Some(entry) = catalog.entry(STATUS) else {
        return Ok(false);
    };
    let answer = catalog.call(entry, arguments).await;
    if refuses(&answer, "identifier") {
        // A segment that is not a valid identifier is part of the path.
        return Ok(false);
    }
    let outcome = answer?;
    let structure = outcome.structure();
    let status = structure.get("status").and_then(Value::as_str);
    Ok(status.is_some_and(|it| it != "NOT_PUBLISHED"))
}

/// Returns `true` if a call failed because of this argument only.
fn refuses(answer: &Result<Outcome, ToolError>, parameter: &str) -> bool {
    matches!(answer, Err(ToolError::Arguments(problems))
        if problems.iter().all(|it| it.parameter == parameter))
}

fn object<const N: usize>(members: [(&str, &str); N]) -> Object {
    let members = members.into_iter();
    members
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect()
}
