//! What the anthropic Python package makes of a result (`anthropic.lib.tools.mcp`), as observed.

use std::borrow::Cow;

use super::{image, pdf, text_block, text_document};
use crate::{
    convert::{
        Body, ConvertError, Converted, JsonRef, MediaRef, ResourceRef, ResultView,
        carrier::PICTURES, converted, pieces::annotations_lost, said::is_in_texts,
    },
    encoding,
    loss::{Loss, Losses, shown},
};

pub(super) fn content<'a>(
    view: &ResultView<'a>,
) -> Result<Converted<'a, Option<JsonRef<'a>>>, ConvertError> {
    let alone = view.non_null_structured().filter(|_| !view.is_error());
    if let (true, Some(value)) = (view.is_empty(), alone) {
        let content = JsonRef::JsonText(Cow::Borrowed(value));
        return Ok(converted(Some(content), view));
    }
    let mut losses = Losses::default();
    let mut blocks = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let unsupported = |what: String| Err(ConvertError::Unsupported { index, what });
        blocks.push(match block.body {
            Body::Text(text) => text_block(text.into()),
            Body::Image(media) if is_accepted(&media) => picture(&media),
            Body::Image(media) => {
                return unsupported(format!("{} image", media.mime_type.unwrap_or("untyped")));
            }
            Body::Resource(resource) => match document(&resource) {
                Some(block) => {
                    if resource.uri.is_some() {
                        let path = format!("content[{index}].resource.uri");
                        losses.push(Loss::MemberDropped { path });
                    }
                    block
                }
                None => {
                    let mime_type = resource.mime_type.unwrap_or("untyped");
                    return unsupported(format!("{mime_type} resource"));
                }
            },
            Body::Audio(_) | Body::ResourceLink(_) | Body::Other(_) => {
                return unsupported(format!("{} block", shown(block.kind())));
            }
        });
    }
    if !is_in_texts(view) {
        losses.push(Loss::StructuredDropped);
    }
    Ok(Converted {
        losses,
        ..converted(Some(JsonRef::Array(blocks)), view)
    })
}

/// Pictures and PDF files need bytes, text needs `text/*` or no type at all; an empty type is neither.
fn document<'a>(resource: &ResourceRef<'a>) -> Option<JsonRef<'a>> {
    match (resource.text, resource.blob, resource.mime_type) {
        (Some(text), _, mime_type) if is_text(mime_type) => Some(text_document(text.into(), None)),
        (None, Some(data), Some("application/pdf")) => Some(pdf(data.into(), None)),
        (None, Some(data), mime_type) => {
            let media = MediaRef { data, mime_type };
            if is_accepted(&media) {
                return Some(picture(&media));
            }
            let bytes = encoding::decode_like_python(data).filter(|_| is_text(mime_type))?;
            Some(text_document(String::from_utf8(bytes).ok()?.into(), None))
        }
        (Some(_) | None, _, _) => None,
    }
}

fn is_text(mime_type: Option<&str>) -> bool {
    mime_type.is_none_or(|it| it.starts_with("text/"))
}

fn is_accepted(media: &MediaRef<'_>) -> bool {
    media.mime_type.is_some_and(|it| PICTURES.contains(&it))
}

fn picture<'a>(media: &MediaRef<'a>) -> JsonRef<'a> {
    image(media.mime_type.unwrap_or("").into(), media.data.into())
}
