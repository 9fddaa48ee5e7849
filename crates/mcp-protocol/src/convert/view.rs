//! A result as every target reads it: borrowed, whatever type holds it.

use std::borrow::Cow;

use serde_json::Value;

use crate::{
    Object,
    content::{ContentBlock, Role},
    parse::{Head, NotAToolResult},
    render,
    result::CallToolResult,
};

/// A type that holds a tool result.
///
/// Implemented for [`Value`] and [`CallToolResult`]. For a type of another crate, wrap it and list its blocks:
///
/// ```
/// use mcp_protocol::{convert::{AsToolResult, BlockRef, ResultView}, parse::NotAToolResult};
///
/// struct Theirs { lines: Vec<String>, failed: bool }
/// struct Ours<'a>(&'a Theirs);
///
/// impl AsToolResult for Ours<'_> {
///     fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
///         let blocks = self.0.lines.iter().map(|line| BlockRef::text(line)).collect();
///         Ok(ResultView::new(blocks).failed(self.0.failed))
///     }
/// }
/// ```
pub trait AsToolResult {
    /// The result.
    ///
    /// # Errors
    /// The value is none.
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult>;

    /// The JSON it was, if it was. One vendor has a form for what is no result at all.
    fn as_json(&self) -> Option<&Value> {
        None
    }
}

/// A borrowed result. Making one of JSON or of a [`CallToolResult`] allocates nothing.
#[derive(Debug, Clone)]
pub struct ResultView<'a> {
    blocks: Blocks<'a>,
    structured: Option<&'a Value>,
    is_error: bool,
    meta: Option<&'a Object>,
    has_content: bool,
}

#[derive(Debug, Clone)]
enum Blocks<'a> {
    Json(&'a [Value]),
    Typed(&'a [ContentBlock]),
    Listed(Vec<BlockRef<'a>>),
}

impl<'a> ResultView<'a> {
    /// A success of these blocks.
    #[must_use]
    pub fn new(blocks: Vec<BlockRef<'a>>) -> Self {
        Self {
            blocks: Blocks::Listed(blocks),
            structured: None,
            is_error: false,
            meta: None,
            has_content: true,
        }
    }

    /// The same with a structured value.
    #[must_use]
    pub fn with_structured(self, structured: Option<&'a Value>) -> Self {
        Self { structured, ..self }
    }

    /// The same with `isError`.
    #[must_use]
    pub fn failed(self, is_error: bool) -> Self {
        Self { is_error, ..self }
    }

    /// The same with `_meta`.
    #[must_use]
    pub fn with_meta(self, meta: Option<&'a Object>) -> Self {
        Self { meta, ..self }
    }

    /// The structured value; `null` is one.
    #[must_use]
    pub fn structured(&self) -> Option<&'a Value> {
        self.structured
    }

    /// Whether the tool failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// `_meta` of the result.
    #[must_use]
    pub fn meta(&self) -> Option<&'a Object> {
        self.meta
    }

    /// How many blocks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.blocks {
            Blocks::Json(blocks) => blocks.len(),
            Blocks::Typed(blocks) => blocks.len(),
            Blocks::Listed(blocks) => blocks.len(),
        }
    }

    /// Whether there are no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The block at this place.
    #[must_use]
    pub fn block(&self, index: usize) -> Option<BlockRef<'a>> {
        match &self.blocks {
            Blocks::Json(blocks) => blocks.get(index).map(BlockRef::from_json),
            Blocks::Typed(blocks) => blocks.get(index).map(BlockRef::from_block),
            Blocks::Listed(blocks) => blocks.get(index).cloned(),
        }
    }

    /// The blocks, first to last.
    pub fn blocks(&self) -> impl Iterator<Item = BlockRef<'a>> + '_ {
        (0..self.len()).filter_map(|index| self.block(index))
    }

    /// The structured value, if it says something to a model.
    pub(crate) fn said(&self) -> Option<&'a Value> {
        self.structured.filter(|it| !it.is_null())
    }

    /// Whether the member `content` was there.
    pub(crate) fn has_content(&self) -> bool {
        self.has_content
    }
}

impl AsToolResult for Value {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        let head = Head::read(self)?;
        Ok(ResultView {
            blocks: Blocks::Json(head.content.unwrap_or_default()),
            structured: head.structured,
            is_error: head.is_error.unwrap_or(false),
            meta: head.object.get("_meta").and_then(Value::as_object),
            has_content: head.content.is_some(),
        })
    }

    fn as_json(&self) -> Option<&Value> {
        Some(self)
    }
}

