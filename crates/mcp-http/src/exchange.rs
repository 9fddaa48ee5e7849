//! Exchanges at an endpoint: a message in, and its response out, as JSON or as an event stream.

use std::{pin::pin, sync::Arc, time::Duration};

use bytes::Bytes;
use hyper::{
    Method, Response, StatusCode, body::Body as HttpBody, header::HeaderValue, http::request::Parts,
};
use mcp_protocol::{
    Method as McpMethod, RequestId, Revision,
    jsonrpc::{self, Message, Notification},
    transport::RequestIdScanner,
};
use mcp_server::{
    AuthInfo, CallerKey, Extensions, PeerIp, RequestContext, Server,
    transport::{ChannelEvent, ClientChannel, Session, parsed_size_estimate},
};

use crate::{
    Body,
    authorizer::{Access, Authorizer},
    body::json,
    events::{Events, Source},
    incoming::{self, Action},
    inflight::Unfinished,
    mcp_headers::{McpHeaders, SESSION_ID},
    refusal::{self, Refusal},
    respond::{Outcome, Shared, accepted, stream},
    session::{HttpSession, Sessions},
};

/// A path and its server.
#[derive(Debug)]
pub(crate) struct Endpoint {
    pub(crate) path: String,
    pub(crate) server: Arc<Server>,
    /// The sessions. `None` for a server that sends only responses.
    pub(crate) sessions: Option<Arc<Sessions>>,
    /// The authorizer. `None` for a server that needs no tokens.
    pub(crate) authorizer: Option<Arc<Authorizer>>,
}

/// The sender of a request.
#[derive(Debug)]
pub(crate) struct Sender {
    /// The address, if known.
    pub(crate) peer: Option<PeerIp>,
    /// The grant of the token, if one is required.
    pub(crate) grant: Option<AuthInfo>,
}

impl Endpoint {
    /// Handles a request.
    pub(crate) async fn exchange<B: HttpBody>(
        &self,
        shared: &Shared,
        parts: Parts,
        from: Sender,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        let subject = from.grant.as_ref().and_then(|it| it.subject.as_deref());
        match (&parts.method, &self.sessions) {
            (&Method::POST, _) => self.post(shared, parts, from, body).await,
            (&Method::GET, Some(sessions)) => {
                let client = CallerKey::from_subject_or_address(subject, from.peer);
                self.get(shared, sessions, &Arc::new(parts), subject, client)
            }
            (&Method::DELETE, Some(sessions)) => {
                delete(sessions, &McpHeaders::parse(&parts)?, subject)
            }
            (_, Some(_)) => Err(refusal::method_not_allowed("GET, POST, DELETE")),
            (_, None) => Err(refusal::method_not_allowed("POST")),
        }
    }

    async fn post<B: HttpBody>(
        &self,
        shared: &Shared,
        parts: Parts,
        from: Sender,
        body: B,
    ) -> Result<Response<Body>, Refusal> {
        let parts = Arc::new(parts);
        let headers = McpHeaders::parse(&parts)?;
        let limits = &shared.limits;
        let mut memory = self.server.memory_budget().empty_reservation();
        let body = incoming::body(body, limits.body_bytes, limits.body_timeout, &mut memory);
        let body = shared.detached.attached(pin!(body)).await;
        let body = body.map_err(|_| refusal::stopped_in_body())??;
        let parse = |body: &[u8]| jsonrpc::parse(body).map(|it| (it, parsed_size_estimate(body)));
        let parsed = shared.turns.run(&body, limits.body_timeout, parse).await;
        let Some(parsed) = parsed else {
            return Err(refusal::busy(RequestIdScanner::find(&body)));
        };
        drop(body);
        let parsed = parsed.map_err(|_| refusal::fault(None))?;
        let (incoming, parsed) = parsed.map_err(refusal::unreadable)?;
        let action = incoming::action(incoming, &headers)?;
        if !memory.try_grow_to(parsed) {
            return Err(refusal::no_memory(action.id()));
        }
        let mut extensions = Extensions::new();
        extensions.insert_arc(Arc::clone(&parts));
        if let Some(peer) = from.peer {
            extensions.insert(peer);
        }
        if let Some(grant) = from.grant {
            extensions.insert(grant);
        }
        // Keep the memory of the message reserved while the request is in progress.
        if !memory.is_empty() {
            extensions.insert(memory);
        }
        match self.server.request_context(extensions) {
            Ok(cx) => self.act(shared, action, &headers, &parts, cx).await,
            Err(error) => Err(refusal::inconsistent(action.id(), error)),
        }
    }

