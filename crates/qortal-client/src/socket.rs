//! The websockets of a node, the only module that uses the websocket library.

use std::{io, sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use hyper::Uri;
use serde::de::DeserializeOwned;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout, timeout_at},
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest,
        error::CapacityError,
        http::{HeaderValue, header::USER_AGENT},
        protocol::{CloseFrame, WebSocketConfig},
    },
};

use crate::{
    AnswerMemory, Cause, ConfigError, Endpoint, KeyUse, NodeConfig, NodeError, NodeErrorKind, Wire,
    cache::Cache,
    call::Request,
    connector::Connect,
    error::excerpt,
    transport::{Granted, NO_URL},
    upstream::Upstream,
};

/// The limit of open websockets over all nodes: each costs a node a thread or a buffer.
const MOST: usize = 16;

/// The Core closes a socket that was idle for 30 seconds, and answers `ping` with `pong`.
const PING: Duration = Duration::from_secs(20);

/// Enough for the messages of this crate's topics; a longer one is read in pieces.
const READ_BUFFER: usize = 16 * 1024;

/// Pings are all that is sent. A node that sends pings and reads no answers is left when this is full.
const WRITE_BUFFER: usize = 256 * 1024;

/// The longest message, unless answers are limited further. The longest of the Core, who is online for trades, has some
/// ten thousand bytes.
const MESSAGE: usize = 512 * 1024;

/// The Core's answer to `ping`.
const PONG: &str = "pong";

/// Close codes from here on are the Core's: the request was invalid.
const REFUSALS: u16 = 4000;

/// The HTTP status of a socket that was opened.
const SWITCHING_PROTOCOLS: u16 = 101;

/// Opens websockets within the limits of a node.
#[derive(Debug)]
pub(crate) struct Sockets {
    permits: Arc<Semaphore>,
    user_agent: Option<HeaderValue>,
    key_use: KeyUse,
    connect: Connect,
    /// For a connection and its handshake.
    patience: Duration,
    max_bytes: usize,
    memory: Option<AnswerMemory>,
    cache: Arc<Cache>,
}

/// A stream of a node's messages on one topic. Dropping it closes the connection.
#[derive(Debug)]
pub struct Socket<T> {
    stream: WebSocketStream<Box<dyn Wire>>,
    endpoint: Endpoint,
    key_use: KeyUse,
    max_bytes: usize,
    /// When to ping the node.
    next_ping: Instant,
    /// Nothing was received since the last ping.
    is_pinged: bool,
    /// A message ends what it kept of the topic.
    cache: Arc<Cache>,
    _permit: OwnedSemaphorePermit,
    /// For all that the connection may buffer.
    _memory: Granted,
    read: fn(&str) -> serde_json::Result<T>,
}

impl Sockets {
    pub(crate) fn new(config: &NodeConfig, cache: &Arc<Cache>) -> Result<Self, ConfigError> {
        Ok(Self {
            permits: Arc::new(Semaphore::new(MOST)),
            user_agent: HeaderValue::from_str(&config.user_agent).ok(),
            key_use: match config.api_key {
                Some(_) => KeyUse::Withheld,
                None => KeyUse::NotConfigured,
            },
            connect: Connect::new(config)?,
            patience: config.timeouts.connect,
            max_bytes: config.max_answer_bytes.min(MESSAGE),
            memory: config.memory.clone(),
            cache: Arc::clone(cache),
        })
    }

    /// Opens a websocket to one node. Only the path, the query and the user agent are sent to it;
    /// any other answer, including a redirect, is a refusal.
    pub(crate) async fn open<T: DeserializeOwned>(
        &self,
        upstream: &Upstream,
        request: &Request,
    ) -> Result<Socket<T>, NodeError> {
        let endpoint = request.endpoint;
        let failed = |kind| NodeError::new(endpoint, kind);
        let permit = Arc::clone(&self.permits).try_acquire_owned();
        let permit = permit.map_err(|_| {
            failed(NodeErrorKind::Overloaded {
                limit: MOST,
                waited: Duration::ZERO,
            })
        })?;
        let buffers = READ_BUFFER + WRITE_BUFFER + self.max_bytes;
        let memory = Granted::ask(self.memory.as_ref(), buffers);
        let memory = memory.ok_or_else(|| failed(NodeErrorKind::NoMemory))?;
        let after = self.patience;
        let stream = match timeout(after, self.connect(upstream, request)).await {
            Ok(stream) => stream?,
            Err(_) => return Err(failed(NodeErrorKind::TimedOut { after })),
        };
        Ok(Socket {
            stream,
            endpoint,
            key_use: self.key_use,
            max_bytes: self.max_bytes,
            next_ping: Instant::now() + PING,
            is_pinged: false,
            cache: Arc::clone(&self.cache),
            _permit: permit,
            _memory: memory,
            read: |text| serde_json::from_str(text),
        })
    }

