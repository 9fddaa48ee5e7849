//! A change, as people and programs are told of it.

use serde_json::{Map, Value, json};

/// The most characters of a line for people; programs get all of it.
const LINE: usize = 400;

/// A change of what is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What happened, in one word of a small vocabulary, such as `payment`.
    pub what: &'static str,
    /// What is watched, such as `account rita-trades`.
    pub subject: String,
    /// When, in ISO 8601: the time that the chain has for it, or else when it was noticed.
    pub when: String,
    /// The same for people, in sentences. May have text of strangers, without hidden characters.
    pub text: String,
    /// The facts: members of the tool that was asked, by its names.
    pub facts: Map<String, Value>,
}

impl Change {
    /// One whose time is that of the facts, if they have one.
    pub(super) fn new(what: &'static str, text: impl Into<String>, facts: &Value) -> Self {
        let when = ["timestampIso", "creationTimestampIso"];
        let when = when.iter().find_map(|it| facts.get(*it)?.as_str());
        let when = when.unwrap_or_default().to_owned();
        Self {
            what,
            subject: String::new(),
            when,
            text: text.into(),
            facts: facts.as_object().cloned().unwrap_or_default(),
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
        let seconds = self.when.get(..19).unwrap_or_default();
        format!("{seconds}Z {line}")
    }

    /// One line of JSON for programs, without the end of the line: the members `what`, `subject`, `when`, `text` and `facts`.
    #[must_use]
    pub fn json(&self) -> String {
        let Self {
            what,
            subject,
            when,
            text,
            facts,
        } = self;
        json!({"when": when, "subject": subject, "what": what, "text": text, "facts": facts})
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
