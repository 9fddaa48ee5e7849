//! The calls in answers that return more, as someone can send them whose host calls only what is listed.

use serde_json::{Value, json};
use tool_schema::Object;

use crate::{Outcome, Selection, catalog::CALL_TOOL};

impl Selection {
    /// An answer of `called` with notes that say how tools are reached, whose `next` calls are ready to send.
    pub(crate) fn reach(&self, outcome: &mut Outcome, called: &str) {
        outcome.map_notes(|note| self.reachable(note));
        let is_hidden = |tool: &str| tool != called && self.hides(tool);
        if outcome.next_tools().any(is_hidden) {
            outcome.replace_members(|members| reach_next(members, &is_hidden));
        }
    }
}

/// An object in which each `next` that calls a hidden tool calls it through `call_tool`.
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

#[cfg(test)]
mod tests {
    use crate::Surface;

    use super::*;

    #[test]
    fn next_calls_are_those_of_listed_tools() {
        let members = r#""a":[{"next":{"tool":"get_block_height","arguments":{"b":1}}}],"next":{"tool":"get_balance","arguments":{}}"#;
        let reach = |called: &str| {
            let mut outcome = Outcome::default();
            outcome.state(
                members.to_owned(),
                tool_schema::Notes::default(),
                &mut (0..0),
            );
            Selection::of(Surface::Standard).reach(&mut outcome, called);
            outcome.structure()
        };
        let through = json!({"name": "get_block_height", "arguments": {"b": 1}});
        assert_eq!(reach("get_balance")["a"][0]["next"]["tool"], CALL_TOOL);
        assert_eq!(reach("get_balance")["a"][0]["next"]["arguments"], through);
        assert_eq!(reach("get_balance")["next"]["tool"], "get_balance");
        // Who called a tool by its name can do so again.
        assert_eq!(
            reach("get_block_height")["a"][0]["next"]["tool"],
            "get_block_height"
        );
    }
}
