//! Anthropic Messages API: a `tool_result` block.
//!
//! Source: `ToolResultBlockParam` and the `mcp` module of the anthropic package 2.12. The API rejects empty texts (vercel/ai#5576),
//! failures without content (bytedance/trae-agent#230), failures with content other than text (vellum-ai/vellum-assistant#18387),
//! images over 5 MiB of Base64 or 8,000 pixels (anthropics/claude-code#19631, #4778), and images whose declared type differs from
//! their bytes (BerriAI/litellm#24900).

use std::borrow::Cow;

use mcp_protocol::Losses;
use serde_json::Value;

use super::{
    block::{Body, ResourceContentsRef},
    converted::member_lost,
    media::What,
    parts::annotations_lost,
    phrases,
    target::{
        Carrier, Compat, Context, Conversion, ConvertError, Found, Json, Linked, PICTURES, PartOf,
        Place, Provider, Row, Source, Types, converted, forms, no_form, only_value,
    },
    view::ResultView,
};
use crate::encoding;

const EMPTY_ERROR: &str = "content cannot be empty if is_error is true";

pub(super) const CARRIER: Carrier = Carrier {
    api: Some(Provider::Anthropic),
    forms: forms! {
        Text {"type": "text", "text": Words}
        Image {"type": "image", "source": {"type": "base64", "media_type": Type, "data": Data}}
        Link {"type": "image", "source": {"type": "url", "url": Url}}
        Document {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": Words}
        }
        File {
            "type": "document",
            "source": {"type": "base64", "media_type": Type, "data": Data}
        }
    },
    wants: "text, an image or a document is required",
    images: Types::Of(&[PICTURES]),
    files: Types::Of(&["application/pdf"]),
    // 5 MiB of Base64.
    image_bytes: 5 * 1024 * 1024 / 4 * 3,
    // A request has at most 32 MB, and the rest of it needs room as well.
    file_bytes: 20_000_000,
    text_chars: 20_000_000,
    pixels: 8_000,
    place: Place::BesideFailures,
    documents: true,
    links: Linked::Pictures,
    drops_blank: true,
    no_message: Some("The tool reported an error without details."),
    reason: "not supported",
    ..Carrier::TEXT
};

/// The Anthropic Messages API. The API rejects images and files in failed results, so they follow the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Anthropic {}

impl Row for Anthropic {
    fn carrier(&self, is_error: bool) -> Carrier {
        Carrier {
            // Beside a failure a document is refused like a picture; its text is not.
            documents: !is_error,
            links: if is_error { Linked::No } else { CARRIER.links },
            ..CARRIER
        }
    }

    fn whole<'a>(&self, mut parts: Vec<PartOf<'a>>, of: &mut Context<'a, '_>) -> Json<'a> {
        let content = only_value(&mut parts).map(Json::Encoded).or_else(|| {
            let blocks = of.carrier.parts(parts);
            (!blocks.is_empty()).then_some(Json::Array(blocks))
        });
        tool_result(of.call.id, content, of.view.is_error.then_some(true))
    }

    fn check(&self, block: &Value, carrier: &Carrier, found: &mut Found) {
        found.is(block, "type", "tool_result");
        found.words(block, "", "tool_use_id");
        let failed = block.get("is_error").and_then(Value::as_bool) == Some(true);
        let is_empty = match block.get("content") {
            None => true,
            Some(Value::String(text)) => text.trim().is_empty(),
            Some(Value::Array(content)) => {
                for (index, part) in content.iter().enumerate() {
                    let is_text = part.get("type").and_then(Value::as_str) == Some("text");
                    let rule = "all content must be text if is_error is true";
                    found.check(is_text || !failed, &format!("content[{index}]"), rule);
                }
                found.parts(content, "content", carrier);
                content.is_empty()
            }
            Some(_) => {
                found.add("content", "a string or an array is required");
                false
            }
        };
        found.check(!(failed && is_empty), "content", EMPTY_ERROR);
    }
}

/// The block around its content.
fn tool_result<'a>(id: &'a str, content: Option<Json<'a>>, is_error: Option<bool>) -> Json<'a> {
    let mut members = vec![
        ("type", Json::text("tool_result")),
        ("tool_use_id", id.into()),
    ];
    members.extend(content.map(|it| ("content", it)));
    members.extend(is_error.map(|it| ("is_error", Json::small(it))));
    Json::Object(members)
}

/// The Python package (`anthropic.lib.tools.mcp`), errors included.
impl Compat for Anthropic {
    fn compat<'a>(&self, of: Source<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
        let view = of.view?;
        let out = content(&view)?;
        let is_error = Some(view.is_error);
        Ok(out.map(|content| tool_result(of.call.id, Some(content), is_error)))
    }
}

fn content<'a>(view: &ResultView<'a>) -> Result<Conversion<'a, Json<'a>>, ConvertError> {
    let alone = view.non_null_structured().filter(|_| !view.is_error);
    if let (true, Some(value)) = (view.blocks.is_empty(), alone) {
        let content = Json::Encoded(Cow::Borrowed(value));
        return Ok(Conversion::new(content, view));
    }
    let mut losses = Losses::default();
    let mut blocks = Vec::with_capacity(view.blocks.len());
    for (index, block) in view.blocks.iter().enumerate() {
        annotations_lost(&mut losses, index, block);
        let untyped = |mime_type: Option<&str>, what: &str| ConvertError::Unsupported {
            index,
            what: format!("{} {what}", mime_type.unwrap_or("untyped")),
        };
        blocks.push(match &block.body {
            Body::Text(text) => Json::text_block(text.clone().into()),
            Body::Media(What::Image, it) => {
                let made = picture(it.blob, it.mime_type);
                made.ok_or_else(|| untyped(it.mime_type, "image"))?
            }
            Body::Media(What::File, resource) => {
                let made = contents(resource);
                let made = made.ok_or_else(|| untyped(resource.mime_type, "resource"))?;
                if resource.uri.is_some() {
                    member_lost(&mut losses, Some(index), "resource.uri");
                }
                made
            }
            _ => return Err(no_form(index, block.kind())),
        });
    }
    Ok(converted(Json::Array(blocks), losses, view))
}

/// Pictures and PDF files need bytes, text needs `text/*` or no type at all; an empty type is neither.
fn contents<'a>(resource: &ResourceContentsRef<'a>) -> Option<Json<'a>> {
    let is_text = resource.mime_type.is_none_or(|it| it.starts_with("text/"));
    // A blank one as well, which has no form in the row.
    let plain = |text: Cow<'a, str>| {
        let source = Json::object([
            ("type", "text".into()),
            ("media_type", "text/plain".into()),
            ("data", text.into()),
        ]);
        Json::object([("type", "document".into()), ("source", source)])
    };
    if let Some(text) = resource.text {
        return is_text.then(|| plain(text.into()));
    }
    let (data, mime_type) = (resource.blob, resource.mime_type);
    if mime_type == Some("application/pdf") {
        return CARRIER.as_came(What::File, data, mime_type, None);
    }
    picture(data, mime_type).or_else(|| {
        let bytes = encoding::decode_like_python(data?).filter(|_| is_text)?;
        Some(plain(String::from_utf8(bytes).ok()?.into()))
    })
}

fn picture<'a>(data: Option<&'a str>, mime_type: Option<&'a str>) -> Option<Json<'a>> {
    let mime_type = mime_type.filter(|it| phrases::have(PICTURES, it));
    CARRIER.as_came(What::Image, data, mime_type, None)
}
