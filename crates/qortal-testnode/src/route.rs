//! The table of all endpoints, and which of them a request is for.

use std::fmt;

use hyper::Method;
use serde_json::Value;

use crate::answer::{Answer, Body, render};
use crate::chain::as_newer_core;
use crate::error::Refusal;
use crate::page;
use crate::release;
use crate::request::Request;
use crate::resource;
use crate::socket;
use crate::world::World;

/// What an endpoint does with a request.
pub(crate) type Handler = fn(&World, &Request) -> Result<Body, Refusal>;

/// One method of the Core's API.
#[derive(Debug)]
pub(crate) struct Endpoint {
    method: &'static str,
    /// Path with `{…}` for parameters; a parameter that ends in `*` takes all the rest.
    path: &'static str,
    handler: Handler,
    kind: Kind,
}

/// How an endpoint is seen by those who watch over a read-only client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The answer depends on nothing but the chain.
    Stable,
    /// The answer depends on the clock or on the request's headers.
    Volatile,
    /// Acts, signs or reveals secrets; a read-only client has no business here.
    Acting,
}

impl Endpoint {
    pub(crate) const fn get(path: &'static str, handler: Handler) -> Self {
        Self {
            method: "GET",
            path,
            handler,
            kind: Kind::Stable,
        }
    }

    pub(crate) const fn volatile(path: &'static str, handler: Handler) -> Self {
        Self {
            method: "GET",
            path,
            handler,
            kind: Kind::Volatile,
        }
    }

    pub(crate) const fn post(path: &'static str, handler: Handler) -> Self {
        Self {
            method: "POST",
            path,
            handler,
            kind: Kind::Volatile,
        }
    }

    pub(crate) const fn acting(method: &'static str, path: &'static str, handler: Handler) -> Self {
        Self {
            method,
            path,
            handler,
            kind: Kind::Acting,
        }
    }

    /// The path parameters if the path fits, and how many characters of the pattern are literal.
    fn captures(&self, segments: &[String]) -> Option<(Vec<(&'static str, String)>, usize)> {
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

/// The answer to a request, and what the node's owner should know about it.
#[derive(Debug)]
pub(crate) struct Routed {
    pub(crate) answer: Answer,
    /// No such path, not with this method, or nothing a read-only client may call.
    pub(crate) unexpected: bool,
    /// The same request always has this answer.
    pub(crate) stable: bool,
}

/// Answers a request as the Core does. As in JAX-RS the path decides first, by its literal characters; then the method.
pub(crate) fn answer(world: &World, request: Request) -> Routed {
    let mut best: Vec<(&Endpoint, Vec<(&'static str, String)>)> = Vec::new();
    let mut best_literal = 0;
    // A client cannot know which endpoints a release lacks.
    let mut came_later = false;
    for endpoint in resource::endpoints() {
        let Some((captures, literal)) = endpoint.captures(request.segments()) else {
            continue;
        };
        if !release::has(world.scenario.release(), endpoint.method, endpoint.path) {
            came_later |= endpoint.method == request.method.as_str();
            continue;
        }
        let is_same_path = best
            .first()
            .is_some_and(|(other, _)| other.path == endpoint.path);
        if best.is_empty() || literal > best_literal {
            best = vec![(endpoint, captures)];
            best_literal = literal;
        } else if is_same_path {
            best.push((endpoint, captures));
        }
    }
    let unexpected = |answer| Routed {
        answer,
        unexpected: !came_later,
        stable: false,
    };
    if best.is_empty()
        && let Some(class) = socket::servlet(world, &request.path)
    {
        return unexpected(page::no_upgrade(&request, class));
    }
    if best.is_empty() {
        return unexpected(cors(&request, page::answer(&request, 404)));
    }
    let methods: Vec<&str> = best.iter().map(|(endpoint, _)| endpoint.method).collect();
    if request.method == Method::OPTIONS {
        let allow = methods.join(",");
        return Routed {
            answer: preflight(&request, &allow),
            unexpected: false,
            stable: false,
        };
    }
    let asked = if request.method == Method::HEAD {
        "GET"
    } else {
        request.method.as_str()
    };
    let Some((endpoint, captures)) = best
        .into_iter()
        .find(|(endpoint, _)| endpoint.method == asked)
    else {
        let allow = format!("{},OPTIONS", methods.join(","));
        return unexpected(page::answer(&request, 405).with_header("allow", allow));
    };
    let request = request.with_captures(captures);
    let mut outcome = (endpoint.handler)(world, &request);
    if let (true, Ok(Body::Json(value))) = (world.scenario.is_newer_core(), &mut outcome) {
        as_newer_core(value);
    }
    let is_null = matches!(outcome, Ok(Body::Json(Value::Null)));
    // A parameter of the path that is no part of the API, e.g. an unknown coin.
    let is_unknown = matches!(outcome, Err(Refusal::Page(404)));
    let outcome = if is_null { Ok(Body::Nothing) } else { outcome };
    Routed {
        answer: cors(&request, render(&request, outcome)),
        unexpected: (endpoint.kind == Kind::Acting || is_unknown) && !came_later,
        stable: endpoint.kind == Kind::Stable && request.method == Method::GET,
    }
}

/// Any origin may read the answers (`CrossOriginFilter`).
fn cors(request: &Request, answer: Answer) -> Answer {
    match request.header("origin") {
        Some(origin) => answer
            .with_header("access-control-allow-origin", origin)
            .with_header("access-control-allow-credentials", "true"),
        None => answer,
    }
}

fn preflight(request: &Request, allow: &str) -> Answer {
    let is_preflight = request.header("access-control-request-method").is_some();
    if is_preflight {
        return cors(request, Answer::empty(200))
            .with_header("access-control-allow-methods", "GET,POST,DELETE");
    }
    Answer::empty(200).with_header("allow", format!("HEAD,{allow},OPTIONS"))
}

#[cfg(test)]
mod tests;
