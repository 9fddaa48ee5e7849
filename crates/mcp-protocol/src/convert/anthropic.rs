//! Anthropic Messages API: a `tool_result` block.
//!
//! Source: `ToolResultBlockParam` and the `mcp` module of the anthropic package 2.12. The API refuses empty
//! texts, and failures without content.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Call, ConvertError, Converted, HasVendor, JsonRef, Links, MediaRef, Piece,
    PieceOf, Preset, ResourceRef, ResultView,
    openai_responses::is_picture,
    pieces::{Structure, collect},
};
use crate::{encoding, loss::Losses};

mod compat;

const NO_DETAILS: &str = "The tool reported an error without details.";

/// Options of [`convert`]; the compat preset equals the vendor's Python package, errors included.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// `cache_control` of the last block, for example `{"type": "ephemeral"}`.
    pub cache_control: Option<Value>,
    /// Whether documents have their address as `title`.
    pub titles: bool,
}

impl HasVendor for Choices {}

impl Options {
    setters! {
        /// With `cache_control` on the last block.
        with_cache_control(cache_control: Value) { choices.cache_control = Some(cache_control) }
        /// Whether documents have their address as `title`.
        with_titles(titles: bool) { choices.titles = titles }
    }
}

/// A result for the Messages API.
///
/// ```
/// use mcp_protocol::convert::{Call, anthropic};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let call = Call::new("t1", "lookup");
/// let converted = anthropic::convert(&result, call, &anthropic::Options::rich())?;
/// assert_eq!(converted.output.to_value()["is_error"], true);
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also where the vendor's converter fails.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let (out, is_error) = match options.preset {
        Preset::Compat => (compat::content(&view)?, Some(view.is_error())),
        Preset::Rich => (
            rich(&view, options)?,
            Some(true).filter(|_| view.is_error()),
        ),
    };
    Ok(out.map(|content| {
        let mut members = vec![
            ("type", JsonRef::text("tool_result")),
            ("tool_use_id", call.id.into()),
        ];
        members.extend(content.map(|it| ("content", it)));
        members.extend(is_error.map(|it| ("is_error", JsonRef::Bool(it))));
        JsonRef::Object(members)
    }))
}

fn rich<'a>(
    view: &ResultView<'a>,
    options: &Options,
) -> Result<Converted<'a, Option<JsonRef<'a>>>, ConvertError> {
    let mut out = collect(view, &options.policy, Structure::AsText)?;
    let pieces = std::mem::take(&mut out.output);
    if let (
        [
            PieceOf {
                piece: Piece::Structured(value),
                ..
            },
        ],
        None,
    ) = (pieces.as_slice(), &options.choices.cache_control)
    {
        let content = Some(JsonRef::JsonText(Cow::Borrowed(*value)));
        return Ok(out.map(|_| content));
    }
    let mut blocks = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let block = block(&piece, options, &mut out.losses);
        match block {
            Some(block) => blocks.push(block),
            None => {
                if let Some(text) = text_of(&piece, options, &mut out.losses)? {
                    blocks.push(text_block(text));
                }
            }
        }
    }
    if blocks.is_empty() && view.is_error() {
        blocks.push(text_block(NO_DETAILS.into()));
    }
    if let (Some(JsonRef::Object(members)), Some(cache_control)) =
        (blocks.last_mut(), &options.choices.cache_control)
    {
        members.push((
            "cache_control",
            JsonRef::Value(Cow::Owned(cache_control.clone())),
        ));
    }
    let content = (!blocks.is_empty()).then_some(JsonRef::Array(blocks));
    Ok(out.map(|_| content))
}

/// The block of a piece that has one of its own.
fn block<'a>(piece: &PieceOf<'a>, options: &Options, losses: &mut Losses) -> Option<JsonRef<'a>> {
    let title = |resource: &ResourceRef<'a>| resource.uri.filter(|_| options.choices.titles);
    match &piece.piece {
        Piece::Image(media) if is_accepted(media) => Some(image(media)),
        Piece::Link(link) if options.policy.links == Links::Images && is_picture(link) => {
            let source = JsonRef::object([("type", "url".into()), ("url", link.uri.into())]);
            Some(JsonRef::object([
                ("type", "image".into()),
                ("source", source),
            ]))
        }
        Piece::Document(document) => {
            let text = document.text.filter(|it| !it.is_empty())?;
            if !options.choices.titles {
                // The document has everything but its address.
                piece.to_text(false, losses);
            }
            Some(text_document(text.into(), title(document)))
        }
        Piece::File(file) => {
            let data = file.blob.unwrap_or("");
            let block = if file.mime_type == Some("application/pdf") {
                pdf(data, title(file))
            } else if is_text(file.mime_type) {
                let text = String::from_utf8(encoding::decode(data)?).ok()?;
                text_document(text.into(), title(file))
            } else {
                return None;
            };
            if !options.choices.titles {
                piece.address_lost(losses);
            }
            Some(block)
        }
        Piece::Text(_)
        | Piece::Structured(_)
        | Piece::Image(_)
        | Piece::Audio(_)
        | Piece::Link(_)
        | Piece::Other(_) => None,
    }
}

/// The text of any other piece; the API refuses empty ones.
fn text_of<'a>(
    piece: &PieceOf<'a>,
    options: &Options,
    losses: &mut Losses,
) -> Result<Option<JsonRef<'a>>, ConvertError> {
    let text = match piece.to_text(false, losses) {
        Some(text) => Some(text),
        None => piece.unsupported(&options.policy, "not supported", losses)?,
    };
    Ok(text.filter(|it| match it {
        JsonRef::Text(text) => !text.trim().is_empty(),
        _ => true,
    }))
}

fn is_accepted(media: &MediaRef<'_>) -> bool {
    matches!(
        media.mime_type,
        Some("image/png" | "image/jpeg" | "image/gif" | "image/webp")
    )
}

fn is_text(mime_type: Option<&str>) -> bool {
    mime_type.is_none_or(|it| it.is_empty() || it.starts_with("text/"))
}

fn text_block(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn image<'a>(media: &MediaRef<'a>) -> JsonRef<'a> {
    let source = JsonRef::object([
        ("type", "base64".into()),
        ("media_type", media.mime_type.unwrap_or("").into()),
        ("data", media.data.into()),
    ]);
    JsonRef::object([("type", "image".into()), ("source", source)])
}

fn pdf<'a>(data: &'a str, title: Option<&'a str>) -> JsonRef<'a> {
    document("base64", "application/pdf", data.into(), title)
}

fn text_document<'a>(text: Cow<'a, str>, title: Option<&'a str>) -> JsonRef<'a> {
    document("text", "text/plain", text, title)
}

fn document<'a>(
    kind: &'static str,
    media_type: &'static str,
    data: Cow<'a, str>,
    title: Option<&'a str>,
) -> JsonRef<'a> {
    let source = JsonRef::object([
        ("type", kind.into()),
        ("media_type", media_type.into()),
        ("data", data.into()),
    ]);
    let mut members = vec![("type", JsonRef::text("document")), ("source", source)];
    members.extend(title.map(|it| ("title", it.into())));
    JsonRef::Object(members)
}
