//! Messages over HTTP. Each is a POST request, and the response is JSON or a stream of events (`basic/transports`).

mod headers;

use std::{future::Future, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue},
    http::response::Parts,
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioTimer,
};
use mcp_protocol::{
    ErrorObject, Revision,
    jsonrpc::Message,
    transport::{header, sse},
};
use parking_lot::Mutex;
use tokio::{sync::OwnedSemaphorePermit, task::AbortHandle, time::timeout};

pub(crate) use self::headers::Headers;
use crate::{
    Challenge, ClientError, ClientLimits, Endpoint, conversation::Conversation, id::own_id,
    incoming::messages, tasks::Tasks, token::Authorization,
};

const SESSION: HeaderName = HeaderName::from_static(header::SESSION_ID);
const LAST_EVENT: HeaderName = HeaderName::from_static(header::LAST_EVENT_ID);

/// Lifetime of an idle connection: less than the usual timeout of servers and load balancers.
const IDLE: Duration = Duration::from_secs(20);
/// The time to wait before resuming a stream if the server sets none, and the bounds of the time that it can set.
const RETRY: Duration = Duration::from_secs(1);
const LEAST_RETRY: Duration = Duration::from_millis(50);
const MOST_RETRY: Duration = Duration::from_secs(30);
/// The maximum number of new tokens for one request: one after 401, and one after 403 for more scopes.
const NEW_TOKENS: usize = 2;

#[cfg(feature = "tls")]
type Connector = hyper_rustls::HttpsConnector<HttpConnector>;
#[cfg(not(feature = "tls"))]
type Connector = HttpConnector;

/// An endpoint and its session, if there is one.
pub(crate) struct Http {
    endpoint: Endpoint,
    connections: Client<Connector, Full<Bytes>>,
    session: Mutex<Session>,
    /// Held while a new session starts.
    pub(crate) renewal: tokio::sync::Mutex<()>,
    /// The task that reads the stream of messages outside of requests.
    stream: tokio::sync::Mutex<Option<AbortHandle>>,
    limits: ClientLimits,
}

/// The session, if the server keeps one.
#[derive(Debug, Default)]
struct Session {
    id: Option<HeaderValue>,
    /// Whether the server no longer has the session.
    has_ended: bool,
}

impl Http {
    pub(crate) fn new(
        endpoint: Endpoint,
        limits: ClientLimits,
        tasks: Tasks,
    ) -> Result<Self, ClientError> {
        let mut client = Client::builder(tasks);
        client.pool_idle_timeout(IDLE).pool_timer(TokioTimer::new());
        Ok(Self {
            connections: client.build(connector(&endpoint)?),
            endpoint,
            session: Mutex::default(),
            renewal: tokio::sync::Mutex::default(),
            stream: tokio::sync::Mutex::default(),
            limits,
        })
    }

    /// Returns whether a request may wait for a token.
    pub(crate) fn has_token_source(&self) -> bool {
        matches!(self.endpoint.authorization, Authorization::Source(_))
    }

    /// Sends a request and handles the messages up to its response.
    pub(crate) async fn exchange(
        &self,
        to: &Arc<Conversation>,
        id: i64,
        headers: Headers,
        text: String,
    ) -> Result<(), ClientError> {
        let mut request = self.request(Method::POST, text);
        request.headers_mut().extend(headers.map);
        if headers.is_initialize {
            request.headers_mut().remove(SESSION);
            let response = self.send(request, None).await?;
            *self.session.lock() = Session {
                id: response.headers().get(SESSION).cloned(),
                has_ended: false,
            };
            return self.take(to, Some(id), response).await;
        }
        let session = request.headers().get(SESSION).cloned();
        let response = self.send(request, Some(to.revision())).await?;
        // The session has ended (2025-11-25 `basic/transports`, "Session Management").
        if session.is_some() && response.status() == StatusCode::NOT_FOUND {
            let mut current = self.session.lock();
            current.has_ended |= current.id == session;
            return Err(ClientError::SessionEnded);
        }
        self.take(to, Some(id), response).await
    }

    pub(crate) fn has_session(&self) -> bool {
        self.session.lock().id.is_some()
    }

    /// Returns whether the server no longer has the session, and no new one has started.
    pub(crate) fn has_lost_session(&self) -> bool {
        self.session.lock().has_ended
    }

    /// Closes the stream of a lost session, and ends its subscriptions.
    pub(crate) async fn drop_stream(&self, to: &Conversation) {
        if let Some(stream) = self.stream.lock().await.take() {
            stream.abort();
        }
        to.listeners.lock().clear();
    }

    /// Sends a message that has no response.
    pub(crate) async fn say(&self, text: String, revision: Revision) -> Result<(), ClientError> {
        let request = self.request(Method::POST, text);
        let response = self.send(request, Some(revision)).await?;
        match response.status().is_success() {
            true => Ok(()),
            false => Err(status(&response.into_parts().0, None)),
        }
    }

