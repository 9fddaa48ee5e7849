//! Chat messages of the last 24 hours (resource `/chat`). A recently started node has few.

use qortal_types::{Address, PublicKey, Signature, Timestamp};

use crate::{
    Endpoint, Node, NodeFuture, PageRequest, Rows, Socket,
    answer::{LeftOut, Record, answers},
    call::Call,
    options::options,
};

/// The encoding of the bytes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "the Core knows these two")]
pub enum Encoding {
    /// Base58, the Core's default.
    Base58,
    /// Base64 (RFC 4648) with padding, which is cheap to decode.
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

answers! {
    /// A message (class `ChatMessage`).
    pub struct ChatMessage {
        /// The time it was sent.
        pub timestamp: Timestamp,
        /// The group ID. 0 for direct messages.
        #[serde(rename = "txGroupId")]
        pub group_id: u32,
        /// A random reference in Base58.
        pub reference: Option<String>,
        /// The sender's public key.
        pub sender_public_key: PublicKey,
        /// The sender.
        pub sender: Address,
        /// The sender's primary name, or its address.
        pub sender_name: Option<String>,
        /// The recipient. Present only in direct messages.
        pub recipient: Option<Address>,
        /// The recipient's primary name, or its address.
        pub recipient_name: Option<String>,
        /// The message that it edits or reacts to. The apps name the message that one replies to in their envelope.
        pub chat_reference: Option<Signature>,
        /// The encoding of `data`: `BASE58` or `BASE64`.
        pub encoding: Option<String>,
        /// The content: free text or JSON by the sender, or ciphertext.
        pub data: String,
        /// Whether the sender marked it as text.
        pub is_text: bool,
        /// Whether the sender marked it as encrypted.
        pub is_encrypted: bool,
        /// The signature, which identifies the message.
        pub signature: Signature,
    }

    /// The active chats of an account (class `ActiveChats`).
    pub struct ActiveChats {
        /// The groups, most recent message first. Groups without messages come last.
        pub groups: Rows<ActiveGroupChat>,
        /// The direct chats, in arbitrary order.
        #[serde(default)]
        pub direct: Rows<ActiveDirectChat>,
    }

    /// A group of the account, with its latest message if there is one.
    pub struct ActiveGroupChat {
        /// The group.
        pub group_id: u32,
        /// The name.
        pub group_name: Option<String>,
        /// The time the message was sent.
        pub timestamp: Option<Timestamp>,
        /// The sender of the message.
        pub sender: Option<Address>,
        /// The sender's primary name, or its address.
        pub sender_name: Option<String>,
        /// The message's signature.
        pub signature: Option<Signature>,
        /// The encoding of `data`.
        pub encoding: Option<String>,
        /// The message's bytes.
        pub data: Option<String>,
    }

    /// A direct chat of the account.
    pub struct ActiveDirectChat {
        /// The other account.
        pub address: Address,
        /// The other account's primary name, or its address.
        pub name: Option<String>,
        /// The time the latest message was sent.
        pub timestamp: Timestamp,
        /// The sender of the latest message.
        pub sender: Address,
        /// The sender's primary name, or its address.
        pub sender_name: Option<String>,
    }

    /// Memory used by the node and its chat.
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

    /// The size of a sender's messages.
    pub struct ChatSenderSize {
        /// The sender.
        pub sender: Address,
        /// The sender's primary name, or its address.
        pub sender_name: Option<String>,
        /// The size in bytes.
        pub size: u64,
    }

    /// The size of a group's messages.
    pub struct ChatGroupSize {
        /// The group. 0 for direct messages.
        pub group_id: u32,
        /// The size in bytes.
        pub size: u64,
    }
}

/// A chat room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a message is for a group or for an account"
)]
pub enum ChatRoom {
    /// A group. Group 0, once the general chat, is always empty.
    Group(u32),
    /// A direct chat between two accounts.
    Direct(Address, Address),
}

