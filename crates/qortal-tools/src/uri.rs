//! URIs of resources and their templates: `qortal://` and segments, some of them variables.
//!
//! The crate `qortal-resources` defines the resources. Tools link to the files among them, and recognize the others.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The scheme of every resource.
pub const SCHEME: &str = "qortal://";

/// The URI templates of all resources except native links, without the scheme and separated by white space. A test of
/// `qortal-resources` compares them with its table.
pub const TEMPLATES: &str = "
    trades/{blockchain}.csv ledger/{address}.csv account/{address}/ledger.csv
    chart/price/{blockchain}.png chart/price/{blockchain}.svg chart/order-book/{blockchain}.svg
    chart/minting/{address}.svg chart/balance/{address}.svg chart/minters.svg
    node/status node/info node/summary node/health node/peers node/comparison
    network chain/tip chain/params chain/fees fee/{tx_type} block/{height} block/{height}/minting
    block/sig/{signature} tx/{signature} tx/{signature}/explained mempool account/{address}
    account/{address}/report account/{address}/transactions account/{address}/names
    account/{address}/groups account/{address}/minting account/{address}/approvals
    identity/{identity} name/{name} name/{name}/check names/forsale market
    trade/offers/{blockchain} trade/{at_address} trade/{at_address}/explained
    trades/{blockchain} orderbook/{blockchain} price/{blockchain} price/{blockchain}/history
    coin/{blockchain} ledger/{address} group/{group_id} group/{group_id}/requests
    group/{group_id}/members chat/group/{group_id} chat/direct/{address}/{other_address}
    asset/{asset_id} poll/{poll_name} at/{at_address} qdn-status/{service}/{name}
    qdn-status/{service}/{name}/{identifier} docs/{topic} config tools
";

/// Maximum length of a URI, in bytes. The longest values are a name and an identifier, each percent-encoded.
const LONGEST: usize = 2_000;

/// Every character except the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// An error in a URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UriError {
    /// The URI is longer than 2,000 bytes.
    #[error("the URI is longer than {LONGEST} bytes")]
    TooLong,
    /// The URI has a `%` without two hexadecimal digits.
    #[error("the URI has a % that is not followed by two hexadecimal digits")]
    Percent,
    /// The decoded bytes are not UTF-8.
    #[error("the URI is not UTF-8 after decoding")]
    NotUtf8,
    /// The URI has a control character, plain or encoded.
    #[error("the URI has a control character")]
    Control,
}

/// Returns the decoded segments of a URI, or `None` if it has another scheme or form.
///
/// # Errors
///
/// Returns an error if the URI is malformed.
pub fn segments(uri: &str) -> Result<Option<Vec<String>>, UriError> {
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
    // The ID of a confirmed transaction has a slash, which people and models do not encode: `tx/468/2sNaWjar`.
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

/// The values of a template's variables in a URI.
#[derive(Debug, PartialEq, Eq)]
pub struct Values<'a>(Vec<(&'static str, &'a str)>);

impl<'a> Values<'a> {
    /// Returns the value of a variable.
    #[must_use]
    pub fn of(&self, variable: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(name, _)| *name == variable);
        found.map(|(_, value)| *value)
    }
}

/// Returns the values of the variables if the segments of a URI match the template.
#[must_use]
pub fn matched<'a>(template: &'static str, segments: &'a [String]) -> Option<Values<'a>> {
    let pieces: Vec<_> = pieces(template).collect();
    if pieces.len() != segments.len() {
        return None;
    }
    let mut values = Vec::new();
    for (piece, segment) in pieces.into_iter().zip(segments) {
        match piece {
            Piece::Literal(literal) if literal == segment => (),
            // Segments come from a URI without a query.
            Piece::Literal(_) | Piece::Query(_) => return None,
            Piece::Variable { name, suffix } => {
                let value = segment.strip_suffix(suffix).filter(|it| !it.is_empty())?;
                values.push((name, value));
            }
        }
    }
    Some(Values(values))
}

/// Returns the names of the variables of a template, in order.
pub fn variables(template: &'static str) -> impl Iterator<Item = &'static str> {
    pieces(template).filter_map(|piece| match piece {
        Piece::Literal(_) => None,
        Piece::Variable { name, .. } | Piece::Query(name) => Some(name),
    })
}

/// Builds a URI from values for the variables. A variable without a value leaves an empty segment. No resource has one.
pub fn expand<'a>(template: &'static str, value: impl Fn(&str) -> Option<&'a str>) -> String {
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

/// Returns whether a URI belongs to a resource of the server other than a native link.
pub(crate) fn is_own(uri: &str) -> bool {
    let segments = segments(uri).ok().flatten().unwrap_or_default();
    let mut templates = TEMPLATES.split_ascii_whitespace();
    templates.any(|template| matched(template, &segments).is_some())
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