    /// Sends a message that has no response, within the request timeout. A failure is only logged.
    pub(crate) fn say_in_time(
        self: &Arc<Self>,
        text: String,
        revision: Revision,
        slot: Option<OwnedSemaphorePermit>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let http = Arc::clone(self);
        async move {
            let said = timeout(http.limits.request_timeout, http.say(text, revision)).await;
            if let Ok(Err(why)) = said {
                tracing::debug!(%why, "the server did not accept a message");
            }
            drop(slot);
        }
    }

    /// Opens the stream of messages outside of requests, if there is a session. Some servers send the server requests
    /// of a call on it. Others have no such stream.
    pub(crate) fn listen_early(self: &Arc<Self>, to: &Arc<Conversation>) {
        if self.has_session() {
            let (http, conversation) = (Arc::clone(self), Arc::clone(to));
            to.tasks.spawn(async move {
                if let Err(why) = http.listen(&conversation).await {
                    tracing::debug!(%why, "the session has no stream");
                }
            });
        }
    }

    /// Opens the stream of messages outside of requests, unless it is open. A session has one such stream.
    pub(crate) async fn listen(
        self: &Arc<Self>,
        to: &Arc<Conversation>,
    ) -> Result<(), ClientError> {
        let mut stream = self.stream.lock().await;
        if stream.as_ref().is_some_and(|it| !it.is_finished()) {
            return Ok(());
        }
        let response = self.get(to.revision(), None).await?;
        if !response.status().is_success() || !is_stream(&response) {
            return Err(status(&response.into_parts().0, None));
        }
        let (http, conversation) = (Arc::clone(self), Arc::clone(to));
        *stream = Some(to.tasks.spawn(async move {
            let ended = http.take(&conversation, None, response).await;
            tracing::debug!(?ended, "the stream of a session has ended");
            conversation.listeners.lock().clear();
        }));
        Ok(())
    }

    /// Ends the session, if there is one.
    pub(crate) async fn end_session(&self, revision: Revision) {
        let request = self.request(Method::DELETE, String::new());
        // If several clones are closed, only one of them ends the session.
        if self.session.lock().id.take().is_some() {
            // A server may reject it. The session then ends without it.
            drop(
                timeout(
                    self.limits.close_timeout,
                    self.send(request, Some(revision)),
                )
                .await,
            );
        }
    }

    /// Handles the messages of a response, up to the response with this ID. If the stream ends before that, the client
    /// resumes it where the revision supports that.
    pub(crate) async fn take(
        &self,
        to: &Arc<Conversation>,
        id: Option<i64>,
        mut response: Response<Incoming>,
    ) -> Result<(), ClientError> {
        let revision = to.revision();
        let mut events = sse::Decoder::new(self.limits.message_bytes);
        while is_stream(&response) && response.status().is_success() {
            while let Some(frame) = response.body_mut().frame().await {
                // Treat an error as the end of the stream. Resuming it may return the remaining events.
                let Ok(frame) = frame else { break };
                let Some(piece) = frame.data_ref() else {
                    continue;
                };
                let complete = events.feed(piece);
                for data in complete.map_err(|why| ClientError::TooLarge { limit: why.limit })? {
                    if deliver(to, id, &data)? {
                        return Ok(());
                    }
                }
            }
            let Some(last) = events.last_id().filter(|_| revision.has_handshake()) else {
                return Err(ClientError::Closed);
            };
            let last = HeaderValue::from_bytes(last).ok();
            tokio::time::sleep(pause(events.retry())).await;
            response = self.get(revision, last).await?;
            // The server no longer has the stream or its session. It has received the request, so the client does not
            // send it again.
            if response.status() == StatusCode::NOT_FOUND {
                return Err(ClientError::Closed);
            }
        }
        let (head, body) = response.into_parts();
        let is_success = head.status.is_success();
        let body = Limited::new(body, self.limits.message_bytes);
        let body = body.collect().await.map_err(|why| {
            let limit = self.limits.message_bytes;
            match why.is::<LengthLimitError>() {
                true => ClientError::TooLarge { limit },
                false => ClientError::Closed,
            }
        })?;
        let body = body.to_bytes();
        let refused = || status(&head, error_in(&body, &self.limits));
        // A header contains the challenge, whatever is in the body.
        if is_refused(head.status) {
            return Err(refused());
        }
        match deliver(to, id, &body) {
            Ok(true) => Ok(()),
            Ok(false) if is_success => Err(ClientError::Decode(
                "the response ID does not match the request".to_owned(),
            )),
            Err(why) if is_success => Err(why),
            Ok(false) | Err(_) => Err(refused()),
        }
    }

    async fn get(
        &self,
        revision: Revision,
        last: Option<HeaderValue>,
    ) -> Result<Response<Incoming>, ClientError> {
        let mut request = self.request(Method::GET, String::new());
        let accept = HeaderValue::from_static("text/event-stream");
        request.headers_mut().insert(ACCEPT, accept);
        if let Some(last) = last {
            request.headers_mut().insert(LAST_EVENT, last);
        }
        self.send(request, Some(revision)).await
    }

