//! Challenges of endpoints that require access, from `WWW-Authenticate`.

use hyper::{HeaderMap, StatusCode, header::WWW_AUTHENTICATE};

/// The challenge of an endpoint that requires access (RFC 6750 §3, RFC 9728 §5.1), from the headers of a response with status 401 or 403.
///
/// Parameters that the endpoint does not send are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[doc(alias = "WWW-Authenticate")]
pub struct Challenge {
    /// The status: 401 if the token is missing or invalid, 403 if it lacks a scope.
    pub status: u16,
    /// The scheme, such as `Bearer`.
    pub scheme: String,
    /// The URL of the protected resource metadata, which names the authorization servers.
    pub resource_metadata: Option<String>,
    /// The scopes that the request needs.
    pub scopes: Vec<String>,
    /// The error code: `invalid_token`, `insufficient_scope` or `invalid_request`.
    pub error: Option<String>,
    /// An explanation of the error, for developers.
    pub error_description: Option<String>,
    /// The header as it was received.
    pub header: String,
}

impl Challenge {
    /// Reads the headers of a response. If there are several challenges, returns the first with the scheme `Bearer`, or
    /// else the first.
    pub(crate) fn of(status: StatusCode, headers: &HeaderMap) -> Self {
        let sent = headers.get_all(WWW_AUTHENTICATE).iter();
        let sent: Vec<&str> = sent.filter_map(|it| it.to_str().ok()).collect();
        let mut all: Vec<Self> = sent.iter().flat_map(|it| challenges(it)).collect();
        let is_bearer = |it: &Self| it.scheme.eq_ignore_ascii_case("bearer");
        let at = all.iter().position(is_bearer).unwrap_or_default();
        let mut found = match all.is_empty() {
            true => Self::default(),
            false => all.swap_remove(at),
        };
        found.status = status.as_u16();
        found.header = sent.join(", ");
        found
    }

    /// Returns whether the response had a challenge.
    pub(crate) fn is_sent(&self) -> bool {
        !self.header.is_empty()
    }

    fn take(&mut self, name: &str, value: String) {
        match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => self.resource_metadata = Some(value),
            "scope" => self.scopes = value.split_whitespace().map(str::to_owned).collect(),
            "error" => self.error = Some(value),
            "error_description" => self.error_description = Some(value),
            _ => (),
        }
    }
}

/// Returns the challenges of one header: `Scheme name=value, name="value", Other …` (RFC 9110 §11.6.1).
fn challenges(header: &str) -> Vec<Challenge> {
    let mut found: Vec<Challenge> = Vec::new();
    for item in items(header) {
        let (word, rest) = item.split_once(char::is_whitespace).unwrap_or((item, ""));
        let rest = rest.trim_start();
        let begins = !word.contains('=') && !rest.starts_with('=');
        let parameter = if begins {
            found.push(Challenge {
                scheme: word.to_owned(),
                ..Challenge::default()
            });
            rest
        } else {
            item
        };
        if let (Some((name, value)), Some(last)) = (parameter.split_once('='), found.last_mut()) {
            last.take(name.trim(), unquoted(value.trim()));
        }
    }
    found
}

/// Splits a header at commas outside quotes.
fn items(header: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let items = header.split(move |it: char| {
        if is_escaped {
            is_escaped = false;
            return false;
        }
        match it {
            '"' => is_quoted = !is_quoted,
            '\\' if is_quoted => is_escaped = true,
            _ => (),
        }
        it == ',' && !is_quoted
    });
    items.map(str::trim).filter(|it| !it.is_empty())
}

fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else {
        return value.to_owned();
    };
    let mut characters = inner.chars();
    let mut text = String::new();
    while let Some(it) = characters.next() {
        match it {
            '\\' => text.extend(characters.next()),
            it => text.push(it),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    fn read(headers: &[&'static str]) -> Challenge {
        let mut map = HeaderMap::new();
        for header in headers {
            map.append(WWW_AUTHENTICATE, HeaderValue::from_static(header));
        }
        Challenge::of(StatusCode::UNAUTHORIZED, &map)
    }

    #[test]
    fn parameters_are_read_in_any_form() {
        let check = |header: &'static str, scopes: &[&str], error: Option<&str>| {
            let read = read(&[header]);
            assert_eq!((read.status, &*read.header), (401, header));
            assert_eq!(read.scopes, scopes, "{header}");
            assert_eq!(read.error.as_deref(), error, "{header}");
        };
        check("Bearer", &[], None);
        check("Bearer scope=\"a b\"", &["a", "b"], None);
        check(
            "bearer error=invalid_token , scope = \"a\"",
            &["a"],
            Some("invalid_token"),
        );
        check(
            "Basic realm=\"x, scope=y\", Bearer scope=\"a\"",
            &["a"],
            None,
        );
        check(
            "Bearer SCOPE=a,error=\"\\\"odd\\\\\"",
            &["a"],
            Some("\"odd\\"),
        );
        check("Negotiate abc==, Bearer error=\"e\"", &[], Some("e"));
        check(", ,scope=a", &[], None);
        check("Bearer scope=\"a", &["\"a"], None);
    }

    #[test]
    fn bearer_is_chosen_among_several_headers() {
        let found = read(&[
            "Basic realm=\"x\"",
            "Bearer resource_metadata=\"https://a/b\"",
        ]);
        assert_eq!(found.scheme, "Bearer");
        assert_eq!(found.resource_metadata.as_deref(), Some("https://a/b"));
        assert_eq!(read(&["Basic realm=\"x\"", "Digest a=b"]).scheme, "Basic");
        assert!(!read(&[]).is_sent());
    }
}
