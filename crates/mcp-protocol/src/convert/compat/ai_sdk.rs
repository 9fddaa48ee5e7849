//! Vercel AI SDK: a failure is not marked, blocks without a form are JSON text, Base64 included, and any JSON that is no
//! result is a value.

use std::borrow::Cow;

use super::converted;
use crate::{
    convert::{
        ai_sdk::{AiSdk, output},
        block::Body,
        pieces::annotations_lost,
        target::{Compat, ConvertError, Converted, Json, Source},
        view::ResultView,
    },
    loss::{Losses, Lost},
};

impl Compat for AiSdk {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Converted<'a, Json<'a>>, ConvertError> {
        match (of.view, of.json) {
            (Ok(view), _) if view.has_content() => Ok(content(&view)),
            (Ok(_) | Err(_), Some(value)) => {
                let value = Json::Value(Cow::Borrowed(value));
                let nothing = ResultView::new(Vec::new());
                Ok(Converted::new(output("json", value), &nothing))
            }
            (Ok(view), None) => Ok(content(&view)),
            (Err(error), None) => Err(error.into()),
        }
    }
}

fn content<'a>(view: &ResultView<'a>) -> Converted<'a, Json<'a>> {
    let mut losses = Losses::default();
    if view.is_error() {
        losses.push(Lost::ErrorFlagDropped);
    }
    let parts = view.blocks().enumerate().map(|(index, block)| {
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => Json::text_block(text.clone().into()),
            Body::Image(media) if media.mime_type.is_some() => {
                let data = [("type", "data".into()), ("data", media.data.into())];
                Json::object([
                    ("type", "file".into()),
                    ("mediaType", media.mime_type.unwrap_or("").into()),
                    ("data", Json::object(data)),
                ])
            }
            // Whatever a text block has in the place of its text is passed on.
            Body::Other(value) if block.kind() == "text" && value.get("text").is_some() => {
                let text = value.get("text").cloned().unwrap_or_default();
                Json::text_block(Json::Value(Cow::Owned(text)))
            }
            _ => Json::text_block(Json::Encoded(block.to_json())),
        }
    });
    let parts = Json::Array(parts.collect());
    converted(output("content", parts), losses, view)
}
