//! Chat messages as the official apps write them: the envelopes of Qortal Hub, the browser extension, the mobile app and
//! qortal-ui in all versions, key notices and ciphertext.
//!
//! [`Content::read`] reads the data of one transaction. [`Conversation`] puts edits and reactions in their place, as the apps
//! show them.
//!
//! ```
//! use qortal_apps::chat::Content;
//!
//! let data = br#"{"messageText":"<p>I sell at <b>0.003</b></p>","images":[],"repliedTo":null,"version":3}"#;
//! let Content::Message(message) = Content::read(data) else {
//!     unreachable!("it is an envelope of Qortal Hub");
//! };
//! assert_eq!(message.text.text, "I sell at 0.003");
//! ```

mod attachment;
mod conversation;
mod envelope;
mod raw;

pub use self::{
    attachment::{Attachment, AttachmentKind, Resource},
    conversation::{Change, Conversation, Count, Current, ReplyTo, Sent},
    envelope::{CopiedReaction, Message, Reaction},
    raw::without_keys,
};

use serde_json::Value;

use crate::ciphertext::Ciphertext;

/// The data of a key notice: "a key for this private group was created".
///
/// Qortal Hub sends it when an admin publishes a group key, and shows it as an event
/// (Qortal/Qortal-Hub `src/components/Chat/ChatGroup.tsx`, `NDAwMQ==`, commit c93f78a2).
const KEY_NOTICE: &[u8] = b"4001";

/// The content of a chat transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// A message, or a new version of one.
    Message(Message),
    /// A reaction to a message.
    Reaction(Reaction),
    /// The notice that a key of this private group was created.
    KeyNotice,
    /// An encrypted message or reaction, with the readable part of the ciphertext in a private group.
    Encrypted(Option<Ciphertext>),
    /// A JSON document of an unknown form, with the text found in it.
    Unknown(String),
    /// Bytes that are not text.
    Binary,
}

impl Content {
    /// Reads the data of a chat transaction not marked as encrypted.
    #[must_use]
    pub fn read(data: &[u8]) -> Self {
        if data == KEY_NOTICE {
            return Self::KeyNotice;
        }
        if let Some(ciphertext) = Ciphertext::in_message(data) {
            return Self::Encrypted(Some(ciphertext));
        }
        let Some(text) = str::from_utf8(data).ok().filter(|it| !it.contains('\0')) else {
            return Self::Binary;
        };
        if !text.trim_start().starts_with('{') {
            return Self::Message(Message::plain(text));
        }
        match serde_json::from_str::<Value>(text) {
            Ok(document) => envelope::read(&document),
            Err(_) => Self::Message(Message::plain(text)),
        }
    }

    /// Returns the content of a transaction that is marked as encrypted, as direct messages are.
    #[must_use]
    pub fn encrypted(data: &[u8]) -> Self {
        Self::Encrypted(Ciphertext::in_message(data))
    }
}
