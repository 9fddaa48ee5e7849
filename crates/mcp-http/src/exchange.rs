//! An exchange at an endpoint: a message in, its response out, as JSON or as an event stream.

use std::{pin::Pin, sync::Arc};

use bytes::Bytes;
use hyper::{
    HeaderMap, Method, Response, StatusCode,
    body::Body as HttpBody,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue},
    http::request::Parts,
};
use mcp_protocol::{Message, Notification, RequestId, Revision, error, jsonrpc};
use mcp_server::{CallContext, ClientChannel, Extensions, Outgoing, Reply, Server, Session};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    authorization::Grant,
    body::Body,
    detached::{Detached, Unfinished},
    detect::{self, Action},
    events::{Events, Last, Source},
    header,
    limits::Limits,
    media, read,
    refusal::{self, Refusal},
    session::{HttpSession, Sessions},
};

/// The session of a request, and of the response to `initialize` (2025-03-26 `basic/transports`).
const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// The event after which a client resumes a stream (same page).
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Keeps proxies from buffering events (2026-07-28 `basic/transports/streamable-http`).
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// A path, with its server.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) path: String,
    pub(crate) server: Arc<Server>,
    /// `None` for a server that sends nothing but responses.
    pub(crate) sessions: Option<Arc<Sessions>>,
}

/// The state that all endpoints share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) detached: Detached,
    /// Ends requests and streams that have no end of their own.
    pub(crate) stopping: CancellationToken,
}

type Outcome =
    Pin<Box<dyn Future<Output = Result<Option<mcp_server::Response>, Unfinished>> + Send>>;

impl Endpoint {
    /// Answers a request; `grant` is what its token grants, where one is required.
    pub(crate) async fn exchange<B: HttpBody>(
        &self,
        shared: &Shared,
        parts: Parts,
        grant: Option<Grant>,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        match (&parts.method, &self.sessions) {
            (&Method::POST, _) => self.post(shared, parts, grant, body).await,
            (&Method::GET, Some(sessions)) => self.get(shared, sessions, &parts.headers),
            (&Method::DELETE, Some(sessions)) => delete(sessions, &parts.headers),
            (_, Some(_)) => Err(refusal::method_not_allowed("GET, POST, DELETE")),
            (_, None) => Err(refusal::method_not_allowed("POST")),
        }
    }

    async fn post<B: HttpBody>(
        &self,
        shared: &Shared,
        parts: Parts,
        grant: Option<Grant>,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        let headers = &parts.headers;
        if !media::is_json(headers) {
            return Err(refusal::not_json());
        }
        if media::is_encoded(headers) {
            return Err(refusal::encoded());
        }
        if !media::accepts_answer(headers) {
            return Err(refusal::not_acceptable());
        }
        let limits = &shared.limits;
        let body = read::body(body, limits.body_bytes, limits.body_timeout).await?;
        let incoming = jsonrpc::parse(&body).map_err(refusal::unreadable)?;
        drop(body);
        let action = detect::action(incoming, headers)?;
        let parts = Arc::new(parts);
        let mut extensions = Extensions::new();
        extensions.insert_arc(Arc::clone(&parts));
        if let Some(grant) = grant {
            extensions.insert(grant);
        }
        match self.server.context(extensions) {
            Ok(cx) => self.act(shared, action, &parts.headers, cx).await,
            Err(error) => Err(refusal::inconsistent(action.id(), error)),
        }
    }

    async fn act(
        &self,
        shared: &Shared,
        action: Action,
        headers: &HeaderMap,
        cx: CallContext,
    ) -> Result<Response<Body>, Refusal> {
        match action {
            Action::Accept => Ok(accepted()),
            Action::OneWay(message) => {
                if let Some(session) = self.session(headers, None)? {
                    handle_one_way(&session, message);
                }
                Ok(accepted())
            }
            Action::Answer(revision, request) if revision.has_handshake() => {
                self.answer_in_session(shared, revision, request, headers, cx)
                    .await
            }
            Action::Answer(revision, request) => {
                if request.method == "tools/call" && self.server.has_header_parameters() {
                    header::validate_parameters(headers, &request, &self.server)
                        .map_err(|error| refusal::inconsistent(Some(request.id.clone()), error))?;
                }
                self.answer_alone(shared, revision, request, headers, cx)
                    .await
            }
            Action::AnswerAll(revision, items) => {
                Box::pin(self.answer_all(shared, revision, items, headers, cx)).await
            }
        }
    }

    /// Answers a request that names its revision: dropping the response cancels it.
    async fn answer_alone(
        &self,
        shared: &Shared,
        revision: Revision,
        request: jsonrpc::Request,
        headers: &HeaderMap,
        cx: CallContext,
    ) -> Result<Response<Body>, Refusal> {
        let streams = self.server.can_stream(&request, false) && media::accepts_events(headers);
        if !streams {
            return Ok(json(
                self.server.handle(revision, request, &cx).await,
                revision,
            ));
        }
        let (channel, outgoing) = ClientChannel::new(shared.stopping.clone());
        let cx = cx.with_channel(Arc::new(channel));
        let server = Arc::clone(&self.server);
        let work: Outcome =
            Box::pin(async move { Ok(Some(server.handle(revision, request, &cx).await)) });
        Box::pin(stream_if_needed(outgoing, work, revision, None, None)).await
    }

