//! An endpoint of the Core: its method, path and handler.

use std::fmt;

use crate::{answer::Body, error::Refusal, request::Request, state::State};

/// Handler of an endpoint's requests.
pub(crate) type Handler = fn(&State, &Request) -> Result<Body, Refusal>;

/// One method of the Core's API.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) method: &'static str,
    /// Path with `{…}` for parameters. A parameter that ends in `*` captures the rest.
    pub(crate) path: &'static str,
    pub(crate) handler: Handler,
    /// Whether the endpoint acts, signs or reveals secrets. A read-only client must not call it.
    pub(crate) is_acting: bool,
}

impl Endpoint {
    const fn new(method: &'static str, path: &'static str, handler: Handler) -> Self {
        Self {
            method,
            path,
            handler,
            is_acting: false,
        }
    }

    pub(crate) const fn get(path: &'static str, handler: Handler) -> Self {
        Self::new("GET", path, handler)
    }

    pub(crate) const fn post(path: &'static str, handler: Handler) -> Self {
        Self::new("POST", path, handler)
    }

    pub(crate) const fn acting(method: &'static str, path: &'static str, handler: Handler) -> Self {
        Self {
            is_acting: true,
            ..Self::new(method, path, handler)
        }
    }

    /// Returns the path parameters if the path matches, and the number of literal characters in the pattern.
    pub(crate) fn captures(
        &self,
        segments: &[String],
    ) -> Option<(Vec<(&'static str, String)>, usize)> {
        let mut captures = Vec::new();
        let mut literal = 0;
        let mut rest = segments.iter();
        for part in self.path.split('/').skip(1) {
            match part
                .strip_prefix('{')
                .and_then(|part| part.strip_suffix('}'))
            {
                Some(name) if name.ends_with('*') => {
                    let remaining: Vec<&str> = rest.by_ref().map(String::as_str).collect();
                    captures.push((name, remaining.join("/")));
                }
                Some(name) => captures.push((
                    name,
                    rest.next().filter(|segment| !segment.is_empty())?.clone(),
                )),
                None => {
                    let segment = rest.next()?;
                    if segment != part {
                        return None;
                    }
                    literal += part.len();
                }
            }
        }
        rest.next().is_none().then_some((captures, literal))
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}
