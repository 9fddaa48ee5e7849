//! Chat messages of the last 24 hours (resource `/chat`). A node that has just started knows few.

use qortal_types::{Address, PublicKey, Signature, Timestamp};
use serde::Deserialize;

use crate::{Endpoint, Node, NodeError, Page, Socket, call::Call, setters::setters};

/// How the bytes of a message are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "the Core knows these two")]
pub enum Encoding {
    /// With the Bitcoin alphabet; the Core's default.
    Base58,
    /// As in RFC 4648, with padding; cheap to read.
    #[default]
    Base64,
}

impl Encoding {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Base58 => "BASE58",
            Self::Base64 => "BASE64",
        }
    }
}

/// A message (class `ChatMessage`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChatMessage {
    /// When it was sent.
    pub timestamp: Timestamp,
    /// Its group; 0 for direct messages.
    #[serde(rename = "txGroupId")]
    pub group_id: u32,
    /// Random bytes in Base58.
    pub reference: Option<String>,
    /// The sender's key.
    pub sender_public_key: PublicKey,
    /// The sender.
    pub sender: Address,
    /// The sender's primary name, or its address.
    pub sender_name: Option<String>,
    /// Who it is for; direct messages only.
    pub recipient: Option<Address>,
    /// The recipient's primary name, or its address.
    pub recipient_name: Option<String>,
    /// The message that it edits or answers.
    pub chat_reference: Option<Signature>,
    /// How `data` is written: `BASE58` or `BASE64`.
    pub encoding: Option<String>,
    /// Its bytes: free text or JSON of the sender, or ciphertext.
    pub data: String,
    /// Whether the sender marked it as text.
    pub is_text: bool,
    /// Whether the sender marked it as encrypted.
    pub is_encrypted: bool,
    /// Its identifier.
    pub signature: Signature,
}

/// Where messages are exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a message is for a group or for an account"
)]
pub enum ChatRoom {
    /// In a group. Group 0, once the general chat, is always empty.
    Group(u32),
    /// Between two accounts.
    Direct(Address, Address),
}

/// Which messages of a room are wanted. What is absent does not restrict.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ChatFilter {
    /// Sent before this.
    pub before: Option<Timestamp>,
    /// Sent after this.
    pub after: Option<Timestamp>,
    /// With these random bytes; at most one message.
    pub reference: Option<Signature>,
    /// Editing or answering this message; at most **one** message, the last.
    pub chat_reference: Option<Signature>,
    /// Whether they edit or answer any message.
    pub has_chat_reference: Option<bool>,
    /// Sent by this account.
    pub sender: Option<Address>,
    /// How their bytes are to be written.
    pub encoding: Encoding,
}

setters!(ChatFilter {
    with_before(before: impl Into<Option<Timestamp>>),
    with_after(after: impl Into<Option<Timestamp>>),
    with_reference(reference: impl Into<Option<Signature>>),
    with_chat_reference(chat_reference: impl Into<Option<Signature>>),
    with_has_chat_reference(has_chat_reference: impl Into<Option<bool>>),
    with_sender(sender: impl Into<Option<Address>>),
    with_encoding(encoding: Encoding),
});

/// Where an account chats (class `ActiveChats`).
#[derive(Debug, Clone, Deserialize)]
#[non_exhaustive]
pub struct ActiveChats {
    /// Its groups, those with the latest message first, those without any last.
    #[serde(default)]
    pub groups: Vec<ActiveGroupChat>,
    /// Its direct chats, in no order.
    #[serde(default)]
    pub direct: Vec<ActiveDirectChat>,
}

/// A group of the account, with its latest message if there is one.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ActiveGroupChat {
    /// The group.
    pub group_id: u32,
    /// Its name.
    pub group_name: Option<String>,
    /// When the message was sent.
    pub timestamp: Option<Timestamp>,
    /// Who sent it.
    pub sender: Option<Address>,
    /// The sender's primary name, or its address.
    pub sender_name: Option<String>,
    /// The message.
    pub signature: Option<Signature>,
    /// How `data` is written.
    pub encoding: Option<String>,
    /// The message's bytes.
    pub data: Option<String>,
}

/// Someone with whom the account has exchanged messages.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ActiveDirectChat {
    /// Who.
    pub address: Address,
    /// Its primary name, or its address.
    pub name: Option<String>,
    /// When the latest message was sent.
    pub timestamp: Timestamp,
    /// By whom.
    pub sender: Address,
    /// The sender's primary name, or its address.
    pub sender_name: Option<String>,
}

