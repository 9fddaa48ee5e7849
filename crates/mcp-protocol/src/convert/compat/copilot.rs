//! The Copilot SDK, by its language.

use std::borrow::Cow;

use serde_json::Value;

use super::{converted, unsupported};
use crate::{
    convert::{
        block::{Body, MediaRef},
        converted::dropped,
        copilot::{Copilot, CopilotFlavor, result},
        media::canonical,
        pieces::annotations_lost,
        target::{Compat, ConvertError, Converted, Json, Source, join},
        view::ResultView,
    },
    encoding,
    loss::{Losses, Lost},
    read::{NotAToolResult, result::Problem},
};

impl Compat for Copilot {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Converted<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        if self.flavor == CopilotFlavor::DotNet {
            return dotnet(&view, of.json);
        }
        if !view.has_content() {
            return Err(NotAToolResult::whole(Problem::NoContent).into());
        }
        let mut losses = Losses::default();
        let (mut texts, mut binaries) = (Vec::new(), Vec::new());
        for (index, block) in view.blocks().enumerate() {
            // The converter for Go takes nothing of such a result.
            if self.flavor == CopilotFlavor::Go && block.kind().is_empty() {
                return Err(unsupported(index, ""));
            }
            annotations_lost(&mut losses, index, &block);
            let before = texts.len() + binaries.len();
            match &block.body {
                Body::Text(text) => texts.push(Json::Text(text.clone())),
                Body::Image(media) => binaries.extend(image(*media, self.flavor)),
                Body::Resource(resource) => {
                    let text = resource.text.filter(|it| !it.is_empty());
                    if text.is_some() && resource.uri.is_some() {
                        let kind = "resource".to_owned();
                        losses.push(Lost::BlockAsText { index, kind });
                    }
                    texts.extend(text.map(Json::text));
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
        Ok(converted(Json::Object(members), losses, &view))
    }
}

/// What the SDK makes of what the C# client of MCP gives it: parts of Microsoft.Extensions.AI, if they say all of the result,
/// else its JSON, so that a failure is a success to the SDK.
fn dotnet<'a>(
    view: &ResultView<'a>,
    json: Option<&'a Value>,
) -> Result<Converted<'a, Json<'a>>, ConvertError> {
    let mut losses = Losses::default();
    let (mut texts, mut binaries, mut is_all) = (Vec::new(), Vec::new(), view.len() > 0);
    for (index, block) in view.blocks().enumerate() {
        let refused = || unsupported(index, block.kind());
        annotations_lost(&mut losses, index, &block);
        match &block.body {
            Body::Text(text) => texts.push(Json::Text(text.clone())),
            Body::Image(media) | Body::Audio(media) => {
                media.mime_type.ok_or_else(refused)?;
                binaries.push((index, *media));
            }
            Body::Resource(resource) => match (resource.blob, resource.text) {
                (Some(data), _) => {
                    let mime_type = resource.mime_type.or(Some("application/octet-stream"));
                    binaries.push((index, MediaRef { data, mime_type }));
                }
                (None, Some(text)) => texts.push(Json::text(text)),
                (None, None) => return Err(refused()),
            },
            Body::ResourceLink(link) if link.name.is_some() => is_all = false,
            Body::ResourceLink(_) | Body::Other(_) => return Err(refused()),
        }
    }
    let has_more = view.is_error() || view.non_null_structured().is_some();
    if has_more || !is_all || view.meta().is_some_and(|it| !it.is_empty()) {
        let text = Json::Encoded(Cow::Owned(whole(view, json)));
        let members = result(text, false, Vec::new());
        let mut out = Converted::new(Json::Object(members), view);
        if view.is_error() {
            out.losses.push(Lost::ErrorFlagAsText);
        }
        return Ok(out);
    }
    let binaries = binaries.into_iter().map(|(index, media)| {
        let data: String = media.data.split_ascii_whitespace().collect();
        let mime_type = media
            .mime_type
            .filter(|it| canonical(it).is_some() && encoding::is_valid(&data));
        let mime_type = mime_type.ok_or_else(|| unsupported(index, "binary"))?;
        let is_image = mime_type.to_ascii_lowercase().starts_with("image/");
        let kind = if is_image { "image" } else { "resource" };
        Ok(binary(kind, data, mime_type, None))
    });
    let binaries = binaries.collect::<Result<_, ConvertError>>()?;
    let members = result(join(texts), false, binaries);
    Ok(converted(Json::Object(members), losses, view))
}

/// The result with the members that the C# client knows.
fn whole(view: &ResultView<'_>, json: Option<&Value>) -> Value {
    let content: Value = view.blocks().map(|it| it.to_json().into_owned()).collect();
    let failed = view.is_error().then_some(Value::Bool(true));
    let flag = json.and_then(|it| it.get("isError")).cloned().or(failed);
    let members = [
        ("content", Some(content)),
        ("structuredContent", view.non_null_structured().cloned()),
        ("isError", flag.filter(|it| !it.is_null())),
        ("_meta", view.meta().cloned().map(Value::from)),
    ];
    let members = members.into_iter();
    members
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

fn image(media: MediaRef<'_>, flavor: CopilotFlavor) -> Option<Json<'_>> {
    let mime_type = match (media.mime_type, flavor) {
        (None, CopilotFlavor::Python | CopilotFlavor::Go | CopilotFlavor::DotNet) => "",
        (None, CopilotFlavor::Rust | CopilotFlavor::Node) | (Some(""), CopilotFlavor::Rust) => {
            return None;
        }
        (Some(mime_type), _) => mime_type,
    };
    (!media.data.is_empty()).then(|| binary("image", media.data, mime_type, None))
}

fn binary<'a>(
    kind: &'static str,
    data: impl Into<Cow<'a, str>>,
    mime_type: &'a str,
    description: Option<&'a str>,
) -> Json<'a> {
    let mut members: Vec<(&str, Json<'_>)> = vec![
        ("data", Json::text(data)),
        ("mimeType", mime_type.into()),
        ("type", kind.into()),
    ];
    members.extend(description.map(|it| ("description", it.into())));
    Json::Object(members)
}