impl AsToolResult for CallToolResult {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        Ok(ResultView {
            blocks: Blocks::Typed(&self.content),
            structured: self.structured_content.as_ref(),
            is_error: self.is_error,
            meta: Some(&self.meta).filter(|it| !it.is_empty()),
            has_content: true,
        })
    }
}

impl AsToolResult for ResultView<'_> {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        Ok(self.clone())
    }
}

impl<T: AsToolResult + ?Sized> AsToolResult for &T {
    fn view(&self) -> Result<ResultView<'_>, NotAToolResult> {
        (**self).view()
    }

    fn as_json(&self) -> Option<&Value> {
        (**self).as_json()
    }
}

/// A borrowed block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRef<'a> {
    /// What it holds.
    pub body: Body<'a>,
    /// Its audience is the user alone.
    pub for_user_only: bool,
    /// It has annotations.
    pub has_annotations: bool,
    /// `_meta` of the block.
    pub meta: Option<&'a Object>,
    source: Source<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source<'a> {
    Json(&'a Value),
    Typed(&'a ContentBlock),
    Body,
}

/// What a block holds. Members that targets can do without may be absent, even if the specification wants
/// them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A picture.
    Image(MediaRef<'a>),
    /// A sound.
    Audio(MediaRef<'a>),
    /// A link.
    ResourceLink(LinkRef<'a>),
    /// A resource with its contents.
    Resource(ResourceRef<'a>),
    /// Anything else.
    Other(Cow<'a, Value>),
}

/// Bytes as Base64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MediaRef<'a> {
    /// Base64.
    pub data: &'a str,
    /// For example `image/png`.
    pub mime_type: Option<&'a str>,
}

/// A link to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LinkRef<'a> {
    /// Where it is.
    pub uri: &'a str,
    /// A short name.
    pub name: Option<&'a str>,
    /// For example `text/csv`.
    pub mime_type: Option<&'a str>,
    /// It has a title, a description, a size or icons.
    pub has_details: bool,
}

/// The contents of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ResourceRef<'a> {
    /// Where it is.
    pub uri: Option<&'a str>,
    /// For example `application/pdf`.
    pub mime_type: Option<&'a str>,
    /// The contents, if they are text.
    pub text: Option<&'a str>,
    /// Base64 of the contents.
    pub blob: Option<&'a str>,
}

impl<'a> BlockRef<'a> {
    /// A block of this alone.
    #[must_use]
    pub fn new(body: Body<'a>) -> Self {
        Self {
            body,
            for_user_only: false,
            has_annotations: false,
            meta: None,
            source: Source::Body,
        }
    }

    /// A text block.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// A picture.
    #[must_use]
    pub fn image(data: &'a str, mime_type: &'a str) -> Self {
        let mime_type = Some(mime_type);
        Self::new(Body::Image(MediaRef { data, mime_type }))
    }

    /// The block that this JSON is; whatever lacks what targets need is [`Body::Other`].
    #[must_use]
    pub fn from_json(value: &'a Value) -> Self {
        let string = |name: &str| value.get(name).and_then(Value::as_str);
        let body = match string("type") {
            Some("text") => string("text").map(|it| Body::Text(it.into())),
            Some("image") => media(value).map(Body::Image),
            Some("audio") => media(value).map(Body::Audio),
            Some("resource_link") => string("uri").map(|uri| {
                let details = ["title", "description", "size", "icons"];
                Body::ResourceLink(LinkRef {
                    uri,
                    name: string("name"),
                    mime_type: string("mimeType"),
                    has_details: details.iter().any(|it| value.get(it).is_some()),
                })
            }),
            Some("resource") => value.get("resource").and_then(Value::as_object).map(|it| {
                let string = |name: &str| it.get(name).and_then(Value::as_str);
                Body::Resource(ResourceRef {
                    uri: string("uri"),
                    mime_type: string("mimeType"),
                    text: string("text"),
                    blob: string("blob"),
                })
            }),
            Some(_) | None => None,
        };
        let annotations = value.get("annotations").and_then(Value::as_object);
        let audience = annotations.and_then(|it| it.get("audience")?.as_array());
        Self {
            body: body.unwrap_or(Body::Other(Cow::Borrowed(value))),
            for_user_only: audience.is_some_and(|it| {
                !it.is_empty() && it.iter().all(|role| role.as_str() == Some("user"))
            }),
            has_annotations: annotations.is_some(),
            meta: value.get("_meta").and_then(Value::as_object),
            source: Source::Json(value),
        }
    }

    /// The block that this is.
    #[must_use]
    pub fn from_block(block: &'a ContentBlock) -> Self {
        let media = |media: &'a crate::content::Media| MediaRef {
            data: &media.data,
            mime_type: Some(&media.mime_type),
        };
        let body = match block {
            ContentBlock::Other(value) => return Self::from_json(value),
            ContentBlock::Text(text) => Body::Text(text.text.as_str().into()),
            ContentBlock::Image(it) => Body::Image(media(it)),
            ContentBlock::Audio(it) => Body::Audio(media(it)),
            ContentBlock::ResourceLink(link) => Body::ResourceLink(LinkRef {
                uri: &link.uri,
                name: Some(&link.name),
                mime_type: link.mime_type.as_deref(),
                has_details: link.title.is_some()
                    || link.description.is_some()
                    || link.size.is_some()
                    || link.icons.is_some(),
            }),
            ContentBlock::Resource(embedded) => Body::Resource(ResourceRef {
                uri: Some(&embedded.resource.uri),
                mime_type: embedded.resource.mime_type.as_deref(),
                text: embedded.resource.text.as_deref(),
                blob: embedded.resource.blob.as_deref(),
            }),
        };
        let attributes = block.attributes();
        let annotations = attributes.and_then(|it| it.annotations.as_ref());
        let audience = annotations.and_then(|it| it.audience.as_ref());
        Self {
            body,
            for_user_only: audience
                .is_some_and(|it| !it.is_empty() && it.iter().all(|role| *role == Role::User)),
            has_annotations: annotations.is_some(),
            meta: attributes.and_then(|it| it.meta.as_ref()),
            source: Source::Typed(block),
        }
    }

    /// The block's `type`; empty if it has none.
    #[must_use]
    pub fn kind(&self) -> &str {
        match &self.body {
            Body::Text(_) => "text",
            Body::Image(_) => "image",
            Body::Audio(_) => "audio",
            Body::ResourceLink(_) => "resource_link",
            Body::Resource(_) => "resource",
            Body::Other(value) => value.get("type").and_then(Value::as_str).unwrap_or(""),
        }
    }

    /// The block as JSON: as it came, or made from what it holds.
    #[must_use]
    pub fn to_json(&self) -> Cow<'a, Value> {
        match self.source {
            Source::Json(value) => Cow::Borrowed(value),
            Source::Typed(block) => Cow::Owned(render::block_as_received(block)),
            Source::Body => Cow::Owned(body_json(&self.body)),
        }
    }
}

