//! LlamaIndex for Python: the blocks of a `ToolOutput`.
//!
//! Source: `ContentBlock` of llama-index-core 0.14. The vendor's tools have no converter: a model gets what Python
//! prints of the whole result. A tool that returns these blocks gives them to the model.

use super::{
    AsToolResult, ConvertError, Converted, JsonRef, Piece, PieceOf,
    carrier::{Carrier, Types},
    failure::NO_MESSAGE,
    pieces::collect,
};

/// Its blocks are for any provider, so that what one of them refuses is for the package to decide.
const CARRIER: Carrier = Carrier {
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    ..Carrier::TEXT
};

/// Options of [`convert`]; the vendor has no converter to match.
pub type Options = super::Options<Choices>;

/// The choices of this target: none yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {}

/// A result for LlamaIndex: `blocks` and `is_error` of a `ToolOutput`. Bytes are in Base64, which its blocks read.
///
/// ```
/// use mcp_protocol::convert::llama_index;
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "hi"}]});
/// let converted = llama_index::convert(&result, &llama_index::Options::rich())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"blocks":[{"block_type":"text","text":"hi"}],"is_error":false}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let (mut out, _) = collect(&view, &options.policy, &CARRIER)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() && pieces.iter().all(PieceOf::is_blank) {
        pieces = vec![PieceOf::text(None, NO_MESSAGE)];
    }
    let blocks = pieces.into_iter().filter_map(block).collect();
    Ok(out.map(|_| {
        JsonRef::object([
            ("blocks", JsonRef::Array(blocks)),
            ("is_error", JsonRef::Bool(view.is_error())),
        ])
    }))
}

fn block(piece: PieceOf<'_>) -> Option<JsonRef<'_>> {
    let members = match &piece.piece {
        Piece::Image(media) => vec![
            ("block_type", JsonRef::text("image")),
            ("image", media.data.clone().into()),
            ("image_mimetype", media.type_or_bytes().into()),
        ],
        Piece::Audio(media) => {
            let mime_type = media.type_or_bytes();
            let format = match mime_type.rsplit('/').next() {
                // As the package calls it by its bytes.
                Some("mpeg") | None => "mp3".to_owned(),
                Some(format) => format.to_owned(),
            };
            vec![
                ("block_type", JsonRef::text("audio")),
                ("audio", media.data.clone().into()),
                ("format", format.into()),
            ]
        }
        Piece::File(media) => {
            let mut members = vec![
                ("block_type", JsonRef::text("document")),
                ("data", media.data.clone().into()),
                ("document_mimetype", media.type_or_bytes().into()),
            ];
            members.extend(media.name().map(|it| ("title", it.into())));
            members
        }
        _ => vec![
            ("block_type", JsonRef::text("text")),
            ("text", piece.into_text()?),
        ],
    };
    Some(JsonRef::Object(members))
}
