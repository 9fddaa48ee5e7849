//! The table of prompts, `prompts.json`. A prompt is listed if the catalog can read all its resources.

use std::sync::LazyLock;

use serde_json::Value;

use super::{Format, Prompt, PromptArgument};

/// Prompts in list order.
pub(super) static ALL: LazyLock<Vec<Prompt>> = LazyLock::new(|| {
    let rows = ROWS.as_array().into_iter().flatten();
    rows.map(prompt).collect()
});

static ROWS: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("prompts.json")).expect("it is a part of the program")
});

fn prompt(row: &'static Value) -> Prompt {
    Prompt {
        name: text(row, "name"),
        title: text(row, "title"),
        description: text(row, "description"),
        arguments: list(row, "arguments").map(argument).collect(),
        text: text(row, "text"),
        resources: list(row, "resources").filter_map(Value::as_str).collect(),
    }
}

fn argument(row: &'static Value) -> PromptArgument {
    PromptArgument {
        name: text(row, "name"),
        description: text(row, "description"),
        default: row.get("default").and_then(Value::as_str),
        format: match text(row, "format") {
            "year" => Format::Year,
            _ => Format::Line,
        },
    }
}

fn text(row: &'static Value, member: &str) -> &'static str {
    row.get(member).and_then(Value::as_str).unwrap_or_default()
}

fn list(row: &'static Value, member: &str) -> impl Iterator<Item = &'static Value> {
    let items = row.get(member).and_then(Value::as_array);
    items.into_iter().flatten()
}
