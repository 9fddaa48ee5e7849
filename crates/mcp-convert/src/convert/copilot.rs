//! GitHub Copilot SDK: `ToolResultObject`.
//!
//! Source: `convert_mcp_call_tool_result` and its counterparts in github/copilot-sdk (Rust crate 1.0.29-preview.4; Node, Python and
//! Go at cc0438d6), for .NET `ConvertFromInvocationResult` of the SDK at cc0438d6 and `McpClientTool` of the C# SDK at 609499b2
//! (2.2.0), and `contents` in the RPC schema.

use std::borrow::Cow;

use mcp_protocol::{LossKind, Losses, Object};
use serde_json::Value;

use super::{
    block::{BlockRef, Body, LinkRef, ResourceContentsRef},
    converted::dropped,
    loss,
    media::{What, canonical},
    part::link_text,
    parts::annotations_lost,
    target::{
        Carrier, Compat, Context, Conversion, ConvertError, Found, Json, Linked, Part, PartOf, Row,
        Source, converted, forms, join, no_form,
    },
    view::ResultView,
};
use crate::encoding;

const NO_CONTENT: &str = "tool reported an error without content";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// It asks models of several providers, so that what one of them refuses is for the SDK to decide.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Image {"data": Data, "mimeType": Type, "type": "image"}
        File {"data": Data, "mimeType": Type, "type": "resource", "description": Address}
        Audio {"type": "audio", "data": Data, "mimeType": Type}
    },
    of_prompts: Some(&Carrier::TEXT),
    wants: "an image, a resource or audio is required",
    links: Linked::All,
    addresses: true,
    announces_sounds: true,
    no_message: None,
    ..Carrier::ANY
};

/// The GitHub Copilot SDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Copilot {
    /// The vendor whose converter [`crate::convert_like_vendor`] equals.
    pub(crate) flavor: CopilotSdkLanguage,
}

choices! {
    /// The language of the SDK. The converters differ in pictures whose type is missing or empty.
    CopilotSdkLanguage {
        /// Rust
        ///
        /// Both are skipped.
        Rust,
        /// JavaScript
        ///
        /// Skipped if missing, kept if empty.
        Node,
        /// Python
        ///
        /// Both are kept, with an empty type.
        Python,
        /// Go
        ///
        /// As Python. A result with an element that has no type is refused.
        Go,
        /// .NET
        ///
        /// By the C# client of MCP, whose parts the SDK reads: pictures, sounds and files are kept, and what has a link, a
        /// structured value or a failure is the JSON of the whole.
        DotNet = "dotnet",
    }
}

impl Copilot {
    mcp_protocol::setters! {
        /// Sets the language whose converter applies.
        with_sdk_language(flavor: CopilotSdkLanguage) { flavor = flavor }
    }
}

impl Row for Copilot {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, mut parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let (mut texts, mut binaries, mut contents) = (Vec::new(), Vec::new(), Vec::new());
        let failed = of.view.is_error;
        let says_nothing = failed && parts.iter().all(PartOf::is_blank);
        if says_nothing {
            parts = vec![PartOf::text(None, NO_CONTENT)];
        }
        for part in parts {
            match &part.part {
                Part::Link(link) => {
                    // The text is a convenience; `contents` has the whole link.
                    texts.push(link_text(link).into());
                    // With a limit the text has to be enough: what is in `contents` would be said twice.
                    if of.policy.limits.text.is_none() {
                        let block = part.index.and_then(|it| of.view.blocks.get(it));
                        contents.push(whole_link(link, block));
                    } else if link.has_more || link.mime_type.is_some() {
                        part.said_as_text(of.losses);
                    }
                }
                Part::Media(What::Audio, _) => contents.extend(of.carrier.part(part)),
                Part::Media(..) => binaries.extend(of.carrier.part(part)),
                _ => texts.extend(part.into_text()),
            }
        }
        let mut members = result(join(texts), failed, binaries);
        if !contents.is_empty() {
            members.push(("contents", Json::Array(contents)));
        }
        if says_nothing {
            members.push(("error", NO_CONTENT.into()));
        }
        Json::Object(members)
    }

    fn check(&self, result: &Value, carrier: &Carrier, found: &mut Found) {
        found.text(result, "", "textResultForLlm");
        let kind = found.text(result, "", "resultType");
        let is_kind = matches!(kind, "success" | "failure");
        found.check(is_kind, "resultType", "success or failure is required");
        for name in ["binaryResultsForLlm", "contents"] {
            // What has no data is for the SDK to judge.
            let entries = result.get(name).and_then(Value::as_array);
            for (index, entry) in entries.into_iter().flatten().enumerate() {
                if entry.get("data").is_some() {
                    found.part(entry, &format!("{name}[{index}]"), carrier);
                }
            }
        }
    }
}

