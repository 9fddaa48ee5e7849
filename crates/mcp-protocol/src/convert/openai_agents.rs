//! OpenAI Agents SDK for Python: what a tool returns to the runner.
//!
//! Source: openai-agents 0.24 (`MCPUtil.invoke_mcp_tool`) and its `ToolOutputText`, `ToolOutputImage`,
//! `ToolOutputFileContent`.

use std::borrow::Cow;

use serde_json::Value;

use super::{
    AsToolResult, BlockRef, Body, ConvertError, Converted, HasVendor, JsonRef, Language,
    McpPackage, MediaRef, Piece, Policy, Preset, ResultView,
    carrier::{Carrier, Linked},
    converted, dropped,
    openai_responses::{self, name_of},
    pieces::{annotations_lost, collect},
    said::is_in_texts,
};
use crate::{
    json::Object,
    loss::{Loss, Losses},
};

mod javascript;

/// The runner passes items on to the Responses API.
const CARRIER: Carrier = Carrier {
    links: Linked::No,
    ..openai_responses::CARRIER
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
    /// The `mcp` package beside the vendor's, for [`Preset::Compat`].
    pub mcp: McpPackage,
    /// The language of the vendor's package, for [`Preset::Compat`].
    pub language: Language,
}

impl HasVendor for Choices {}

impl Options {
    setters! {
        /// With the server's option of that name, for [`Preset::Compat`].
        with_use_structured_content(use_structured_content: bool) {
            choices.use_structured_content = use_structured_content
        }
        /// With this `mcp` package, for [`Preset::Compat`].
        with_mcp(mcp: McpPackage) { choices.mcp = mcp }
        /// As the vendor's package in this language, for [`Preset::Compat`].
        with_language(language: Language) { choices.language = language }
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
        Preset::Compat if options.choices.language == Language::JavaScript => {
            javascript::output(&view, options.choices.use_structured_content)
        }
        Preset::Compat => Ok(compat(&view, options.choices)),
        Preset::Rich => rich(&view, &options.policy),
    }
}

fn compat<'a>(view: &ResultView<'a>, choices: Choices) -> Converted<'a, JsonRef<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    if let Some(value) = view.non_null_structured() {
        if choices.use_structured_content && !view.is_error() && is_truthy(value) {
            for (index, block) in view.blocks().enumerate() {
                if !(is_in_texts(view) && matches!(block.body, Body::Text(_))) {
                    dropped(&mut losses, index, block.kind());
                }
            }
            return Converted {
                losses,
                ..converted(JsonRef::JsonText(Cow::Borrowed(value)), view)
            };
        }
        if !is_in_texts(view) {
            losses.push(Loss::StructuredDropped);
        }
    }
    let items = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => text_item(text.clone().into()),
            Body::Image(media) => image_item(*media),
            Body::Audio(_) | Body::ResourceLink(_) | Body::Resource(_) | Body::Other(_) => {
                text_item(JsonRef::JsonText(Cow::Owned(dump(&block, choices.mcp))))
            }
        }
    });
    let items = items.collect();
    Converted {
        losses,
        ..converted(one_or_many(items), view)
    }
}

/// As Python sees it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::String(value) => !value.is_empty(),
        Value::Array(value) => !value.is_empty(),
        Value::Object(value) => !value.is_empty(),
    }
}

/// A block as the vendor's model of it prints: every known member is there, absent ones as null.
fn dump(block: &BlockRef<'_>, mcp: McpPackage) -> Value {
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
    if let Some(annotations) = printed.get_mut("annotations").filter(|it| it.is_object()) {
        let members: &[&str] = match mcp {
            McpPackage::V1 => &["audience", "priority"],
            McpPackage::V2 => &["audience", "priority", "lastModified"],
        };
        let mut members = filled(annotations, members);
        // The model has a floating-point number.
        if let Some(priority) = members.get("priority").and_then(Value::as_f64) {
            members.insert("priority".to_owned(), priority.into());
        }
        *annotations = Value::Object(members);
    }
    if let Some(Value::Array(icons)) = printed.get_mut("icons") {
        let icon_members: &[&str] = match mcp {
            McpPackage::V1 => &["src", "mimeType", "sizes"],
            McpPackage::V2 => &["src", "mimeType", "sizes", "theme"],
        };
        for icon in icons {
            *icon = Value::Object(filled(icon, icon_members));
        }
    }
    if let Some(resource) = printed.get_mut("resource") {
        *resource = Value::Object(filled(resource, &["uri", "mimeType", "meta"]));
    }
    mcp.named(&Value::Object(printed))
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
    let (mut out, _) = collect(view, policy, &CARRIER)?;
    let pieces = std::mem::take(&mut out.output).into_iter();
    let items = pieces.filter_map(|piece| match &piece.piece {
        Piece::Image(media) => Some(JsonRef::object([
            ("type", "image".into()),
            ("image_url", openai_responses::data_url(media)),
        ])),
        Piece::File(media) => Some(JsonRef::object([
            ("type", "file".into()),
            ("file_data", openai_responses::data_url(media)),
            ("filename", name_of(media).into()),
        ])),
        _ => piece.into_text().map(text_item),
    });
    let items = items.collect();
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
    JsonRef::data_url(media.mime_type.unwrap_or(""), media.data)
}
