//! A change, as people and programs are told of it.

use serde_json::{Map, Value, json};

/// The most characters of a line for people; programs get all of it.
const LINE: usize = 400;

/// A change of what is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The event type, such as `payment`.
    pub event: &'static str,
    /// The watched subject, such as `account rita-trades`.
    pub subject: String,
    /// The time in ISO 8601: the chain's time of the event, or else the time at which it was noticed.
    pub timestamp: String,
    /// The same for people, in sentences. May have text of strangers, without hidden characters.
    pub text: String,
    /// Fields of the tool's result that the event is about, by their names there.
    pub data: Map<String, Value>,
}

impl Change {
    /// Creates a change with the time of its data, if that has one.
    pub(super) fn new(event: &'static str, text: impl Into<String>, data: &Value) -> Self {
        let times = ["timestampIso", "creationTimestampIso"];
        let timestamp = times.iter().find_map(|it| data.get(*it)?.as_str());
        let timestamp = timestamp.unwrap_or_default().to_owned();
        Self {
            event,
            subject: String::new(),
            timestamp,
            text: text.into(),
            data: data.as_object().cloned().unwrap_or_default(),
        }
    }

    /// One line for people: the time in UTC and the text, without the end of the line.
    #[must_use]
    pub fn line(&self) -> String {
        let words = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut line: String = words.chars().take(LINE).collect();
        if line.len() < words.len() {
            line.push('…');
        }
        let seconds = self.timestamp.get(..19).unwrap_or_default();
        format!("{seconds}Z {line}")
    }

    /// One line of JSON for programs, without the end of the line, with the fields `timestamp`, `subject`, `event`, `text` and `data`.
    #[must_use]
    pub fn json(&self) -> String {
        let Self {
            event,
            subject,
            timestamp,
            text,
            data,
        } = self;
        json!({"timestamp": timestamp, "subject": subject, "event": event, "text": text, "data": data})
            .to_string()
    }
}

/// A member that is text; empty if there is none.
pub(super) fn text<'a>(row: &'a Value, member: &str) -> &'a str {
    row.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// A member that is a number; 0 if there is none.
pub(super) fn number(row: &Value, member: &str) -> u32 {
    let number = row.get(member).and_then(Value::as_u64);
    number
        .and_then(|it| u32::try_from(it).ok())
        .unwrap_or_default()
}

/// Whether a member is true.
pub(super) fn flag(row: &Value, member: &str) -> bool {
    row.get(member) == Some(&Value::Bool(true))
}

/// An account by its name if it has one, which is a member with `Name` at its end or `primaryName`, else by its address.
pub(super) fn person(row: &Value, member: &str) -> String {
    match text(row, &format!("{member}Name")) {
        "" => text(row, member).to_owned(),
        name => format!("{name:?}"),
    }
}
