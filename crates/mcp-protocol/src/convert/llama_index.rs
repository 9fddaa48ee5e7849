//! LlamaIndex for Python: the blocks of a `ToolOutput`.
//!
//! Source: `ContentBlock` of llama-index-core 0.14. The vendor's tools have no converter: a model gets what Python
//! prints of the whole result. A tool that returns these blocks gives them to the model.

use serde_json::Value;

use super::{
    carrier::{Carrier, Types},
    failure::NO_MESSAGE,
    form::forms,
    json_ref::JsonRef,
    piece::PieceOf,
    target::{Context, Row},
    validate::found::Found,
};

/// Its blocks are for any provider, so that what one of them refuses is for the package to decide.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"block_type": "text", "text": Text}
        Image {"block_type": "image", "image": Data, "image_mimetype": Type}
        Audio {"block_type": "audio", "audio": Data, "format": SoundFormat}
        File {"block_type": "document", "data": Data, "document_mimetype": Type, "title": Name}
    },
    wants: "text, an image, audio or a document is required",
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    no_message: Some(NO_MESSAGE),
    ..Carrier::TEXT
};

/// LlamaIndex: `blocks` and `is_error` of a `ToolOutput`. Bytes are in Base64, which its blocks read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LlamaIndex {}

impl Row for LlamaIndex {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, of: Context<'a, '_>) -> JsonRef<'a> {
        JsonRef::object([
            ("blocks", JsonRef::Array(CARRIER.parts(pieces))),
            ("is_error", JsonRef::Bool(of.view.is_error())),
        ])
    }

    fn check(&self, output: &Value, found: &mut Found) {
        found.list_of_parts(output, "blocks", &CARRIER);
    }
}
