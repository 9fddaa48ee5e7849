//! rig: the contents of a `ToolOutput`.
//!
//! Source: rig-rmcp 0.44, `ToolResultContent` of rig-core.

use serde_json::Value;

use super::{
    carrier::{Carrier, Names, Types},
    form::forms,
    json_ref::JsonRef,
    piece::PieceOf,
    target::{Context, Row},
    validate::found::Found,
};

/// The types that rig has a name for.
const PICTURES: Names = &[
    ("image/jpeg", "jpeg"),
    ("image/png", "png"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/heic", "heic"),
    ("image/heif", "heif"),
    ("image/svg+xml", "svg"),
];

const CARRIER: Carrier = Carrier {
    forms: forms! {
        Json {"type": "json", "value": Json}
        Text {"type": "text", "text": Text}
        Image {
            "type": "image",
            "data": {"type": "base64", "value": Data},
            "media_type": [PICTURES]
        }
    },
    wants: "text, an image or json is required",
    as_json: true,
    images: Types::Keys(&[PICTURES]),
    no_message: Some("the MCP tool reported an error"),
    ..Carrier::TEXT
};

/// rig: the list of a `ToolOutput`'s contents. If it [failed](super::Converted::failed), return a `ToolExecutionError`
/// with them as its model output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Rig {}

impl Row for Rig {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, mut pieces: Vec<PieceOf<'a>>, _: Context<'a, '_>) -> JsonRef<'a> {
        if pieces.is_empty() {
            pieces.push(PieceOf::text(None, ""));
        }
        JsonRef::Array(CARRIER.parts(pieces))
    }

    fn check(&self, content: &Value, found: &mut Found) {
        let items = content.as_array().map(Vec::as_slice).unwrap_or_default();
        found.check(!items.is_empty(), "", "one content at least is required");
        found.parts(items, "", &CARRIER);
    }
}
