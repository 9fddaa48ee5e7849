//! Websockets: the messages that a node pushes (the classes in `org.qortal.api.websocket`).

mod delivery;
mod notifications;
pub(crate) mod offers;
mod topic;

use std::time::Duration;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use hyper::HeaderMap;
use tokio::{io::AsyncWriteExt, sync::watch, time::timeout};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::handshake::derive_accept_key,
    tungstenite::protocol::{CloseFrame, Role, WebSocketConfig},
    tungstenite::{self, Message},
};

use crate::{
    Exchange, Fault,
    raw::until_closed,
    request::{Request, header},
    server::Server,
    state::State,
    wire::Wire,
};

pub(crate) use topic::servlet;

use delivery::DeliveryState;
use topic::Topic;

/// Idle timeout after which Jetty closes a websocket.
const IDLE: Duration = Duration::from_secs(30);
/// Timeout for sending a message to a client.
const SEND: Duration = Duration::from_secs(10);
/// Maximum lifetime of a websocket, regardless of its use.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// Maximum length of a client's message. The longest one of this API is a signature.
const MESSAGE_BYTES: usize = 64 * 1024;
/// Maximum length of a ping (RFC 6455 §5.5).
const PING_BYTES: usize = 125;
/// Length of a message that is too long for any client.
const HUGE: usize = 64 * 1024 * 1024;

/// A websocket that a client has requested.
#[derive(Debug)]
pub(crate) struct Upgrade {
    accept: String,
    topic: Topic,
    fault: Option<Fault>,
    /// The request target, for the journal.
    target: String,
}

/// Returns `true` if a request is a websocket upgrade.
pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    header(headers, "upgrade").is_some_and(|it| it.eq_ignore_ascii_case("websocket"))
}

impl Upgrade {
    /// Returns the websocket for a request, or `None` if it does not exist or a read-only client must not open it.
    pub(crate) fn new(state: &State, request: Request, target: &str) -> Option<Self> {
        let key = request.header("sec-websocket-key")?;
        let accept = derive_accept_key(key.as_bytes());
        let topic = Topic::of(state, request)?;
        Some(Self {
            accept,
            topic,
            fault: None,
            target: target.to_owned(),
        })
    }

    /// Sets a fault that shows once the websocket is open.
    pub(crate) fn with_fault(mut self, fault: Option<Fault>) -> Self {
        self.fault = fault;
        self
    }

    /// Runs the websocket to its end, and records the end in the journal.
    pub(crate) async fn serve(self, server: &Server, stream: Box<dyn Wire>) {
        let changes = server.changes();
        // The client determines how it ends.
        let _ = timeout(LONGEST, self.converse(server, stream, changes)).await;
        server.traffic.lock().journal.add(Exchange {
            method: "CLOSE".to_owned(),
            target: self.target,
            ..Exchange::default()
        });
    }

    async fn converse(
        &self,
        server: &Server,
        mut stream: Box<dyn Wire>,
        mut changes: watch::Receiver<u64>,
    ) -> Result<(), tungstenite::Error> {
        // Taken before the client can know that it is connected, so all later events are sent.
        let mut told = DeliveryState::default();
        let mut texts = match &self.fault {
            Some(Fault::StallAfterHeaders) => Vec::new(),
            Some(Fault::NotJson) => vec!["<html>Please log in.</html>".to_owned()],
            Some(Fault::WrongShape) => vec![r#"{"another":["shape"]}"#.to_owned()],
            Some(Fault::HugeBody) => vec!["0".repeat(HUGE)],
            Some(_) | None => told.at_first(&server.state.read(), &self.topic),
        };
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: {}\r\n\r\n",
            self.accept
        );
        stream.write_all(head.as_bytes()).await?;
        if let Some(Fault::TruncateBody) = self.fault {
            stream.shutdown().await?;
            return Ok(until_closed(&mut stream).await?);
        }
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES))
            .max_frame_size(Some(MESSAGE_BYTES));
        let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
        if let Topic::Refused(code, reason) = &self.topic {
            let frame = CloseFrame {
                code: (*code).into(),
                reason: reason.clone().into(),
            };
            socket.close(Some(frame)).await?;
            while let Some(Ok(_)) = socket.next().await {}
            return Ok(());
        }
        if let Some(Fault::PingFlood) = self.fault {
            loop {
                let ping = Message::Ping(Bytes::from_static(&[b'x'; PING_BYTES]));
                socket.feed(ping).await?;
            }
        }
        let is_mute = matches!(self.fault, Some(Fault::StallAfterHeaders));
        loop {
            for text in texts.drain(..) {
                let sent = timeout(SEND, socket.send(Message::text(text))).await;
                sent.map_err(|_| tungstenite::Error::ConnectionClosed)??;
            }
            tokio::select! {
                biased;
                heard = timeout(IDLE, socket.next()) => match heard {
                    Ok(Some(Ok(Message::Text(text)))) if !is_mute => {
                        texts.extend(told.asked(&server.state.read(), &self.topic, &text));
                    }
                    // Tungstenite handles the other messages.
                    Ok(Some(Ok(_))) => (),
                    Ok(Some(Err(error))) => return Err(error),
                    Ok(None) => return Ok(()),
                    Err(_) => return socket.close(None).await,
                },
                changed = changes.changed(), if !is_mute => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    texts = told.next(&server.state.read(), &self.topic);
                }
            }
        }
    }
}
