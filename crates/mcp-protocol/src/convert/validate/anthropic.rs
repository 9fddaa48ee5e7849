//! Anthropic Messages API.

use serde_json::Value;

use super::{Found, Refusal, Wanted, at};
use crate::convert::carrier::PICTURES;

const PICTURE: Wanted<'static> = Wanted {
    types: PICTURES,
    // anthropics/claude-code#19631: the limit counts Base64.
    letters: 5 * 1024 * 1024,
    // anthropics/claude-code#4778.
    pixels: 8_000,
};
const PDF: Wanted<'static> = Wanted {
    types: &["application/pdf"],
    // Of a request.
    letters: 32_000_000,
    pixels: u32::MAX,
};

/// What the Messages API refuses in a `tool_result` block.
#[must_use]
pub fn anthropic(block: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    found.check(
        block.get("type").and_then(Value::as_str) == Some("tool_result"),
        "type",
        "tool_result is required",
    );
    found.words(block, "", "tool_use_id");
    let failed = block.get("is_error").and_then(Value::as_bool) == Some(true);
    match block.get("content") {
        // bytedance/trae-agent#230.
        None => found.check(
            !failed,
            "content",
            "content cannot be empty if is_error is true",
        ),
        Some(Value::String(text)) => {
            let is_blank = text.trim().is_empty();
            found.check(
                !(failed && is_blank),
                "content",
                "content cannot be empty if is_error is true",
            );
        }
        Some(Value::Array(content)) => {
            found.check(
                !(failed && content.is_empty()),
                "content",
                "content cannot be empty if is_error is true",
            );
            for (index, part) in content.iter().enumerate() {
                let path = format!("content[{index}]");
                // vellum-ai/vellum-assistant#18387.
                let is_text = part.get("type").and_then(Value::as_str) == Some("text");
                found.check(
                    is_text || !failed,
                    &path,
                    "all content must be text if is_error is true",
                );
                check_part(&mut found, &path, part);
            }
        }
        Some(_) => found.add("content", "a string or an array is required"),
    }
    found.0
}

/// What the Messages API refuses in a part of a user message: text, a picture or a document.
#[must_use]
pub fn anthropic_part(part: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    check_part(&mut found, "", part);
    found.0
}

fn check_part(found: &mut Found, path: &str, part: &Value) {
    let source = part.get("source").unwrap_or(&Value::Null);
    let of = source.get("type").and_then(Value::as_str);
    let path_of_source = at(path, "source");
    match (part.get("type").and_then(Value::as_str), of) {
        (Some("text"), _) => {
            // vercel/ai#5576.
            found.words(part, path, "text");
        }
        (Some("image"), Some("base64")) => {
            let media_type = found.text(source, &path_of_source, "media_type");
            let data = found.text(source, &path_of_source, "data");
            found.bytes(&path_of_source, media_type, data, PICTURE);
        }
        (Some("image"), Some("url")) => {
            let url = found.text(source, &path_of_source, "url");
            found.check(
                url.starts_with("https://"),
                &path_of_source,
                "an https URL is required",
            );
        }
        (Some("document"), Some("base64")) => {
            let media_type = found.text(source, &path_of_source, "media_type");
            let data = found.text(source, &path_of_source, "data");
            found.bytes(&path_of_source, media_type, data, PDF);
        }
        (Some("document"), Some("text")) => {
            let media_type = found.text(source, &path_of_source, "media_type");
            found.check(
                media_type == "text/plain",
                &path_of_source,
                "text/plain is required",
            );
            found.words(source, &path_of_source, "data");
        }
        _ => found.add(path, "text, an image or a document is required"),
    }
}
