//! Strands Agents SDK for Python: a `ToolResult`, which its models turn into their provider's.
//!
//! Source: `MCPClient` of strands-agents 1.62. Bytes are in Base64 here; the SDK holds them decoded.

use std::borrow::Cow;

use super::{
    AsToolResult, Body, Call, ConvertError, Converted, JsonRef, Preset, ResourceRef, ResultView,
    bedrock, converted, dropped, pieces::annotations_lost, said::is_in_texts,
};
use crate::{
    encoding,
    loss::{Loss, Losses, shown},
};

/// Options of [`convert`]; the compat preset equals the vendor's client: links, sounds and files are left out, and the
/// structured value is for programs. The rich preset makes the blocks of [`bedrock`], whose shape it is.
pub type Options = super::Options;

/// The names that the vendor has for types of pictures.
const FORMATS: &[(&str, &str)] = &[
    ("image/jpeg", "jpeg"),
    ("image/jpg", "jpeg"),
    ("image/png", "png"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
];

/// A result for Strands.
///
/// ```
/// use mcp_protocol::convert::{Call, strands};
///
/// let result = serde_json::json!({"content": [{"type": "text", "text": "boom"}], "isError": true});
/// let converted = strands::convert(&result, Call::new("t1", "lookup"), &strands::Options::rich())?;
/// assert_eq!(converted.output.to_value()["status"], "error");
/// # Ok::<(), mcp_protocol::convert::ConvertError>(())
/// ```
///
/// # Errors
/// Fails if the value is not a tool result, or if the policy makes a block that the target cannot carry an error;
/// with the compat preset also where the vendor's client fails.
pub fn convert<'a>(
    result: &'a (impl AsToolResult + ?Sized),
    call: Call<'a>,
    options: &Options,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    let view = result.view()?;
    let status = if view.is_error() { "error" } else { "success" };
    let out = match options.preset {
        Preset::Compat => compat(&view)?,
        Preset::Rich => {
            let options = bedrock::Options::rich().with_policy(options.policy.clone());
            bedrock::content(&view, call, &options)?
        }
    };
    let mut members = vec![
        ("status", JsonRef::text(status)),
        ("toolUseId", call.id.into()),
    ];
    let structured = view.non_null_structured();
    let structured = structured.map(|it| JsonRef::Value(Cow::Borrowed(it)));
    Ok(out.map(|content| {
        members.push(("content", JsonRef::Array(content)));
        members.extend(structured.map(|it| ("structuredContent", it)));
        members.push(("isError", JsonRef::Bool(view.is_error())));
        JsonRef::Object(members)
    }))
}

fn compat<'a>(view: &ResultView<'a>) -> Result<Converted<'a, Vec<JsonRef<'a>>>, ConvertError> {
    let mut losses = Losses::default();
    let mut content = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let kind = block.kind().to_owned();
        let unsupported = |what: String| Err(ConvertError::Unsupported { index, what });
        let made = match block.body {
            Body::Text(text) => Some(text_block(text)),
            Body::Image(media) => match image(media.mime_type, media.data) {
                Some(image) => Some(image),
                None => {
                    return unsupported(format!("{} image", media.mime_type.unwrap_or("untyped")));
                }
            },
            Body::Resource(resource) => contents(&resource),
            Body::Other(_) => return unsupported(format!("{} block", shown(&kind))),
            Body::Audio(_) | Body::ResourceLink(_) => None,
        };
        match made {
            Some(block) => content.push(block),
            None => dropped(&mut losses, index, &kind),
        }
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    Ok(Converted {
        losses,
        ..converted(content, view)
    })
}

/// Text, bytes that are text by their type, and pictures.
fn contents<'a>(resource: &ResourceRef<'a>) -> Option<JsonRef<'a>> {
    if let Some(text) = resource.text {
        return Some(text_block(text.into()));
    }
    let (data, mime_type) = (resource.blob?, resource.mime_type?);
    let is_text = mime_type.starts_with("text/")
        || matches!(
            mime_type,
            "application/json"
                | "application/xml"
                | "application/javascript"
                | "application/yaml"
                | "application/x-yaml"
        )
        || mime_type.ends_with("+json")
        || mime_type.ends_with("+xml");
    if is_text {
        let bytes = encoding::decode_like_python(data)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Some(text_block(text.into()));
    }
    image(Some(mime_type), data)
}

fn image<'a>(mime_type: Option<&str>, data: &'a str) -> Option<JsonRef<'a>> {
    let (_, format) = FORMATS.iter().find(|(it, _)| Some(*it) == mime_type)?;
    let data = encoding::normalized_like_python(data)?;
    let source = JsonRef::object([("bytes", data.into())]);
    let image = JsonRef::object([("format", (*format).into()), ("source", source)]);
    Some(JsonRef::object([("image", image)]))
}

fn text_block(text: Cow<'_, str>) -> JsonRef<'_> {
    JsonRef::object([("text", text.into())])
}
