//! Websockets: what a node tells by itself (`StatusWebSocket`, `BlocksWebSocket`, `ChatMessagesWebSocket`,
//! `TradeOffersWebSocket`).

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hyper::HeaderMap;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message};

use crate::chain::{Block, Row, as_newer_core};
use crate::fault::Fault;
use crate::request::Request;
use crate::resource::{blockchain_name, chat};
use crate::state::Shared;
use crate::world::World;

/// Jetty closes a socket on which nothing is said for this long.
const IDLE: Duration = Duration::from_secs(30);
/// How long a client may take to read what it is told.
const SEND: Duration = Duration::from_secs(10);
/// How long a socket may live, whatever is said on it.
const LONGEST: Duration = Duration::from_secs(60 * 60);
/// The longest message of a client; those of this API have a signature at most.
const MESSAGE_BYTES: usize = 64 * 1024;
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

/// What a socket is about.
#[derive(Debug)]
enum Topic {
    Status,
    Blocks,
    Chat(Box<Request>),
    Offers {
        blockchain: Option<&'static str>,
        with_initial: bool,
    },
    /// The Core closes it with this code and reason.
    Refused(u16, &'static str),
}

/// Whether a request asks for a websocket.
pub(crate) fn is_upgrade(headers: &HeaderMap) -> bool {
    let upgrade = headers.get("upgrade").and_then(|it| it.to_str().ok());
    upgrade.is_some_and(|it| it.eq_ignore_ascii_case("websocket"))
}

impl Upgrade {
    /// The socket behind a request; none if there is no such socket, or it is none that a read-only client may open.
    pub(crate) fn new(world: &World, request: Request, target: &str) -> Option<Self> {
        let key = request.header("sec-websocket-key")?;
        let accept = derive_accept_key(key.as_bytes());
        let segments: Vec<&str> = request.segments().iter().map(String::as_str).collect();
        let topic = match segments.as_slice() {
            ["websockets", "admin", "status"] => Topic::Status,
            ["websockets", "blocks"] => Topic::Blocks,
            ["websockets", "crosschain", "tradeoffers"] => {
                match request.text("foreignBlockchain") {
                    None => Topic::Offers {
                        blockchain: None,
                        with_initial: request.raw("excludeInitialData").is_none(),
                    },
                    Some(name) => match blockchain_name(name) {
                        Some(name) => Topic::Offers {
                            blockchain: Some(name),
                            with_initial: request.raw("excludeInitialData").is_none(),
                        },
                        None => Topic::Refused(4003, "unknown blockchain"),
                    },
                }
            }
            ["websockets", "chat", "messages"] => {
                let is_nowhere = request.int("txGroupId").is_ok_and(|it| it == Some(0));
                match chat::messages_of(world, &request) {
                    Ok(_) if !is_nowhere => Topic::Chat(Box::new(request)),
                    Ok(_) | Err(_) => Topic::Refused(4001, "invalid criteria"),
                }
            }
            _ => return None,
        };
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
    pub(crate) async fn serve(self, shared: &Shared, stream: TcpStream) {
        let happened = shared.happened();
        // How it ended is the client's business.
        let _ = timeout(LONGEST, self.converse(shared, stream, happened)).await;
        shared.socket_closed(&self.target);
    }

    async fn converse(
        &self,
        shared: &Shared,
        mut stream: TcpStream,
        mut happened: watch::Receiver<u64>,
    ) -> Result<(), tungstenite::Error> {
        let head = format!(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: {}\r\n\r\n",
            self.accept
        );
        stream.write_all(head.as_bytes()).await?;
        if let Some(Fault::TruncateBody) = self.fault {
            stream.shutdown().await?;
            return Ok(until_closed(stream).await?);
        }
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES))
            .max_frame_size(Some(MESSAGE_BYTES));
        let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
        if let Topic::Refused(code, reason) = self.topic {
            let frame = CloseFrame {
                code: code.into(),
                reason: reason.into(),
            };
            socket.close(Some(frame)).await?;
            while let Some(Ok(_)) = socket.next().await {}
            return Ok(());
        }
        let mut seen = Seen::default();
        let mut told = match &self.fault {
            Some(Fault::StallAfterHeaders) => Vec::new(),
            Some(Fault::NotJson) => vec!["<html>Please log in.</html>".to_owned()],
            Some(Fault::WrongShape) => vec![r#"{"another":["shape"]}"#.to_owned()],
            Some(Fault::HugeBody) => vec!["0".repeat(HUGE)],
            Some(_) | None => seen.look(&shared.world(), &self.topic, true),
        };
        let is_mute = matches!(self.fault, Some(Fault::StallAfterHeaders));
        loop {
            for text in told.drain(..) {
                let sent = timeout(SEND, socket.send(Message::text(text))).await;
                sent.map_err(|_| tungstenite::Error::ConnectionClosed)??;
            }
            tokio::select! {
                heard = timeout(IDLE, socket.next()) => match heard {
                    Ok(Some(Ok(Message::Text(text)))) if text.as_str() == "ping" && !is_mute => {
                        told.push("pong".to_owned());
                    }
                    // Other questions are none that a read-only client has; tungstenite answers what is left.
                    Ok(Some(Ok(_))) => (),
                    Ok(Some(Err(error))) => return Err(error),
                    Ok(None) => return Ok(()),
                    Err(_) => return socket.close(None).await,
                },
                changed = happened.changed(), if !is_mute => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    told = seen.look(&shared.world(), &self.topic, false);
                }
            }
        }
    }
}

