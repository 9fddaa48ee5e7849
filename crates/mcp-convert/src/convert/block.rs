//! Borrowed views of content blocks.

use std::borrow::Cow;

use mcp_protocol::{
    ContentBlock, Object,
    content::{MediaContent, ResourceContents, Role},
};
use serde_json::{Value, json};

use super::media::What;
/// A borrowed content block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRef<'a> {
    pub(crate) body: Body<'a>,
    /// Its audience is the user alone.
    pub(crate) for_user_only: bool,
    pub(crate) has_annotations: bool,
    pub(crate) meta: Option<&'a Object>,
    source: Source<'a>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Source<'a> {
    Json(&'a Value),
    Typed(&'a ContentBlock),
    Body,
}

/// What a block contains. Members that no target needs may be absent, even if the specification requires them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body<'a> {
    Text(Cow<'a, str>),
    /// A picture, a sound or the contents of a resource.
    Media(What, ResourceContentsRef<'a>),
    ResourceLink(LinkRef<'a>),
    /// Anything else.
    Other(Cow<'a, Value>),
}

impl Body<'_> {
    /// The same, but bytes that a server has put into the address are the contents.
    pub(super) fn inlined(self) -> Self {
        let is_data = |uri: &str| {
            let head = uri.strip_prefix("data:").and_then(|it| it.split_once(','));
            head.is_some_and(|(head, _)| head.ends_with(";base64"))
        };
        match self {
            Self::ResourceLink(link) if is_data(link.uri) => {
                let contents = ResourceContentsRef::default().with_blob(link.uri);
                Self::Media(What::File, contents.with_mime_type(link.mime_type))
            }
            Self::Media(what, it) if it.uri.is_some_and(is_data) => {
                let blob = it.blob.or(it.uri.filter(|_| it.text.is_none()));
                let it = it.with_blob(blob);
                Self::Media(what, ResourceContentsRef { uri: None, ..it })
            }
            other => other,
        }
    }
}

/// A link to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct LinkRef<'a> {
    pub(crate) uri: &'a str,
    pub(crate) name: Option<&'a str>,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) mime_type: Option<&'a str>,
    pub(crate) has_more: bool,
}

/// The contents of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ResourceContentsRef<'a> {
    pub(crate) uri: Option<&'a str>,
    pub(crate) mime_type: Option<&'a str>,
    pub(crate) text: Option<&'a str>,
    pub(crate) blob: Option<&'a str>,
}

impl<'a> LinkRef<'a> {
    /// Creates a link to this URI.
    #[must_use]
    pub fn new(uri: &'a str) -> Self {
        Self {
            uri,
            ..Self::default()
        }
    }

    /// Whether it says that it leads to a picture.
    pub(super) fn is_picture(&self) -> bool {
        self.mime_type.is_some_and(|it| it.starts_with("image/"))
    }

    mcp_protocol::setters! {
        /// Sets the name.
        with_name(name: impl Into<Option<&'a str>>) { name = name.into() }
        /// Sets the title, a name for people.
        with_title(title: impl Into<Option<&'a str>>) { title = title.into() }
        /// Sets the description.
        with_description(description: impl Into<Option<&'a str>>) { description = description.into() }
        /// Sets the MIME type.
        with_mime_type(mime_type: impl Into<Option<&'a str>>) { mime_type = mime_type.into() }
        /// Sets whether the link has a size or icons.
        with_size_or_icons(has_more: bool) { has_more = has_more }
    }
}

impl<'a> ResourceContentsRef<'a> {
    /// Creates the contents of the resource at this URI, without text or data.
    pub fn new(uri: impl Into<Option<&'a str>>) -> Self {
        Self {
            uri: uri.into(),
            ..Self::default()
        }
    }

    mcp_protocol::setters! {
        /// Sets the MIME type.
        with_mime_type(mime_type: impl Into<Option<&'a str>>) { mime_type = mime_type.into() }
        /// Sets the contents to text.
        with_text(text: impl Into<Option<&'a str>>) { text = text.into() }
        /// Sets the contents to base64-encoded data.
        with_blob(blob: impl Into<Option<&'a str>>) { blob = blob.into() }
    }
}

impl<'a> From<&'a ResourceContents> for ResourceContentsRef<'a> {
    fn from(contents: &'a ResourceContents) -> Self {
        Self {
            uri: Some(&contents.uri),
            mime_type: contents.mime_type.as_deref(),
            text: contents.text.as_deref(),
            blob: contents.blob.as_deref(),
        }
    }
}

impl<'a> From<LinkRef<'a>> for BlockRef<'a> {
    fn from(link: LinkRef<'a>) -> Self {
        Self::new(Body::ResourceLink(link))
    }
}

impl<'a> From<ResourceContentsRef<'a>> for BlockRef<'a> {
    fn from(resource: ResourceContentsRef<'a>) -> Self {
        Self::new(Body::Media(What::File, resource))
    }
}

impl<'a> BlockRef<'a> {
    fn new(body: Body<'a>) -> Self {
        Self {
            body,
            for_user_only: false,
            has_annotations: false,
            meta: None,
            source: Source::Body,
        }
    }

    mcp_protocol::setters! {
        /// Sets `_meta`.
        with_meta(meta: Option<&'a Object>) { meta = meta }
    }

    /// Marks the block as annotated, and sets whether the user is its only audience.
    #[must_use]
    pub fn with_user_only_audience(mut self, for_user_only: bool) -> Self {
        self.has_annotations = true;
        self.for_user_only = for_user_only;
        self
    }

    fn bytes(what: What, data: &'a str, mime_type: impl Into<Option<&'a str>>) -> Self {
        let media = ResourceContentsRef::default().with_blob(data);
        Self::new(Body::Media(what, media.with_mime_type(mime_type)))
    }

    /// Creates a text block.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Body::Text(text.into()))
    }

    /// Creates an image from base64-encoded data, and its MIME type if known.
    pub fn image(data: &'a str, mime_type: impl Into<Option<&'a str>>) -> Self {
        Self::bytes(What::Image, data, mime_type)
    }

    /// Creates audio from base64-encoded data, and its MIME type if known.
    pub fn audio(data: &'a str, mime_type: impl Into<Option<&'a str>>) -> Self {
        Self::bytes(What::Audio, data, mime_type)
    }

    /// Creates a block of a type that no revision defines.
    #[must_use]
    pub fn other(json: Cow<'a, Value>) -> Self {
        Self::new(Body::Other(json))
    }

    /// Creates a view of a block in JSON. If fields that targets require are missing, the block has an unknown type.
    #[must_use]
    pub fn read(value: &'a Value) -> Self {
        let string = |name: &str| value.get(name).and_then(Value::as_str);
        let mime_type = string("mimeType");
        let bytes = |what| Some(Self::bytes(what, string("data")?, mime_type).body);
        let body = match string("type") {
            Some("text") => string("text").map(|it| Body::Text(it.into())),
            Some("image") => bytes(What::Image),
            Some("audio") => bytes(What::Audio),
            Some("resource_link") => string("uri").map(|uri| {
                Body::ResourceLink(LinkRef {
                    uri,
                    name: string("name"),
                    title: string("title"),
                    description: string("description"),
                    mime_type,
                    has_more: value.get("size").is_some() || value.get("icons").is_some(),
                })
            }),
            Some("resource") => value.get("resource").and_then(Value::as_object).map(|it| {
                let string = |name: &str| it.get(name).and_then(Value::as_str);
                let resource = ResourceContentsRef {
                    uri: string("uri"),
                    mime_type: string("mimeType"),
                    text: string("text"),
                    blob: string("blob"),
                };
                Body::Media(What::File, resource)
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

    /// A view of this block.
    #[must_use]
    pub(crate) fn of(block: &'a ContentBlock) -> Self {
        let bytes =
            |what, it: &'a MediaContent| Self::bytes(what, &it.data, it.mime_type.as_str()).body;
        let body = match block {
            ContentBlock::Other(value) => return Self::read(value),
            ContentBlock::Text(text) => Body::Text(text.text.as_str().into()),
            ContentBlock::Image(it) => bytes(What::Image, it),
            ContentBlock::Audio(it) => bytes(What::Audio, it),
            ContentBlock::ResourceLink(link) => Body::ResourceLink(LinkRef {
                uri: &link.uri,
                name: Some(&link.name),
                mime_type: link.mime_type.as_deref(),
                title: link.title.as_deref(),
                description: link.description.as_deref(),
                has_more: link.size.is_some() || link.icons.is_some(),
            }),
            ContentBlock::Resource(it) => Body::Media(What::File, (&it.resource).into()),
            other => Body::Other(Cow::Owned(other.to_value())),
        };
        let annotations = block.annotations();
        let audience = annotations.and_then(|it| it.audience.as_ref());
        Self {
            body,
            for_user_only: audience
                .is_some_and(|it| !it.is_empty() && it.iter().all(|role| *role == Role::User)),
            has_annotations: annotations.is_some(),
            meta: block.meta(),
            source: Source::Typed(block),
        }
    }

    /// The block's `type`; empty if it has none.
    pub(crate) fn kind(&self) -> &str {
        let Body::Other(value) = &self.body else {
            return self.known_kind();
        };
        value.get("type").and_then(Value::as_str).unwrap_or("")
    }

    /// The same of a type that a revision defines.
    pub(super) fn known_kind(&self) -> &'static str {
        match self.body {
            Body::Text(_) => "text",
            Body::Media(What::File, _) => "resource",
            Body::Media(what, _) => what.name(),
            Body::ResourceLink(_) => "resource_link",
            Body::Other(_) => "",
        }
    }

    /// The block as JSON: as it came, or made from what it holds.
    pub(crate) fn to_json(&self) -> Cow<'a, Value> {
        match self.source {
            Source::Json(value) => Cow::Borrowed(value),
            Source::Typed(block) => Cow::Owned(block.to_value()),
            Source::Body => Cow::Owned(body_json(&self.body)),
        }
    }
}

/// A block of a foreign type, in members that every revision knows.
fn body_json(body: &Body<'_>) -> Value {
    let mut block = match body {
        Body::Text(text) => json!({"type": "text", "text": text}),
        Body::Media(What::File, it) => json!({"type": "resource", "resource": {
            "uri": it.uri, "mimeType": it.mime_type, "text": it.text, "blob": it.blob,
        }}),
        Body::Media(what, it) => {
            json!({"type": what.name(), "data": it.blob, "mimeType": it.mime_type})
        }
        Body::ResourceLink(it) => json!({
            "type": "resource_link", "uri": it.uri, "name": it.name, "title": it.title,
            "description": it.description, "mimeType": it.mime_type,
        }),
        Body::Other(value) => return value.clone().into_owned(),
    };
    for object in ["", "/resource"] {
        if let Some(Value::Object(object)) = block.pointer_mut(object) {
            object.retain(|_, it| !it.is_null());
        }
    }
    block
}
