//! The Copilot SDK, by its language.

use serde_json::Value;

use super::{converted, unsupported};
use crate::{
    convert::{
        block::{Body, MediaRef},
        converted::{Call, ConvertError, Converted, dropped},
        copilot::{Copilot, Flavor, result},
        json_ref::JsonRef,
        piece::join,
        pieces::annotations_lost,
        target::Compat,
        view::ResultView,
    },
    loss::{Loss, Losses},
    parse::NotAToolResult,
};

impl Compat for Copilot {
    fn compat<'a>(
        &self,
        view: Result<ResultView<'a>, NotAToolResult>,
        _: Option<&'a Value>,
        _: Call<'a>,
    ) -> Result<Converted<'a>, ConvertError> {
        let view = view?;
        if !view.has_content() {
            return Err(NotAToolResult::NoContent.into());
        }
        let mut losses = Losses::default();
        let (mut texts, mut binaries) = (Vec::new(), Vec::new());
        for (index, block) in view.blocks().enumerate() {
            // The converter for Go takes nothing of such a result.
            if self.flavor == Flavor::Go && block.kind().is_empty() {
                return Err(unsupported(index, ""));
            }
            annotations_lost(&mut losses, index, &block);
            let before = texts.len() + binaries.len();
            match &block.body {
                Body::Text(text) => texts.push(JsonRef::Text(text.clone())),
                Body::Image(media) => binaries.extend(image(*media, self.flavor)),
                Body::Resource(resource) => {
                    let text = resource.text.filter(|it| !it.is_empty());
                    if text.is_some() && resource.uri.is_some() {
                        let kind = "resource".to_owned();
                        losses.push(Loss::BlockAsText { index, kind });
                    }
                    texts.extend(text.map(JsonRef::text));
                    let mime_type = resource.mime_type.filter(|it| !it.is_empty());
                    let mime_type = mime_type.unwrap_or("application/octet-stream");
                    let uri = resource.uri.filter(|it| !it.is_empty());
                    let blob = resource.blob.filter(|it| !it.is_empty());
                    binaries.extend(blob.map(|it| binary("resource", it, mime_type, uri)));
                }
                Body::Audio(_) | Body::ResourceLink(_) | Body::Other(_) => (),
            }
            if texts.len() + binaries.len() == before {
                dropped(&mut losses, index, block.kind());
            }
        }
        let members = result(join(texts), view.is_error(), binaries);
        Ok(converted(JsonRef::Object(members), losses, &view))
    }
}

fn image(media: MediaRef<'_>, flavor: Flavor) -> Option<JsonRef<'_>> {
    let mime_type = match (media.mime_type, flavor) {
        (None, Flavor::Python | Flavor::Go) => "",
        (None, Flavor::Rust | Flavor::Node) | (Some(""), Flavor::Rust) => return None,
        (Some(mime_type), _) => mime_type,
    };
    (!media.data.is_empty()).then(|| binary("image", media.data, mime_type, None))
}

fn binary<'a>(
    kind: &'static str,
    data: &'a str,
    mime_type: &'a str,
    description: Option<&'a str>,
) -> JsonRef<'a> {
    let mut members: Vec<(&str, JsonRef<'_>)> = vec![
        ("data", data.into()),
        ("mimeType", mime_type.into()),
        ("type", kind.into()),
    ];
    members.extend(description.map(|it| ("description", it.into())));
    JsonRef::Object(members)
}
