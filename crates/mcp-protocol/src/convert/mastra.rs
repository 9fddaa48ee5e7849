//! Mastra: what the `toModelOutput` of a tool returns.
//!
//! Source: `MCPClient` of @mastra/mcp 2.0 with @mastra/core 1.68.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{
    AsToolResult, Body, ConvertError, Converted, HasVendor, JsonRef, Preset, ResultView,
    ai_sdk::{output, rich},
    converted, dropped,
    pieces::annotations_lost,
    said::is_in_texts,
};
use crate::loss::{Loss, Losses};

/// What the vendor's client raises for a failure without text.
const NO_TEXT: &str = "MCP tool execution failed";

/// Options of [`convert`]; the compat preset equals the vendor's client: a failure is raised, and of a success the
/// model gets the structured value, else the whole result as JSON, Base64 included.
pub type Options = super::Options<Choices>;

/// The choices of this target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Choices {
    /// Whether the tool has an output schema, for [`Preset::Compat`]: beside structure the model then gets the texts
    /// alone, if there are any.
    pub output_schema: bool,
}

impl HasVendor for Choices {}

impl Options {
    setters! {
        /// Whether the tool has an output schema, for [`Preset::Compat`].
        with_output_schema(output_schema: bool) { choices.output_schema = output_schema }
    }
}

/// A result for Mastra.
///
/// ```
/// use mcp_protocol::convert::mastra;
///
/// let result = serde_json::json!({"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]});
/// let converted = mastra::convert(&result, &mastra::Options::rich())?;
/// assert_eq!(
///     serde_json::to_string(&converted.output)?,
///     r#"{"type":"content","value":[{"type":"media","data":"aGk=","mediaType":"image/png"}]}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also where the vendor's client raises what a failed tool said.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    match options.preset {
        Preset::Compat => compat(&view, result.as_json(), options.choices.output_schema),
        Preset::Rich => rich(&view, &options.policy, media_part),
    }
}

fn compat<'a>(
    view: &ResultView<'a>,
    whole: Option<&'a Value>,
    output_schema: bool,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let text = texts(view);
    if view.is_error() {
        let said = if text.is_empty() {
            NO_TEXT.to_owned()
        } else {
            text
        };
        return Err(ConvertError::Raised(said));
    }
    let Some(value) = view.structured() else {
        let whole = match whole {
            None => Cow::Owned(as_json(view)),
            // Its MCP package keeps the member to itself.
            Some(Value::Object(members)) if members.contains_key("resultType") => {
                let others = members.iter().filter(|(name, _)| *name != "resultType");
                let others = others.map(|(name, value)| (name.clone(), value.clone()));
                Cow::Owned(others.collect())
            }
            Some(whole) => Cow::Borrowed(whole),
        };
        return Ok(converted(output("json", JsonRef::Value(whole)), view));
    };
    let is_said = is_in_texts(view);
    let is_text = output_schema && !text.is_empty();
    let mut losses = Losses::default();
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let is_sent = matches!(block.body, Body::Text(_)) && (is_text || is_said);
        if !is_sent {
            dropped(&mut losses, index, block.kind());
        }
    }
    if is_text && !is_said {
        losses.push(Loss::StructuredDropped);
    }
    let output = if is_text {
        output("text", JsonRef::text(text))
    } else {
        output("json", JsonRef::Value(Cow::Borrowed(value)))
    };
    Ok(Converted {
        losses,
        ..converted(output, view)
    })
}

/// The texts as lines, as the vendor's client joins them.
fn texts(view: &ResultView<'_>) -> String {
    let texts = view.blocks().filter_map(|it| match it.body {
        Body::Text(text) => Some(text.into_owned()),
        _ => None,
    });
    let texts: Vec<String> = texts.collect();
    texts.join("\n").trim().to_owned()
}

/// The result of a type that is not JSON itself.
fn as_json(view: &ResultView<'_>) -> Value {
    let content: Value = view.blocks().map(|it| it.to_json().into_owned()).collect();
    match view.meta() {
        Some(meta) => json!({"_meta": meta, "content": content}),
        None => json!({"content": content}),
    }
}

fn media_part<'a>(mime_type: Cow<'a, str>, data: Cow<'a, str>) -> JsonRef<'a> {
    JsonRef::object([
        ("type", "media".into()),
        ("data", data.into()),
        ("mediaType", mime_type.into()),
    ])
}