options! {
    /// A filter for the messages of a room. Absent fields do not restrict it.
    #[derive(Debug, Clone, Default)]
    pub struct ChatFilter {
        /// Sent before this.
        before: Option<Timestamp> => into with_before,
        /// Sent after this.
        after: Option<Timestamp> => into with_after,
        /// Only the message with this random reference.
        reference: Option<Signature> => into with_reference,
        /// Only the last transaction that edits or reacts to this message. At most **one** is returned.
        chat_reference: Option<Signature> => into with_chat_reference,
        /// Whether messages edit or react to any message.
        has_chat_reference: Option<bool> => into with_has_chat_reference,
        /// Sent by this account.
        sender: Option<Address> => into with_sender,
        /// The encoding of their bytes.
        encoding: Encoding => with_encoding,
    }
}

impl Record for ActiveChats {
    fn left_out(&self) -> LeftOut {
        let direct = self.direct.left_out.clone();
        self.groups.left_out.clone().and(direct)
    }
}

impl Node {
    /// Returns messages by time. Messages of a closed group are included, but are normally encrypted.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if a time is before July 2017.
    #[doc(alias = "/chat/messages")]
    pub fn chat_messages(
        &self,
        room: ChatRoom,
        filter: &ChatFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<ChatMessage>> {
        self.list(messages(Endpoint::ChatMessages, room, filter).page(page))
    }

    /// Opens a socket that receives the messages of a room: the last one immediately, and then each new one.
    ///
    /// Rejects group 0, the former general chat, because it is always empty.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/websockets/chat/messages")]
    pub fn chat_socket(
        &self,
        room: ChatRoom,
        encoding: Encoding,
    ) -> NodeFuture<'_, Socket<Vec<ChatMessage>>> {
        let page = PageRequest {
            limit: 1,
            offset: 0,
            reverse: true,
        };
        let filter = ChatFilter {
            encoding,
            ..ChatFilter::default()
        };
        let call = messages(Endpoint::ChatSocket, room, &filter).page(page);
        self.open(call)
    }

    /// Returns the number of matching messages in a room.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/chat/messages/count")]
    pub fn chat_count(&self, room: ChatRoom, filter: &ChatFilter) -> NodeFuture<'_, u64> {
        let call = messages(Endpoint::ChatMessagesCount, room, filter);
        self.plain(call, |it| it.value("a whole number"))
    }

    /// Returns a message by its signature.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the node has no such message. The Core
    /// has no separate code for unknown messages.
    #[doc(alias = "/chat/message/{signature}")]
    pub fn chat_message(
        &self,
        signature: &Signature,
        encoding: Encoding,
    ) -> NodeFuture<'_, ChatMessage> {
        let call = Call::to(Endpoint::ChatMessage).with(signature);
        self.json(call.query("encoding", encoding.as_str()))
    }

    /// Returns the active chats of an account. `has_chat_reference` selects only transactions that edit or react to others, or only
    /// the remaining ones.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/chat/active/{address}")]
    pub fn active_chats(
        &self,
        address: &Address,
        encoding: Encoding,
        has_chat_reference: Option<bool>,
    ) -> NodeFuture<'_, ActiveChats> {
        let call = Call::to(Endpoint::ChatActive)
            .with(address)
            .query("encoding", encoding.as_str());
        self.record(call.query_if("haschatreference", has_chat_reference))
    }

    /// Returns the memory usage of the chat.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/chat/memory")]
    pub fn chat_memory(&self) -> NodeFuture<'_, ChatMemory> {
        self.json(Call::to(Endpoint::ChatMemory))
    }

    /// Returns the senders whose messages use the most memory.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/chat/stats")]
    pub fn chat_stats(&self, limit: u32) -> NodeFuture<'_, Vec<ChatSenderSize>> {
        self.list(Call::to(Endpoint::ChatStats).page(PageRequest::first(limit)))
    }

    /// Returns the groups whose messages use the most memory.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/chat/groupstats")]
    pub fn chat_group_stats(&self, limit: u32) -> NodeFuture<'_, Vec<ChatGroupSize>> {
        self.list(Call::to(Endpoint::ChatGroupStats).page(PageRequest::first(limit)))
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