fn result<'a>(text: Json<'a>, failed: bool, binaries: Vec<Json<'a>>) -> Vec<(&'a str, Json<'a>)> {
    let kind = if failed { "failure" } else { "success" };
    let mut members = vec![("textResultForLlm", text), ("resultType", kind.into())];
    if !binaries.is_empty() {
        members.push(("binaryResultsForLlm", Json::Array(binaries)));
    }
    members
}

/// A link with its details, but without `_meta` and annotations.
fn whole_link<'a>(link: &LinkRef<'a>, block: Option<&BlockRef<'a>>) -> Json<'a> {
    let mut members = vec![
        ("type", Json::text("resource_link")),
        ("uri", link.uri.into()),
    ];
    members.extend(link.name.map(|it| ("name", it.into())));
    let mime_type = link.mime_type.and_then(canonical);
    members.extend(mime_type.map(|it| ("mimeType", it.into())));
    if let Some(Value::Object(mut details)) = block.map(|it| it.to_json().into_owned()) {
        for name in ["title", "description", "size", "icons"] {
            let value = details.remove(name);
            members.extend(value.map(|it| (name, Json::Value(Cow::Owned(it)))));
        }
    }
    Json::Object(members)
}

/// The SDK's own, by its language.
impl Compat for Copilot {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        if self.flavor == CopilotSdkLanguage::DotNet {
            return dotnet(&view, of.json);
        }
        if !view.has_content {
            return Err(ConvertError::NoContent);
        }
        let mut losses = Losses::default();
        let (mut texts, mut binaries) = (Vec::new(), Vec::new());
        for (index, block) in view.blocks.iter().enumerate() {
            // The converter for Go takes nothing of a result with a block whose type is not a string.
            let has_type = || block.to_json().get("type").is_some_and(Value::is_string);
            if self.flavor == CopilotSdkLanguage::Go && block.kind().is_empty() && !has_type() {
                return Err(no_form(index, ""));
            }
            annotations_lost(&mut losses, index, block);
            let before = texts.len() + binaries.len();
            match &block.body {
                Body::Text(text) => texts.push(Json::Text(text.clone())),
                Body::Media(What::Image, it) => binaries.extend(image(*it, self.flavor)),
                Body::Media(What::File, resource) => {
                    let text = resource.text.filter(|it| !it.is_empty());
                    if text.is_some() && resource.uri.is_some() {
                        losses.push(LossKind::BLOCK_AS_TEXT, index, "resource");
                    }
                    texts.extend(text.map(Json::text));
                    let mime_type = resource.mime_type.filter(|it| !it.is_empty());
                    let mime_type = mime_type.or(Some("application/octet-stream"));
                    let uri = resource.uri.filter(|it| !it.is_empty());
                    let blob = resource.blob.filter(|it| !it.is_empty());
                    binaries.extend(CARRIER.as_came(What::File, blob, mime_type, uri));
                }
                Body::Media(What::Audio, _) | Body::ResourceLink(_) | Body::Other(_) => (),
            }
            if texts.len() + binaries.len() == before {
                dropped(&mut losses, index, block.kind());
            }
        }
        let members = result(join(texts), view.is_error, binaries);
        Ok(converted(Json::Object(members), losses, &view))
    }
}

