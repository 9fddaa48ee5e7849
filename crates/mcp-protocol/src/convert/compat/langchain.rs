//! langchain-mcp-adapters for Python, errors included.

use std::borrow::Cow;

use super::{converted, unsupported};
use crate::{
    convert::{
        block::{Body, LinkRef, ResourceRef},
        langchain::{EMPTY_ERROR, LangChain, message},
        pieces::annotations_lost,
        target::{Compat, ConvertError, Converted, Json, Source},
        view::ResultView,
    },
    loss::Losses,
};

impl Compat for LangChain {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Converted<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        let mut out = content(&view)?;
        if view.is_error() && out.output.is_empty() {
            out.output.push(Json::text_block(EMPTY_ERROR.into()));
        }
        let artifact = view.non_null_structured().filter(|_| !view.is_error());
        Ok(out.map(|blocks| message(blocks, artifact, &view, of.call)))
    }
}

fn content<'a>(view: &ResultView<'a>) -> Result<Converted<'a, Vec<Json<'a>>>, ConvertError> {
    let mut losses = Losses::default();
    let mut blocks = Vec::with_capacity(view.len());
    for (index, block) in view.blocks().enumerate() {
        annotations_lost(&mut losses, index, &block);
        let kind = block.kind().to_owned();
        let made = match block.body {
            Body::Text(text) => Some(Json::text_block(text.into())),
            // An empty type passes here; for resources it does not.
            Body::Image(media) if !media.data.is_empty() => {
                media.mime_type.map(|it| bytes("image", media.data, it))
            }
            Body::ResourceLink(link) => Some(by_url(&link)),
            Body::Resource(resource) => match resource.text {
                Some(text) => Some(Json::text_block(Cow::Borrowed(text).into())),
                None => blob(&resource),
            },
            Body::Image(_) | Body::Audio(_) | Body::Other(_) => None,
        };
        blocks.push(made.ok_or_else(|| unsupported(index, &kind))?);
    }
    // The artifact has the structured value, but no model reads that; failures lose both.
    Ok(converted(blocks, losses, view))
}

fn blob<'a>(resource: &ResourceRef<'a>) -> Option<Json<'a>> {
    let data = resource.blob.filter(|it| !it.is_empty())?;
    let mime_type = resource.mime_type.filter(|it| !it.is_empty())?;
    Some(bytes(kind_of(Some(mime_type)), data, mime_type))
}

fn by_url<'a>(link: &LinkRef<'a>) -> Json<'a> {
    let kind = kind_of(link.mime_type);
    let mut members = vec![("type", Json::text(kind)), ("url", link.uri.into())];
    members.extend(link.mime_type.map(|it| ("mime_type", it.into())));
    Json::Object(members)
}

fn kind_of(mime_type: Option<&str>) -> &'static str {
    let is_image = mime_type.is_some_and(|it| it.starts_with("image/"));
    if is_image { "image" } else { "file" }
}

fn bytes<'a>(kind: &'static str, data: &'a str, mime_type: &'a str) -> Json<'a> {
    Json::object([
        ("type", kind.into()),
        ("base64", data.into()),
        ("mime_type", mime_type.into()),
    ])
}