    async fn act(
        &self,
        shared: &Shared,
        action: Action,
        headers: &McpHeaders<'_>,
        parts: &Arc<Parts>,
        cx: RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        match action {
            Action::Accept => Ok(accepted()),
            Action::OneWay(message) => {
                if let Some(session) = self.session(headers, &cx, None)? {
                    handle_one_way(&session, message);
                }
                Ok(accepted())
            }
            Action::Answer(revision, request) if revision.has_handshake() => {
                self.answer_after_handshake(shared, revision, request, headers, parts, cx)
                    .await
            }
            Action::Answer(revision, request) => {
                if request.method == McpMethod::ToolsCall.as_str()
                    && self.server.has_header_parameters()
                {
                    headers
                        .validate_parameters(&request, &self.server)
                        .map_err(|error| refusal::inconsistent(Some(request.id.clone()), error))?;
                }
                self.answer_alone(shared, revision, request, headers, parts, cx)
                    .await
            }
            Action::AnswerAll(revision, items) => {
                Box::pin(self.answer_all(shared, revision, items, headers, cx)).await
            }
        }
    }

    /// Handles a request outside of a session. Dropping the response cancels the request.
    async fn answer_alone(
        &self,
        shared: &Shared,
        revision: Revision,
        request: jsonrpc::Request,
        headers: &McpHeaders<'_>,
        parts: &Arc<Parts>,
        cx: RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        let streams = self.server.can_stream(&request, false);
        let streams = streams && headers.accepts_events;
        let id = request.id.clone();
        if !streams {
            let work = self.server.handle(revision, request, &cx);
            let response = shared.detached.attached(pin!(work)).await;
            return Ok(json(
                response.map_err(|why| shared.unfinished(why, Some(id)))?,
                revision,
            ));
        }
        // Only this method has long-lived streams.
        let stream = (request.method == McpMethod::SubscriptionsListen.as_str())
            .then(|| shared.streams.open(cx.caller_key(), &shared.stopping));
        let stopping = stream.as_ref().map_or(&shared.stopping, |it| &it.end);
        let (channel, outgoing) = ClientChannel::new(stopping.clone());
        let cx = cx.with_channel(Arc::new(channel));
        let (server, detached) = (Arc::clone(&self.server), Arc::clone(&shared.detached));
        let access = self.access(parts);
        let work: Outcome = Box::pin(async move {
            let work = pin!(server.handle(revision, request, &cx));
            let work = detached.attached(work);
            let outcome = match &stream {
                Some(stream) => stream.while_allowed(access, work).await,
                None => work.await,
            };
            outcome.map(Some)
        });
        Box::pin(shared.stream_if_needed(outgoing, work, revision, None, id)).await
    }

    /// Handles a request after a handshake, or the handshake itself.
    async fn answer_after_handshake(
        &self,
        shared: &Shared,
        revision: Revision,
        request: jsonrpc::Request,
        headers: &McpHeaders<'_>,
        parts: &Arc<Parts>,
        cx: RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        if request.method == McpMethod::Initialize.as_str() {
            return Box::pin(self.initialize(revision, request, &cx)).await;
        }
        let Some(session) = self.session(headers, &cx, Some(&request.id))? else {
            return self
                .answer_alone(shared, revision, request, headers, parts, cx)
                .await;
        };
        Box::pin(self.answer_of_session(shared, session, request, headers, cx)).await
    }

