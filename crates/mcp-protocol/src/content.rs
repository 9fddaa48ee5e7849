//! Content blocks, independent of any revision; blocks and members that no revision defines are kept.

use serde_json::{Number, Value};

pub use crate::json::text_equals;
use crate::{Icon, Object};

/// One block of a result's `content`.
///
/// Members that the specification does not define are passed on, and so are members whose
/// value is of the wrong kind; a block that cannot be read at all is [`ContentBlock::Other`].
/// Source: `ContentBlock` in `schema.ts` of 2024-11-05 to 2026-07-28.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// A picture.
    Image(MediaContent),
    /// A sound; a text note where the revision has no audio (before 2025-03-26).
    Audio(MediaContent),
    /// A link to a resource; text where the revision has no links (before 2025-06-18).
    ResourceLink(Box<ResourceLink>),
    /// A resource with its contents.
    Resource(Box<EmbeddedResource>),
    /// A block that no revision defines, as the peer sent it.
    Other(Value),
}

/// Text, with its attributes.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Annotations, `_meta` and unknown members.
    pub attributes: BlockAttributes,
}

/// A picture or a sound.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MediaContent {
    /// Standard Base64 of the bytes, with padding; kept as it came, never decoded here.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Annotations, `_meta` and unknown members.
    pub attributes: BlockAttributes,
}

/// A link to a resource that a client can read.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceLink {
    /// Its address.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// The name shown to people.
    pub title: Option<String>,
    /// What it contains.
    pub description: Option<String>,
    /// For example `text/csv`.
    pub mime_type: Option<String>,
    /// Bytes.
    pub size: Option<u64>,
    /// Objects like [`Icon`], as the peer sent them.
    pub icons: Option<Vec<Value>>,
    /// Annotations, `_meta` and unknown members.
    pub attributes: BlockAttributes,
}

/// A resource with its contents.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Annotations, `_meta` and unknown members of the block.
    pub attributes: BlockAttributes,
}

/// The contents of a resource: text or Base64. Peers have sent both, and neither; both are kept.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceContents {
    /// Its address.
    pub uri: String,
    /// For example `text/csv`.
    pub mime_type: Option<String>,
    /// The contents, if they are text.
    pub text: Option<String>,
    /// Standard Base64 of the contents, if they are not.
    pub blob: Option<String>,
    /// `_meta` of the contents.
    pub meta: Option<Object>,
    /// Unknown members.
    pub extra: Object,
}

/// The members that every kind of block may carry.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct BlockAttributes {
    /// Whom it is for, and how important it is.
    pub annotations: Option<Annotations>,
    /// `_meta` of the block.
    pub meta: Option<Object>,
    /// Members that no revision defines, or whose value is of the wrong kind.
    pub extra: Object,
}

impl BlockAttributes {
    pub(crate) fn are_empty(&self) -> bool {
        self.annotations.is_none() && self.meta.is_none() && self.extra.is_empty()
    }
}

/// Whom something is for, and how important it is.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Annotations {
    /// Whom it is for; absent and empty mean everyone.
    pub audience: Option<Vec<Role>>,
    /// From 0 (optional) to 1 (required), with the digits it came with.
    pub priority: Option<Number>,
    /// ISO 8601.
    pub last_modified: Option<String>,
    /// Unknown members.
    pub extra: Object,
}

/// A participant of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A role that no revision defines.
    Other(String),
}

/// The role with this name on the wire.
impl From<&str> for Role {
    fn from(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            _ => Self::Other(name.to_owned()),
        }
    }
}

impl Role {
    /// The name on the wire.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other(name) => name,
        }
    }
}

impl MediaContent {
    pub(crate) fn new(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self {
            data: data.into(),
            mime_type: mime_type.into(),
            attributes: BlockAttributes::default(),
        }
    }
}

impl ResourceLink {
    /// A link with nothing but its address and name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    setters! {
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// With a description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// With a MIME type.
        with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
        /// With a size in bytes.
        with_size(size: u64) { size = Some(size) }
        /// With one more icon.
        with_icon(icon: &Icon) { icons.get_or_insert_default().push(icon.to_value()) }
    }
}

