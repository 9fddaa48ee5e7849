//! Incoming messages: the body, read within its limits, and the lifecycle and revision. The body determines these. The
//! headers supply missing information and must otherwise match the body.
//!
//! Sources: 2026-07-28 `basic/versioning`, end, and `basic/transports/streamable-http`, "Server
//! Validation"; 2025-11-25 `basic/transports`, "Protocol Version Header".

use std::{pin::pin, task::Poll, time::Duration};

use bytes::{Buf, Bytes};
use futures_util::poll;
use http_body_util::BodyExt;
use hyper::body::Body as HttpBody;
use mcp_protocol::{
    ErrorObject, Method, Request, RequestId, Revision,
    jsonrpc::{self, InvalidMessage, Message, MessageOrBatch, Notification},
    transport,
};
use mcp_server::transport::MemoryReservation;
use message_buffer::BoundedBuffer;
use tokio::time::timeout;

use crate::{
    mcp_headers::McpHeaders,
    refusal::{self, Refusal},
};

/// Reads a complete body.
///
/// # Errors
/// Returns an error if the body is larger than `limit`, `memory` is exhausted, `deadline` passes before the body is
/// complete, or it cannot be read.
pub(crate) async fn body<B: HttpBody>(
    body: B,
    limit: usize,
    deadline: Duration,
    memory: &mut MemoryReservation,
) -> Result<Bytes, Refusal> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(refusal::body_too_large(limit));
    }
    let mut reading = pin!(collect(body, announced, limit, memory));
    // Most bodies arrive with their head and need no timer.
    if let Poll::Ready(outcome) = poll!(reading.as_mut()) {
        return outcome;
    }
    match timeout(deadline, reading).await {
        Ok(outcome) => outcome,
        Err(_) => Err(refusal::body_too_slow()),
    }
}

/// Copies the frames into one buffer, unless there is only one. [`BodyExt::collect`] would keep every frame, so a body
/// in chunks of one byte would take many times the limit.
async fn collect<B: HttpBody>(
    body: B,
    announced: usize,
    limit: usize,
    memory: &mut MemoryReservation,
) -> Result<Bytes, Refusal> {
    let mut body = pin!(body);
    let mut whole = BoundedBuffer::new(announced, limit);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| refusal::body_broken())?;
        // Trailers are ignored.
        let Ok(mut data) = frame.into_data() else {
            continue;
        };
        if data.remaining() > limit.saturating_sub(whole.len()) {
            return Err(refusal::body_too_large(limit));
        }
        // The parsed message takes about as much memory again.
        if !memory.try_grow_to(2 * (whole.len() + data.remaining())) {
            return Err(refusal::no_memory_for_body());
        }
        if whole.is_empty() && body.is_end_stream() {
            return Ok(data.copy_to_bytes(data.remaining()));
        }
        while data.has_remaining() {
            let chunk = data.chunk();
            let length = chunk.len();
            if whole.extend(chunk).is_err() {
                return Err(refusal::no_memory_for_body());
            }
            data.advance(length);
        }
    }
    Ok(whole.freeze())
}

/// The action for a message.
#[derive(Debug)]
pub(crate) enum Action {
    /// Handle a request in a revision.
    Answer(Revision, Request),
    /// Handle a batch in a revision.
    AnswerAll(Revision, Vec<Result<Message, InvalidMessage>>),
    /// Handle a notification or a response, in the session if there is one.
    OneWay(OneWay),
    /// Acknowledge the message and do nothing else.
    Accept,
}

impl Action {
    /// Returns the ID for an error response to the complete message.
    pub(crate) fn id(&self) -> Option<RequestId> {
        match self {
            Self::Answer(_, request) => Some(request.id.clone()),
            Self::AnswerAll(..) | Self::OneWay(_) | Self::Accept => None,
        }
    }
}

/// A message without a response.
#[derive(Debug)]
pub(crate) enum OneWay {
    /// A notification from the client.
    Notification(Notification),
    /// The client's response to a server request.
    Response(jsonrpc::Response),
}

/// Returns the action for a message with these headers.
pub(crate) fn action(
    incoming: MessageOrBatch,
    headers: &McpHeaders<'_>,
) -> Result<Action, Refusal> {
    match incoming {
        MessageOrBatch::Batch(items) => batch(items, headers),
        MessageOrBatch::Single(Message::Request(request)) => single_request(request, headers),
        MessageOrBatch::Single(Message::Notification(notification)) => {
            // The per-request revisions define no notifications from the client over HTTP, and no headers for
            // them.
            if transport::has_revision_in_meta(notification.params.as_ref()) {
                return Ok(Action::Accept);
            }
            one_way(OneWay::Notification(notification), headers)
        }
        MessageOrBatch::Single(Message::Response(response)) => {
            one_way(OneWay::Response(response), headers)
        }
    }
}

fn batch(
    items: Vec<Result<Message, InvalidMessage>>,
    headers: &McpHeaders<'_>,
) -> Result<Action, Refusal> {
    let names_revision = |item: &Result<Message, InvalidMessage>| match item {
        Ok(
            Message::Request(Request { params, .. })
            | Message::Notification(Notification { params, .. }),
        ) => transport::has_revision_in_meta(params.as_ref()),
        Ok(Message::Response(_)) | Err(_) => false,
    };
    if items.iter().any(names_revision) {
        let what = "a message that names its protocol version must not be part of a batch";
        return Err(refusal::batch(ErrorObject::invalid_request(what)));
    }
    let revision = headers.revision().map_err(refusal::batch)?;
    let revision = revision.unwrap_or(Revision::WITHOUT_HEADER);
    Ok(Action::AnswerAll(revision, items))
}

fn single_request(request: Request, headers: &McpHeaders<'_>) -> Result<Action, Refusal> {
    if transport::has_revision_in_meta(request.params.as_ref()) {
        return per_request(request, headers);
    }
    if request.method == Method::Initialize.as_str() {
        // The body negotiates the version, and the header is ignored.
        return match transport::negotiate_revision(&request) {
            Ok(revision) => Ok(Action::Answer(revision, request)),
            Err(error) => Err(refusal::initialize(request.id, error)),
        };
    }
    match headers.revision() {
        Ok(None) => Ok(Action::Answer(Revision::WITHOUT_HEADER, request)),
        Ok(Some(revision)) if revision.has_handshake() => Ok(Action::Answer(revision, request)),
        Ok(Some(_)) => per_request(request, headers),
        Err(error) => Err(refusal::inconsistent(Some(request.id), error)),
    }
}

/// The most basic error takes precedence: `_meta`, then the version header, then an unsupported version, then the
/// routing headers.
fn per_request(request: Request, headers: &McpHeaders<'_>) -> Result<Action, Refusal> {
    let checked = transport::revision_name_in_meta(request.params.as_ref()).and_then(|named| {
        headers.validate_revision(named)?;
        let revision = transport::per_request_revision(named)?;
        headers.validate_request(&request)?;
        Ok(revision)
    });
    match checked {
        Ok(revision) => Ok(Action::Answer(revision, request)),
        Err(error) => Err(refusal::inconsistent(Some(request.id), error)),
    }
}

/// The version header of a message without a response must name a known revision.
fn one_way(message: OneWay, headers: &McpHeaders<'_>) -> Result<Action, Refusal> {
    match headers.revision() {
        Ok(_) => Ok(Action::OneWay(message)),
        Err(error) => Err(refusal::inconsistent(None, error)),
    }
}
