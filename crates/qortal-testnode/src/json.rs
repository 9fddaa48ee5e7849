//! JSON in the format of the Core's serializer (MOXy): compact, UTF-8, with characters outside the basic plane escaped.

use std::fmt::Write as _;

use serde_json::Value;

/// Serializes `value` like the Core.
pub(crate) fn to_text(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().all(|letter| letter.len_utf16() == 1) {
        return text;
    }
    // Such characters only occur inside strings, where an escape is equivalent.
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut units = [0; 2];
    for letter in text.chars() {
        if letter.len_utf16() == 1 {
            escaped.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut units) {
                // Writing into a `String` cannot fail.
                let _ = write!(escaped, "\\u{unit:04X}");
            }
        }
    }
    escaped
}

/// Returns the body of a numbered error.
pub(crate) fn error_text(code: u16, message: &str) -> String {
    format!(
        "{{\"error\":{code},\"message\":{}}}",
        to_text(&Value::from(message))
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::to_text;

    #[test]
    fn only_characters_outside_the_basic_plane_are_escaped() {
        let value = json!({"b": "Bób 日本 😀", "a": ["/", "\"", 100.0]});
        assert_eq!(
            to_text(&value),
            r#"{"b":"Bób 日本 \uD83D\uDE00","a":["/","\"",100.0]}"#
        );
    }
}