    /// Handles a request of a session. If the client disconnects, the request continues for
    /// [`abandoned_timeout`](crate::HttpLimits::abandoned_timeout).
    async fn answer_of_session(
        &self,
        shared: &Shared,
        session: Arc<HttpSession>,
        request: jsonrpc::Request,
        headers: &McpHeaders<'_>,
        cx: RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        // The negotiated version applies. The header should name it (all `basic/transports`).
        let revision = session.mcp.revision();
        let id = request.id.clone();
        let server = Arc::clone(&self.server);
        let linger = shared.limits.abandoned_timeout;
        if !server.can_stream(&request, true) {
            let cx = cx.in_session(Arc::clone(&session.mcp));
            let work = async move { server.handle(revision, request, &cx).await };
            let outcome = shared.detached.run(linger, Box::pin(work)).await;
            let response = outcome.map_err(|why| shared.unfinished(why, Some(id)))?;
            return Ok(json(response, revision));
        }
        let (channel, mut outgoing) = ClientChannel::new(shared.stopping.clone());
        if !headers.accepts_events {
            // Without an event stream, nothing can be sent before the response, and sending fails.
            outgoing.close();
        }
        let guard = session.begin(id.clone());
        let channel = channel
            .with_session(Arc::clone(&session.mcp))
            .with_stream_release_support();
        let cx = cx.with_channel(Arc::new(channel));
        let work = shared.detached.spawn(linger, async move {
            let handled = server.handle(revision, request, &cx);
            guard.cancelled.run_until_cancelled(handled).await
        });
        let work = Box::pin(work);
        shared
            .stream_if_needed(outgoing, work, revision, Some(session), id)
            .await
    }

