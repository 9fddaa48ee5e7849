//! A change, in text and JSON form.

use serde_json::{Map, Value, json};

/// Maximum length of a text line in characters. The JSON form is complete.
const LINE: usize = 400;

/// A change of the watched subject.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The event type, such as `payment`.
    pub event: &'static str,
    /// The watched subject, such as `account rita-trades`.
    pub subject: String,
    /// The time in ISO 8601: the event's time on the chain, or else the time of its detection.
    pub timestamp: String,
    /// The change in sentences. May contain untrusted third-party text, without hidden characters.
    pub text: String,
    /// The fields of the tool's result behind the event, by their names in the result.
    pub data: Map<String, Value>,
}

impl Change {
    /// Creates a change with the time of its data, if the data has one.
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

    /// Returns one line of text: the time in UTC and the text, without a line break.
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

    /// Returns one line of JSON without a line break, with the fields `timestamp`, `subject`, `event`, `text` and `data`.
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

/// Returns a string field, or an empty string if there is none.
pub(super) fn text<'a>(row: &'a Value, member: &str) -> &'a str {
    row.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a number field, or 0 if there is none.
pub(super) fn number(row: &Value, member: &str) -> u32 {
    let number = row.get(member).and_then(Value::as_u64);
    number
        .and_then(|it| u32::try_from(it).ok())
        .unwrap_or_default()
}

/// Returns `true` if a field is `true`.
pub(super) fn flag(row: &Value, member: &str) -> bool {
    row.get(member) == Some(&Value::Bool(true))
}

/// Returns an account's name from a field ending in `Name` or from `primaryName`, or else its address.
pub(super) fn person(row: &Value, member: &str) -> String {
    match text(row, &format!("{member}Name")) {
        "" => text(row, member).to_owned(),
        name => format!("{name:?}"),
    }
}