/// What a client has been told.
#[derive(Debug, Default)]
struct Seen {
    status: Value,
    tip: String,
    messages: usize,
    /// By the address of its automated transaction: how far an offer has come.
    offers: HashMap<String, String>,
}

impl Seen {
    /// What is to be told now.
    fn look(&mut self, world: &World, topic: &Topic, is_first: bool) -> Vec<String> {
        let told = match topic {
            Topic::Status => self.status(world),
            Topic::Blocks => self.tip(world).filter(|_| !is_first),
            Topic::Chat(request) => self.messages(world, request, is_first),
            Topic::Offers {
                blockchain,
                with_initial,
            } => {
                let told = self.offers(world, *blockchain);
                told.filter(|_| !is_first || *with_initial)
            }
            Topic::Refused(..) => None,
        };
        let mut told: Vec<Value> = told.into_iter().collect();
        if world.scenario.is_newer_core() {
            told.iter_mut().for_each(as_newer_core);
        }
        told.iter().map(Value::to_string).collect()
    }

    fn status(&mut self, world: &World) -> Option<Value> {
        let status = world.status();
        let is_new = std::mem::replace(&mut self.status, status.clone()) != status;
        is_new.then_some(status)
    }

    fn tip(&mut self, world: &World) -> Option<Value> {
        let tip = world.chain.blocks.last()?;
        let signature = tip.signature().to_owned();
        let is_new = std::mem::replace(&mut self.tip, signature) != tip.signature();
        is_new.then(|| Block::summary(tip))
    }

    /// The messages that were asked for at first, then new ones.
    fn messages(&mut self, world: &World, request: &Request, is_first: bool) -> Option<Value> {
        let before = std::mem::replace(&mut self.messages, world.chain.chat.len());
        if is_first {
            let messages = chat::messages_of(world, request).unwrap_or_default();
            return Some(Value::Array(messages));
        }
        let new = chat::messages_after(world, request, before);
        (!new.is_empty()).then_some(Value::Array(new))
    }

    /// Open offers at first, then those that are in another state.
    fn offers(&mut self, world: &World, blockchain: Option<&str>) -> Option<Value> {
        let mut changed = Vec::new();
        let is_first = self.offers.is_empty();
        for row in world.chain.trades.iter() {
            let trade = row.at("trade");
            let name = trade.text("foreignBlockchain");
            if blockchain.is_some_and(|it| it != name) {
                continue;
            }
            let mode = trade.text("mode").to_owned();
            let is_open = mode == "OFFERING";
            let address = trade.text("qortalAtAddress").to_owned();
            let known = self.offers.insert(address, mode.clone());
            if known.is_none_or(|it| it != mode) && (is_open || !is_first) {
                changed.push(offer_summary(world, trade));
            }
        }
        (is_first || !changed.is_empty()).then_some(Value::Array(changed))
    }
}

fn offer_summary(world: &World, trade: &Value) -> Value {
    let is_open = trade.text("mode") == "OFFERING";
    let timestamp = match is_open {
        true => trade.at("creationTimestamp").clone(),
        false => Value::from(world.now()),
    };
    let summary = json!({
        "qortalAtAddress": trade.at("qortalAtAddress"),
        "qortalCreator": trade.at("qortalCreator"),
        "qortalCreatorTradeAddress": trade.at("qortalCreatorTradeAddress"),
        "qortAmount": trade.at("qortAmount"),
        "btcAmount": trade.at("expectedForeignAmount"),
        "foreignAmount": trade.at("expectedForeignAmount"),
        "tradeTimeout": trade.at("tradeTimeout"),
        "mode": trade.at("mode"),
        "timestamp": timestamp,
        "foreignBlockchain": trade.at("foreignBlockchain"),
        "acctName": trade.at("acctName"),
    });
    match trade.get("qortalPartnerReceivingAddress") {
        Some(address) => summary.with("partnerQortalReceivingAddress", address.clone()),
        None => summary,
    }
}

/// Reads and forgets until the client closes its side.
async fn until_closed(mut stream: TcpStream) -> io::Result<()> {
    let mut rubbish = [0; 1024];
    while stream.read(&mut rubbish).await? > 0 {}
    Ok(())
}
