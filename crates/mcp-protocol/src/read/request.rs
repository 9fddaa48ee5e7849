//! What servers ask: as a request after a handshake, as a result otherwise.

use serde_json::Value;

use super::{FromWire, Unreadable, members::Members};
use crate::{client::ClientRequest, json::Object};

/// A result that asks for input before the request can be answered (2026-07-28 `basic/patterns/mrtr`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InputRequired {
    /// The questions, by the names under which the client returns the answers.
    pub requests: Vec<(String, ClientRequest)>,
    /// Questions that this crate does not know, by their names.
    pub unknown: Object,
    /// Returned with the answers, as it is.
    pub state: Option<String>,
}

impl ClientRequest {
    /// Reads a request of a server; `None` if it is of another kind, or cannot be read.
    #[must_use]
    pub fn read(method: &str, params: Object) -> Option<Self> {
        let mut members = Members::of("params", Value::Object(params)).ok()?;
        match method {
            "elicitation/create" => {
                let message = members.string("message")?;
                // Without a mode it is a form (2025-11-25 `client/elicitation`).
                match members.string("mode").as_deref() {
                    Some("url") => {
                        let id = members.string("elicitationId").unwrap_or_default();
                        Self::elicit_url(message, members.string("url")?, id)
                    }
                    Some("form") | None => {
                        Some(Self::elicit(message, members.take("requestedSchema")?))
                    }
                    Some(_) => None,
                }
            }
            "sampling/createMessage" => Some(Self::Sample(members.rest())),
            "roots/list" => Some(Self::ListRoots),
            _ => None,
        }
    }
}

impl FromWire for InputRequired {
    fn from_wire(value: Value) -> Result<Self, Unreadable> {
        let mut members = Members::of("result", value)?;
        let kind = members.take("resultType");
        if kind.as_ref().and_then(Value::as_str) != Some("input_required") {
            return Err(Unreadable::new(
                "resultType",
                "input_required",
                kind.as_ref(),
            ));
        }
        let (mut requests, mut unknown) = (Vec::new(), Object::new());
        for (key, asked) in members.object("inputRequests") {
            let params = asked.get("params").and_then(Value::as_object);
            let method = asked.get("method").and_then(Value::as_str);
            let read =
                method.and_then(|it| ClientRequest::read(it, params.cloned().unwrap_or_default()));
            match read {
                Some(request) => requests.push((key, request)),
                None => _ = unknown.insert(key, asked),
            }
        }
        Ok(Self {
            requests,
            unknown,
            state: members.string("requestState"),
        })
    }
}
