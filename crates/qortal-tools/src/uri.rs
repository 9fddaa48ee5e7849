//! URIs and their templates: `qortal://` and segments, some of which are variables.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use qortal_apps::link::{Form, Link, ResourceLink};
use qortal_types::Service;

pub(super) const SCHEME: &str = "qortal://";

/// Bytes of a URI: the longest values are a name and an identifier, each percent-encoded.
const LONGEST: usize = 2_000;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Why a URI is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UriError {
    /// It is longer than 2,000 bytes.
    #[error("the URI is longer than {LONGEST} bytes")]
    TooLong,
    /// It has a `%` without two hexadecimal digits.
    #[error("the URI has a % that is not followed by two hexadecimal digits")]
    Percent,
    /// The decoded bytes are not UTF-8.
    #[error("the URI is not UTF-8 after decoding")]
    NotUtf8,
    /// It has a control character, plain or encoded.
    #[error("the URI has a control character")]
    Control,
}

/// The decoded segments of a URI; `None` if it has another scheme or form.
pub(crate) fn segments(uri: &str) -> Result<Option<Vec<String>>, UriError> {
    if uri.len() > LONGEST {
        return Err(UriError::TooLong);
    }
    let Some(path) = uri.strip_prefix(SCHEME) else {
        return Ok(None);
    };
    if path.contains(['?', '#']) {
        return Ok(None);
    }
    let segments = path.split('/').map(decoded);
    let mut segments = segments.collect::<Result<Vec<_>, _>>()?;
    // A transaction of a block is named with a slash, which people and models do not encode: `tx/468/2sNaWjar`.
    if let [kind, height, beginning, ..] = segments.as_slice()
        && kind == "tx"
        && height.bytes().all(|it| it.is_ascii_digit())
        && beginning != "explained"
    {
        let transaction = format!("{height}/{beginning}");
        segments.splice(1..3, [transaction]);
    }
    Ok(Some(segments).filter(|it| it.iter().all(|segment| !segment.is_empty())))
}

/// Returns the link if a URI is a native one: its first segment is a service, which may be in small letters.
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

fn decoded(segment: &str) -> Result<String, UriError> {
    let mut rest = segment.split('%');
    rest.next();
    let is_escape = |it: &str| {
        let mut digits = it.bytes().take(2);
        it.len() >= 2 && digits.all(|digit| digit.is_ascii_hexdigit())
    };
    if !rest.all(is_escape) {
        return Err(UriError::Percent);
    }
    let text = percent_decode_str(segment)
        .decode_utf8()
        .map_err(|_| UriError::NotUtf8)?;
    if text.chars().any(char::is_control) {
        return Err(UriError::Control);
    }
    Ok(text.into_owned())
}

/// The values of the variables of a template in one URI.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Values<'a>(Vec<(&'static str, &'a str)>);

impl<'a> Values<'a> {
    pub(crate) fn of(&self, variable: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(name, _)| *name == variable);
        found.map(|(_, value)| *value)
    }
}

/// The values of the variables if the URI matches the template.
pub(super) fn matched<'a>(template: &'static str, segments: &'a [String]) -> Option<Values<'a>> {
    let pieces: Vec<_> = pieces(template).collect();
    if pieces.len() != segments.len() {
        return None;
    }
    let mut values = Vec::new();
    for (piece, segment) in pieces.into_iter().zip(segments) {
        match piece {
            Piece::Literal(literal) if literal == segment => (),
            // Links with a query are read by `native`.
            Piece::Literal(_) | Piece::Query(_) => return None,
            Piece::Variable { name, suffix } => {
                let value = segment.strip_suffix(suffix).filter(|it| !it.is_empty())?;
                values.push((name, value));
            }
        }
    }
    Some(Values(values))
}

/// The names of the variables of a template, in order.
pub(super) fn variables(template: &'static str) -> impl Iterator<Item = &'static str> {
    pieces(template).filter_map(|piece| match piece {
        Piece::Literal(_) => None,
        Piece::Variable { name, .. } | Piece::Query(name) => Some(name),
    })
}

/// The URI with values for the variables. A variable without a value leaves an empty segment, which no resource has.
pub(crate) fn expand<'a>(
    template: &'static str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> String {
    let encoded = |name| utf8_percent_encode(value(name).unwrap_or_default(), RESERVED);
    let mut segments = Vec::new();
    let mut query = String::new();
    for piece in pieces(template) {
        match piece {
            Piece::Literal(literal) => segments.push(literal.to_owned()),
            Piece::Variable { name, suffix } => segments.push(format!("{}{suffix}", encoded(name))),
            Piece::Query(name) => query = format!("?{name}={}", encoded(name)),
        }
    }
    format!("{SCHEME}{}{query}", segments.join("/"))
}

/// A segment of a template.
enum Piece {
    Literal(&'static str),
    Variable {
        name: &'static str,
        suffix: &'static str,
    },
    /// `{?name}` at the end (RFC 6570, 3.2.8).
    Query(&'static str),
}

fn pieces(template: &'static str) -> impl Iterator<Item = Piece> {
    let path = template.strip_prefix(SCHEME).unwrap_or(template);
    let (path, query) = match path.split_once("{?") {
        Some((path, name)) => (path, name.strip_suffix('}')),
        None => (path, None),
    };
    let segments = path.split('/').map(|segment| {
        let variable = segment.strip_prefix('{').and_then(|it| it.split_once('}'));
        match variable {
            // `{+path}` (RFC 6570, 3.2.3) is a variable whose value has slashes.
            Some((name, suffix)) => Piece::Variable {
                name: name.trim_start_matches('+'),
                suffix,
            },
            None => Piece::Literal(segment),
        }
    });
    segments.chain(query.map(Piece::Query))
}
