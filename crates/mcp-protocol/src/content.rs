//! Content blocks, independent of any revision. Blocks and fields that no revision defines are preserved.

use serde_json::{Number, Value};

pub use crate::json::text_equals;
use crate::{Icon, Object};

/// One block of a result's `content`.
///
/// Fields that the specification does not define are passed on, and so are fields with a value of the wrong type. An
/// undecodable block is [`ContentBlock::Other`]. Source: `ContentBlock` in `schema.ts` of 2024-11-05 to 2026-07-28.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextContent),
    /// An image.
    Image(MediaContent),
    /// Audio. It becomes a text note where the revision has no audio (before 2025-03-26).
    Audio(MediaContent),
    /// A link to a resource. It becomes text where the revision has no links (before 2025-06-18).
    ResourceLink(Box<ResourceLink>),
    /// An embedded resource with its contents.
    Resource(Box<EmbeddedResource>),
    /// A block that no revision defines, as the peer sent it.
    Other(Value),
}

/// Text and its attributes.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TextContent {
    /// The text.
    pub text: String,
    /// Annotations, `_meta` and unknown fields.
    pub attributes: BlockAttributes,
}

/// An image or audio.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct MediaContent {
    /// The data in standard base64 with padding, as it was received. This crate never decodes it.
    pub data: String,
    /// The MIME type, for example `image/png`.
    pub mime_type: String,
    /// Annotations, `_meta` and unknown fields.
    pub attributes: BlockAttributes,
}

/// A link to a resource that a client can read.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceLink {
    /// The URI.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// The display name.
    pub title: Option<String>,
    /// A description of the contents.
    pub description: Option<String>,
    /// The MIME type, for example `text/csv`.
    pub mime_type: Option<String>,
    /// The size in bytes.
    pub size: Option<u64>,
    /// The icons, as objects like [`Icon`], as the peer sent them.
    pub icons: Option<Vec<Value>>,
    /// Annotations, `_meta` and unknown fields.
    pub attributes: BlockAttributes,
}

/// An embedded resource with its contents.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EmbeddedResource {
    /// The contents.
    pub resource: ResourceContents,
    /// Annotations, `_meta` and unknown fields of the block.
    pub attributes: BlockAttributes,
}

/// The contents of a resource: text or base64-encoded data. Some peers send both or neither, and both forms are
/// preserved.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceContents {
    /// The URI.
    pub uri: String,
    /// The MIME type, for example `text/csv`.
    pub mime_type: Option<String>,
    /// The contents, if they are text.
    pub text: Option<String>,
    /// The contents in standard base64, if they are binary.
    pub blob: Option<String>,
    /// `_meta` of the contents.
    pub meta: Option<Object>,
    /// Unknown fields.
    pub extra: Object,
}

/// The fields common to all types of blocks.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct BlockAttributes {
    /// The intended audience and the importance.
    pub annotations: Option<Annotations>,
    /// `_meta` of the block.
    pub meta: Option<Object>,
    /// Unknown fields, and known ones with a value of the wrong type.
    pub extra: Object,
}

impl BlockAttributes {
    pub(crate) fn are_empty(&self) -> bool {
        self.annotations.is_none() && self.meta.is_none() && self.extra.is_empty()
    }
}

/// The intended audience and the importance of a block or resource.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Annotations {
    /// The intended audience. Both `None` and an empty list mean everyone.
    pub audience: Option<Vec<Role>>,
    /// The importance from 0 (optional) to 1 (required), with the digits as received.
    pub priority: Option<Number>,
    /// The time of the last change, in ISO 8601.
    pub last_modified: Option<String>,
    /// Unknown fields.
    pub extra: Object,
}

/// A participant of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A role that no revision defines.
    Other(String),
}

/// Returns the role with this wire name.
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
    /// Returns the wire name.
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
    /// Creates a link with a URI and a name.
    pub fn new(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            ..Self::default()
        }
    }

    setters! {
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// Sets the description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// Sets the MIME type.
        with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
        /// Sets the size in bytes.
        with_size(size: u64) { size = Some(size) }
        /// Adds an icon.
        with_icon(icon: &Icon) { icons.get_or_insert_default().push(icon.to_value()) }
    }
}

impl From<ResourceLink> for ContentBlock {
    fn from(link: ResourceLink) -> Self {
        Self::ResourceLink(Box::new(link))
    }
}

impl ResourceContents {
    /// Creates text contents.
    pub fn text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// Creates binary contents from standard base64 with padding.
    pub fn blob_base64(uri: impl Into<String>, blob: impl Into<String>) -> Self {
        Self {
            uri: uri.into(),
            blob: Some(blob.into()),
            ..Self::default()
        }
    }

    setters! {
        /// Sets the MIME type.
        with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
        /// Sets `_meta`.
        with_meta(meta: Object) { meta = Some(meta) }
    }
}

impl Annotations {
    setters! {
        /// Sets the audience.
        with_audience(audience: Vec<Role>) { audience = Some(audience) }
        /// Sets the importance, from 0 (optional) to 1 (required).
        with_priority(priority: Number) { priority = Some(priority) }
        /// Sets the time of the last change, in ISO 8601.
        with_last_modified(last_modified: impl Into<String>) { last_modified = Some(last_modified.into()) }
    }
}

impl ContentBlock {
    /// Creates a text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(TextContent {
            text: text.into(),
            attributes: BlockAttributes::default(),
        })
    }

    /// Creates an image block from standard base64 with padding (RFC 4648 §4).
    pub fn image_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(MediaContent::new(data, mime_type))
    }

    /// Creates an audio block from standard base64 with padding.
    pub fn audio_base64(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(MediaContent::new(data, mime_type))
    }

    /// Creates a link with a URI and a name. Use [`ResourceLink`] to set more.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        ResourceLink::new(uri, name).into()
    }

    /// Creates an embedded resource.
    #[must_use]
    pub fn resource(contents: ResourceContents) -> Self {
        Self::Resource(Box::new(EmbeddedResource {
            resource: contents,
            attributes: BlockAttributes::default(),
        }))
    }

    /// Sets the audience. [`ContentBlock::Other`] is unchanged.
    #[must_use]
    pub fn with_audience(mut self, audience: Vec<Role>) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.annotations.get_or_insert_default().audience = Some(audience);
        }
        self
    }

    /// Sets the annotations. [`ContentBlock::Other`] is unchanged.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.annotations = Some(annotations);
        }
        self
    }

    /// Sets `_meta`. [`ContentBlock::Other`] is unchanged.
    #[must_use]
    pub fn with_meta(mut self, meta: Object) -> Self {
        if let Some(attributes) = self.attributes_mut() {
            attributes.meta = Some(meta);
        }
        self
    }

    /// Returns the annotations. Returns `None` for [`ContentBlock::Other`].
    #[must_use]
    pub fn annotations(&self) -> Option<&Annotations> {
        self.attributes()?.annotations.as_ref()
    }

    /// Returns `_meta` of the block. Returns `None` for [`ContentBlock::Other`].
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

    /// Returns the block's `type` on the wire. Returns an empty string for a block without one.
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

/// Returns the size in bytes of the decoded base64 data, computed from its length only.
#[must_use]
pub fn decoded_len(text: &str) -> usize {
    let letters = text.trim_end_matches('=').len();
    letters / 4 * 3 + (letters % 4) * 3 / 4
}
