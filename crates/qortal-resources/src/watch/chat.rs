//! Watch of a chat: each message, edit and reaction that is new on the node, including those that reached it late.

use std::collections::HashSet;

use qortal_tools::ToolError;
use serde_json::{Value, json};

use super::{
    change::{Change, person, text},
    reader::{MOST_ROWS, Reader, Rows, with},
};

/// Maximum number of remembered transactions, which exceeds those of the 24 hours for which a node keeps them.
const REMEMBERED: usize = 20_000;

/// A chat room, by the arguments of its tool.
#[derive(Debug)]
pub(super) struct Chat {
    room: Value,
    /// Signatures of the known transactions.
    known: HashSet<String>,
    /// The number of messages at the start.
    messages: usize,
    /// The time of the oldest of them, if older ones exist.
    since: Option<String>,
}

const TOOL: &str = "get_chat_messages";
const SIGNATURE: &str = "signature";
const TIME: &str = "timestampIso";

impl Chat {
    pub(super) async fn begin(reader: Reader<'_>, room: Value) -> Result<Self, ToolError> {
        let mut chat = Self {
            room,
            known: HashSet::new(),
            messages: 0,
            since: None,
        };
        let messages = chat.read(reader, false, |_| false).await?;
        let changes = chat.read(reader, true, |_| false).await?;
        chat.messages = messages.rows.len();
        chat.know(&messages.rows, &changes.rows);
        if messages.is_cut {
            chat.begin_at(&messages.rows);
        }
        Ok(chat)
    }

    pub(super) fn state(&self) -> String {
        let more = if self.since.is_some() { " or more" } else { "" };
        format!("messages in the last 24 hours: {}{more}", self.messages)
    }

    /// Reads back from the newest message to a page of known ones, then edits and reactions in the same way.
    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let known = |row: &Value| self.known.contains(text(row, SIGNATURE));
        let all_known = |page: &[Value]| page.iter().all(known);
        let messages = self.read(reader, false, all_known).await?;
        let changes = self.read(reader, true, all_known).await?;
        let rows = messages.rows.iter().rev().chain(changes.rows.iter().rev());
        let mut fresh: Vec<_> = rows.filter(|it| !known(it)).collect();
        // A stable sort: transactions with equal timestamps keep the order of their list.
        fresh.sort_by_key(|it| text(it, TIME));
        let mut told: Vec<_> = fresh.iter().filter_map(|row| change(row)).collect();
        if messages.is_cut || changes.is_cut {
            let text = format!(
                "More was said than the {MOST_ROWS} messages that are read at once. The older ones are left out; {TOOL} has them."
            );
            told.insert(0, Change::new("left_out", text, &json!({"tool": TOOL})));
        }
        self.know(&messages.rows, &changes.rows);
        Ok(told)
    }

    /// Reads messages, or edits and reactions.
    async fn read(
        &self,
        reader: Reader<'_>,
        changes: bool,
        enough: impl Fn(&[Value]) -> bool,
    ) -> Result<Rows, ToolError> {
        let mut arguments = with(self.room.clone(), "detail", "full");
        if let Some(since) = &self.since {
            arguments = with(arguments, "after", since.as_str());
        }
        let arguments = with(arguments, "has_chat_reference", changes);
        reader.rows(TOOL, arguments, enough).await
    }

    fn know(&mut self, messages: &[Value], changes: &[Value]) {
        if self.known.len() > REMEMBERED {
            self.known.clear();
            self.begin_at(messages);
        }
        let rows = messages.iter().chain(changes);
        let keys = rows.map(|row| text(row, SIGNATURE).to_owned());
        self.known.extend(keys);
    }

    /// Sets the start of later reads to the last of these rows, which is the oldest.
    fn begin_at(&mut self, rows: &[Value]) {
        let oldest = rows.last().map(|it| text(it, TIME).to_owned());
        self.since = oldest.or(self.since.take());
    }
}

/// Describes a transaction, unless the official apps do not show it.
fn change(row: &Value) -> Option<Change> {
    let sender = person(row, "sender");
    let said = text(row, "text");
    let (event, sentence) = match text(row, "kind") {
        "group_key_created" => (
            "group_key_created",
            "creates a key for this private group".to_owned(),
        ),
        "edit" if said.is_empty() => ("edit", "edits a message".to_owned()),
        "edit" => ("edit", format!("edits a message: {said}")),
        "reaction" if said.is_empty() => ("reaction", format!("reacts{}", target(row))),
        "reaction" => ("reaction", format!("reacts with {said}{}", target(row))),
        "reaction_removed" => (
            "reaction",
            format!("takes back the reaction {said}{}", target(row)),
        ),
        "other_change" => return None,
        _ => match row.get("replyTo") {
            Some(message) => ("reply", format!("replies{}: {}", to(message), content(row))),
            None if said.is_empty() => ("message", format!("sends {}", content(row))),
            None => ("message", format!("says: {said}")),
        },
    };
    Some(Change::new(event, format!("{sender} {sentence}"), row))
}

/// Describes the content of a message.
fn content(row: &Value) -> String {
    let attachments = row.get("attachments").and_then(Value::as_array);
    match text(row, "text") {
        "" if row.get("data").is_some() => "bytes that are not text".to_owned(),
        "" => match attachments.and_then(|it| it.first()) {
            Some(first) => attachment(first),
            None if row.get("isEncrypted") == Some(&Value::Bool(true)) => {
                "an encrypted message".to_owned()
            }
            None => "an empty message".to_owned(),
        },
        said => said.to_owned(),
    }
}

fn attachment(it: &Value) -> String {
    match (text(it, "kind"), text(it, "name")) {
        (kind, "") => format!("a {kind}"),
        (kind, name) => format!("a {kind}, {name:?}"),
    }
}

/// Describes the message that a reaction refers to.
fn target(row: &Value) -> String {
    let message = row.get("changeOf").unwrap_or(&Value::Null);
    match text(message, "text") {
        "" => String::new(),
        words => format!(" to {words:?}"),
    }
}

/// Describes the sender of the message that a reply refers to.
fn to(message: &Value) -> String {
    match person(message, "sender").as_str() {
        "" => String::new(),
        sender => format!(" to {sender}"),
    }
}
