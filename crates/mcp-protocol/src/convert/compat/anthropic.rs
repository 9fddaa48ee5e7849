//! The anthropic Python package (`anthropic.lib.tools.mcp`), errors included.

use std::borrow::Cow;

use super::{converted, unsupported};
use crate::{
    convert::{
        anthropic::{Anthropic, tool_result},
        block::{Body, MediaRef, ResourceRef},
        converted::member_lost,
        pieces::annotations_lost,
        target::{Compat, ConvertError, Converted, Json, PICTURES, Source},
        view::ResultView,
        words,
    },
    encoding,
    loss::Losses,
};

impl Compat for Anthropic {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Converted<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        let out = content(&view)?;
        let is_error = Some(view.is_error());
        Ok(out.map(|content| tool_result(of.call.id, Some(content), is_error)))
    }
}

fn content<'a>(view: &ResultView<'a>) -> Result<Converted<'a, Json<'a>>, ConvertError> {
    let alone = view.non_null_structured().filter(|_| !view.is_error());
    if let (true, Some(value)) = (view.len() == 0, alone) {
        let content = Json::Encoded(Cow::Borrowed(value));
        return Ok(Converted::new(content, view));
    }
    let mut losses = Losses::default();
    let mut blocks = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let untyped = |mime_type: Option<&str>, what: &str| ConvertError::Unsupported {
            index,
            what: format!("{} {what}", mime_type.unwrap_or("untyped")),
        };
        blocks.push(match block.body {
            Body::Text(text) => Json::text_block(text.into()),
            Body::Image(media) => {
                picture(media).ok_or_else(|| untyped(media.mime_type, "image"))?
            }
            Body::Resource(resource) => {
                let made = contents(&resource);
                let made = made.ok_or_else(|| untyped(resource.mime_type, "resource"))?;
                if resource.uri.is_some() {
                    member_lost(&mut losses, Some(index), "resource.uri");
                }
                made
            }
            _ => return Err(unsupported(index, block.kind())),
        });
    }
    Ok(converted(Json::Array(blocks), losses, view))
}

/// Pictures and PDF files need bytes, text needs `text/*` or no type at all; an empty type is neither.
fn contents<'a>(resource: &ResourceRef<'a>) -> Option<Json<'a>> {
    let is_text = resource.mime_type.is_none_or(|it| it.starts_with("text/"));
    let plain = |text: Cow<'a, str>| block("document", "text", "text/plain", text);
    if let Some(text) = resource.text {
        return is_text.then(|| plain(text.into()));
    }
    let (data, mime_type) = (resource.blob?, resource.mime_type);
    if let Some(pdf @ "application/pdf") = mime_type {
        return Some(block("document", "base64", pdf, data.into()));
    }
    picture(MediaRef { data, mime_type }).or_else(|| {
        let bytes = encoding::decode_like_python(data).filter(|_| is_text)?;
        Some(plain(String::from_utf8(bytes).ok()?.into()))
    })
}

fn picture(media: MediaRef<'_>) -> Option<Json<'_>> {
    let mime_type = media.mime_type.filter(|it| words::have(PICTURES, it))?;
    Some(block("image", "base64", mime_type, media.data.into()))
}

fn block<'a>(
    of: &'static str,
    kind: &'static str,
    media_type: &'a str,
    data: Cow<'a, str>,
) -> Json<'a> {
    let source = Json::object([
        ("type", kind.into()),
        ("media_type", media_type.into()),
        ("data", data.into()),
    ]);
    Json::object([("type", of.into()), ("source", source)])
}