impl From<ResourceLink> for ContentBlock {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(Box::new(link))
    }
}

impl ResourceContents {
    /// Contents that are text.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Contents that are bytes, from standard Base64 with padding.
    pub fn blob(uri: impl Into<String>, blob: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            blob: Some(blob.into()),
            ..Self::default()
        }
    }

    setters! {
        /// With a MIME type.
        with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
        /// With `_meta`.
        with_meta(meta: Object) { meta = Some(meta) }
    }
}

impl Annotations {
    setters! {
        /// For these readers only.
        with_audience(audience: Vec<Role>) { audience = Some(audience) }
        /// With an importance from 0 (optional) to 1 (required).
        with_priority(priority: Number) { priority = Some(priority) }
        /// With the time of its last change, as ISO 8601.
        with_last_modified(last_modified: impl Into<String>) { last_modified = Some(last_modified.into()) }
    }
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            attributes: BlockAttributes::default(),
        })
    }

    /// A picture, from standard Base64 with padding (RFC 4648 §4).
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(MediaContent::new(data, mime_type))
    }

    /// A sound, from standard Base64 with padding.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(MediaContent::new(data, mime_type))
    }

    /// A link with nothing but its address and name; a [`ResourceLink`] can have more.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        ResourceLink::new(uri, name).into()
    }

    /// A resource with its contents.
    #[must_use]
    pub fn resource(contents: ResourceContents) -> Self {
        Self::Resource(Box::new(EmbeddedResource {
            resource: contents,
            attributes: BlockAttributes::default(),
        }))
    }

    /// The same block for these readers only; [`ContentBlock::Other`] stays as it is.
    #[must_use]
    pub fn with_audience(mut self, audience: Vec<Role>) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.annotations.get_or_insert_default().audience = Some(audience);
        }
        self
    }

    /// The same block with annotations; [`ContentBlock::Other`] stays as it is.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.annotations = Some(annotations);
        }
        self
    }

    /// The same block with `_meta`; [`ContentBlock::Other`] stays as it is.
    #[must_use]
    pub fn with_meta(mut self, meta: Object) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.meta = Some(meta);
        }
        self
    }

    /// Whom it is for, and how important it is; nothing for [`ContentBlock::Other`].
    #[must_use]
    pub fn annotations(&self) -> Option<&Annotations> {
        self.attributes()?.annotations.as_ref()
    }

    /// `_meta` of the block; nothing for [`ContentBlock::Other`].
    #[must_use]
    pub fn meta(&self) -> Option<&Object> {
        self.attributes()?.meta.as_ref()
    }

    pub(crate) fn attributes(&self) -> Option<&BlockAttributes> {
        match self {
            Self::Text(text) => Some(&text.attributes),
            Self::Image(media) | Self::Audio(media) => Some(&media.attributes),
            Self::ResourceLink(link) => Some(&link.attributes),
            Self::Resource(embedded) => Some(&embedded.attributes),
            Self::Other(_) => None,
        }
    }

    fn attributes_mut(&mut self) -> Option<&mut BlockAttributes> {
        match self {
            Self::Text(text) => Some(&mut text.attributes),
            Self::Image(media) | Self::Audio(media) => Some(&mut media.attributes),
            Self::ResourceLink(link) => Some(&mut link.attributes),
            Self::Resource(embedded) => Some(&mut embedded.attributes),
            Self::Other(_) => None,
        }
    }

    /// The block's `type` on the wire; empty for a block that has none.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::Image(_) => "image",
            Self::Audio(_) => "audio",
            Self::ResourceLink(_) => "resource_link",
            Self::Resource(_) => "resource",
            Self::Other(value) => value.get("type").and_then(Value::as_str).unwrap_or(""),
        }
    }
}

/// Returns how many bytes the Base64 text decodes to, by its length alone.
#[must_use]
pub fn decoded_len(text: &str) -> usize {
    let letters = text.trim_end_matches('=').len();
    letters / 4 * 3 + (letters % 4) * 3 / 4
}
