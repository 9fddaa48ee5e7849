//! The JSON envelopes around messages and reactions.
//!
//! | version | written by | fields |
//! | --- | --- | --- |
//! | none | scripts, very old programs | none: the data is text |
//! | 1 | qortal-ui | `messageText` (text), `images: [""]`, `repliedTo` |
//! | 2, 3 | qortal-ui | `messageText` (TipTap), `images`, `gifs`, `attachments`, `files` with their `is…Deleted`, `repliedTo`, `isEdited`, `type: "forward"`, `reactions` |
//! | 3 | Qortal Hub, extension, mobile app | `messageText` (TipTap or HTML), `images`, `repliedTo`, `type: "edit"` with `isEdited`, `specialId` |
//! | none | Qortal Hub, extension, mobile app | a reaction: `type: "reaction"`, `content`, `contentState`, `message: ""` |
//!
//! Sources: Qortal/qortal-ui `plugins/plugins/core/components/ChatPage.js` (`_sendMessage`) and `ChatScroller.js`, commit
//! 94835b51; Qortal/Qortal-Hub `src/components/Chat/ChatGroup.tsx` (`sendMessage`, `handleReaction`), commit c93f78a2.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    Content,
    attachment::{Attachment, MOST_ATTACHMENTS, of_envelope},
};
use crate::{
    embed,
    qdn::is_secret,
    text::{self, RichText},
};

/// The deepest nesting in which the text of an unknown document is searched.
const DEEPEST: usize = 16;
/// The most strings that are taken from an unknown document.
const MOST_STRINGS: usize = 100;
/// The longest emoji of a reaction, in bytes. A family of four with skin tones has 41.
const LONGEST_EMOJI: usize = 64;
/// The most reactions that are read of a copied message.
const MOST_REACTIONS: usize = 100;

/// A message, or a new version of one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Message {
    /// The version of the envelope. A plain text has none.
    pub version: Option<u64>,
    /// The text without embed links.
    pub text: RichText,
    /// The signature of the message it replies to. Up to version 2 it is that message's reference.
    pub replied_to: Option<String>,
    /// Pictures, files and embedded resources.
    pub attachments: Vec<Attachment>,
    /// Whether the message was forwarded from another chat.
    pub is_forwarded: bool,
    /// Whether the envelope is marked as a new version of a message.
    pub is_edit: bool,
    /// All reactions to the message, if it is a copy: qortal-ui sends the whole message again for each reaction to it.
    pub reactions: Option<Vec<CopiedReaction>>,
}

/// A reaction to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reaction {
    /// The emoji.
    pub emoji: String,
    /// Whether it is given. Otherwise it is taken back.
    pub is_given: bool,
}

/// A reaction in a copy of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopiedReaction {
    /// The emoji.
    pub emoji: String,
    /// The addresses of the accounts with this reaction.
    pub users: Vec<String>,
}

impl Message {
    /// Creates a message from a text without an envelope.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        let mut message = Self::default();
        message.text.text = text.to_owned();
        message.take_embeds();
        message
    }

    /// Returns the reactions that an account gave, as recorded in a copy of a message.
    pub fn reactions_of<'a>(&'a self, address: &'a str) -> impl Iterator<Item = &'a str> {
        let copied = self.reactions.iter().flatten();
        let given = copied.filter(move |it| it.users.iter().any(|user| user == address));
        given.map(|it| it.emoji.as_str())
    }

    /// Moves the embed links of the text to the attachments: the apps show a card in place of each.
    fn take_embeds(&mut self) {
        let text = &self.text.text;
        let mut rest = String::new();
        let mut written = 0;
        for (place, found) in embed::embeds(text) {
            rest.push_str(text.get(written..place.start).unwrap_or_default());
            written = place.end;
            if self.attachments.len() < MOST_ATTACHMENTS {
                self.attachments.push(found.into());
            }
        }
        if written > 0 {
            rest.push_str(text.get(written..).unwrap_or_default());
            self.text.text = rest.trim().to_owned();
        }
    }
}

