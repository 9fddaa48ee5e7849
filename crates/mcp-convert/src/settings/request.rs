//! Requests of other languages: one form for the program, the WebAssembly module and the wheel.

use serde_json::{Value, json};

use super::Settings;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    settings: Settings,
    value: Value,
    #[serde(default)]
    check: bool,
}

/// Converts the JSON request `{"settings": …, "value": …}`. Returns `{"value": …}` with the [`Conversion`](crate::Conversion), or
/// `{"error": "…"}`. With `"check": true`, the value is an output, and the response lists the parts that the target's API rejects.
///
/// ```
/// let request = br#"{"settings": {"to": "openai-chat", "callId": "c1"}, "value": {"content": []}}"#;
/// let answer = mcp_convert::settings::convert_json_request(request);
/// assert_eq!(answer["value"]["output"]["tool_call_id"], "c1");
/// ```
#[must_use]
pub fn convert_json_request(request: &[u8]) -> Value {
    let answered = || {
        let it: Request = serde_json::from_slice(request).map_err(|it| it.to_string())?;
        let value = if it.check {
            it.settings.check_output(&it.value).map(|it| json!(it))
        } else {
            it.settings.convert_json(it.value)
        };
        value.map_err(|it| it.to_string())
    };
    answered().map_or_else(
        |error: String| json!({"error": error}),
        |value| json!({"value": value}),
    )
}
