//! Gemini API: a `functionResponse` part.
//!
//! Source: `FunctionResponse` of google-genai 3.4, whose documented keys of `response` are `output` and
//! `error`. Bytes travel in `parts`, which models before Gemini 3 refuse on Vertex AI
//! (google-gemini/gemini-cli#19436).

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, Call, ConvertError, Converted, HasVendor, JsonRef, Language, McpPackage, Media,
    Piece, Preset, ResultView,
    carrier::{Carrier, Place, Structure, Types},
    converted,
    failure::NO_MESSAGE,
    piece::join,
    pieces::collect,
    said::is_in_texts,
};
use crate::loss::{Loss, Losses};

pub(super) const CARRIER: Carrier = Carrier {
    structure: Structure::AsJson,
    images: Types::Of(&["image/png", "image/jpeg", "image/webp"]),
    files: Types::Of(&["application/pdf"]),
    // A request has at most 20 MB of inline data.
    image_bytes: 14_000_000,
    file_bytes: 14_000_000,
    text_chars: 14_000_000,
    ..Carrier::TEXT
};

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
    /// Which models are asked.
    pub family: Family,
    /// The `mcp` package beside the vendor's, for [`Preset::Compat`].
    pub mcp: McpPackage,
    /// The language of the vendor's package, for [`Preset::Compat`].
    pub language: Language,
}

/// Models differ in what they accept in a function response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Family {
    /// Gemini 3 and later: pictures and files in `parts`.
    #[default]
    Gemini3,
    /// Gemini 2: none, so that they go into the message after it.
    Gemini2,
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
        /// For these models.
        with_family(family: Family) { choices.family = family }
        /// As the vendor's package in this language, for [`Preset::Compat`].
        with_language(language: Language) { choices.language = language }
        /// With this `mcp` package, for [`Preset::Compat`].
        with_mcp(mcp: McpPackage) { choices.mcp = mcp }
    }
}

/// A result for the Gemini API. [`Converted::follow_up`] has the parts that [`Family::Gemini2`] refuses in it: send
/// them in the same message, after all function responses.
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
    if (options.preset, options.choices.language) == (Preset::Compat, Language::JavaScript) {
        if let Some(result) = result.as_json() {
            return Ok(as_it_is(result, call));
        }
    }
    let view = result.view()?;
    let (out, id) = match options.preset {
        Preset::Compat => (compat(&view, options.choices.mcp), None),
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

/// What the vendor's JavaScript package makes of a result (@google/genai 3.1): all of it, whatever it is. Results of
/// other types than JSON are read as the Python package does.
fn as_it_is<'a>(result: &'a Value, call: Call<'a>) -> Converted<'a, JsonRef<'a>> {
    let is_error = match result.get("isError") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Number(number)) => number.as_f64() != Some(0.0),
        Some(Value::Bool(true) | Value::Array(_) | Value::Object(_)) => true,
    };
    let whole = JsonRef::Value(Cow::Borrowed(result));
    let response = if is_error {
        JsonRef::object([("error", whole)])
    } else {
        whole
    };
    let members = [("name", call.name.into()), ("response", response)];
    Converted {
        output: JsonRef::object([("functionResponse", JsonRef::object(members))]),
        losses: Losses::default(),
        for_user: Vec::new(),
        follow_up: Vec::new(),
        meta: None,
        block_meta: Vec::new(),
    }
}

fn compat<'a>(view: &ResultView<'a>, mcp: McpPackage) -> Converted<'a, Response<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorMessageDropped);
        let response = JsonRef::object([("error", "MCP response is error.".into())]);
        return Converted {
            losses,
            ..converted((response, Vec::new()), view)
        };
    }
    let mut blocks = Vec::with_capacity(view.len());
    for block in view.blocks() {
        let block = block.to_json();
        // The package prints its own names, and its `meta` is the `_meta` of the wire.
        blocks.push(JsonRef::Value(if block.is_object() {
            Cow::Owned(mcp.named(&block))
        } else {
            block
        }));
    }
    if !is_in_texts(view) {
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
    let carrier = Carrier {
        place: match options.choices.family {
            Family::Gemini3 => Place::Inside,
            Family::Gemini2 => Place::Beside,
        },
        ..CARRIER
    };
    let (mut out, beside) = collect(view, &options.policy, &carrier)?;
    let beside = beside.iter().filter_map(|it| it.media());
    out.follow_up.extend(beside.map(inline));
    let (mut outputs, mut parts) = (Vec::new(), Vec::new());
    let mut only_texts = true;
    for piece in std::mem::take(&mut out.output) {
        match &piece.piece {
            Piece::Structured(value) if !view.is_error() => {
                only_texts = false;
                outputs.push(JsonRef::Value(Cow::Borrowed(*value)));
            }
            Piece::Image(media) | Piece::File(media) => parts.push(inline(media)),
            _ => outputs.extend(piece.into_text()),
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

pub(super) fn inline<'a>(media: &Media<'a>) -> JsonRef<'a> {
    let inline = JsonRef::object([
        ("mimeType", media.type_or_bytes().into()),
        ("data", media.data.clone().into()),
    ]);
    JsonRef::object([("inlineData", inline)])
}