    /// Answers a request after a handshake, or the handshake itself: it runs to its end even if the client
    /// disconnects.
    async fn answer_in_session(
        &self,
        shared: &Shared,
        revision: Revision,
        request: jsonrpc::Request,
        headers: &HeaderMap,
        cx: CallContext,
    ) -> Result<Response<Body>, Refusal> {
        if request.method == "initialize" {
            return Box::pin(self.initialize(revision, request, &cx)).await;
        }
        let session = self.session(headers, Some(&request.id))?;
        let revision = match &session {
            // Without the header, the negotiated version applies (all `basic/transports`).
            Some(session) if !header::has_revision(headers) => session.mcp.revision(),
            Some(_) | None => revision,
        };
        let id = request.id.clone();
        let server = Arc::clone(&self.server);
        if !server.can_stream(&request, session.is_some()) {
            let work = async move { server.handle(revision, request, &cx).await };
            let outcome = shared.detached.run(Box::pin(work)).await;
            let response = outcome.map_err(|why| unfinished(why, Some(id)))?;
            return Ok(json(response, revision));
        }
        let (mut channel, mut outgoing) = ClientChannel::new(shared.stopping.clone());
        if !media::accepts_events(headers) {
            // Nothing can be sent before the response, and sending fails.
            outgoing.close();
        }
        let guard = session.as_ref().map(|session| session.begin(id.clone()));
        if let Some(session) = &session {
            channel = channel
                .in_session(Arc::clone(&session.mcp))
                .with_stream_release();
        }
        let cx = cx.with_channel(Arc::new(channel));
        let work = shared.detached.spawn(async move {
            let handled = server.handle(revision, request, &cx);
            match guard {
                None => Some(handled.await),
                Some(guard) => guard.cancelled.run_until_cancelled(handled).await,
            }
        });
        let work = Box::pin(work);
        Box::pin(stream_if_needed(
            outgoing,
            work,
            revision,
            session,
            Some(id),
        ))
        .await
    }

    async fn initialize(
        &self,
        revision: Revision,
        request: jsonrpc::Request,
        cx: &CallContext,
    ) -> Result<Response<Body>, Refusal> {
        let session = self.sessions.as_ref();
        let session = session.map(|sessions| (sessions, Session::open(revision, &request)));
        let mut response = json(self.server.handle(revision, request, cx).await, revision);
        let id = session.and_then(|(sessions, session)| sessions.open(session));
        if let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) {
            response.headers_mut().insert(SESSION_ID, id);
        }
        Ok(response)
    }

    async fn answer_all(
        &self,
        shared: &Shared,
        revision: Revision,
        items: Vec<Result<Message, jsonrpc::Invalid>>,
        headers: &HeaderMap,
        cx: CallContext,
    ) -> Result<Response<Body>, Refusal> {
        let session = self.session(headers, None)?;
        let mut wanted = Vec::with_capacity(items.len());
        for item in items {
            match (item, &session) {
                (Ok(Message::Response(it)), Some(session)) => {
                    handle_one_way(session, detect::OneWay::Response(it));
                }
                (Ok(Message::Notification(it)), Some(session)) => {
                    handle_one_way(session, detect::OneWay::Notification(it));
                }
                (item, _) => wanted.push(item),
            }
        }
        let server = Arc::clone(&self.server);
        let cx = match session {
            None => cx,
            Some(session) => {
                // The array of a batch holds responses only.
                let channel = ClientChannel::closed(shared.stopping.clone());
                cx.with_channel(Arc::new(channel.in_session(Arc::clone(&session.mcp))))
            }
        };
        let work = async move { server.handle_batch(revision, wanted, &cx).await };
        let outcome = shared.detached.run(Box::pin(work)).await;
        let answers = outcome.map_err(|why| unfinished(why, None))?;
        match answers.map_err(refusal::batch)? {
            Some(answers) => Ok(refusal::json(StatusCode::OK, Body::from(answers))),
            None => Ok(accepted()),
        }
    }

    /// Opens the stream of messages that belong to no request, or resumes a parked one.
    fn get(
        &self,
        shared: &Shared,
        sessions: &Sessions,
        headers: &HeaderMap,
    ) -> Result<Response<Body>, Refusal> {
        if !media::accepts_events(headers) {
            return Err(refusal::events_not_acceptable());
        }
        let session = required(sessions, headers)?;
        if let Some(source) = last_event(headers).and_then(|id| session.resume(id)) {
            return Ok(stream(Events::new(source, Some(session))));
        }
        let Some(mut notifications) = self.server.notifications(&session.mcp) else {
            return Err(refusal::method_not_allowed("POST, DELETE"));
        };
        let (channel, outgoing) = ClientChannel::new(shared.stopping.clone());
        let (ended, stopping) = (session.new_stream(), shared.stopping.clone());
        let work = async move {
            // Holding the session keeps it from expiring.
            let _session = session;
            let forward = async {
                while let Some(message) = notifications.next().await {
                    if !channel.send(Outgoing::Message(message)).await {
                        break;
                    }
                }
            };
            tokio::select! {
                () = forward => None,
                () = ended.cancelled() => None,
                () = stopping.cancelled() => None,
            }
        };
        let work = Box::pin(work);
        Ok(stream(Events::new(Source { outgoing, work }, None)))
    }

    /// Returns the session that the headers name; `None` if they name none, or the server has no sessions.
    fn session(
        &self,
        headers: &HeaderMap,
        id: Option<&RequestId>,
    ) -> Result<Option<Arc<HttpSession>>, Refusal> {
        let Some(sessions) = &self.sessions else {
            return Ok(None);
        };
        match session_id(headers)? {
            None => Ok(None),
            Some(session) => match sessions.find(session) {
                Some(session) => Ok(Some(session)),
                None => Err(refusal::session_unknown(id.cloned())),
            },
        }
    }
}

