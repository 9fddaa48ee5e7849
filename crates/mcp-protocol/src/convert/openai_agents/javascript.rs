//! What the OpenAI Agents SDK for JavaScript makes of a result: the output of the call, as it goes to the model.
//!
//! Source: `mcpToFunctionTool` and `getToolCallOutputItem` of @openai/agents-core 0.20.

use std::borrow::Cow;

use super::one_or_many;
use crate::{
    convert::{
        Body, ConvertError, Converted, JsonRef, ResultView, converted, dropped,
        pieces::annotations_lost, said::is_in_texts,
    },
    loss::{Loss, Losses},
    parse::NotAToolResult,
};

/// Items if all blocks are texts and pictures; otherwise all of it is one text of JSON.
pub(super) fn output<'a>(
    view: &ResultView<'a>,
    use_structured_content: bool,
) -> Result<Converted<'a, JsonRef<'a>>, ConvertError> {
    if !view.has_content() {
        return Err(NotAToolResult::NoContent.into());
    }
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Loss::ErrorFlagDropped);
    }
    let structured = view
        .non_null_structured()
        .filter(|_| use_structured_content && !view.is_error());
    if let Some(value) = structured {
        for (index, block) in view.blocks().enumerate() {
            if !(is_in_texts(view) && matches!(block.body, Body::Text(_))) {
                dropped(&mut losses, index, block.kind());
            }
        }
        return Ok(Converted {
            losses,
            ..converted(text("text", JsonRef::JsonText(Cow::Borrowed(value))), view)
        });
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    let items: Option<Vec<JsonRef<'a>>> = view
        .blocks()
        .enumerate()
        .map(|(index, block)| {
            annotations_lost(&mut losses, index, &block);
            match block.body {
                Body::Text(said) => Some(text("input_text", said.into())),
                Body::Image(media) if !media.data.is_empty() => {
                    let image = match media.mime_type.filter(|it| !it.is_empty()) {
                        Some(mime_type) if !media.data.starts_with("data:") => {
                            JsonRef::data_url(mime_type, media.data)
                        }
                        Some(_) | None => media.data.into(),
                    };
                    let members = [("type", "input_image".into()), ("image", image)];
                    Some(JsonRef::object(members))
                }
                Body::Image(_)
                | Body::Audio(_)
                | Body::ResourceLink(_)
                | Body::Resource(_)
                | Body::Other(_) => None,
            }
        })
        .collect();
    let output = match items.filter(|it| !it.is_empty()) {
        Some(items) => JsonRef::Array(items),
        None => {
            let blocks = view.blocks().map(|it| JsonRef::Value(it.to_json()));
            match one_or_many(blocks.collect()).to_value() {
                serde_json::Value::String(said) => text("text", said.into()),
                other => text("text", JsonRef::JsonText(Cow::Owned(other))),
            }
        }
    };
    Ok(Converted {
        losses,
        ..converted(output, view)
    })
}

fn text<'a>(kind: &'static str, text: JsonRef<'a>) -> JsonRef<'a> {
    JsonRef::object([("type", kind.into()), ("text", text)])
}
