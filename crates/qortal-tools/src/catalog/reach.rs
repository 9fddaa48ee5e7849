//! References to unlisted tools in texts and answers: calls of `call_tool`.

use std::{borrow::Cow, collections::HashSet};

use serde_json::{Value, json};

use super::{Catalog, Selection};
use crate::{Entry, Object, Outcome};

/// The tool for calling others, listed or not.
pub const CALL_TOOL: &str = "call_tool";
/// The tool whose answer is a text of this crate.
const EXPLAIN_TOPIC: &str = "explain_topic";
const REMARK: &str = " (through call_tool)";

impl Selection {
    /// Returns the description of a listed tool, for models.
    #[must_use]
    pub fn description(&self, entry: &Entry) -> Cow<'static, str> {
        self.reachable(entry.description)
    }

    /// Returns the listed tools with their descriptions.
    #[must_use]
    pub fn described(&self) -> Vec<(&'static Entry, Cow<'static, str>)> {
        let listed: Vec<_> = self.listed().collect();
        let names: HashSet<_> = listed.iter().map(|it| it.name).collect();
        let can_call = names.contains(CALL_TOOL);
        let entries = Catalog::entries().map(|it| it.name);
        let hidden: HashSet<_> = entries
            .filter(|it| can_call && !names.contains(it))
            .collect();
        let described = listed.into_iter().map(|it| {
            let description = with_remarks(it.description, |word| hidden.contains(word));
            (it, description)
        });
        described.collect()
    }

    /// Adds a remark to a text after the first mention of each unlisted tool.
    #[must_use]
    pub fn reachable<'a>(&self, text: &'a str) -> Cow<'a, str> {
        with_remarks(text, |word| self.hides(word))
    }

    /// Returns whether the tool exists and is unlisted while `call_tool` is listed.
    pub(crate) fn hides(&self, tool: &str) -> bool {
        let mut is_listed = false;
        let mut can_call = false;
        for entry in self.listed() {
            is_listed |= entry.name == tool;
            can_call |= entry.name == CALL_TOOL;
        }
        can_call && !is_listed && Catalog::entries().any(|it| it.name == tool)
    }
}

impl Selection {
    /// Rewrites the notes, the explanations and the `next` calls in the outcome of a call of `called`, so that they
    /// name unlisted tools through `call_tool`.
    pub fn reach(&self, outcome: &mut Outcome, called: &str) {
        outcome.map_notes(|note| self.reachable(note));
        if called == EXPLAIN_TOPIC {
            outcome.replace_members(|members| self.reach_texts(members));
        }
        let is_hidden = |tool: &str| tool != called && self.hides(tool);
        if outcome.next_tools().any(is_hidden) {
            outcome.replace_members(|members| reach_next(members, &is_hidden));
        }
    }

    fn reach_texts(&self, members: Object) -> Object {
        let members = members.into_iter().map(|(name, value)| {
            let text = value.as_str().map(|it| self.reachable(it).into());
            (name, text.unwrap_or(value))
        });
        members.collect()
    }
}

/// Adds a remark to a text after the first mention of each hidden tool.
fn with_remarks<'a>(text: &'a str, is_hidden: impl Fn(&str) -> bool) -> Cow<'a, str> {
    if !text.contains('_') {
        return text.into();
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut reached = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(is_part) {
        let (before, from) = rest.split_at(place);
        let end = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        reached.push_str(before);
        // A name of one word can also be an ordinary word of a sentence.
        let is_new = word.contains('_') && !reached.contains(word);
        reached.push_str(word);
        if is_new && is_hidden(word) {
            reached.push_str(REMARK);
        }
        rest = after;
    }
    reached.push_str(rest);
    if reached.len() == text.len() {
        text.into()
    } else {
        reached.into()
    }
}

/// Returns an object in which each `next` that calls a hidden tool does so through `call_tool`.
fn reach_next(object: Object, is_hidden: &impl Fn(&str) -> bool) -> Object {
    let members = object.into_iter().map(|(name, value)| {
        let tool = value.get("tool").and_then(Value::as_str);
        let value = match tool {
            Some(tool) if name == "next" && is_hidden(tool) => {
                let call = json!({"name": tool, "arguments": value.get("arguments")});
                json!({"tool": CALL_TOOL, "arguments": call})
            }
            _ => reach_in(value, is_hidden),
        };
        (name, value)
    });
    members.collect()
}

fn reach_in(value: Value, is_hidden: &impl Fn(&str) -> bool) -> Value {
    match value {
        Value::Object(object) => reach_next(object, is_hidden).into(),
        Value::Array(items) => items
            .into_iter()
            .map(|it| reach_in(it, is_hidden))
            .collect(),
        plain => plain,
    }
}
