//! Codex: `FunctionCallOutputPayload`.
//!
//! Source: openai/codex `protocol/src/mcp.rs` and `models.rs`. Only `body` goes to the model; `success` is
//! for the host.

use serde_json::Value;

use super::{
    openai_responses::CARRIER as RESPONSES,
    target::{Around, Carrier, Found, Linked, Row, Types, forms},
};

/// Its items go to the Responses API; it has none for files.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "encrypted_content", "encrypted_content": Encrypted}
        Text {"type": "input_text", "text": Text}
        Image {"type": "input_image", "image_url": DataUrl, "detail": Detail}
        Audio {"type": "input_audio", "audio_url": DataUrl}
    },
    around: Around::Object("body", ("success", false)),
    wants: "input_text, input_image, input_audio or encrypted_content is required",
    sounds: Types::Of(&["audio/wav audio/mpeg"]),
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

    fn check(&self, payload: &Value, carrier: &Carrier, found: &mut Found) {
        found.text_or_parts(payload, "body", carrier);
    }
}