/// Reads a JSON document.
pub(super) fn read(document: &Value) -> Content {
    if string(document, "type") == Some("reaction") {
        return reaction(document).map_or_else(|| unknown(document), Content::Reaction);
    }
    match message(document) {
        Some(message) => Content::Message(message),
        None => unknown(document),
    }
}

fn reaction(document: &Value) -> Option<Reaction> {
    Some(Reaction {
        emoji: emoji(string(document, "content")?)?,
        is_given: document.get("contentState") != Some(&Value::Bool(false)),
    })
}

/// Reads an emoji, which is a short text. Qortal Hub accepts any.
fn emoji(text: &str) -> Option<String> {
    let emoji = text.trim();
    (!emoji.is_empty() && emoji.len() <= LONGEST_EMOJI).then(|| emoji.to_owned())
}

fn message(document: &Value) -> Option<Message> {
    let text = match (document.get("messageText"), document.get("message")) {
        (Some(Value::String(text)), _) => of_string(text),
        (Some(document @ Value::Object(_)), _) => text::tiptap(document)?,
        // The field of private groups. It is written in the clear only by mistake.
        (None | Some(Value::Null), Some(Value::String(text))) => of_string(text),
        // A picture alone.
        (None | Some(Value::Null), _) if document.get("images").is_some() => RichText::default(),
        _ => return None,
    };
    let mut message = Message {
        version: document.get("version").and_then(Value::as_u64),
        text,
        replied_to: { string(document, "repliedTo") }
            .filter(|it| !it.is_empty())
            .map(str::to_owned),
        attachments: of_envelope(document),
        is_forwarded: string(document, "type") == Some("forward"),
        is_edit: string(document, "type") == Some("edit")
            || document.get("isEdited") == Some(&Value::Bool(true)),
        reactions: copied_reactions(document),
    };
    message.take_embeds();
    Some(message)
}

fn of_string(text: &str) -> RichText {
    if text::has_tags(text) {
        return text::html(text);
    }
    RichText {
        text: text.to_owned(),
        ..RichText::default()
    }
}

fn copied_reactions(document: &Value) -> Option<Vec<CopiedReaction>> {
    let listed = document.get("reactions")?.as_array()?;
    let read = |entry: &Value| {
        let users = { entry.get("users") }.and_then(Value::as_array);
        let users = users.into_iter().flatten().take(MOST_REACTIONS);
        Some(CopiedReaction {
            emoji: emoji(string(entry, "type")?)?,
            users: users
                .filter_map(|it| string(it, "address").map(str::to_owned))
                .collect(),
        })
    };
    let listed = listed.iter().take(MOST_REACTIONS);
    Some(listed.filter_map(read).collect())
}

/// Collects the strings of a document of unknown form, without secrets.
fn unknown(document: &Value) -> Content {
    let mut strings = Vec::new();
    collect(document, DEEPEST, &mut strings);
    let mut text = String::new();
    for (index, part) in strings.iter().enumerate() {
        let separator = if index == 0 { "" } else { "\n" };
        let _ = write!(text, "{separator}{part}");
    }
    let text = embed::without_keys(&text).into_owned();
    Content::Unknown(text)
}

fn collect<'a>(value: &'a Value, depth: usize, strings: &mut Vec<&'a str>) {
    if depth == 0 || strings.len() >= MOST_STRINGS {
        return;
    }
    match value {
        Value::String(text) if !text.trim().is_empty() => strings.push(text),
        Value::Array(values) => {
            for value in values {
                collect(value, depth - 1, strings);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                if !is_secret(name, value) {
                    collect(value, depth - 1, strings);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn string<'a>(document: &'a Value, field: &str) -> Option<&'a str> {
    document.get(field)?.as_str()
}
