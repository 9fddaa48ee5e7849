//! Topics of websockets, by path and query.

use crate::{
    request::Request,
    resource::{blockchain_name, chat, valid_address},
    state::State,
};

/// The topic of a websocket.
#[derive(Debug)]
pub(super) enum Topic {
    Status,
    Blocks,
    Chat(Box<Request>),
    /// The active chats of an account.
    ActiveChats(Box<Request>),
    Offers {
        blockchain: Option<&'static str>,
        with_initial: bool,
        with_finished: bool,
    },
    Presences {
        with_initial: bool,
    },
    Notifications,
    /// A websocket that the Core closes with this code and reason.
    Refused(u16, String),
}

/// The class of each path, as named in error pages.
const SERVLETS: [(&str, &str); 7] = [
    ("/websockets/admin/status", "AdminStatusWebSocket"),
    ("/websockets/blocks", "BlocksWebSocket"),
    ("/websockets/chat/messages", "ChatMessagesWebSocket"),
    ("/websockets/chat/active", "ActiveChatsWebSocket"),
    ("/websockets/crosschain/tradeoffers", "TradeOffersWebSocket"),
    (
        "/websockets/crosschain/tradepresence",
        "TradePresenceWebSocket",
    ),
    (NOTIFICATIONS, "NotificationsWebSocket"),
];

const NOTIFICATIONS: &str = "/websockets/notifications";

/// Returns the class of a websocket's path, or `None` for other paths.
pub(crate) fn servlet(state: &State, path: &str) -> Option<&'static str> {
    let is_known = state.scenario.has("GET", path);
    let mut servlets = SERVLETS.iter();
    let found = servlets.find(|(known, _)| {
        let rest = path.strip_prefix(known);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    found.filter(|_| is_known).map(|(_, class)| *class)
}

impl Topic {
    /// Returns the topic of a request, or `None` if the websocket does not exist or a read-only client must not open it.
    pub(super) fn of(state: &State, request: Request) -> Option<Self> {
        servlet(state, &request.path)?;
        let segments: Vec<&str> = request.segments().iter().map(String::as_str).collect();
        let with_initial = request.raw("excludeInitialData").is_none();
        let topic = match segments.as_slice() {
            ["websockets", "admin", "status"] => Self::Status,
            ["websockets", "blocks"] => Self::Blocks,
            ["websockets", "notifications"] => Self::Notifications,
            ["websockets", "crosschain", "tradepresence"] => Self::Presences { with_initial },
            ["websockets", "crosschain", "tradeoffers"] => {
                let name = request.text("foreignBlockchain");
                let blockchain = name.and_then(blockchain_name);
                match name {
                    Some(name) if blockchain.is_none() => {
                        Self::Refused(4003, format!("unknown blockchain: {name}"))
                    }
                    _ => Self::Offers {
                        blockchain,
                        with_initial,
                        with_finished: request.raw("includeHistoric").is_some(),
                    },
                }
            }
            ["websockets", "chat", "messages"] => Self::chat(state, request),
            ["websockets", "chat", "active", address] if valid_address(address).is_err() => {
                Self::Refused(4001, "invalid address".to_owned())
            }
            ["websockets", "chat", "active", address] => {
                let captured = vec![("address", (*address).to_owned())];
                let request = chat::with_known_encoding(request);
                Self::ActiveChats(Box::new(request.with_captures(captured)))
            }
            _ => return None,
        };
        Some(topic)
    }

    fn chat(state: &State, request: Request) -> Self {
        if let (Err(_), Some(text)) = (request.int("txGroupId"), request.text("txGroupId")) {
            return Self::Refused(1011, format!("For input string: \"{text}\""));
        }
        let request = chat::with_known_encoding(request);
        let is_nowhere = request.int("txGroupId").is_ok_and(|it| it == Some(0));
        match chat::messages_of(state, &request) {
            Ok(_) if !is_nowhere => Self::Chat(Box::new(request)),
            Ok(_) | Err(_) => Self::Refused(4001, "invalid criteria".to_owned()),
        }
    }
}
