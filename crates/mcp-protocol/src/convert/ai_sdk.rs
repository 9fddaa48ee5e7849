//! Vercel AI SDK: the output of a tool (`LanguageModelV3ToolResultOutput`).
//!
//! Source: `mcpToModelOutput` of vercel/ai at ed857f50.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Body, ConvertError, Converted, ErrorMark, JsonRef, Piece, PieceOf, Policy,
    Preset, ResultView, converted,
    pieces::{Structure, annotations_lost, collect, join, mark_error},
};
use crate::{
    json,
    loss::{Loss, Losses},
};

const NO_MESSAGE: &str = "the tool reported an error without a message";

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
        (Preset::Rich, Ok(view), _) => rich(&view, &options.policy),
        (Preset::Compat | Preset::Rich, Err(error), _) => Err(error.into()),
    }
}

fn compat<'a>(view: &ResultView<'a>) -> Converted<'a, JsonRef<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    let mut is_in_text = view.non_null_structured().is_none();
    let parts = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => {
                is_in_text |= view
                    .non_null_structured()
                    .is_some_and(|it| json::text_equals_unwrapped(text, it));
                text_part(text.clone().into())
            }
            Body::Image(media) if media.mime_type.is_some() => {
                file_part(media.mime_type.unwrap_or(""), media.data)
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
    if !is_in_text {
        losses.push(Loss::StructuredDropped);
    }
    Converted {
        losses,
        ..converted(output("content", parts), view)
    }
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let mut out = collect(view, policy, Structure::AsText)?;
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
    let has_media = pieces.iter().any(|it| it.media_len().is_some());
    if view.is_error() && has_media {
        // `error-text` has no place for media, so that text reports it.
        pieces = mark_error(pieces, &ErrorMark::default(), &mut out.losses);
    }
    let (mut texts, mut parts) = (Vec::new(), Vec::new());
    for piece in pieces {
        let part = match &piece.piece {
            Piece::Image(media) | Piece::Audio(media) => Some(file_part(
                media.mime_type.unwrap_or("application/octet-stream"),
                media.data,
            )),
            Piece::File(file) => {
                piece.address_lost(&mut out.losses);
                let mime_type = file.mime_type.filter(|it| !it.is_empty());
                let data = file.blob.unwrap_or("");
                Some(file_part(
                    mime_type.unwrap_or("application/octet-stream"),
                    data,
                ))
            }
            _ => {
                let text = match piece.to_text(false, &mut out.losses) {
                    Some(text) => Some(text),
                    None => piece.unsupported(policy, "not shown", &mut out.losses)?,
                };
                match text {
                    Some(text) if view.is_error() && !has_media => {
                        texts.push(text);
                        None
                    }
                    text => text.map(text_part),
                }
            }
        };
        parts.extend(part);
    }
    if view.is_error() && !has_media {
        texts.retain(|it| !matches!(it, JsonRef::Text(text) if text.trim().is_empty()));
        if texts.is_empty() {
            texts.push(NO_MESSAGE.into());
        }
        return Ok(out.map(|_| output("error-text", join(texts))));
    }
    Ok(out.map(|_| output("content", JsonRef::Array(parts))))
}

fn output<'a>(kind: &'static str, value: JsonRef<'a>) -> JsonRef<'a> {
    JsonRef::object([("type", kind.into()), ("value", value)])
}

fn text_part(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn file_part<'a>(mime_type: &'a str, data: &'a str) -> JsonRef<'a> {
    let data = JsonRef::object([("type", "data".into()), ("data", data.into())]);
    JsonRef::object([
        ("type", "file".into()),
        ("mediaType", mime_type.into()),
        ("data", data),
    ])
}
