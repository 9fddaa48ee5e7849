//! Tools about chat. The node keeps the messages of the last 24 hours in memory and nothing older.

mod activity;
mod bytes;
mod message;
mod rooms;
mod selection;

use qortal_client::{
    ApiError,
    api::chat::{ChatMessage, Encoding},
};
use qortal_types::{Address, Signature, Timestamp};
use tool_schema::{Arguments, Bounded, Member, Params};

use crate::{
    declare::{
        Context, Flat, Full, GroupNames, NodeResult, Order, Paged, Paging, Reply, Tool, ToolError,
        Untrusted, WholeUntrusted,
    },
    family::chat::{
        activity::GetChatActivity,
        bytes::{FIXED_BYTES, cut, within_bytes},
        message::{A_DAY, DataEncoding, Form, Said, name_unless_address},
        rooms::{GetActiveChats, GetChatStats},
        selection::{Selected, Selection, ShownRoom},
    },
};

family! {
    "chat", "What was said in the last 24 hours?":
    GetChatMessages,
    CountChatMessages,
    GetChatActivity,
    GetChatMessageBySignature,
    GetActiveChats,
    GetChatStats,
}

params! {
    struct GetChatMessages {
        #[flatten]
        selection: Selection,
        /// How bytes are written.
        encoding: DataEncoding = DataEncoding::Base64,
        #[flatten]
        page: Paging<15>,
        #[flatten]
        order: Order,
        /// Show text, not bytes.
        decode_text: bool = true
    }
}

record! {
    struct Messages {
        /// Whose messages these are.
        room: Flat<ShownRoom>,
        /// The messages, in this order.
        messages: Paged<Message>
    }

    struct Message {
        /// When it was sent.
        timestamp: Timestamp,
        /// Who sent it.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// Who it is for, in direct messages.
        recipient: Option<Address>,
        /// The message it answers or edits.
        chat_reference: Full<Option<String>>,
        /// Its text; left out if it is encrypted or not text. Often JSON of the sender's program.
        text: Option<Untrusted>,
        /// Its bytes, on request or if they are not text.
        data: Option<String>,
        /// How data is written.
        encoding: Option<&'static str>,
        /// Whether it is encrypted and cannot be read here.
        is_encrypted: bool,
        /// Identifies it; Base58.
        signature: Full<String>
    }
}

impl Message {
    fn of(it: ChatMessage, form: Form) -> Self {
        let said = Said::of(it.data, it.is_encrypted, form);
        Self {
            timestamp: it.timestamp,
            sender_name: name_unless_address(it.sender_name, &it.sender),
            sender: it.sender,
            recipient: it.recipient,
            chat_reference: Full(it.chat_reference.map(|it| it.to_string())),
            text: said.text.map(Untrusted),
            encoding: said.data.is_some().then(|| form.name()),
            data: said.data,
            is_encrypted: it.is_encrypted,
            signature: Full(it.signature.to_string()),
        }
    }

    /// Its approximate size in an answer, in bytes.
    fn bytes(&self) -> usize {
        let text = self.text.as_ref().map_or(0, Untrusted::bytes);
        let name = self.sender_name.as_ref().map_or(0, Untrusted::bytes);
        FIXED_BYTES + text + name + self.data.as_ref().map_or(0, String::len)
    }
}

impl Tool for GetChatMessages {
    const NAME: &str = "get_chat_messages";
    const TITLE: &str = "Chat messages";
    const DESCRIPTION: &str = "Read the chat of the last 24 hours in a group (group_id) or between two accounts (involving). Where someone chats: get_active_chats.";
    const EXAMPLE: &str = r#"{"group_id":"3"}"#;
    const KEYWORDS: &str = "q-chat, chat, message, read chat, last chat, said, they say, people say in group, said in group, said today, conversation";
    type Output = Reply<Messages>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let form = Form::of(self.encoding, self.decode_text);
        let is_open = self.selection.before.is_none() && self.order.is_newest_first();
        let selected = Selected::of(cx, self.selection, form.encoding).await?;
        let page = self.order.one_more(*self.page);
        let found = cx
            .node
            .chat_messages(selected.room, &selected.filter, page)
            .await?;
        if found.is_empty() {
            selected.room_exists(cx).await?;
        }
        if let Some(newest) = found.first().filter(|_| is_open) {
            cx.pin_newest(newest.timestamp);
        }
        let found = found.into_iter().map(|it| Message::of(it, form));
        let page = self.page.of(cx, found.collect());
        let (messages, left_out) = within_bytes(page, Message::bytes);
        let reply = Reply::new(Messages {
            room: Flat(selected.shown_room()),
            messages,
        });
        Ok(selected.with_notes(cut(reply, left_out)))
    }
}

params! {
    struct CountChatMessages {
        #[flatten]
        selection: Selection,
        /// How many to count at most.
        limit: Option<Bounded<1, 1_000_000>>,
        /// How many to leave out of the count.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        #[flatten]
        texts: TextsIgnored
    }
}