    async fn connect(
        &self,
        upstream: &Upstream,
        request: &Request,
    ) -> Result<WebSocketStream<Box<dyn Wire>>, NodeError> {
        let endpoint = request.endpoint;
        let failed = |kind| NodeError::new(endpoint, kind);
        let no_url = || failed(NO_URL);
        let base = &*upstream.base;
        let Some(rest) = base.strip_prefix("http://") else {
            return Err(failed(NodeErrorKind::NoSocket));
        };
        let uri = Uri::try_from(base).map_err(|_| no_url())?;
        let handshake = format!("ws://{rest}{}", request.target);
        let mut handshake = handshake.into_client_request().map_err(|_| no_url())?;
        if let Some(user_agent) = &self.user_agent {
            handshake
                .headers_mut()
                .insert(USER_AGENT, user_agent.clone());
        }
        let unreachable = |error: io::Error| {
            let cause = Cause::in_chain(&error).unwrap_or(Cause::Broken);
            failed(NodeErrorKind::Unreachable)
                .with_cause(cause)
                .with_source(error)
        };
        let stream = self.connect.clone().open(uri).await.map_err(unreachable)?;
        let limits = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_write_buffer_size(WRITE_BUFFER)
            .max_message_size(Some(self.max_bytes))
            .max_frame_size(Some(self.max_bytes));
        match client_async_with_config(handshake, stream, Some(limits)).await {
            Ok((stream, _)) => Ok(stream),
            Err(error) => Err(failure(endpoint, self.key_use, self.max_bytes, error)),
        }
    }
}

impl<T> Socket<T> {
    /// Waits for the next message, as long as the node is alive.
    ///
    /// The method pings the node every 20 seconds. A node closes the socket if this method is not awaited for half a minute. After
    /// an error, the socket is unusable.
    ///
    /// # Cancel safety
    ///
    /// Cancel safe: a message that was received but not returned is returned by the next call.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection ends, the node is silent, or it sends an unexpected message.
    pub async fn next(&mut self) -> Result<T, NodeError> {
        loop {
            let heard = match timeout_at(self.next_ping, self.stream.next()).await {
                Ok(heard) => heard,
                Err(_) => {
                    self.ping().await?;
                    continue;
                }
            };
            self.is_pinged = false;
            self.next_ping = Instant::now() + PING;
            let text = match heard {
                Some(Ok(Message::Text(text))) if text.as_str() == PONG => continue,
                Some(Ok(Message::Text(text))) => text,
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Binary(bytes))) => return Err(self.unreadable(&bytes)),
                Some(Ok(Message::Close(frame))) => return Err(self.closed(frame)),
                Some(Err(error)) => {
                    return Err(failure(self.endpoint, self.key_use, self.max_bytes, error));
                }
                None => return Err(self.closed(None)),
            };
            self.forget_topic();
            return (self.read)(&text)
                .map_err(|error| self.unreadable(text.as_bytes()).with_source(error));
        }
    }

    /// Forgets what the node answered before it had this news.
    fn forget_topic(&self) {
        match self.endpoint {
            Endpoint::StatusSocket => self.cache.forget_below("/admin/"),
            Endpoint::ChatSocket => self.cache.forget_below("/chat/"),
            Endpoint::TradePresenceSocket => self.cache.forget_below("/crosschain/"),
            _ => self.cache.forget_recent(),
        }
    }

    async fn ping(&mut self) -> Result<(), NodeError> {
        let silent = || NodeError::new(self.endpoint, NodeErrorKind::TimedOut { after: PING });
        if self.is_pinged {
            return Err(silent());
        }
        self.is_pinged = true;
        self.next_ping = Instant::now() + PING;
        match timeout_at(self.next_ping, self.stream.send(Message::text("ping"))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(failure(self.endpoint, self.key_use, self.max_bytes, error)),
            Err(_) => Err(silent()),
        }
    }

    fn unreadable(&self, bytes: &[u8]) -> NodeError {
        let kind = NodeErrorKind::Unreadable {
            what: "the expected JSON",
            excerpt: excerpt(bytes),
        };
        NodeError::new(self.endpoint, kind)
    }

    fn closed(&self, frame: Option<CloseFrame>) -> NodeError {
        let refusal = frame.filter(|it| u16::from(it.code) >= REFUSALS);
        let kind = match refusal {
            Some(frame) => NodeErrorKind::Refused {
                status: SWITCHING_PROTOCOLS,
                code: None,
                message: excerpt(frame.reason.as_bytes()),
                key_use: self.key_use,
            },
            None => NodeErrorKind::Unreachable,
        };
        NodeError::new(self.endpoint, kind)
    }
}

fn failure(endpoint: Endpoint, key_use: KeyUse, limit: usize, error: Error) -> NodeError {
    let kind = match &error {
        Error::Http(response) => NodeErrorKind::Refused {
            status: response.status().as_u16(),
            code: None,
            message: String::new(),
            key_use,
        },
        Error::Capacity(CapacityError::MessageTooLong { .. }) => NodeErrorKind::TooLarge { limit },
        _ => NodeErrorKind::Unreachable,
    };
    let cause = Cause::in_chain(&error);
    let failed = NodeError::new(endpoint, kind).with_source(error);
    match cause {
        Some(cause) => failed.with_cause(cause),
        None => failed,
    }
}
