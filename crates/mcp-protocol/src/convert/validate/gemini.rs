//! Gemini API and Vertex AI.

use serde_json::Value;

use super::{Found, Refusal, Wanted, at};
use crate::convert::gemini::Family;

const INLINE: Wanted<'static> = Wanted {
    types: &[
        "image/png",
        "image/jpeg",
        "image/webp",
        "application/pdf",
        "text/plain",
    ],
    // Of a request.
    letters: 20_000_000,
    pixels: u32::MAX,
};

/// What the API refuses in a `functionResponse` part, from these models.
#[must_use]
pub fn gemini(part: &Value, family: Family) -> Vec<Refusal> {
    let mut found = Found::default();
    let Some(response) = part.get("functionResponse") else {
        found.add("functionResponse", "an object is required");
        return found.0;
    };
    let path = "functionResponse";
    found.words(response, path, "name");
    let is_object = response.get("response").is_some_and(Value::is_object);
    found.check(is_object, &at(path, "response"), "an object is required");
    if response.get("parts").is_some() {
        let path = at(path, "parts");
        // google-gemini/gemini-cli#19436.
        let may_have = family == Family::Gemini3;
        found.check(
            may_have,
            &path,
            "function_response.parts is not supported for this model",
        );
        for (index, part) in found
            .list(response, "functionResponse", "parts")
            .iter()
            .enumerate()
        {
            check_part(&mut found, &format!("{path}[{index}]"), part);
        }
    }
    found.0
}

/// What the API refuses in a part of a message: text or inline data.
#[must_use]
pub fn gemini_part(part: &Value) -> Vec<Refusal> {
    let mut found = Found::default();
    if part.get("text").is_some() {
        found.text(part, "", "text");
    } else {
        check_part(&mut found, "", part);
    }
    found.0
}

fn check_part(found: &mut Found, path: &str, part: &Value) {
    let path = at(path, "inlineData");
    let inline = part.get("inlineData").unwrap_or(&Value::Null);
    let mime_type = found.text(inline, &path, "mimeType");
    let data = found.text(inline, &path, "data");
    found.bytes(&path, mime_type, data, INLINE);
}
