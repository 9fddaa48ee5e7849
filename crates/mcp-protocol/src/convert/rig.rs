//! rig: the contents of a `ToolOutput`.
//!
//! Source: rig-rmcp 0.44, `ToolResultContent` of rig-core.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::{
    AsToolResult, Body, ConvertError, Converted, JsonRef, MediaRef, Piece, Policy, Preset,
    ResultView,
    carrier::{Carrier, Structure, Types},
    converted,
    pieces::{annotations_lost, collect},
};
use crate::loss::{Losses, shown};

const NO_MESSAGE: &str = "the MCP tool reported an error";

/// The types that rig has a name for.
const PICTURES: &[(&str, &str)] = &[
    ("image/jpeg", "jpeg"),
    ("image/png", "png"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
    ("image/heic", "heic"),
    ("image/heif", "heif"),
    ("image/svg+xml", "svg"),
];

const CARRIER: Carrier = Carrier {
    structure: Structure::AsJson,
    images: Types::Keys(PICTURES),
    ..Carrier::TEXT
};

/// Options of [`convert`]; the compat preset equals rig-rmcp: indented JSON is sent twice, and blocks without a
/// form are JSON, Base64 included.
pub type Options = super::Options;

/// What a rig tool returns; it serializes as the list of its contents.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolOutput<'a> {
    /// Each in the JSON of `ToolResultContent`.
    pub content: Vec<JsonRef<'a>>,
    /// The tool failed: return `ToolExecutionError` with this as its model output.
    pub failed: bool,
}

impl Serialize for ToolOutput<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.content.serialize(serializer)
    }
}

/// A result for rig.
///
/// ```
/// use mcp_protocol::convert::rig;
///
/// let result = serde_json::json!({
///     "content": [{"type": "text", "text": "{ \"height\": 468 }"}],
///     "structuredContent": {"height": 468},
/// });
/// let converted = rig::convert(&result, &rig::Options::rich())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"[{"type":"json","value":{"height":468}}]"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also for a block that rmcp refuses.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, ToolOutput<'a>>, ConvertError> {
    let view = result.view()?;
    let mut out = match options.preset {
        Preset::Compat => compat(&view)?,
        Preset::Rich => rich(&view, &options.policy)?,
    };
    if out.output.is_empty() {
        let text = if view.is_error() { NO_MESSAGE } else { "" };
        out.output.push(text_content(text.into()));
    }
    let failed = view.is_error();
    Ok(out.map(|content| ToolOutput { content, failed }))
}

fn compat<'a>(view: &ResultView<'a>) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let mut losses = Losses::default();
    let mut content = Vec::with_capacity(view.len() + 1);
    let structured = view.non_null_structured();
    let compact = structured.map(ToString::to_string);
    let is_said =
        |it: &Body<'_>| matches!(it, Body::Text(text) if compact.as_deref() == Some(text));
    // The first text with the same JSON becomes the value; without one the value comes first.
    let replaces = view.blocks().position(|it| is_said(&it.body));
    if replaces.is_none() {
        content.extend(structured.map(|it| json_content(Cow::Borrowed(it))));
    }
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        content.push(match &block.body {
            Body::Text(text) => match structured.filter(|_| replaces == Some(index)) {
                Some(value) => json_content(Cow::Borrowed(value)),
                None => text_content(text.clone().into()),
            },
            Body::Image(media) => match picture(media) {
                Some(image) => image,
                None => json_content(block.to_json()),
            },
            Body::Resource(resource) => {
                let data = resource.blob.unwrap_or("");
                let mime_type = resource.mime_type.filter(|_| resource.blob.is_some());
                let media = MediaRef { data, mime_type };
                picture(&media).unwrap_or_else(|| json_content(block.to_json()))
            }
            Body::Audio(_) | Body::ResourceLink(_) => json_content(block.to_json()),
            Body::Other(_) => {
                let what = format!("{} block", shown(block.kind()));
                return Err(ConvertError::Unsupported { index, what });
            }
        });
    }
    Ok(Converted {
        losses,
        ..converted(content, view)
    })
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let pieces = std::mem::take(&mut out.output).into_iter();
    let content = pieces.filter_map(|piece| match piece.piece {
        Piece::Structured(value) => Some(json_content(Cow::Borrowed(value))),
        Piece::Image(media) => image(media.mime_type.as_deref()?, media.data),
        _ => piece.into_text().map(text_content),
    });
    let mut content: Vec<_> = content.collect();
    let is_blank = |it: &JsonRef<'_>| *it == text_content("".into());
    if view.is_error() && content.iter().all(is_blank) {
        content.clear();
    }
    Ok(out.map(|_| content))
}

/// A picture of a type that rig has a name for.
fn image<'a>(mime_type: &str, data: Cow<'a, str>) -> Option<JsonRef<'a>> {
    let (_, name) = PICTURES.iter().find(|(it, _)| *it == mime_type)?;
    let data = JsonRef::object([("type", "base64".into()), ("value", data.into())]);
    Some(JsonRef::object([
        ("type", "image".into()),
        ("data", data),
        ("media_type", (*name).into()),
    ]))
}

fn picture<'a>(media: &MediaRef<'a>) -> Option<JsonRef<'a>> {
    image(media.mime_type?, media.data.into())
}

fn text_content(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn json_content(value: Cow<'_, serde_json::Value>) -> JsonRef<'_> {
    JsonRef::object([("type", "json".into()), ("value", JsonRef::Value(value))])
}