    async fn initialize(
        &self,
        revision: Revision,
        request: jsonrpc::Request,
        cx: &RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        let session = self.sessions.as_ref();
        let session = session.map(|sessions| (sessions, Session::open(revision, &request)));
        let mut response = json(self.server.handle(revision, request, cx).await, revision);
        let id = session
            .and_then(|(sessions, session)| sessions.open(session, cx.subject(), cx.caller_key()));
        if let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) {
            response.headers_mut().insert(SESSION_ID, id);
        }
        Ok(response)
    }

    async fn answer_all(
        &self,
        shared: &Shared,
        revision: Revision,
        items: Vec<Result<Message, jsonrpc::InvalidMessage>>,
        headers: &McpHeaders<'_>,
        cx: RequestContext,
    ) -> Result<Response<Body>, Refusal> {
        let session = self.session(headers, &cx, None)?;
        let mut wanted = Vec::with_capacity(items.len());
        for item in items {
            match (item, &session) {
                (Ok(Message::Response(it)), Some(session)) => {
                    handle_one_way(session, incoming::OneWay::Response(it));
                }
                (Ok(Message::Notification(it)), Some(session)) => {
                    handle_one_way(session, incoming::OneWay::Notification(it));
                }
                (item, _) => wanted.push(item),
            }
        }
        let requests = wanted.iter().filter_map(|item| match item {
            Ok(Message::Request(request)) => Some(request.id.clone()),
            Ok(_) | Err(_) => None,
        });
        let ids: Vec<_> = requests.collect();
        let server = Arc::clone(&self.server);
        let (linger, cx) = match session {
            None => (Duration::ZERO, cx),
            Some(session) => {
                // The array of a batch may hold only responses.
                let channel = ClientChannel::new_closed(shared.stopping.clone());
                let channel = channel.with_session(Arc::clone(&session.mcp));
                let cx = cx.with_channel(Arc::new(channel));
                (shared.limits.abandoned_timeout, cx)
            }
        };
        let work = async move { server.handle_batch(revision, wanted, &cx).await };
        let outcome = shared.detached.run(linger, Box::pin(work)).await;
        let answers = match outcome {
            Ok(answers) => answers,
            Err(Unfinished::Aborted) => {
                shared.detached.count_unfinished();
                return Ok(refusal::stopped_batch(ids));
            }
            Err(why) => return Err(shared.unfinished(why, None)),
        };
        match answers.map_err(refusal::batch)? {
            Some(answers) => Ok(Body::from(answers).into_json(StatusCode::OK)),
            None => Ok(accepted()),
        }
    }

    /// Opens the stream of messages outside of requests, or resumes a parked stream.
    fn get(
        &self,
        shared: &Shared,
        sessions: &Sessions,
        parts: &Arc<Parts>,
        subject: Option<&str>,
        client: CallerKey,
    ) -> Result<Response<Body>, Refusal> {
        let headers = McpHeaders::parse(parts)?;
        let session = required(sessions, &headers, subject)?;
        if let Some(source) = headers.last_event().and_then(|id| session.resume(id)) {
            return Ok(stream(Events::new(source, Some(session))));
        }
        let Some(mut notifications) = self.server.notification_stream(&session.mcp) else {
            return Err(refusal::method_not_allowed("POST, DELETE"));
        };
        let quota = shared.streams.open(client, &shared.stopping);
        let (channel, outgoing) = ClientChannel::new(quota.end.clone());
        let ended = session.new_stream();
        let access = self.access(parts);
        let work = async move {
            // A reference to the session prevents it from expiring.
            let _session = session;
            let forward = async {
                while let Some(message) = notifications.next().await {
                    if !channel.send(ChannelEvent::Message(message)).await {
                        break;
                    }
                }
            };
            let stream = async {
                tokio::select! {
                    biased;
                    () = ended.cancelled() => None,
                    () = quota.end.cancelled() => None,
                    () = forward => None,
                }
            };
            quota.while_allowed(access, stream).await
        };
        let work = Box::pin(work);
        Ok(stream(Events::new(Source { outgoing, work }, None)))
    }

    /// Returns the authorization of a client for a stream, if a token is needed.
    fn access(&self, parts: &Arc<Parts>) -> Option<Access> {
        let authorizer = self.authorizer.as_ref()?;
        Some(Access::new(authorizer, &self.path, parts))
    }

    /// Returns the caller's session that the headers name. Returns `None` if they name none, or the server has no
    /// sessions.
    fn session(
        &self,
        headers: &McpHeaders<'_>,
        cx: &RequestContext,
        id: Option<&RequestId>,
    ) -> Result<Option<Arc<HttpSession>>, Refusal> {
        let Some(sessions) = &self.sessions else {
            return Ok(None);
        };
        match headers.session_id()? {
            None => Ok(None),
            Some(session) => match sessions.find(session, cx.subject()) {
                Some(session) => Ok(Some(session)),
                None => Err(refusal::session_unknown(id.cloned())),
            },
        }
    }
}

fn delete(
    sessions: &Sessions,
    headers: &McpHeaders<'_>,
    subject: Option<&str>,
) -> Result<Response<Body>, Refusal> {
    let id = headers.session_id()?.ok_or_else(refusal::session_missing)?;
    if !sessions.end(id, subject) {
        return Err(refusal::session_unknown(None));
    }
    let mut response = Response::new(Body::from(Bytes::new()));
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn required(
    sessions: &Sessions,
    headers: &McpHeaders<'_>,
    subject: Option<&str>,
) -> Result<Arc<HttpSession>, Refusal> {
    let id = headers.session_id()?.ok_or_else(refusal::session_missing)?;
    let session = sessions.find(id, subject);
    session.ok_or_else(|| refusal::session_unknown(None))
}

fn handle_one_way(session: &HttpSession, message: incoming::OneWay) {
    match message {
        incoming::OneWay::Response(response) => session.mcp.receive_response(response),
        incoming::OneWay::Notification(Notification { method, params }) => {
            let id = params.as_ref().and_then(|it| it.get("requestId"));
            if method == "notifications/cancelled"
                && let Some(id) = id.and_then(RequestId::read)
            {
                session.cancel(&id);
            }
        }
    }
}
