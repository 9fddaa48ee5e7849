//! LlamaIndex for Python: the blocks of a `ToolOutput`.
//!
//! Source: `ContentBlock` of llama-index-core 0.14. The vendor's tools have no converter: a model gets what Python
//! prints of the whole result. A tool that returns these blocks gives them to the model.

use super::{
    bedrock::IMAGES,
    target::{Api, Around, Carrier, NO_MESSAGE, Row, Types, forms},
};

/// Its blocks are for any provider, so that what one of them refuses is for the package to decide.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"block_type": "text", "text": Text}
        Image {"block_type": "image", "image": Data, "image_mimetype": Type}
        Audio {"block_type": "audio", "audio": Data, "format": SoundFormat}
        File {"block_type": "document", "data": Data, "document_mimetype": Type, "title": Name}
    },
    around: Around::Object("blocks", ("is_error", true)),
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

    /// Its packages say nothing of a failure. That for Gemini hears no sounds and has a place for pictures alone in a result,
    /// that for Bedrock has one for texts, and passes on names of documents that the API refuses.
    fn package(&self, api: &mut Carrier) {
        api.marks_failures = true;
        if api.api == Api::Gemini {
            api.sounds = Types::Of(&[]);
            api.only_beside = Types::Of(&["application/pdf image/heic image/heif"]);
        } else if api.api == Api::Bedrock {
            api.files = Types::Of(&[]);
            api.only_beside = Types::Keys(&[IMAGES]);
        }
    }
}
