//! OpenAI Responses and Chat Completions APIs.

use serde_json::Value;

use super::{Found, Refusal, Wanted, at};
use crate::convert::{carrier::PICTURES, openai_responses::FILES};

/// Shopify/roast#52.
const MAX_TEXT: usize = 10_485_760;
const PICTURE: Wanted<'static> = Wanted {
    types: PICTURES,
    letters: 50_000_000,
    pixels: u32::MAX,
};
/// The guide on file inputs; pydantic/pydantic-ai#4445.
const FILE: Wanted<'static> = Wanted {
    types: FILES,
    letters: 50_000_000,
    pixels: u32::MAX,
};
/// In Chat Completions (trpc-group/trpc-agent-go#1816).
const PDF: Wanted<'static> = Wanted {
    types: &["application/pdf"],
    ..FILE
};

/// What the Responses API refuses in a `function_call_output` item.
#[must_use]
pub fn openai_responses(item: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    found.check(
        item.get("type").and_then(Value::as_str) == Some("function_call_output"),
        "type",
        "function_call_output is required",
    );
    found.words(item, "", "call_id");
    match item.get("output") {
        Some(Value::String(text)) => check_length(&mut found, "output", text),
        Some(Value::Array(items)) => {
            found.check(!items.is_empty(), "output", "the array must not be empty");
            for (index, item) in items.iter().enumerate() {
                check_item(&mut found, &format!("output[{index}]"), item);
            }
        }
        Some(_) | None => found.add("output", "a string or an array is required"),
    }
    found.0
}

/// An item of the output of a function.
pub(super) fn check_item(found: &mut Found, path: &str, item: &Value) {
    match item.get("type").and_then(Value::as_str) {
        Some("input_text") => {
            let text = found.text(item, path, "text");
            check_length(found, &at(path, "text"), text);
        }
        Some("input_image") => {
            let url = found.text(item, path, "image_url");
            found.picture_url(&at(path, "image_url"), url, PICTURE);
        }
        Some("input_file") => {
            found.words(item, path, "filename");
            let url = found.text(item, path, "file_data");
            found.data_url(&at(path, "file_data"), url, FILE);
        }
        _ => found.add(path, "input_text, input_image or input_file is required"),
    }
}

/// What the Chat Completions API refuses in a `tool` message.
#[must_use]
pub fn openai_chat(message: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    found.check(
        message.get("role").and_then(Value::as_str) == Some("tool"),
        "role",
        "tool is required",
    );
    found.words(message, "", "tool_call_id");
    let text = found.text(message, "", "content");
    check_length(&mut found, "content", text);
    found.0
}

/// What the Chat Completions API refuses in a part of a user message.
#[must_use]
pub fn openai_chat_part(part: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    let inner = |name: &str| part.get(name).unwrap_or(&Value::Null);
    match part.get("type").and_then(Value::as_str) {
        Some("text") => {
            let text = found.text(part, "", "text");
            check_length(&mut found, "text", text);
        }
        Some("image_url") => {
            let url = found.text(inner("image_url"), "image_url", "url");
            found.picture_url("image_url.url", url, PICTURE);
        }
        Some("file") => {
            found.words(inner("file"), "file", "filename");
            let url = found.text(inner("file"), "file", "file_data");
            found.data_url("file.file_data", url, PDF);
        }
        _ => found.add("type", "text, image_url or file is required"),
    }
    found.0
}

fn check_length(found: &mut Found, path: &str, text: &str) {
    let is_long = text.len() > MAX_TEXT && text.chars().count() > MAX_TEXT;
    found.check(!is_long, path, "at most 10485760 characters are allowed");
}

/// The items of the Agents SDK become those of the Responses API.
pub(super) fn check_agents_item(found: &mut Found, path: &str, item: &Value) {
    match item.get("type").and_then(Value::as_str) {
        Some("text") => {
            let text = found.text(item, path, "text");
            check_length(found, &at(path, "text"), text);
        }
        Some("image") => {
            let url = found.text(item, path, "image_url");
            found.picture_url(&at(path, "image_url"), url, PICTURE);
        }
        Some("file") => {
            found.words(item, path, "filename");
            let url = found.text(item, path, "file_data");
            found.data_url(&at(path, "file_data"), url, FILE);
        }
        _ => found.add(path, "text, an image or a file is required"),
    }
}