fn media(value: &Value) -> Option<MediaRef<'_>> {
    Some(MediaRef {
        data: value.get("data")?.as_str()?,
        mime_type: value.get("mimeType").and_then(Value::as_str),
    })
}

/// A block of a foreign type, in members that every revision knows.
fn body_json(body: &Body<'_>) -> Value {
    let mut object = Object::new();
    let mut put = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            object.insert(name.to_owned(), value.into());
        }
    };
    match body {
        Body::Text(text) => {
            put("type", Some("text"));
            put("text", Some(text));
        }
        Body::Image(media) => {
            put("type", Some("image"));
            put("data", Some(media.data));
            put("mimeType", media.mime_type);
        }
        Body::Audio(media) => {
            put("type", Some("audio"));
            put("data", Some(media.data));
            put("mimeType", media.mime_type);
        }
        Body::ResourceLink(link) => {
            put("type", Some("resource_link"));
            put("uri", Some(link.uri));
            put("name", link.name);
            put("mimeType", link.mime_type);
        }
        Body::Resource(resource) => {
            put("uri", resource.uri);
            put("mimeType", resource.mime_type);
            put("text", resource.text);
            put("blob", resource.blob);
            let mut block = Object::new();
            block.insert("type".to_owned(), "resource".into());
            block.insert("resource".to_owned(), Value::Object(object));
            return Value::Object(block);
        }
        Body::Other(value) => return value.clone().into_owned(),
    }
    Value::Object(object)
}
