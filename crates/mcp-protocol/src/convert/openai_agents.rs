//! OpenAI Agents SDK for Python: what a tool returns to the runner.
//!
//! Source: openai-agents 0.24 (`MCPUtil.invoke_mcp_tool`) and its `ToolOutputText`, `ToolOutputImage`,
//! `ToolOutputFileContent`.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, BlockRef, Body, ConvertError, Converted, HasVendor, JsonRef, MediaRef, Piece,
    Policy, Preset, ResultView, converted, dropped,
    pieces::{Structure, annotations_lost, collect, file_name, mark_error},
};
use crate::{
    json::{self, Object},
    loss::{Loss, Losses},
};

/// Options of [`convert`]; the compat preset equals the vendor's converter: a failure is not marked, and blocks
/// without a form are JSON text, Base64 included.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// The server's option of that name, for [`Preset::Compat`]: of a success with structure, the rest is
    /// dropped.
    pub use_structured_content: bool,
}

impl HasVendor for Choices {}

impl Options {
    /// With the server's option of that name, for [`Preset::Compat`].
    #[must_use]
    pub fn with_use_structured_content(mut self, use_structured_content: bool) -> Self {
        self.choices.use_structured_content = use_structured_content;
        self
    }
}

/// A result for the Agents SDK: one item, a list of items, or a string of JSON.
///
/// ```
/// use mcp_protocol::convert::openai_agents;
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "hi"}]});
/// let converted = openai_agents::convert(&result, &openai_agents::Options::rich())?;
/// assert_eq!(serde_json::to_string(&converted.output)?, r#"{"type":"text","text":"hi"}"#);
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
    match options.preset {
        Preset::Compat => Ok(compat(&view, options.choices.use_structured_content)),
        Preset::Rich => rich(&view, &options.policy),
    }
}

fn compat<'a>(view: &ResultView<'a>, use_structured_content: bool) -> Converted<'a, JsonRef<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    let equals = |block: &BlockRef<'_>, value: &Value| match &block.body {
        Body::Text(text) => json::text_equals_unwrapped(text, value),
        _ => false,
    };
    if let Some(value) = view.non_null_structured() {
        if use_structured_content && !view.is_error() {
            for (index, block) in view.blocks().enumerate() {
                if !equals(&block, value) {
                    dropped(&mut losses, index, block.kind());
                }
            }
            return Converted {
                losses,
                ..converted(JsonRef::JsonText(Cow::Borrowed(value)), view)
            };
        }
        if !view.blocks().any(|it| equals(&it, value)) {
            losses.push(Loss::StructuredDropped);
        }
    }
    let items = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => text_item(text.clone().into()),
            Body::Image(media) => image_item(*media),
            Body::Audio(_) | Body::ResourceLink(_) | Body::Resource(_) | Body::Other(_) => {
                text_item(JsonRef::JsonText(Cow::Owned(dump(&block))))
            }
        }
    });
    let items = items.collect();
    Converted {
        losses,
        ..converted(one_or_many(items), view)
    }
}

/// A block as the vendor's model of it prints: every known member is there, absent ones as null.
fn dump(block: &BlockRef<'_>) -> Value {
    let members: &[&str] = match block.kind() {
        "audio" => &["type", "data", "mimeType", "annotations", "meta"],
        "resource" => &["type", "resource", "annotations", "meta"],
        "resource_link" => &[
            "name",
            "title",
            "uri",
            "description",
            "mimeType",
            "size",
            "icons",
            "annotations",
            "meta",
            "type",
        ],
        _ => &[],
    };
    let mut printed = filled(&block.to_json(), members);
    if let Some(resource) = printed.get_mut("resource") {
        *resource = Value::Object(filled(resource, &["uri", "mimeType", "meta"]));
    }
    Value::Object(printed)
}

fn filled(value: &Value, members: &[&str]) -> Object {
    let mut object = Object::new();
    for name in members {
        let of_the_wire = if *name == "meta" { "_meta" } else { name };
        let value = value.get(of_the_wire).cloned().unwrap_or_default();
        object.insert((*name).to_owned(), value);
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        if name != "_meta" && !object.contains_key(name) {
            object.insert(name.clone(), value.clone());
        }
    }
    object
}

fn rich<'a>(
    view: &ResultView<'a>,
    policy: &Policy,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let mut out = collect(view, policy, Structure::AsText)?;
    let mut pieces = std::mem::take(&mut out.output);
    if view.is_error() {
        pieces = mark_error(pieces, &policy.error_mark, &mut out.losses);
    }
    let mut items = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let item = match &piece.piece {
            Piece::Image(media) if media.mime_type.is_some() => Some(image_item(*media)),
            Piece::File(file) => {
                piece.address_lost(&mut out.losses);
                let mime_type = file.mime_type.filter(|it| !it.is_empty());
                let data = MediaRef {
                    data: file.blob.unwrap_or(""),
                    mime_type: mime_type.or(Some("application/octet-stream")),
                };
                let name = file.uri.and_then(file_name).unwrap_or("file");
                Some(JsonRef::object([
                    ("type", "file".into()),
                    ("file_data", data_url(data)),
                    ("filename", name.into()),
                ]))
            }
            _ => match piece.to_text(false, &mut out.losses) {
                Some(text) => Some(text_item(text)),
                None => piece
                    .unsupported(policy, "not shown", &mut out.losses)?
                    .map(text_item),
            },
        };
        items.extend(item);
    }
    Ok(out.map(|_| one_or_many(items)))
}

fn one_or_many(mut items: Vec<JsonRef<'_>>) -> JsonRef<'_> {
    match items.len() {
        1 => items.pop().unwrap_or(JsonRef::Null),
        _ => JsonRef::Array(items),
    }
}

fn text_item(text: JsonRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "text".into()), ("text", text)])
}

fn image_item(media: MediaRef<'_>) -> JsonRef<'_> {
    JsonRef::object([("type", "image".into()), ("image_url", data_url(media))])
}

fn data_url(media: MediaRef<'_>) -> JsonRef<'_> {
    JsonRef::DataUrl {
        mime_type: media.mime_type.unwrap_or(""),
        data: media.data,
    }
}