/// The parameters of get_chat_messages that change no count.
#[derive(Debug, Clone, Copy)]
struct TextsIgnored;

impl Params for TextsIgnored {
    fn members() -> Vec<Member> {
        Vec::new()
    }

    fn take(arguments: &mut Arguments<'_>) -> Option<Self> {
        for name in ["order", "reverse", "encoding", "decode_text"] {
            arguments.ignore(name, "a count is the same with any");
        }
        Some(Self)
    }
}

record! {
    struct MessageCount {
        /// Whose messages were counted.
        room: Flat<ShownRoom>,
        /// How many messages of the last 24 hours match.
        count: u64
    }
}

impl Tool for CountChatMessages {
    const NAME: &str = "count_chat_messages";
    const TITLE: &str = "Number of chat messages";
    const DESCRIPTION: &str = "Count the chat messages of the last 24 hours in a group or between two accounts. By sender: get_chat_activity.";
    const EXAMPLE: &str = r#"{"group_id":"3"}"#;
    const KEYWORDS: &str = "count chat, how many messages, number of chat";
    type Output = Reply<MessageCount>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let selected = Selected::of(cx, self.selection, Encoding::Base64).await?;
        let count = cx.node.chat_count(selected.room, &selected.filter).await?;
        if count == 0 {
            selected.room_exists(cx).await?;
        }
        let rest = count.saturating_sub(self.offset.value().into());
        let most = self.limit.map_or(u64::MAX, |it| it.value().into());
        Ok(selected.with_notes(Reply::new(MessageCount {
            room: Flat(selected.shown_room()),
            count: rest.min(most),
        })))
    }
}

params! {
    struct GetChatMessageBySignature {
        /// The message's signature.
        signature: Signature,
        /// How bytes are written.
        encoding: DataEncoding = DataEncoding::Base64,
        /// Show text, not bytes.
        decode_text: bool = true
    }
}

record! {
    struct SingleMessage {
        /// Identifies it; Base58.
        signature: Full<String>,
        /// When it was sent.
        timestamp: Timestamp,
        /// The group it was sent to; left out for direct messages.
        group_id: Option<u32>,
        /// The name of that group.
        group_name: Option<Untrusted>,
        /// Who sent it.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// The sender's public key.
        sender_public_key: Full<String>,
        /// Who it is for, in direct messages.
        recipient: Option<Address>,
        /// The name the recipient goes by.
        recipient_name: Option<Untrusted>,
        /// Its random reference.
        reference: Full<Option<String>>,
        /// The message it answers or edits.
        chat_reference: Option<String>,
        /// Its whole text; left out if it is encrypted or not text.
        text: Option<WholeUntrusted>,
        /// Its bytes, on request or if they are not text.
        data: Option<String>,
        /// How data is written.
        encoding: Option<&'static str>,
        /// Whether the sender marked it as text.
        is_text: bool,
        /// Whether it is encrypted and cannot be read here.
        is_encrypted: bool
    }
}

impl Tool for GetChatMessageBySignature {
    const NAME: &str = "get_chat_message_by_signature";
    const TITLE: &str = "One chat message";
    const DESCRIPTION: &str =
        "One chat message of the last 24 hours at full length. Several: get_chat_messages.";
    const EXAMPLE: &str = r#"{"signature":"4R8jxa8DvQUwN7c4HPaFcemGsjggEBTSaTnPeRP4aWT2NUMm3Ebk6NBVTtpwJcLaHYnU1HWrtdJs9aTipJtaGCZs"}"#;
    const KEYWORDS: &str = "one message, whole message, message by signature";
    type Output = SingleMessage;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let form = Form::of(self.encoding, self.decode_text);
        let found = cx.node.chat_message(&self.signature, form.encoding).await;
        // The Core has no code for an unknown message.
        let it = found.error_if(ApiError::INVALID_CRITERIA, || {
            ToolError::not_found(
                "Message not found.",
                format!("{A_DAY} get_chat_messages lists the messages."),
            )
        })?;
        let said = Said::of(it.data, it.is_encrypted, form);
        let groups = GroupNames::of(cx, [it.group_id]).await;
        Ok(SingleMessage {
            signature: Full(it.signature.to_string()),
            timestamp: it.timestamp,
            group_id: Some(it.group_id).filter(|it| *it != 0),
            group_name: groups.get(it.group_id),
            sender_name: name_unless_address(it.sender_name, &it.sender),
            sender: it.sender,
            sender_public_key: Full(it.sender_public_key.to_string()),
            recipient_name: it
                .recipient
                .as_ref()
                .and_then(|recipient| name_unless_address(it.recipient_name, recipient)),
            recipient: it.recipient,
            reference: Full(it.reference),
            chat_reference: it.chat_reference.map(|it| it.to_string()),
            text: said.text.map(WholeUntrusted),
            encoding: said.data.is_some().then(|| form.name()),
            data: said.data,
            is_text: it.is_text,
            is_encrypted: it.is_encrypted,
        })
    }
}
