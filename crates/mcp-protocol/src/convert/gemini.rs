//! Gemini API: a `functionResponse` part.
//!
//! Source: `FunctionResponse` of google-genai 3.4, whose documented keys of `response` are `output` and
//! `error`. Bytes travel in `parts`.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Call, ConvertError, Converted, HasVendor, JsonRef, Piece, Preset, ResultView,
    converted,
    pieces::{Structure, collect, join},
};
use crate::{
    json,
    loss::{Loss, Losses},
};

const NO_MESSAGE: &str = "the tool reported an error without a message";

/// Options of [`convert`]; the compat preset equals the vendor's Python package: raw blocks under `result`, and a
/// failure without its message.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// The member of `response` that has the output.
    pub key: Key,
    /// Whether several texts are one string, with line feeds between them, not an array.
    pub join: bool,
    /// Whether a structured object that is the whole output is the `response` itself, unless it has a member
    /// `output` or `error`.
    pub spread: bool,
}

/// The member of `response` that has the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Key {
    /// As the API documents.
    #[default]
    Output,
    /// As google-genai and rig write it.
    Result,
}

impl HasVendor for Choices {}

impl Options {
    setters! {
        /// With another member of `response` for the output.
        with_key(key: Key) { choices.key = key }
        /// Whether several texts are one string.
        with_join(join: bool) { choices.join = join }
        /// Whether a structured object can be the `response` itself.
        with_spread(spread: bool) { choices.spread = spread }
    }
}

/// A result for the Gemini API.
///
/// ```
/// use mcp_protocol::convert::{Call, gemini};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "hi"}]});
/// let call = Call::new("i1", "lookup");
/// let converted = gemini::convert(&result, call, &gemini::Options::rich())?;
/// let part = converted.output.to_value();
/// assert_eq!(part["functionResponse"]["response"]["output"], "hi");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let (out, id) = match options.preset {
        Preset::Compat => (compat(&view), None),
        Preset::Rich => (rich(&view, options)?, Some(call.id)),
    };
    Ok(out.map(|(response, parts)| {
        let mut members = Vec::with_capacity(4);
        members.extend(id.map(|it| ("id", it.into())));
        members.push(("name", call.name.into()));
        members.push(("response", response));
        if !parts.is_empty() {
            members.push(("parts", JsonRef::Array(parts)));
        }
        JsonRef::object([("functionResponse", JsonRef::Object(members))])
    }))
}

type Response<'a> = (JsonRef<'a>, Vec<JsonRef<'a>>);

fn compat<'a>(view: &ResultView<'a>) -> Converted<'a, Response<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorMessageDropped);
        let response = JsonRef::object([("error", "MCP response is error.".into())]);
        return Converted {
            losses,
            ..converted((response, Vec::new()), view)
        };
    }
    let mut is_in_text = view.non_null_structured().is_none();
    let mut blocks = Vec::with_capacity(view.len());
    for block in view.blocks() {
        let block = block.to_json();
        if let (Some(text), Some(value)) = (
            block.get("text").and_then(Value::as_str),
            view.non_null_structured(),
        ) {
            is_in_text |= json::text_equals_unwrapped(text, value);
        }
        // The package prints its own names, and its `meta` is the `_meta` of the wire.
        blocks.push(
            match block.as_object().filter(|it| it.contains_key("_meta")) {
                Some(object) => {
                    let renamed = object.iter().map(|(name, value)| {
                        let name = if name == "_meta" { "meta" } else { name };
                        (name.to_owned(), value.clone())
                    });
                    JsonRef::Value(Cow::Owned(renamed.collect()))
                }
                None => JsonRef::Value(block),
            },
        );
    }
    if !is_in_text {
        losses.push(Loss::StructuredDropped);
    }
    let response = JsonRef::object([("result", JsonRef::Array(blocks))]);
    Converted {
        losses,
        ..converted((response, Vec::new()), view)
    }
}

fn rich<'a>(
    view: &ResultView<'a>,
    options: &Options,
) -> Result<Converted<'a, Response<'a>>, ConvertError> {
    let mut out = collect(view, &options.policy, Structure::AsJson)?;
    let (mut outputs, mut parts) = (Vec::new(), Vec::new());
    let mut only_texts = true;
    for piece in std::mem::take(&mut out.output) {
        match &piece.piece {
            Piece::Structured(value) if view.is_error() => {
                outputs.push(JsonRef::JsonText(Cow::Borrowed(*value)));
            }
            Piece::Structured(value) => {
                only_texts = false;
                outputs.push(JsonRef::Value(Cow::Borrowed(*value)));
            }
            Piece::Image(media) if is_accepted(media.mime_type) => {
                parts.push(inline(media.mime_type, media.data));
            }
            Piece::File(file) if file.mime_type == Some("application/pdf") => {
                parts.push(inline(file.mime_type, file.blob.unwrap_or("")));
                piece.address_lost(&mut out.losses);
            }
            _ => match piece.to_text(false, &mut out.losses) {
                Some(text) => outputs.push(text),
                None => {
                    let losses = &mut out.losses;
                    outputs.extend(piece.unsupported(&options.policy, "not shown", losses)?);
                }
            },
        }
    }
    let response = if view.is_error() {
        outputs.retain(|it| !matches!(it, JsonRef::Text(text) if text.trim().is_empty()));
        if outputs.is_empty() {
            outputs.push(NO_MESSAGE.into());
        }
        JsonRef::object([("error", join(outputs))])
    } else if let Some(response) = spread(&outputs).filter(|_| options.choices.spread) {
        JsonRef::Value(response.clone())
    } else {
        let key = match options.choices.key {
            Key::Output => "output",
            Key::Result => "result",
        };
        let output = if outputs.len() <= 1 || (options.choices.join && only_texts) {
            match outputs.len() {
                1 => outputs.pop().unwrap_or(JsonRef::Null),
                _ => join(outputs),
            }
        } else {
            JsonRef::Array(outputs)
        };
        JsonRef::object([(key, output)])
    };
    Ok(out.map(|_| (response, parts)))
}

/// The object that can be the whole response.
fn spread<'o, 'a>(outputs: &'o [JsonRef<'a>]) -> Option<&'o Cow<'a, Value>> {
    let [JsonRef::Value(value)] = outputs else {
        return None;
    };
    let object = value.as_object()?;
    let is_ordinary = !object.contains_key("output") && !object.contains_key("error");
    is_ordinary.then_some(value)
}

/// The pictures that the API reads in a function response.
fn is_accepted(mime_type: Option<&str>) -> bool {
    matches!(mime_type, Some("image/png" | "image/jpeg" | "image/webp"))
}

fn inline<'a>(mime_type: Option<&'a str>, data: &'a str) -> JsonRef<'a> {
    let inline = JsonRef::object([
        (
            "mimeType",
            mime_type.unwrap_or("application/octet-stream").into(),
        ),
        ("data", data.into()),
    ]);
    JsonRef::object([("inlineData", inline)])
}
