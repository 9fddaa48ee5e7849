//! One message.

use qortal_client::{
    ApiError,
    api::chat::{ChatMessage, ChatRoom},
};
use qortal_types::{Address, Signature, Timestamp};

use crate::{
    declare::{Context, Full, NodeResult, Tool, ToolError},
    family::chat::{
        message::{A_DAY, DataEncoding, Form, Said, name_unless_address},
        room::Room,
        shown::{Reactions, Referred, Shown, ShownAttachment},
    },
    support::{
        groups::GroupNames,
        untrusted::{Untrusted, WholeUntrusted},
    },
};

params! {
    pub(super) struct GetChatMessageBySignature {
        /// Message signature.
        signature: Signature,
        /// Encoding of bytes.
        encoding: DataEncoding = DataEncoding::Base64,
        /// Show text, not bytes.
        decode_text: bool = true
    }
}

record! {
    pub(super) struct SingleMessage {
        /// Its signature in Base58.
        signature: Full<String>,
        /// The time it was sent.
        timestamp: Timestamp,
        /// The group it was sent to. Absent for direct messages.
        group_id: Option<u32>,
        /// The group's name.
        group_name: Option<Untrusted>,
        /// The sender.
        sender: Address,
        /// The name the sender goes by.
        sender_name: Option<Untrusted>,
        /// The sender's public key.
        sender_public_key: Full<String>,
        /// The recipient of a direct message.
        recipient: Option<Address>,
        /// The name the recipient goes by.
        recipient_name: Option<Untrusted>,
        /// Its random reference.
        reference: Full<Option<String>>,
        /// The message it edits or reacts to.
        chat_reference: Option<String>,
        /// Its kind, unless it is a plain message: forwarded, group_key_created, unknown_form, edit, reaction, reaction_removed or other_change.
        kind: Option<&'static str>,
        /// The message it replies to.
        reply_to: Option<Referred>,
        /// The message it changes, for edits and reactions.
        change_of: Option<Referred>,
        /// Its whole text, in the latest version. Absent if it has none or is encrypted.
        text: Option<WholeUntrusted>,
        /// Its bytes, on request or if they are not text.
        data: Option<String>,
        /// The encoding of `data`.
        encoding: Option<&'static str>,
        /// The time of its last edit.
        edited: Option<Timestamp>,
        /// The number of accounts per reaction. encrypted counts unreadable ones.
        reactions: Option<Reactions>,
        /// Its pictures, files and polls.
        attachments: Option<Vec<ShownAttachment>>,
        /// Whether the sender marked it as text.
        is_text: bool,
        /// Whether it is encrypted and cannot be read here.
        is_encrypted: bool,
        /// Its data as it was sent, with keys replaced by ….
        raw: Full<Option<WholeUntrusted>>
    }
}

impl Tool for GetChatMessageBySignature {
    const NAME: &str = "get_chat_message_by_signature";
    const TITLE: &str = "Chat message";
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
        let is_older = cx.is_older();
        let shown = async {
            if is_older || !self.decode_text {
                let said = Said::of(it.data.clone(), it.is_encrypted, form);
                return Shown::as_sent(said, it.is_encrypted);
            }
            shown(cx, &it, form).await
        };
        let (shown, groups) = tokio::join!(shown, GroupNames::of(cx, [it.group_id]));
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
            kind: shown.kind,
            reply_to: shown.reply_to,
            change_of: shown.change_of,
            text: shown.text.map(WholeUntrusted),
            encoding: shown.data.is_some().then(|| form.name()),
            data: shown.data,
            edited: shown.edited,
            reactions: shown.reactions,
            attachments: shown.attachments,
            is_text: it.is_text,
            is_encrypted: shown.is_encrypted,
            raw: Full(shown.raw.map(WholeUntrusted)),
        })
    }
}

/// Shows a message with the changes among the newest transactions of its room. The changes of a direct message are
/// encrypted and therefore unknown.
async fn shown(cx: &Context, message: &ChatMessage, form: Form) -> Shown {
    let room = match message.recipient {
        None => Room::read(cx, ChatRoom::Group(message.group_id)).await,
        Some(_) if message.is_encrypted => Ok(Room::of(Vec::new())),
        Some(recipient) => Room::read(cx, ChatRoom::Direct(message.sender, recipient)).await,
    };
    let room = cx.part("Edits, reactions and the message it replies to are", room);
    let mut room = room.unwrap_or_else(|| Room::of(Vec::new()));
    let places = room.add(vec![message.clone()], Vec::new());
    let place = places.first().copied().unwrap_or_default();
    Shown::of(&room, place, form, cx.wants_full())
}
