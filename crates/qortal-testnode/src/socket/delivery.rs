//! Messages that a client of a websocket has received, and the next ones.

use serde_json::{Value, json};

use super::{notifications::Subscriptions, offers, topic::Topic};
use crate::{announcement::Announcement, answer::Body, resource::chat, state::State};

/// Lengths of messages to the blocks websocket that are neither a height nor a signature, and are ignored.
const NO_QUESTION: std::ops::RangeInclusive<usize> = 11..=128;

/// The messages that a client has received.
#[derive(Debug, Default)]
pub(super) struct DeliveryState {
    /// Number of announcements.
    announced: usize,
    /// Number of messages on the node.
    messages: usize,
    /// The chats of an account.
    chats: Value,
    subscriptions: Subscriptions,
}

impl DeliveryState {
    /// Returns the messages on opening.
    pub(super) fn at_first(&mut self, state: &State, topic: &Topic) -> Vec<String> {
        self.announced = state.announcements.count();
        self.messages = state.chain.chat.len();
        let told = match topic {
            Topic::Status => Some(state.noticed_status.clone()),
            Topic::Chat(request) => {
                Some(chat::messages_of(state, request).unwrap_or_default().into())
            }
            Topic::ActiveChats(request) => {
                self.chats = chats(state, request);
                Some(self.chats.clone())
            }
            Topic::Offers {
                blockchain,
                with_initial,
                with_finished,
            } => Some(if *with_initial {
                offers::list(state, *blockchain, *with_finished)
            } else {
                json!([])
            }),
            Topic::Presences { with_initial } => Some(if *with_initial {
                presences(state)
            } else {
                json!([])
            }),
            Topic::Blocks | Topic::Notifications | Topic::Refused(..) => None,
        };
        texts(state, told.into_iter().collect())
    }

    /// Returns the messages for the announcements since the last call.
    pub(super) fn next(&mut self, state: &State, topic: &Topic) -> Vec<String> {
        let count = state.announcements.count();
        let before = std::mem::replace(&mut self.announced, count);
        let mut told = Vec::new();
        for announcement in state.announcements.after(before) {
            match (topic, announcement) {
                (Topic::Status, Announcement::Status(status)) => told.push(status.clone()),
                (Topic::Blocks, Announcement::Block(summary)) => told.push(summary.clone()),
                (
                    Topic::Offers { blockchain, .. },
                    Announcement::Offers {
                        blockchain: of,
                        changed,
                    },
                ) if blockchain.is_none_or(|it| it == *of) => told.push(json!(changed)),
                (Topic::Presences { .. }, Announcement::Presence(presence)) => {
                    told.push(json!([presence]));
                }
                (Topic::Notifications, announcement) => {
                    told.extend(self.subscriptions.told(announcement));
                }
                (Topic::Chat(request), Announcement::Message) => {
                    let before = std::mem::replace(&mut self.messages, state.chain.chat.len());
                    let new = chat::messages_after(state, request, before);
                    told.extend(new.into_iter().map(|message| json!([message])));
                }
                (Topic::ActiveChats(request), Announcement::Message) => {
                    let chats = chats(state, request);
                    if self.chats != chats {
                        self.chats = chats.clone();
                        told.push(chats);
                    }
                }
                _ => (),
            }
        }
        texts(state, told)
    }

    /// Returns the response to a client's message.
    pub(super) fn asked(&mut self, state: &State, topic: &Topic, text: &str) -> Option<String> {
        if text == "ping" {
            return Some("pong".to_owned());
        }
        let answer = match topic {
            Topic::Blocks if NO_QUESTION.contains(&text.len()) => None,
            Topic::Blocks => Some(block(state, text)),
            Topic::Notifications => self.subscriptions.asked(state, text),
            _ => None,
        };
        answer.map(|it| it.to_string())
    }
}

/// Returns a block by height or signature, from the database only. Archived ones are unknown.
fn block(state: &State, text: &str) -> Value {
    let error = |code: u16, name: &str| json!({"error": {"code": code, "description": name}});
    let found = match (text.len(), text.parse()) {
        (129.., _) => state.chain.block_by_signature(text),
        (_, Ok(height)) => state.chain.block(height),
        (_, Err(_)) => return error(129, "INVALID_HEIGHT"),
    };
    match found.filter(|it| !it.is_archived()) {
        Some(found) => found.summary(),
        None => error(301, "BLOCK_UNKNOWN"),
    }
}

fn presences(state: &State) -> Value {
    let now = state.now();
    let counts = |it: &&Value| it["timestamp"].as_i64().is_some_and(|until| until > now);
    state.presences.iter().filter(counts).cloned().collect()
}

fn chats(state: &State, request: &crate::request::Request) -> Value {
    match chat::active(state, request) {
        Ok(Body::Json(chats)) => chats,
        _ => Value::Null,
    }
}

fn texts(state: &State, mut told: Vec<Value>) -> Vec<String> {
    told.iter_mut().for_each(state.scenario.alter);
    told.iter().map(Value::to_string).collect()
}
