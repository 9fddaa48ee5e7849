//! A request for an endpoint: decoded path and query, and typed parameters with the Core's error responses.

use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use hyper::{HeaderMap, Method, Uri};

use crate::error::Refusal;

/// One complete request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// The path as received, percent-encoded.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    segments: Vec<String>,
    query: Vec<(String, String)>,
    /// The path parameters of the matching endpoint.
    captures: Vec<(&'static str, String)>,
    /// Number of rows read for it.
    rows_read: AtomicUsize,
}

impl Request {
    /// Parses a request. Returns `None` for a broken `%` escape or a NUL character in the path, which Jetty rejects before the API receives
    /// the request.
    pub(crate) fn new(method: Method, uri: &Uri, headers: HeaderMap, body: Bytes) -> Option<Self> {
        let path = uri.path().to_owned();
        let segments = path.split('/').skip(1);
        let segments = segments.map(|segment| decode(segment, false));
        let mut segments: Vec<String> = segments.collect::<Option<_>>()?;
        if segments.len() > 1 && segments.last().is_some_and(String::is_empty) {
            segments.pop();
        }
        if segments.iter().any(|segment| segment.contains('\0')) {
            return None;
        }
        let pairs = uri.query().unwrap_or_default().split('&');
        let pairs = pairs.filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode(name, true)?, decode(value, true)?))
        });
        Some(Self {
            method,
            path,
            headers,
            body,
            segments,
            query: pairs.collect::<Option<_>>()?,
            captures: Vec::new(),
            rows_read: AtomicUsize::new(0),
        })
    }

    /// Returns the decoded segments of the path. A trailing slash is ignored.
    pub(crate) fn segments(&self) -> &[String] {
        &self.segments
    }

    /// Sets the path parameters once the endpoint is known.
    pub(crate) fn with_captures(mut self, captures: Vec<(&'static str, String)>) -> Self {
        self.captures = captures;
        self
    }

    /// Returns the request without a query parameter.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.query.retain(|(known, _)| known != name);
        self
    }

    /// Counts rows that were read for the request.
    pub(crate) fn reads(&self, rows: usize) {
        self.rows_read.fetch_add(rows, Ordering::Relaxed);
    }

    /// Returns the number of rows read for the request.
    pub(crate) fn rows_read(&self) -> usize {
        self.rows_read.load(Ordering::Relaxed)
    }

    /// Returns a path parameter of the endpoint's pattern.
    pub(crate) fn capture(&self, name: &str) -> &str {
        let found = self.captures.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns a path parameter that is a Java `int`.
    pub(crate) fn capture_int(&self, name: &'static str) -> Result<i64, Refusal> {
        java_int(self.capture(name)).ok_or(Refusal::BadParameter(name))
    }

    /// Returns a path parameter that is a Java `long`.
    pub(crate) fn capture_long(&self, name: &'static str) -> Result<i64, Refusal> {
        java_long(self.capture(name), name)
    }

    /// Returns the first value of a query parameter, which may be empty.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the first value of a query parameter. An empty value counts as absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|value| !value.is_empty())
    }

    /// Returns all non-empty values of a repeated query parameter.
    pub(crate) fn list(&self, name: &str) -> Vec<&str> {
        let values = self.query.iter().filter(|(known, _)| known == name);
        let values = values.map(|(_, value)| value.as_str());
        values.filter(|value| !value.is_empty()).collect()
    }

    /// Returns all non-empty values of a repeated query parameter, each a Java `long`.
    pub(crate) fn longs(&self, name: &'static str) -> Result<Vec<i64>, Refusal> {
        let values = self.list(name).into_iter();
        values.map(|text| java_long(text, name)).collect()
    }

    /// Returns a query parameter that is a Java `int`.
    pub(crate) fn int(&self, name: &'static str) -> Result<Option<i64>, Refusal> {
        let read = |text| java_int(text).ok_or(Refusal::BadParameter(name));
        self.text(name).map(read).transpose()
    }

    /// Returns a query parameter that is a Java `long`.
    pub(crate) fn long(&self, name: &'static str) -> Result<Option<i64>, Refusal> {
        let read = |text| java_long(text, name);
        self.text(name).map(read).transpose()
    }

    /// Returns a boolean query parameter. `true` in any case is true, every other value is false.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.optional_flag(name).unwrap_or(false)
    }

    /// Returns an optional boolean query parameter.
    pub(crate) fn optional_flag(&self, name: &str) -> Option<bool> {
        let text = self.text(name)?;
        Some(text.eq_ignore_ascii_case("true"))
    }

    /// Returns a query parameter that is the exact name of an enum constant.
    pub(crate) fn choice(
        &self,
        name: &'static str,
        known: &[&str],
    ) -> Result<Option<&str>, Refusal> {
        match self.text(name) {
            Some(text) if !known.contains(&text) => Err(Refusal::BadParameter(name)),
            found => Ok(found),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Returns `true` if the first accepted language is German, the only translation in the recordings.
    pub(crate) fn wants_german(&self) -> bool {
        self.header("accept-language")
            .is_some_and(|languages| languages.to_ascii_lowercase().starts_with("de"))
    }
}

/// Returns a header as a string. An unreadable header counts as absent.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn java_int(text: &str) -> Option<i64> {
    text.parse::<i32>().ok().map(i64::from)
}

fn java_long(text: &str, name: &'static str) -> Result<i64, Refusal> {
    text.parse().map_err(|_| Refusal::BadParameter(name))
}

/// Decodes percent escapes, or returns `None` if one is broken. In a query, `+` is a space. Invalid UTF-8 becomes replacement characters.
fn decode(text: &str, in_query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                let value = digit()? * 16 + digit()?;
                bytes.push(u8::try_from(value).ok()?);
            }
            b'+' if in_query => bytes.push(b' '),
            other => bytes.push(other),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use hyper::{HeaderMap, Method};

    use super::Request;

    fn request(target: &str) -> Request {
        Request::new(
            Method::GET,
            &target.parse().unwrap(),
            HeaderMap::new(),
            Bytes::new(),
        )
        .unwrap()
    }

    #[test]
    fn parameters_are_read_as_the_core_reads_them() {
        let request = request("/names?limit=&offset=99999999999&reverse=TRUE&a=1&a=2&b=x+y%2Bz");
        assert_eq!(request.int("limit").unwrap(), None);
        assert!(request.int("offset").is_err());
        assert_eq!(request.long("offset").unwrap(), Some(99_999_999_999));
        assert!(request.flag("reverse"));
        assert!(!request.flag("limit"));
        assert_eq!(request.text("a"), Some("1"));
        assert_eq!(request.list("a"), ["1", "2"]);
        assert_eq!(request.text("b"), Some("x y+z"));
    }

    #[test]
    fn segments_are_decoded_one_by_one() {
        assert_eq!(request("/names/a%2Fb/").segments(), ["names", "a/b"]);
        assert_eq!(request("//names").segments(), ["", "names"]);
        assert_eq!(request("/").segments(), [""]);
        for broken in ["/names/%zz", "/names/%4", "/names/a%00b"] {
            let uri = broken.parse().unwrap();
            assert!(
                Request::new(Method::GET, &uri, HeaderMap::new(), Bytes::new()).is_none(),
                "{broken}"
            );
        }
    }
}
