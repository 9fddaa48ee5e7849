//! The table of all endpoints, and the selection of the one for a request.

use hyper::Method;
use serde_json::Value;

use crate::{
    answer::{Answer, Body, render},
    endpoint::Endpoint,
    error::Refusal,
    page,
    request::Request,
    resource, socket,
    state::State,
};

/// The response to a request, and whether the request was expected.
#[derive(Debug)]
pub(crate) struct Routed {
    pub(crate) answer: Answer,
    /// Whether the path or its method does not exist, or a read-only client must not call it.
    pub(crate) unexpected: bool,
}

/// Responds to a request like the Core. As in JAX-RS, the path is selected first, by its number of literal characters, then the method.
pub(crate) fn answer(state: &State, request: Request) -> Routed {
    let fitting = resource::endpoints().filter_map(|endpoint| {
        let (captures, literal) = endpoint.captures(request.segments())?;
        Some((endpoint, captures, literal))
    });
    let has = |endpoint: &Endpoint| state.scenario.has(endpoint.method, endpoint.path);
    let (mut best, later): (Vec<_>, Vec<_>) = fitting.partition(|(endpoint, ..)| has(endpoint));
    // A client cannot know the endpoints that a release lacks.
    let mut later = later.iter();
    let came_later = later.any(|(endpoint, ..)| endpoint.method == request.method.as_str());
    // Among paths with equally many literal characters, the first one wins.
    let first = best.iter().rev().max_by_key(|(_, _, literal)| *literal);
    let path = first.map(|(endpoint, ..)| endpoint.path);
    best.retain(|(endpoint, ..)| path == Some(endpoint.path));
    let unexpected = |answer| Routed {
        answer,
        unexpected: !came_later,
    };
    if best.is_empty()
        && let Some(class) = socket::servlet(state, &request.path)
    {
        return unexpected(page::no_upgrade(&request, class));
    }
    if best.is_empty() {
        return unexpected(cors(&request, page::answer(&request, 404)));
    }
    let methods: Vec<&str> = best.iter().map(|(endpoint, ..)| endpoint.method).collect();
    if request.method == Method::OPTIONS {
        let allow = methods.join(",");
        return Routed {
            answer: preflight(&request, &allow),
            unexpected: false,
        };
    }
    let asked = if request.method == Method::HEAD {
        "GET"
    } else {
        request.method.as_str()
    };
    let mut best = best.into_iter();
    let Some((endpoint, captures, _)) = best.find(|(it, ..)| it.method == asked) else {
        let allow = format!("{},OPTIONS", methods.join(","));
        return unexpected(page::answer(&request, 405).with_header("allow", allow));
    };
    let request = request.with_captures(captures);
    let mut outcome = (endpoint.handler)(state, &request);
    if let Ok(Body::Json(value)) = &mut outcome {
        (state.scenario.alter)(value);
    }
    let is_null = matches!(outcome, Ok(Body::Json(Value::Null)));
    // A path parameter that is not part of the API, such as an unknown coin.
    let is_unknown = matches!(outcome, Err(Refusal::Page(404)));
    let outcome = if is_null { Ok(Body::Nothing) } else { outcome };
    Routed {
        answer: Answer {
            rows_read: request.rows_read(),
            ..cors(&request, render(&request, outcome))
        },
        unexpected: (endpoint.is_acting || is_unknown) && !came_later,
    }
}

/// Adds CORS headers: any origin may read the responses (`CrossOriginFilter`).
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
