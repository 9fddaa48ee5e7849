//! A chat: each message that the node did not have before, also one that reached it late.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{
    change::{Change, person, text},
    reader::{MOST_ROWS, Reader, with},
};
use crate::ToolError;

/// Messages that are remembered: more than those of the 24 hours for which a node keeps them.
const REMEMBERED: usize = 20_000;

/// A room, by the arguments of the tool.
#[derive(Debug)]
pub(super) struct Chat {
    room: Value,
    /// The messages that are known, by signature.
    known: HashSet<String>,
    /// When the oldest of them was sent, if there are older ones.
    since: Option<String>,
}

const TOOL: &str = "get_chat_messages";
const SIGNATURE: &str = "signature";

impl Chat {
    pub(super) async fn begin(reader: Reader<'_>, room: Value) -> Result<Self, ToolError> {
        let mut chat = Self {
            room,
            known: HashSet::new(),
            since: None,
        };
        let found = reader.rows(TOOL, chat.arguments(), |_| false).await?;
        chat.know(&found.rows);
        if found.is_cut {
            chat.begin_at(&found.rows);
        }
        Ok(chat)
    }

    pub(super) fn state(&self) -> String {
        let more = if self.since.is_some() { " or more" } else { "" };
        format!("messages in the last 24 hours: {}{more}", self.known.len())
    }

    /// From the newest message back to a page of known ones.
    pub(super) async fn look(&mut self, reader: Reader<'_>) -> Result<Vec<Change>, ToolError> {
        let known = |row: &Value| self.known.contains(text(row, SIGNATURE));
        let all_known = |page: &[Value]| page.iter().all(known);
        let found = reader.rows(TOOL, self.arguments(), all_known).await?;
        let mut fresh: Vec<_> = { found.rows.iter() }.filter(|it| !known(it)).collect();
        fresh.reverse();
        let mut changes: Vec<_> = { fresh.iter() }.map(|row| message(row)).collect();
        if found.is_cut {
            let text = format!(
                "More was said than the {MOST_ROWS} messages that are read at once. The older ones are left out; {TOOL} has them."
            );
            changes.insert(0, Change::new("left_out", text, &json!({"tool": TOOL})));
        }
        self.know(&found.rows);
        Ok(changes)
    }

    fn arguments(&self) -> Value {
        let arguments = with(self.room.clone(), "detail", "full");
        match &self.since {
            Some(since) => with(arguments, "after", since.as_str()),
            None => arguments,
        }
    }

    fn know(&mut self, rows: &[Value]) {
        if self.known.len() > REMEMBERED {
            self.known.clear();
            self.begin_at(rows);
        }
        let keys = rows.iter().map(|row| text(row, SIGNATURE).to_owned());
        self.known.extend(keys);
    }

    /// What is older than the last of these is not asked for any longer.
    fn begin_at(&mut self, rows: &[Value]) {
        let oldest = rows.last().map(|it| text(it, "timestampIso").to_owned());
        self.since = oldest.or(self.since.take());
    }
}

fn message(row: &Value) -> Change {
    let sender = person(row, "sender");
    let said = match (text(row, "text"), row.get("data")) {
        ("", Some(_)) => "sends bytes that are not text".to_owned(),
        ("", None) => "sends an encrypted message".to_owned(),
        (said, _) => format!("says: {said}"),
    };
    let what = match row.get("chatReference") {
        Some(_) => "answer",
        None => "message",
    };
    Change::new(what, format!("{sender} {said}"), row)
}
