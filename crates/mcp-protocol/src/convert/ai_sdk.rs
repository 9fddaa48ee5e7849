//! Vercel AI SDK: the output of a tool (`LanguageModelV3ToolResultOutput`).
//!
//! Source: `mcpToModelOutput` of vercel/ai at ed857f50.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Body, ConvertError, Converted, ErrorMark, JsonRef, Piece, PieceOf, Policy,
    Preset, ResultView,
    carrier::{Carrier, Types},
    converted,
    failure::{NO_MESSAGE, mark_error},
    piece::join,
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::loss::{Loss, Losses};

/// Its parts are for any provider, so that what one of them refuses is for its package to decide.
pub(super) const CARRIER: Carrier = Carrier {
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    ..Carrier::TEXT
};

/// Options of [`convert`]; the compat preset equals the vendor's converter: a failure is not marked, and blocks
/// without a form are JSON text, Base64 included.
pub type Options = super::Options;

/// A result for the AI SDK.
///
/// ```
/// use mcp_protocol::convert::ai_sdk;
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = ai_sdk::convert(&result, &ai_sdk::Options::rich())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"type":"error-text","value":"boom"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result (with the compat preset any other JSON is `{"type": "json"}`), or if
/// the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    match (options.preset, result.view(), result.as_json()) {
        (Preset::Compat, Ok(view), _) if view.has_content() => Ok(compat(&view)),
        (Preset::Compat, Ok(_) | Err(_), Some(value)) => Ok(Converted {
            output: output("json", JsonRef::Value(Cow::Borrowed(value))),
            losses: Losses::default(),
            for_user: Vec::new(),
            follow_up: Vec::new(),
            meta: None,
            block_meta: Vec::new(),
        }),
        (Preset::Compat, Ok(view), None) => Ok(compat(&view)),
        (Preset::Rich, Ok(view), _) => rich(&view, &options.policy, file_part),
        (Preset::Compat | Preset::Rich, Err(error), _) => Err(error.into()),
    }
}

fn compat<'a>(view: &ResultView<'a>) -> Converted<'a, JsonRef<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    let parts = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => text_part(text.clone().into()),
            Body::Image(media) if media.mime_type.is_some() => {
                file_part(media.mime_type.unwrap_or("").into(), media.data.into())
            }
            // Whatever a text block has in the place of its text is passed on.
            Body::Other(value) if value.get("type").and_then(Value::as_str) == Some("text") => {
                match value.get("text") {
                    Some(text) => text_part(JsonRef::Value(Cow::Owned(text.clone()))),
                    None => text_part(JsonRef::JsonText(block.to_json())),
                }
            }
            Body::Image(_)
            | Body::Audio(_)
            | Body::ResourceLink(_)
            | Body::Resource(_)
            | Body::Other(_) => text_part(JsonRef::JsonText(block.to_json())),
        }
    });
    let parts = JsonRef::Array(parts.collect());
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    Converted {
        losses,
        ..converted(output("content", parts), view)
    }
}

/// A part of a MIME type and Base64.
type MediaPart<'a> = fn(Cow<'a, str>, Cow<'a, str>) -> JsonRef<'a>;

pub(super) fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
    media_part: MediaPart<'a>,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let mut pieces = std::mem::take(&mut out.output);
    if let [
        PieceOf {
            piece: Piece::Structured(value),
            ..
        },
    ] = pieces.as_slice()
    {
        let kind = if view.is_error() {
            "error-json"
        } else {
            "json"
        };
        let value = JsonRef::Value(Cow::Borrowed(*value));
        return Ok(out.map(|_| output(kind, value)));
    }
    let has_media = pieces.iter().any(|it| it.media().is_some());
    if view.is_error() && has_media {
        // `error-text` has no place for media, so that text reports it.
        pieces = mark_error(pieces, &ErrorMark::default(), &mut out.losses);
    }
    if view.is_error() && !has_media {
        pieces.retain(|it| !it.is_blank());
        let texts = pieces.into_iter().filter_map(PieceOf::into_text);
        let mut texts: Vec<_> = texts.collect();
        if texts.is_empty() {
            texts.push(NO_MESSAGE.into());
        }
        return Ok(out.map(|_| output("error-text", join(texts))));
    }
    let parts = pieces.into_iter().filter_map(|piece| match &piece.piece {
        Piece::Image(media) | Piece::Audio(media) | Piece::File(media) => {
            Some(media_part(media.type_or_bytes(), media.data.clone()))
        }
        _ => piece.into_text().map(text_part),
    });
    let parts = JsonRef::Array(parts.collect());
    Ok(out.map(|_| output("content", parts)))
}

pub(super) fn output<'a>(kind: &'static str, value: JsonRef<'a>) -> JsonRef<'a> {
    JsonRef::object([("type", kind.into()), ("value", value)])
}

fn text_part(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn file_part<'a>(mime_type: Cow<'a, str>, data: Cow<'a, str>) -> JsonRef<'a> {
    let data = JsonRef::object([("type", "data".into()), ("data", data.into())]);
    JsonRef::object([
        ("type", "file".into()),
        ("mediaType", mime_type.into()),
        ("data", data),
    ])
}
