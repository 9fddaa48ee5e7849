//! Codex: `FunctionCallOutputPayload`.
//!
//! Source: openai/codex `protocol/src/mcp.rs` and `models.rs`. Only `body` goes to the model; `success` is
//! for the host.

use serde_json::Value;

use super::{
    carrier::{Carrier, Linked, Types},
    form::forms,
    json_ref::JsonRef,
    openai_responses::CARRIER as RESPONSES,
    piece::PieceOf,
    target::{Context, Row},
    validate::found::Found,
};

/// Its items go to the Responses API; it has none for files.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "encrypted_content", "encrypted_content": Encrypted}
        Text {"type": "input_text", "text": Text}
        Image {"type": "input_image", "image_url": DataUrl, "detail": Detail}
        Audio {"type": "input_audio", "audio_url": DataUrl}
    },
    wants: "input_text, input_image, input_audio or encrypted_content is required",
    sounds: Types::Of(&["audio/wav", "audio/mpeg"]),
    files: Types::Of(&[]),
    links: Linked::No,
    ..RESPONSES
};

/// Codex: `{"body": …, "success": …}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Codex {}

impl Row for Codex {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: Context<'a, '_>) -> JsonRef<'a> {
        JsonRef::object([
            ("body", JsonRef::Array(CARRIER.parts(pieces))),
            ("success", JsonRef::Bool(!of.view.is_error())),
        ])
    }

    fn check(&self, payload: &Value, found: &mut Found) {
        match payload.get("body") {
            Some(Value::String(text)) => found.length("body", text, &CARRIER),
            Some(Value::Array(items)) => found.parts(items, "body", &CARRIER),
            Some(_) | None => found.add("body", "a string or an array is required"),
        }
    }
}
