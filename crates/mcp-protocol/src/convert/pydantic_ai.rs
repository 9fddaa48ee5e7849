//! Pydantic AI: the value that a tool returns.
//!
//! Source: `_map_mcp_call_tool_result` of pydantic-ai-slim 2.68. Bytes are `{"data": BASE64, "media_type": …}` here;
//! the package holds a `BinaryContent`.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Body, ConvertError, Converted, JsonRef, Piece, PieceOf, Policy, Preset,
    ResultView,
    carrier::{Carrier, Structure, Types},
    converted, dropped,
    failure::NO_MESSAGE,
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::{
    encoding,
    loss::{Loss, Losses, shown},
};

/// Its parts are for any provider, so that what one of them refuses is for the package to decide.
const CARRIER: Carrier = Carrier {
    structure: Structure::AsJson,
    images: Types::Any,
    sounds: Types::Any,
    files: Types::Any,
    ..Carrier::TEXT
};

/// Options of [`convert`]; the compat preset equals the vendor's toolset: beside text alone the structured value is
/// everything, and beside anything else nothing; text that is JSON becomes its value.
pub type Options = super::Options;

/// What a tool returns.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolReturn<'a> {
    /// The value.
    pub value: JsonRef<'a>,
    /// The tool failed: raise `ModelRetry` or `ToolFailed` with the value.
    pub failed: bool,
}

/// A result for Pydantic AI.
///
/// ```
/// use mcp_protocol::convert::pydantic_ai;
///
/// let result = serde_json::json!({
///     "content": [{"type": "text", "text": "hello"}], "structuredContent": {"result": "hello"},
/// });
/// let converted = pydantic_ai::convert(&result, &pydantic_ai::Options::compat())?;
/// assert_eq!(converted.output.value.to_value(), "hello");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also for a block that the vendor's MCP package refuses.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, ToolReturn<'a>>, ConvertError> {
    let view = result.view()?;
    let failed = view.is_error();
    let out = match options.preset {
        Preset::Compat => compat(&view)?,
        Preset::Rich => rich(&view, &options.policy)?,
    };
    Ok(out.map(|value| ToolReturn { value, failed }))
}

fn compat<'a>(view: &ResultView<'a>) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let mut losses = Losses::default();
    let is_text = view.blocks().all(|it| matches!(it.body, Body::Text(_)));
    if let Some(value) = view.non_null_structured().filter(|_| is_text) {
        let is_said = is_in_texts(view);
        for (index, block) in view.blocks().enumerate() {
            annotations_lost(&mut losses, index, &block);
            if !is_said {
                dropped(&mut losses, index, block.kind());
            }
        }
        let unwrapped = value.as_object().filter(|it| it.len() == 1);
        let value = unwrapped.and_then(|it| it.get("result")).unwrap_or(value);
        return Ok(Converted {
            losses,
            ..converted(JsonRef::Value(Cow::Borrowed(value)), view)
        });
    }
    let mut parts = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let kind = block.kind().to_owned();
        let is_picture = matches!(block.body, Body::Image(_));
        let made = match block.body {
            Body::Text(text) => Some(text_or_json(text)),
            // The package checks that a picture is one by its type.
            Body::Image(media) | Body::Audio(media) => media
                .mime_type
                .filter(|it| !is_picture || it.starts_with("image/"))
                .and_then(|it| decoded(media.data, it)),
            Body::Resource(resource) => match (resource.text, resource.blob) {
                (Some(text), _) => Some(JsonRef::text(text)),
                (None, blob) => {
                    let mime_type = resource.mime_type.filter(|it| !it.is_empty());
                    let mime_type = mime_type.unwrap_or("application/octet-stream");
                    decoded(blob.unwrap_or(""), mime_type)
                }
            },
            Body::ResourceLink(link) => Some(JsonRef::text(link.uri)),
            Body::Other(_) => None,
        };
        let Some(part) = made else {
            let what = format!("{} block", shown(&kind));
            return Err(ConvertError::Unsupported { index, what });
        };
        parts.push(part);
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    Ok(Converted {
        losses,
        ..converted(one_or_many(parts), view)
    })
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() && pieces.iter().all(PieceOf::is_blank) {
        pieces = vec![PieceOf::text(None, NO_MESSAGE)];
    }
    let parts = pieces.into_iter().filter_map(|piece| match piece.piece {
        Piece::Structured(value) => Some(JsonRef::Value(Cow::Borrowed(value))),
        Piece::Image(media) | Piece::Audio(media) | Piece::File(media) => {
            let mime_type = media.type_or_bytes();
            Some(binary(media.data, mime_type))
        }
        _ => piece.into_text(),
    });
    let parts = parts.collect();
    Ok(out.map(|_| one_or_many(parts)))
}

/// The vendor parses text that begins like a list or an object.
fn text_or_json(text: Cow<'_, str>) -> JsonRef<'_> {
    let value = text
        .starts_with(['[', '{'])
        .then(|| serde_json::from_str::<Value>(&text));
    match value {
        Some(Ok(value)) => JsonRef::Value(Cow::Owned(value)),
        Some(Err(_)) | None => JsonRef::Text(text),
    }
}

fn decoded<'a>(data: &'a str, mime_type: &'a str) -> Option<JsonRef<'a>> {
    Some(binary(
        encoding::normalized_like_python(data)?,
        mime_type.into(),
    ))
}

fn binary<'a>(data: Cow<'a, str>, mime_type: Cow<'a, str>) -> JsonRef<'a> {
    JsonRef::object([("data", data.into()), ("media_type", mime_type.into())])
}

fn one_or_many(mut parts: Vec<JsonRef<'_>>) -> JsonRef<'_> {
    match parts.len() {
        1 => parts.pop().unwrap_or(JsonRef::Null),
        _ => JsonRef::Array(parts),
    }
}
