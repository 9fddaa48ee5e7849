//! Codex: `FunctionCallOutputPayload`.
//!
//! Source: openai/codex `protocol/src/mcp.rs` and `models.rs`. Only `body` goes to the model; `success` is
//! for the host.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, BlockRef, Body, ConvertError, Converted, JsonRef, MediaRef, Piece, Policy,
    Preset, ResultView,
    carrier::{Carrier, Linked, Types},
    converted, dropped,
    openai_responses::{self, data_url},
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::{
    json::Object,
    loss::{Loss, Losses},
};

/// Its items go to the Responses API; it has none for files.
const CARRIER: Carrier = Carrier {
    sounds: Types::Of(&["audio/wav", "audio/mpeg"]),
    files: Types::Of(&[]),
    links: Linked::No,
    ..openai_responses::CARRIER
};

/// The `_meta` member of a text block whose text only the provider can decrypt.
const ENCRYPTED: &str = "codex/encryptedContent";
/// The `_meta` member of a picture with the level of detail to read it in.
const DETAIL: &str = "codex/imageDetail";

/// Options of [`convert`]; the compat preset equals Codex itself: the structured value replaces everything else,
/// and blocks without a form are JSON text, Base64 included.
pub type Options = super::Options;

/// A result as Codex sends it to its model: `{"body": …, "success": …}`.
///
/// ```
/// use mcp_protocol::convert::codex;
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "a"}]});
/// let converted = codex::convert(&result, &codex::Options::compat())?;
/// assert_eq!(converted.output.to_value()["body"][0]["type"], "input_text");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let out = match options.preset {
        Preset::Compat => compat(&view),
        Preset::Rich => rich(&view, &options.policy)?,
    };
    let success = !view.is_error();
    Ok(out.map(|body| JsonRef::object([("body", body), ("success", JsonRef::Bool(success))])))
}

fn compat<'a>(view: &ResultView<'a>) -> Converted<'a, JsonRef<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    let has_encrypted = view.blocks().any(|it| is_encrypted(&it));
    if let Some(value) = view.non_null_structured().filter(|_| !has_encrypted) {
        let is_in_texts = is_in_texts(view);
        for (index, block) in view.blocks().enumerate() {
            if !(is_in_texts && matches!(block.body, Body::Text(_))) {
                dropped(&mut losses, index, block.kind());
            }
        }
        return Converted {
            losses,
            ..converted(JsonRef::JsonText(Cow::Borrowed(value)), view)
        };
    }
    if view.non_null_structured().is_some() {
        losses.push(Loss::StructuredDropped);
    }
    let items = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) if is_encrypted(&block) => JsonRef::object([
                ("type", "encrypted_content".into()),
                ("encrypted_content", text.clone().into()),
            ]),
            Body::Text(text) => input_text(text.clone().into()),
            Body::Image(media) => image(image_url(*media, &block.to_json()), block.meta),
            Body::Audio(media) => audio(url(*media)),
            Body::ResourceLink(_) | Body::Resource(_) | Body::Other(_) => {
                input_text(JsonRef::JsonText(block.to_json()))
            }
        }
    });
    let items = JsonRef::Array(items.collect());
    Converted {
        losses,
        ..converted(items, view)
    }
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let pieces = std::mem::take(&mut out.output).into_iter();
    let items = pieces.filter_map(|piece| {
        let block = piece.index.and_then(|it| view.block(it));
        match &piece.piece {
            Piece::Text(text) if block.is_some_and(|it| is_encrypted(&it)) => {
                Some(JsonRef::object([
                    ("type", "encrypted_content".into()),
                    ("encrypted_content", text.clone().into()),
                ]))
            }
            Piece::Image(media) => Some(image(data_url(media), piece.meta)),
            Piece::Audio(media) => Some(audio(data_url(media))),
            _ => piece.into_text().map(input_text),
        }
    });
    let items = items.collect();
    Ok(out.map(|_| JsonRef::Array(items)))
}

fn is_encrypted(block: &BlockRef<'_>) -> bool {
    let flag = block.meta.and_then(|it| it.get(ENCRYPTED));
    matches!(block.body, Body::Text(_)) && flag.and_then(Value::as_bool) == Some(true)
}

fn input_text(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "input_text".into()), ("text", text)])
}

fn image<'a>(url: JsonRef<'a>, meta: Option<&'a Object>) -> JsonRef<'a> {
    let detail = meta.and_then(|it| it.get(DETAIL)?.as_str());
    let detail = detail.filter(|it| matches!(*it, "auto" | "low" | "high" | "original"));
    JsonRef::object([
        ("type", "input_image".into()),
        ("image_url", url),
        ("detail", detail.unwrap_or("high").into()),
    ])
}

fn audio(url: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "input_audio".into()), ("audio_url", url)])
}

/// Codex also reads the type from a misspelled `mime_type`.
fn image_url<'a>(media: MediaRef<'a>, source: &Value) -> JsonRef<'a> {
    let misspelled = source.get("mime_type").and_then(Value::as_str);
    match (media.mime_type, misspelled) {
        (None, Some(mime_type)) if !media.data.starts_with("data:") => {
            JsonRef::data_url(mime_type.to_owned(), media.data)
        }
        _ => url(media),
    }
}

fn url(media: MediaRef<'_>) -> JsonRef<'_> {
    if media.data.starts_with("data:") {
        return media.data.into();
    }
    let mime_type = media.mime_type.unwrap_or("application/octet-stream");
    JsonRef::data_url(mime_type, media.data)
}
