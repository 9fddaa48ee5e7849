//! Websockets: what a node tells by itself (the classes in `org.qortal.api.websocket`).

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

/// Jetty closes a socket on which nothing is said for this long.
const IDLE: Duration = Duration::from_secs(30);
/// How long a client may take to read what it is told.
const SEND: Duration = Duration::from_secs(10);
/// How long a socket may live, whatever is said on it.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The longest message of a client; those of this API have a signature at most.
const MESSAGE_BYTES: usize = 64 * 1024;
/// The longest ping (RFC 6455 §5.5).
const PING_BYTES: usize = 125;
/// The length of a message that is too long for any client.
const HUGE: usize = 64 * 1024 * 1024;

/// A socket that a client asked for.
#[derive(Debug)]
pub(crate) struct Upgrade {
    accept: String,
    topic: Topic,
    fault: Option<Fault>,
    /// What was asked for, for the journal.
    target: String,
}

/// Whether a request asks for a websocket.
pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    header(headers, "upgrade").is_some_and(|it| it.eq_ignore_ascii_case("websocket"))
}

impl Upgrade {
    /// The socket behind a request; none if there is no such socket, or it is none that a read-only client may open.
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

    /// The same, with a fault that shows once it is open.
    pub(crate) fn with_fault(mut self, fault: Option<Fault>) -> Self {
        self.fault = fault;
        self
    }

    /// Plays the socket to its end, and notes that.
    pub(crate) async fn serve(self, server: &Server, stream: Box<dyn Wire>) {
        let changes = server.changes();
        // How it ended is the client's business.
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
        // Before the client can know that it is connected: what happens from then on is told.
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
                    // Tungstenite answers what is left.
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
