//! Addresses and their templates: `qortal://` and segments, of which some are variables.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

pub(super) const SCHEME: &str = "qortal://";

/// Bytes of an address: the longest values are a name and an identifier, each percent-encoded.
const LONGEST: usize = 2_000;

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadUri {
    /// It is longer than any address.
    #[error("the URI is longer than {LONGEST} bytes")]
    TooLong,
    /// A `%` without two hexadecimal digits.
    #[error("the URI has a % that no two hexadecimal digits follow")]
    Percent,
    /// The decoded bytes are no UTF-8.
    #[error("the URI is not UTF-8 once decoded")]
    NotUtf8,
    /// A control character, plain or encoded.
    #[error("the URI has a control character")]
    Control,
}

/// The decoded segments of an address; none if it is an address of another kind.
pub(crate) fn segments(uri: &str) -> Result<Option<Vec<String>>, BadUri> {
    if uri.len() > LONGEST {
        return Err(BadUri::TooLong);
    }
    let Some(path) = uri.strip_prefix(SCHEME) else {
        return Ok(None);
    };
    if path.contains(['?', '#']) {
        return Ok(None);
    }
    let segments = path.split('/').map(decoded);
    let segments = segments.collect::<Result<Vec<_>, _>>()?;
    Ok(Some(segments).filter(|it| it.iter().all(|segment| !segment.is_empty())))
}

fn decoded(segment: &str) -> Result<String, BadUri> {
    let mut rest = segment.split('%');
    rest.next();
    let is_escape = |it: &str| {
        let mut digits = it.bytes().take(2);
        it.len() >= 2 && digits.all(|digit| digit.is_ascii_hexdigit())
    };
    if !rest.all(is_escape) {
        return Err(BadUri::Percent);
    }
    let text = percent_decode_str(segment)
        .decode_utf8()
        .map_err(|_| BadUri::NotUtf8)?;
    if text.chars().any(char::is_control) {
        return Err(BadUri::Control);
    }
    Ok(text.into_owned())
}

/// What an address says for the variables of a template.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Values<'a>(Vec<(&'static str, &'a str)>);

impl<'a> Values<'a> {
    pub(super) fn of(&self, variable: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(name, _)| *name == variable);
        found.map(|(_, value)| *value)
    }
}

/// The values of the variables if the address has the form of the template.
pub(super) fn matched<'a>(template: &'static str, segments: &'a [String]) -> Option<Values<'a>> {
    let pieces: Vec<_> = pieces(template).collect();
    if pieces.len() != segments.len() {
        return None;
    }
    let mut values = Vec::new();
    for (piece, segment) in pieces.into_iter().zip(segments) {
        match piece {
            Piece::Literal(literal) if literal == segment => (),
            Piece::Literal(_) => return None,
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
        Piece::Variable { name, .. } => Some(name),
    })
}

/// The address with values for the variables; one without a value stays empty, and is no address then.
pub(crate) fn expand<'a>(
    template: &'static str,
    value: impl Fn(&str) -> Option<&'a str>,
) -> String {
    let segments = pieces(template).map(|piece| match piece {
        Piece::Literal(literal) => literal.to_owned(),
        Piece::Variable { name, suffix } => {
            let value = value(name).unwrap_or_default();
            format!("{}{suffix}", utf8_percent_encode(value, RESERVED))
        }
    });
    format!("{SCHEME}{}", segments.collect::<Vec<_>>().join("/"))
}

/// A segment of a template.
enum Piece {
    Literal(&'static str),
    Variable {
        name: &'static str,
        suffix: &'static str,
    },
}

fn pieces(template: &'static str) -> impl Iterator<Item = Piece> {
    let path = template.strip_prefix(SCHEME).unwrap_or(template);
    path.split('/').map(|segment| {
        let variable = segment.strip_prefix('{').and_then(|it| it.split_once('}'));
        match variable {
            // `{+path}` (RFC 6570, 3.2.3) is a variable whose value has slashes.
            Some((name, suffix)) => Piece::Variable {
                name: name.trim_start_matches('+'),
                suffix,
            },
            None => Piece::Literal(segment),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(uri: &str, expected: Result<Option<&[&str]>, BadUri>) {
        let found = segments(uri);
        let found = found
            .as_ref()
            .map(|it| {
                it.as_ref()
                    .map(|it| it.iter().map(String::as_str).collect())
            })
            .map_err(|err| *err);
        assert_eq!(found, expected.map(|it| it.map(<[&str]>::to_vec)), "{uri}");
    }

    #[test]
    fn addresses_are_decoded_strictly() {
        check("qortal://block/200", Ok(Some(&["block", "200"])));
        check(
            "qortal://name/Alice%20Test",
            Ok(Some(&["name", "Alice Test"])),
        );
        check("qortal://name/B%C3%B3b", Ok(Some(&["name", "Bób"])));
        check("qortal://name/Bób Name", Ok(Some(&["name", "Bób Name"])));
        check("qortal://name/a%2Fb", Ok(Some(&["name", "a/b"])));
        check("qortal://name/a+b", Ok(Some(&["name", "a+b"])));
        check("qortal://name/", Ok(None));
        check("qortal://", Ok(None));
        check("qortal://name/a?b", Ok(None));
        check("qortal://name/a#b", Ok(None));
        check("QORTAL://block/200", Ok(None));
        check("https://block/200", Ok(None));
        check("", Ok(None));
        check("qortal://name/100%", Err(BadUri::Percent));
        check("qortal://name/%4", Err(BadUri::Percent));
        check("qortal://name/%4g", Err(BadUri::Percent));
        check("qortal://name/%é", Err(BadUri::Percent));
        check("qortal://name/%FF", Err(BadUri::NotUtf8));
        check("qortal://name/a%00", Err(BadUri::Control));
        check("qortal://name/a\nb", Err(BadUri::Control));
        check(
            &format!("qortal://{}", "a".repeat(2_000)),
            Err(BadUri::TooLong),
        );
    }

    #[test]
    fn what_is_put_into_a_template_is_found_there_again() {
        let template = "qortal://chart/price/{blockchain}.png";
        for value in ["LITECOIN", "a/b", "100%", "Bób Name", "..", "{x}", "a?b#c"] {
            let uri = expand(template, |_| Some(value));
            let segments = segments(&uri).unwrap().unwrap();
            let values = matched(template, &segments).unwrap();
            assert_eq!(values.of("blockchain"), Some(value), "{uri}");
        }
        let segments = segments("qortal://chart/price/.png").unwrap().unwrap();
        assert_eq!(matched(template, &segments), None);
    }
}
