//! rig: the contents of a `ToolOutput`.
//!
//! Source: rig-rmcp 0.44, `ToolResultContent` of rig-core.

use super::target::{Around, Carrier, Names, Row, Types, forms};

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
    around: Around::List,
    no_output: Some(""),
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
}
