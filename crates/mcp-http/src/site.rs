//! The check of `Host` and `Origin`. It prevents web pages from reaching a local server through its user's browser,
//! directly or by DNS rebinding.

use std::net::{Ipv4Addr, Ipv6Addr};

use hyper::{
    HeaderMap, Uri, Version,
    header::{HOST, HeaderValue, ORIGIN},
};

use crate::{
    ConfigError, header,
    refusal::{self, Refusal},
    throttle::Throttle,
};

/// The allowed hosts and origins, in addition to those of the loopback interface.
#[derive(Debug)]
pub(crate) struct Allowed {
    hosts: Vec<Host<String>>,
    origins: Vec<Origin>,
    log: Throttle,
}

/// The origin of a request.
#[derive(Debug)]
pub(crate) enum Caller {
    /// The request has no `Origin`. It does not come from a web page, or comes from one of the same origin.
    Direct,
    /// A web page that may read responses.
    AllowedOrigin(HeaderValue),
    /// A web page that may not read responses, or whose origin cannot be parsed.
    ForbiddenOrigin,
}

/// A host with an optional port. The comparison of names ignores case, and stored names are in lower case.
#[derive(Debug, PartialEq, Eq)]
struct Host<S> {
    name: S,
    port: Option<u16>,
}

/// A scheme, in lower case, and a host.
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: Host<String>,
}

impl Allowed {
    pub(crate) fn new(hosts: &[String], origins: &[String]) -> Result<Self, ConfigError> {
        let hosts = hosts
            .iter()
            .map(|text| Host::to_keep(text).ok_or_else(|| ConfigError::Host(text.clone())));
        let origins = origins
            .iter()
            .map(|text| Origin::parse(text).ok_or_else(|| ConfigError::Origin(text.clone())));
        Ok(Self {
            hosts: hosts.collect::<Result<_, _>>()?,
            origins: origins.collect::<Result<_, _>>()?,
            log: Throttle::default(),
        })
    }

    /// Checks that the hosts of a request are allowed.
    pub(crate) fn check_hosts(&self, hosts: &Hosts<'_>) -> Result<(), Refusal> {
        match hosts.iter().find(|it| !self.allows_host(it)) {
            None => Ok(()),
            Some(host) => {
                if let Some(withheld) = self.log.pass() {
                    let host = refusal::quoted(host);
                    tracing::warn!(%host, withheld, "a request was rejected: its host is not allowed");
                }
                Err(refusal::host_not_allowed(host))
            }
        }
    }

    fn allows_host(&self, text: &[u8]) -> bool {
        let host = std::str::from_utf8(text).ok().and_then(Host::parse);
        host.is_some_and(|host| {
            host.is_loopback() || self.hosts.iter().any(|allowed| host.is_covered_by(allowed))
        })
    }

    /// Returns the response to a web page whose origin is not allowed.
    pub(crate) fn reject_origin(&self, headers: &HeaderMap) -> Refusal {
        let origin = headers.get(ORIGIN).map_or(&b""[..], HeaderValue::as_bytes);
        if let Some(withheld) = self.log.pass() {
            let origin = refusal::quoted(origin);
            tracing::warn!(%origin, withheld, "a request was rejected: its origin is not allowed");
        }
        refusal::origin_not_allowed(origin)
    }

    /// Returns the caller of a request, by its `Origin`.
    pub(crate) fn caller(&self, headers: &HeaderMap) -> Caller {
        let Some(value) = headers.get(ORIGIN) else {
            return Caller::Direct;
        };
        let origin = match header::single_value(headers, &ORIGIN) {
            Ok(Some(text)) => std::str::from_utf8(text).ok().and_then(Origin::parse),
            Ok(None) | Err(header::DuplicateHeader) => None,
        };
        match origin {
            Some(origin) if self.allows_origin(&origin) => Caller::AllowedOrigin(value.clone()),
            Some(_) | None => Caller::ForbiddenOrigin,
        }
    }

    fn allows_origin(&self, origin: &Origin) -> bool {
        let is_web = default_port(&origin.scheme).is_some();
        (is_web && origin.host.is_loopback())
            || self.origins.iter().any(|allowed| {
                origin.scheme == allowed.scheme
                    && origin.host.name == allowed.host.name
                    && origin.port() == allowed.port()
            })
    }
}

/// The hosts that a request names.
///
/// A target in absolute form names one, in addition to the header (RFC 9112 §3.2.2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hosts<'a>([Option<&'a [u8]>; 2]);

impl<'a> Hosts<'a> {
    /// Returns the hosts of a request. Only an HTTP/1.0 request may have none, and browsers do not send those.
    pub(crate) fn of(
        version: Version,
        uri: &'a Uri,
        headers: &'a HeaderMap,
    ) -> Result<Self, Refusal> {
        let header = header::single_value(headers, &HOST)
            .map_err(|header::DuplicateHeader| refusal::host_missing_or_repeated())?;
        let authority = uri.authority().map(|it| it.as_str().as_bytes());
        let may_be_absent = matches!(version, Version::HTTP_09 | Version::HTTP_10);
        if header.or(authority).is_none() && !may_be_absent {
            Err(refusal::host_missing_or_repeated())
        } else {
            Ok(Self([header, authority]))
        }
    }

    /// Returns the hosts, with that of the header first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        self.0.into_iter().flatten()
    }
}

