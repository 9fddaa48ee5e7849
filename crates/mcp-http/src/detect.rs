//! The lifecycle and revision of a message. The body decides; the headers supply what it leaves out, and must
//! match it otherwise.
//!
//! Sources: 2026-07-28 `basic/versioning`, end, and `basic/transports/streamable-http`, "Server
//! Validation"; 2025-11-25 `basic/transports`, "Protocol Version Header".

use hyper::HeaderMap;
use mcp_protocol::{
    ErrorObject, Incoming, Message, Notification, Request, RequestId, Revision,
    jsonrpc::{self, Invalid},
    lifecycle,
};

use crate::{
    header,
    refusal::{self, Refusal},
};

/// What to do with a message.
#[derive(Debug)]
pub(crate) enum Action {
    /// Answer a request of a revision.
    Answer(Revision, Request),
    /// Answer a batch of a revision.
    AnswerAll(Revision, Vec<Result<Message, Invalid>>),
    /// Handle a notification or a response, in the session if there is one.
    OneWay(OneWay),
    /// Acknowledge it and do nothing else.
    Accept,
}

impl Action {
    /// Returns the id for a refusal of the whole message.
    pub(crate) fn id(&self) -> Option<RequestId> {
        match self {
            Self::Answer(_, request) => Some(request.id.clone()),
            Self::AnswerAll(..) | Self::OneWay(_) | Self::Accept => None,
        }
    }
}

/// A message without an answer.
#[derive(Debug)]
pub(crate) enum OneWay {
    /// A notification of the client.
    Notification(Notification),
    /// The client's response to a request of the server.
    Response(jsonrpc::Response),
}

/// Returns what to do with a message that has these headers.
pub(crate) fn action(incoming: Incoming, headers: &HeaderMap) -> Result<Action, Refusal> {
    match incoming {
        Incoming::Batch(items) => batch(items, headers),
        Incoming::Single(Message::Request(request)) => single_request(request, headers),
        Incoming::Single(Message::Notification(notification)) => {
            // The per-request revisions define no notifications from the client over HTTP, and no headers for
            // them.
            if lifecycle::names_revision(notification.params.as_ref()) {
                return Ok(Action::Accept);
            }
            one_way(OneWay::Notification(notification), headers)
        }
        Incoming::Single(Message::Response(response)) => {
            one_way(OneWay::Response(response), headers)
        }
    }
}

fn batch(items: Vec<Result<Message, Invalid>>, headers: &HeaderMap) -> Result<Action, Refusal> {
    let names_revision = |item: &Result<Message, Invalid>| match item {
        Ok(
            Message::Request(Request { params, .. })
            | Message::Notification(Notification { params, .. }),
        ) => lifecycle::names_revision(params.as_ref()),
        Ok(Message::Response(_)) | Err(_) => false,
    };
    if items.iter().any(names_revision) {
        let what = "a message that names its protocol version must not be part of a batch";
        return Err(refusal::batch(ErrorObject::invalid_request(what)));
    }
    let revision = header::revision(headers).map_err(refusal::batch)?;
    let revision = revision.unwrap_or(Revision::WITHOUT_HEADER);
    Ok(Action::AnswerAll(revision, items))
}

fn single_request(request: Request, headers: &HeaderMap) -> Result<Action, Refusal> {
    if lifecycle::names_revision(request.params.as_ref()) {
        return per_request(request, headers);
    }
    if request.method == "initialize" {
        // The version is negotiated in the body; the header is ignored.
        return match lifecycle::negotiated_revision(&request) {
            Ok(revision) => Ok(Action::Answer(revision, request)),
            Err(error) => Err(refusal::initialize(request.id, error)),
        };
    }
    match header::revision(headers) {
        Ok(None) => Ok(Action::Answer(Revision::WITHOUT_HEADER, request)),
        Ok(Some(revision)) if revision.has_handshake() => Ok(Action::Answer(revision, request)),
        Ok(Some(_)) => per_request(request, headers),
        Err(error) => Err(refusal::inconsistent(Some(request.id), error)),
    }
}

/// The most basic mistake is reported first: `_meta`, the version header, an unsupported version, the routing
/// headers.
fn per_request(request: Request, headers: &HeaderMap) -> Result<Action, Refusal> {
    let checked = lifecycle::named_revision(request.params.as_ref()).and_then(|named| {
        header::validate_revision(headers, named)?;
        let revision = lifecycle::served_revision(named)?;
        header::validate_request(headers, &request)?;
        Ok(revision)
    });
    match checked {
        Ok(revision) => Ok(Action::Answer(revision, request)),
        Err(error) => Err(refusal::inconsistent(Some(request.id), error)),
    }
}

/// The version header of a message without an answer must name a known revision.
fn one_way(message: OneWay, headers: &HeaderMap) -> Result<Action, Refusal> {
    match header::revision(headers) {
        Ok(_) => Ok(Action::OneWay(message)),
        Err(error) => Err(refusal::inconsistent(None, error)),
    }
}