/// What the SDK makes of what the C# client of MCP gives it: parts of Microsoft.Extensions.AI, if they say all of the result,
/// else its JSON, so that a failure is a success to the SDK.
fn dotnet<'a>(
    view: &ResultView<'a>,
    json: Option<&'a Value>,
) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
    let mut losses = Losses::default();
    let (mut texts, mut binaries, mut is_all) = (Vec::new(), Vec::new(), !view.blocks.is_empty());
    for (index, block) in view.blocks.iter().enumerate() {
        let refused = || no_form(index, block.kind());
        annotations_lost(&mut losses, index, block);
        match &block.body {
            Body::Text(text) => texts.push(Json::Text(text.clone())),
            Body::Media(What::Image | What::Audio, media) => {
                let mime_type = media.mime_type.ok_or_else(refused)?;
                binaries.extend(media.blob.map(|it| (index, it, mime_type)));
            }
            Body::Media(What::File, resource) => match (resource.blob, resource.text) {
                (Some(data), _) => {
                    let mime_type = resource.mime_type.unwrap_or("application/octet-stream");
                    binaries.push((index, data, mime_type));
                }
                (None, Some(text)) => texts.push(Json::text(text)),
                (None, None) => return Err(refused()),
            },
            Body::ResourceLink(link) if link.name.is_some() => is_all = false,
            Body::ResourceLink(_) | Body::Other(_) => return Err(refused()),
        }
    }
    let has_more = view.is_error || view.non_null_structured().is_some();
    // The name of the server is in every result of revision 2026-07-28, and does not matter to this one.
    let mut names = view.meta.into_iter().flat_map(Object::keys);
    if has_more || !is_all || names.any(|it| it != SERVER_INFO) {
        let text = Json::Encoded(Cow::Owned(whole(view, json)));
        let members = result(text, false, Vec::new());
        let mut out = Conversion::new(Json::Object(members), view);
        if view.is_error {
            out.losses.push(loss::ERROR_FLAG_AS_TEXT, None, "");
        }
        return Ok(out);
    }
    let mut parts = Vec::with_capacity(binaries.len());
    for (index, data, mime_type) in binaries {
        let data: String = data.split_ascii_whitespace().collect();
        if canonical(mime_type).is_none() || !encoding::is_valid(&data) {
            return Err(no_form(index, "binary"));
        }
        let is_image = mime_type.to_ascii_lowercase().starts_with("image/");
        let what = if is_image { What::Image } else { What::File };
        parts.extend(CARRIER.as_came(what, Some(data), Some(mime_type), None));
    }
    let members = result(join(texts), false, parts);
    Ok(converted(Json::Object(members), losses, view))
}

/// The result with the members that the C# client knows.
fn whole(view: &ResultView<'_>, json: Option<&Value>) -> Value {
    let content: Value = view
        .blocks
        .iter()
        .map(|it| it.to_json().into_owned())
        .collect();
    let failed = view.is_error.then_some(Value::Bool(true));
    let flag = json.and_then(|it| it.get("isError")).cloned().or(failed);
    let kind = json.and_then(|it| it.get("resultType"));
    let members = [
        ("resultType", kind.cloned().filter(|it| !it.is_null())),
        ("content", Some(content)),
        ("structuredContent", view.non_null_structured().cloned()),
        ("isError", flag.filter(|it| !it.is_null())),
        ("_meta", view.meta.cloned().map(Value::from)),
    ];
    let members = members.into_iter();
    members
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

fn image(media: ResourceContentsRef<'_>, flavor: CopilotSdkLanguage) -> Option<Json<'_>> {
    use CopilotSdkLanguage::{DotNet, Go, Node, Python, Rust};
    let mime_type = match (media.mime_type, flavor) {
        (None, Python | Go | DotNet) => "",
        (None, Rust | Node) | (Some(""), Rust) => return None,
        (Some(mime_type), _) => mime_type,
    };
    let data = media.blob.filter(|it| !it.is_empty());
    CARRIER.as_came(What::Image, data, Some(mime_type), None)
}