impl<'a> Host<&'a str> {
    /// Parses `name`, `name:port`, `[address]` or `[address]:port`.
    fn parse(text: &'a str) -> Option<Self> {
        let end = match text.strip_prefix('[') {
            Some(address) => address.find(']')? + 2,
            None => text.find(':').unwrap_or(text.len()),
        };
        let (name, port) = text.split_at_checked(end)?;
        let port = match port {
            // "host:" has the default port (RFC 3986 §3.2.3).
            "" | ":" => None,
            port => Some(parse_port(port.strip_prefix(':')?)?),
        };
        let is_name = match address_in(name) {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            // Stricter than RFC 3986, to reject patterns such as `*.example.org`, and user information.
            None => {
                let is_name_byte =
                    |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
                !name.is_empty() && name.bytes().all(is_name_byte)
            }
        };
        is_name.then_some(Self { name, port })
    }
}

impl<S: AsRef<str>> Host<S> {
    fn is_loopback(&self) -> bool {
        let name = self.name.as_ref();
        if let Some(address) = address_in(name) {
            let address = address.parse::<Ipv6Addr>();
            return address.is_ok_and(|it| it.to_canonical().is_loopback());
        }
        let address = name.parse::<Ipv4Addr>();
        address.is_ok_and(|it| it.is_loopback()) || name.eq_ignore_ascii_case("localhost")
    }

    fn is_covered_by(&self, allowed: &Host<String>) -> bool {
        self.name.as_ref().eq_ignore_ascii_case(&allowed.name)
            && (allowed.port.is_none() || allowed.port == self.port)
    }
}

/// Returns the string of an IPv6 address in brackets.
fn address_in(name: &str) -> Option<&str> {
    name.strip_prefix('[')?.strip_suffix(']')
}

/// Parses a port of digits only. Unlike `u16::from_str`, it accepts no sign.
fn parse_port(text: &str) -> Option<u16> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok())?
}

impl Host<String> {
    fn to_keep(text: &str) -> Option<Self> {
        Host::parse(text).map(|host| Self {
            name: host.name.to_ascii_lowercase(),
            port: host.port,
        })
    }
}

impl Origin {
    /// Parses an origin as browsers send it. `null` is not one.
    fn parse(text: &str) -> Option<Self> {
        let (scheme, host) = text.split_once("://")?;
        let is_scheme_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let is_scheme = !scheme.is_empty() && scheme.bytes().all(is_scheme_byte);
        let host = Host::to_keep(host)?;
        is_scheme.then(|| Self {
            scheme: scheme.to_ascii_lowercase(),
            host,
        })
    }

    fn port(&self) -> Option<u16> {
        self.host.port.or_else(|| default_port(&self.scheme))
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed() -> Allowed {
        let hosts = ["Mcp.Example.org".to_owned(), "proxy:8443".to_owned()];
        let origins = [
            "https://App.example.org".to_owned(),
            "http://lan:6274".to_owned(),
            "vscode-webview://abc".to_owned(),
        ];
        Allowed::new(&hosts, &origins).unwrap()
    }

    #[test]
    fn only_loopback_hosts_and_configured_ones_are_allowed() {
        let allowed = allowed();
        for (host, expect) in [
            ("localhost", true),
            ("LocalHost:8000", true),
            ("127.0.0.1:1", true),
            ("127.8.9.10", true),
            ("[::1]", true),
            ("[0:0:0:0:0:0:0:1]:8000", true),
            ("[::ffff:127.0.0.1]", true),
            ("localhost:", true),
            ("mcp.example.ORG:9", true),
            ("proxy:8443", true),
            ("proxy:8444", false),
            ("proxy", false),
            ("0.0.0.0:8000", false),
            ("[::]", false),
            ("[::1", false),
            ("[::1]x", false),
            ("::1", false),
            ("127.0.0.1.example.org", false),
            ("localhost.example.org", false),
            ("user@localhost", false),
            ("localhost:80x", false),
            ("localhost:99999", false),
            ("localhost/", false),
            ("user@localhost:80", false),
            ("localhost:80@localhost:80", false),
            ("localhost:80:80", false),
            (":80", false),
            ("128.0.0.1", false),
            ("example.org", false),
            ("", false),
        ] {
            assert_eq!(allowed.allows_host(host.as_bytes()), expect, "{host}");
        }
    }

    #[test]
    fn only_loopback_origins_and_configured_ones_are_allowed() {
        let allowed = allowed();
        for (origin, expect) in [
            ("http://localhost:6274", true),
            ("https://127.0.0.1", true),
            ("http://[::1]:3000", true),
            ("https://app.example.org", true),
            ("HTTPS://app.example.org:443", true),
            ("http://lan:6274", true),
            ("vscode-webview://abc", true),
            ("https://app.example.org:444", false),
            ("http://app.example.org", false),
            ("http://lan", false),
            ("tauri://localhost", false),
            ("https://example.org", false),
            ("http://localhost.example.org", false),
            ("http://localhost/", false),
            ("http://user@localhost", false),
            ("localhost", false),
            ("://localhost", false),
            ("null", false),
            ("", false),
        ] {
            let parsed = Origin::parse(origin);
            let is_allowed = parsed.is_some_and(|it| allowed.allows_origin(&it));
            assert_eq!(is_allowed, expect, "{origin}");
        }
    }

    #[test]
    fn what_is_no_host_or_origin_cannot_be_allowed() {
        for text in ["", "*.example.org", "a%41", "a b", "a@b", "[::1", "a:b"] {
            assert_eq!(Host::parse(text), None, "{text}");
        }
        for text in [
            "",
            "null",
            "a.example.org",
            "://a.example.org",
            "h*p://a.example.org",
            "h p://a.example.org",
            "http://*.example.org",
        ] {
            assert_eq!(Origin::parse(text), None, "{text}");
        }
        let origin = Origin::parse("HTTP+x.y-1://a").unwrap();
        assert_eq!(origin.scheme, "http+x.y-1");
    }
}