    fn request(&self, method: Method, text: String) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::from(text));
        *request.method_mut() = method;
        *request.uri_mut() = self.endpoint.uri.clone();
        let headers = request.headers_mut();
        let accept = HeaderValue::from_static("application/json, text/event-stream");
        headers.insert(ACCEPT, accept);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(session) = &self.session.lock().id {
            headers.insert(SESSION, session.clone());
        }
        request
    }

    async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
        revision: Option<Revision>,
    ) -> Result<Response<Incoming>, ClientError> {
        if let Some(revision) = revision {
            let name = HeaderValue::from_static(revision.name());
            request.headers_mut().insert(headers::VERSION, name);
        }
        let authorization = &self.endpoint.authorization;
        let mut token = authorization.header(None).await?;
        for attempt in 0.. {
            let mut request = request.clone();
            if let Some(token) = &token {
                request.headers_mut().insert(AUTHORIZATION, token.clone());
            }
            let response = self.connections.request(request).await;
            let response = response.map_err(|why| match why.is_connect() {
                true => ClientError::NotConnected(Box::new(why)),
                false => ClientError::Closed,
            })?;
            if !is_refused(response.status()) || attempt == NEW_TOKENS {
                return Ok(response);
            }
            let challenge = Challenge::of(response.status(), response.headers());
            match authorization.header(Some(&challenge)).await? {
                Some(new) if Some(&new) != token.as_ref() => token = Some(new),
                _ => return Ok(response),
            }
        }
        Err(ClientError::Closed)
    }
}

/// Returns whether the status requires authorization.
fn is_refused(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

/// Handles the messages of a body or an event. Returns `true` if one of them is the response with this ID.
fn deliver(to: &Arc<Conversation>, id: Option<i64>, bytes: &[u8]) -> Result<bool, ClientError> {
    let mut is_answered = false;
    let messages = messages(bytes, &to.config.limits);
    for message in messages.map_err(|it| ClientError::Decode(it.error.message))? {
        match (message, id) {
            // A response without an ID is an error about an unreadable request.
            (Message::Response(response), Some(id))
                if response.id.as_ref().is_none_or(|it| own_id(it) == Some(id)) =>
            {
                to.complete(id, response.outcome.map_err(ClientError::Rpc));
                is_answered = true;
            }
            (Message::Response(response), _) => {
                tracing::warn!(?response.id, "ignoring a response to another request");
            }
            (message, _) => to.receive(message),
        }
    }
    Ok(is_answered)
}

/// Returns the time to wait before resuming a stream. The server may have set it.
fn pause(sent: Option<Duration>) -> Duration {
    sent.unwrap_or(RETRY).clamp(LEAST_RETRY, MOST_RETRY)
}

fn is_stream(response: &Response<Incoming>) -> bool {
    let kind = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|it| it.to_str().ok());
    kind.is_some_and(|it| {
        it.trim_start()
            .to_ascii_lowercase()
            .starts_with("text/event-stream")
    })
}

fn status(head: &Parts, error: Option<ErrorObject>) -> ClientError {
    let challenge = Challenge::of(head.status, &head.headers);
    ClientError::Status {
        status: head.status.as_u16(),
        challenge: challenge.is_sent().then(|| Box::new(challenge)),
        error,
    }
}

/// Returns the error in a body, if the body is a JSON-RPC message.
fn error_in(body: &[u8], limits: &ClientLimits) -> Option<ErrorObject> {
    let messages = messages(body, limits).ok()?;
    messages.into_iter().find_map(|it| match it {
        Message::Response(response) => response.outcome.err(),
        _ => None,
    })
}

#[cfg(not(feature = "tls"))]
fn connector(_: &Endpoint) -> Result<Connector, ClientError> {
    let mut http = HttpConnector::new();
    http.set_nodelay(true);
    Ok(http)
}

#[cfg(feature = "tls")]
fn connector(endpoint: &Endpoint) -> Result<Connector, ClientError> {
    use rustls::{ClientConfig, RootCertStore};
    use rustls_platform_verifier::ConfigVerifierExt;

    let mut http = HttpConnector::new();
    http.set_nodelay(true);
    http.enforce_http(false);
    // A provider that the program has installed stays in place.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let config = match endpoint.uri.scheme_str() {
        Some("https") => ClientConfig::with_platform_verifier()
            .map_err(|why| ClientError::NotConnected(Box::new(why)))?,
        // A system without certificates can still use plain HTTP.
        _ => ClientConfig::builder()
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth(),
    };
    let https = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(config);
    Ok(https.https_or_http().enable_http1().wrap_connector(http))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_chooses_the_pause_within_bounds() {
        let check = |sent: Option<u64>, expected| {
            assert_eq!(pause(sent.map(Duration::from_millis)), expected, "{sent:?}");
        };
        check(None, RETRY);
        check(Some(0), LEAST_RETRY);
        check(Some(7_000), Duration::from_secs(7));
        // A day.
        check(Some(86_400_000), MOST_RETRY);
    }
}