/// Memory of the node and of its chat.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChatMemory {
    /// Unused bytes of the Java heap.
    pub free_memory: u64,
    /// Used bytes of the Java heap.
    pub memory_in_use: u64,
    /// Bytes of the Java heap.
    pub total_memory: u64,
    /// Bytes to which the heap may grow.
    pub max_memory: u64,
    /// Bytes of all messages.
    pub chat_memory: u64,
}

/// How much a sender's messages take.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChatSenderSize {
    /// Who.
    pub sender: Address,
    /// Its primary name, or its address.
    pub sender_name: Option<String>,
    /// Bytes.
    pub size: u64,
}

/// How much a group's messages take.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChatGroupSize {
    /// The group; 0 for direct messages.
    pub group_id: u32,
    /// Bytes.
    pub size: u64,
}

impl Node {
    /// Returns messages by time. Those of a closed group are not hidden, but normally encrypted.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if a time is before July 2017.
    #[doc(alias = "/chat/messages")]
    pub async fn chat_messages(
        &self,
        room: ChatRoom,
        filter: &ChatFilter,
        page: Page,
    ) -> Result<Vec<ChatMessage>, NodeError> {
        self.ask(messages(Endpoint::ChatMessages, room, filter).page(page))
            .await?
            .list()
    }

    /// Opens a socket that receives the messages of a room: the last one at once, and then each new one.
    ///
    /// Group 0 is refused: once the general chat, it is always empty.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/websockets/chat/messages")]
    pub async fn chat_socket(
        &self,
        room: ChatRoom,
        encoding: Encoding,
    ) -> Result<Socket<Vec<ChatMessage>>, NodeError> {
        let page = Page {
            limit: 1,
            offset: 0,
            reverse: true,
        };
        let filter = ChatFilter {
            encoding,
            ..ChatFilter::default()
        };
        let call = messages(Endpoint::ChatSocket, room, &filter).page(page);
        self.open(call).await
    }

    /// Returns how many messages of a room match.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/chat/messages/count")]
    pub async fn chat_count(&self, room: ChatRoom, filter: &ChatFilter) -> Result<u64, NodeError> {
        self.ask(messages(Endpoint::ChatMessagesCount, room, filter))
            .await?
            .value("a whole number")
    }

    /// Returns a message by its identifier.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA), not one for unknown things, if the node has none.
    #[doc(alias = "/chat/message/{signature}")]
    pub async fn chat_message(
        &self,
        signature: &Signature,
        encoding: Encoding,
    ) -> Result<ChatMessage, NodeError> {
        let call = Call::to(Endpoint::ChatMessage).with(signature);
        self.ask(call.query("encoding", encoding.as_str()))
            .await?
            .json()
    }

    /// Returns where an account chats; with `has_chat_reference` as if there were only messages that edit or answer others,
    /// or only those that do not.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/chat/active/{address}")]
    pub async fn active_chats(
        &self,
        address: &Address,
        encoding: Encoding,
        has_chat_reference: Option<bool>,
    ) -> Result<ActiveChats, NodeError> {
        let call = Call::to(Endpoint::ChatActive)
            .with(address)
            .query("encoding", encoding.as_str());
        self.ask(call.query_if("haschatreference", has_chat_reference))
            .await?
            .json()
    }

    /// Returns how much memory the chat takes.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/chat/memory")]
    pub async fn chat_memory(&self) -> Result<ChatMemory, NodeError> {
        self.ask(Call::to(Endpoint::ChatMemory)).await?.json()
    }

    /// Returns the senders whose messages take most.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/chat/stats")]
    pub async fn chat_stats(&self, limit: u32) -> Result<Vec<ChatSenderSize>, NodeError> {
        self.ask(Call::to(Endpoint::ChatStats).page(Page::first(limit)))
            .await?
            .list()
    }

    /// Returns the groups whose messages take most.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/chat/groupstats")]
    pub async fn chat_group_stats(&self, limit: u32) -> Result<Vec<ChatGroupSize>, NodeError> {
        self.ask(Call::to(Endpoint::ChatGroupStats).page(Page::first(limit)))
            .await?
            .list()
    }
}

fn messages(endpoint: Endpoint, room: ChatRoom, filter: &ChatFilter) -> Call {
    let call = match room {
        ChatRoom::Group(group_id) => Call::to(endpoint).query("txGroupId", group_id),
        ChatRoom::Direct(one, other) => Call::to(endpoint).query_each("involving", [one, other]),
    };
    call.query_if("before", filter.before.map(Timestamp::millis))
        .query_if("after", filter.after.map(Timestamp::millis))
        .query_if("reference", filter.reference)
        .query_if("chatreference", filter.chat_reference)
        .query_if("haschatreference", filter.has_chat_reference)
        .query_if("sender", filter.sender)
        .query("encoding", filter.encoding.as_str())
}
