//! What @langchain/mcp-adapters makes of a result: resources and structure are for programs alone, a failure is raised.
//!
//! Source: `_convertCallToolResult` of version 1.1.4, and the `ToolMessage` that @langchain/core makes of its answer.

use std::borrow::Cow;

use serde_json::Value;

use super::text_block;
use crate::{
    convert::{
        Body, Call, ConvertError, Converted, JsonRef, ResultView, converted, dropped,
        pieces::annotations_lost, said::is_in_texts,
    },
    loss::{Loss, Losses, shown},
    parse::NotAToolResult,
};

pub(super) fn message<'a>(
    view: &ResultView<'a>,
    call: Call<'a>,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    if !view.has_content() {
        return Err(NotAToolResult::NoContent.into());
    }
    if view.is_error() {
        let texts: Vec<_> = view
            .blocks()
            .map(|it| match it.body {
                Body::Text(text) => text,
                _ => Cow::Borrowed(""),
            })
            .collect();
        return Err(ConvertError::Raised(texts.join("\n")));
    }
    let mut losses = Losses::default();
    let (mut content, mut artifact) = (Vec::new(), Vec::new());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        content.push(match &block.body {
            Body::Text(text) => text_block(text.clone().into()),
            Body::Image(media) => {
                // An absent type is printed as such.
                let mime_type = media.mime_type.unwrap_or("undefined");
                let url = JsonRef::object([("url", JsonRef::data_url(mime_type, media.data))]);
                JsonRef::object([("type", "image_url".into()), ("image_url", url)])
            }
            Body::Audio(media) => {
                let data = ("data", media.data);
                from("audio", "base64", data, media.mime_type)
            }
            Body::ResourceLink(link) => from("file", "url", ("url", link.uri), link.mime_type),
            Body::Resource(_) => {
                dropped(&mut losses, index, block.kind());
                artifact.push(JsonRef::Value(block.to_json()));
                continue;
            }
            Body::Other(value) => match value.get("type").and_then(Value::as_str) {
                // A text that is none is printed as an empty one.
                Some("text") => text_block("".into()),
                Some("resource") => {
                    artifact.push(JsonRef::Value(block.to_json()));
                    continue;
                }
                _ => {
                    let what = format!("{} block", shown(block.kind()));
                    return Err(ConvertError::Unsupported { index, what });
                }
            },
        });
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    let structured = view.structured().filter(|it| is_truthy(it));
    let meta = view.meta();
    let mut told = Vec::new();
    if let Some(value) = structured {
        let value = JsonRef::Value(Cow::Borrowed(value));
        told.push(("structuredContent", "mcp_structured_content", value));
    }
    if let Some(meta) = meta {
        let meta = JsonRef::Value(Cow::Owned(meta.clone().into()));
        told.push(("meta", "mcp_meta", meta));
    }
    let content = match content.as_mut_slice() {
        [JsonRef::Object(only)] if only.first().is_some_and(|(_, it)| is_text(it)) => {
            if told.is_empty() {
                only.pop().map_or(JsonRef::text(""), |(_, text)| text)
            } else {
                // The block has become an object with more members, which is printed.
                let members = told.iter().map(|(name, _, value)| (*name, value.clone()));
                only.extend(members);
                let printed = JsonRef::Object(std::mem::take(only)).to_value();
                JsonRef::JsonText(Cow::Owned(printed))
            }
        }
        _ => JsonRef::Array(content),
    };
    artifact.extend(
        told.into_iter()
            .map(|(_, kind, value)| JsonRef::object([("type", kind.into()), ("data", value)])),
    );
    let message = JsonRef::object([
        ("tool_call_id", call.id.into()),
        ("name", call.name.into()),
        ("content", content),
        ("artifact", JsonRef::Array(artifact)),
        ("status", "success".into()),
    ]);
    Ok(Converted {
        losses,
        ..converted(message, view)
    })
}

fn is_text(kind: &JsonRef<'_>) -> bool {
    matches!(kind, JsonRef::Text(kind) if kind == "text")
}

/// A block with where its bytes are from, and their type if it is known.
fn from<'a>(
    kind: &'static str,
    source: &'static str,
    (member, value): (&'static str, &'a str),
    mime_type: Option<&'a str>,
) -> JsonRef<'a> {
    let mut members = vec![
        ("type", JsonRef::text(kind)),
        ("source_type", source.into()),
        (member, value.into()),
    ];
    members.extend(mime_type.map(|it| ("mime_type", it.into())));
    JsonRef::Object(members)
}

/// As JavaScript sees it.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(value) => value.as_f64() != Some(0.0),
        Value::String(value) => !value.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