/// Answers with JSON, or with an event stream if a message is sent before the response.
async fn stream_if_needed(
    mut outgoing: mpsc::Receiver<Outgoing>,
    mut work: Outcome,
    revision: Revision,
    session: Option<Arc<HttpSession>>,
    id: Option<RequestId>,
) -> Result<Response<Body>, Refusal> {
    let first = tokio::select! {
        biased;
        Some(first) = outgoing.recv() => first,
        outcome = &mut work => {
            let response = outcome.map_err(|why| unfinished(why, id.clone()))?;
            return Ok(match outgoing.try_recv() {
                Ok(first) => {
                    let work = Box::pin(std::future::ready(None));
                    let events = Events::new(Source { outgoing, work }, None);
                    stream(events.starting_with(first).ending_with(last(response)))
                }
                Err(_) => match response {
                    Some(response) => json(response, revision),
                    // The client has cancelled it.
                    None => accepted(),
                },
            });
        }
    };
    let work = Box::pin(async move {
        match work.await {
            Ok(response) => last(response),
            Err(why) => unfinished(why, id).into_segments(),
        }
    });
    let events = Events::new(Source { outgoing, work }, session);
    Ok(stream(events.starting_with(first)))
}

fn last(response: Option<mcp_server::Response>) -> Last {
    response.map(mcp_server::Response::into_segments)
}

fn json(response: mcp_server::Response, revision: Revision) -> Response<Body> {
    let code = match &response.reply {
        Reply::Error(it) if !revision.has_handshake() => Some(it.code),
        Reply::Error(_) | Reply::Result(_) => None,
    };
    // 2026-07-28 `basic/transports/streamable-http` and `basic/index`; in older revisions an error has the
    // status of any other response.
    let status = match code {
        Some(error::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(error::MISSING_CLIENT_CAPABILITY) => StatusCode::BAD_REQUEST,
        Some(_) | None => StatusCode::OK,
    };
    refusal::json(status, Body::from_segments(response.into_segments()))
}

fn stream(events: Events) -> Response<Body> {
    let mut response = Response::new(Body::from(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

fn delete(sessions: &Sessions, headers: &HeaderMap) -> Result<Response<Body>, Refusal> {
    let id = session_id(headers)?.ok_or_else(refusal::session_missing)?;
    if !sessions.end(id) {
        return Err(refusal::session_unknown(None));
    }
    let mut response = Response::new(Body::from(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn required(sessions: &Sessions, headers: &HeaderMap) -> Result<Arc<HttpSession>, Refusal> {
    let id = session_id(headers)?.ok_or_else(refusal::session_missing)?;
    let session = sessions.find(id);
    session.ok_or_else(|| refusal::session_unknown(None))
}

fn session_id(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let value = header::single_value(headers, &SESSION_ID);
    let value = value.map_err(|header::DuplicateHeader| refusal::session_unknown(None))?;
    // An id that is not UTF-8 is unknown, as the empty one is.
    Ok(value.map(|value| std::str::from_utf8(value).unwrap_or_default()))
}

fn last_event(headers: &HeaderMap) -> Option<u64> {
    let value = header::single_value(headers, &LAST_EVENT_ID)
        .ok()
        .flatten()?;
    std::str::from_utf8(value).ok()?.parse().ok()
}

fn handle_one_way(session: &HttpSession, message: detect::OneWay) {
    match message {
        detect::OneWay::Response(response) => session.mcp.answer(response),
        detect::OneWay::Notification(Notification { method, params }) => {
            let id = params.as_ref().and_then(|it| it.get("requestId"));
            if method == "notifications/cancelled"
                && let Some(id) = id.and_then(RequestId::from_value)
            {
                session.cancel(&id);
            }
        }
    }
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::default());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn unfinished(why: Unfinished, id: Option<RequestId>) -> Refusal {
    match why {
        Unfinished::Panicked => refusal::fault(id),
        Unfinished::Aborted => refusal::stopped(id),
    }
}
