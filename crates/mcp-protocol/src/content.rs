//! Content blocks, free of any revision: everything that any revision can say, and what none of them knows.

use serde_json::{Number, Value};

use crate::Object;

/// One block of a result's `content`.
///
/// Members that the specification does not name are in [`Attributes::extra`], and so are members whose
/// value is of the wrong kind; a block that cannot be read at all is [`ContentBlock::Other`].
/// Source: `ContentBlock` in `schema.ts` of 2024-11-05 to 2026-07-28.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(Text),
    /// A picture.
    Image(Media),
    /// A sound; a note or an embedded resource where the revision has none (before 2025-03-26).
    Audio(Media),
    /// A link to something that `resources/read` would return; text where the revision has none.
    ResourceLink(Box<ResourceLink>),
    /// A resource with its contents.
    Resource(Box<Embedded>),
    /// What a peer sent and no revision describes, as it came.
    Other(Value),
}

/// Text, and what is said about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Annotations, `_meta` and unknown members.
    pub attributes: Attributes,
}

/// A picture or a sound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Media {
    /// Standard Base64 of the bytes, with padding; kept as it came, never decoded here.
    pub data: String,
    /// For example `image/png`.
    pub mime_type: String,
    /// Annotations, `_meta` and unknown members.
    pub attributes: Attributes,
}

/// Something that could be read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceLink {
    /// Where it is.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// For example `text/csv`.
    pub mime_type: Option<String>,
    /// Bytes.
    pub size: Option<u64>,
    /// Objects like `Icon` of 2025-11-25.
    pub icons: Option<Vec<Value>>,
    /// Annotations, `_meta` and unknown members.
    pub attributes: Attributes,
}

/// A resource with its contents.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Embedded {
    /// The contents.
    pub resource: ResourceContents,
    /// Annotations, `_meta` and unknown members of the block.
    pub attributes: Attributes,
}

/// The contents of a resource: text or Base64. Peers have sent both, and neither; both are kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceContents {
    /// Where it is.
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

/// What every kind of block may carry.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attributes {
    /// For whom, and how important.
    pub annotations: Option<Annotations>,
    /// `_meta` of the block.
    pub meta: Option<Object>,
    /// Members that no revision names, or whose value is of the wrong kind.
    pub extra: Object,
}

/// For whom a block is, and how important.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Annotations {
    /// For whom it is; absent and empty mean everyone.
    pub audience: Option<Vec<Role>>,
    /// From 0 (optional) to 1 (required), with the digits it came with.
    pub priority: Option<Number>,
    /// ISO 8601.
    pub last_modified: Option<String>,
    /// Unknown members.
    pub extra: Object,
}

/// Someone who may read a block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A role that no revision names.
    Other(String),
}

impl Role {
    /// The role with this name on the wire.
    #[must_use]
    pub fn new(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            _ => Self::Other(name.to_owned()),
        }
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other(name) => name,
        }
    }
}

impl ContentBlock {
    /// A text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text {
            text: text.into(),
            attributes: Attributes::default(),
        })
    }

    /// A picture, from standard Base64 with padding; [`crate::base64::encode`] makes it.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image(Media {
            data: data.into(),
            mime_type: mime_type.into(),
            attributes: Attributes::default(),
        })
    }

    /// A sound, from standard Base64 with padding.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio(Media {
            data: data.into(),
            mime_type: mime_type.into(),
            attributes: Attributes::default(),
        })
    }

    /// A link with nothing but its address and name.
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink(Box::new(ResourceLink {
            uri: uri.into(),
            name: name.into(),
            ..ResourceLink::default()
        }))
    }

    /// A resource whose contents are text.
    pub fn resource_text(uri: impl Into<String>, text: impl Into<String>) -> Self {
        Self::Resource(Box::new(Embedded {
            resource: ResourceContents {
                uri: uri.into(),
                text: Some(text.into()),
                ..ResourceContents::default()
            },
            attributes: Attributes::default(),
        }))
    }

    /// A resource whose contents are bytes, from standard Base64 with padding.
    pub fn resource_blob(
        uri: impl Into<String>,
        blob: impl Into<String>,
        mime_type: Option<String>,
    ) -> Self {
        Self::Resource(Box::new(Embedded {
            resource: ResourceContents {
                uri: uri.into(),
                blob: Some(blob.into()),
                mime_type,
                ..ResourceContents::default()
            },
            attributes: Attributes::default(),
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

    /// Annotations, `_meta` and unknown members; none for [`ContentBlock::Other`].
    #[must_use]
    pub fn attributes(&self) -> Option<&Attributes> {
        match self {
            Self::Text(text) => Some(&text.attributes),
            Self::Image(media) | Self::Audio(media) => Some(&media.attributes),
            Self::ResourceLink(link) => Some(&link.attributes),
            Self::Resource(embedded) => Some(&embedded.attributes),
            Self::Other(_) => None,
        }
    }

    fn attributes_mut(&mut self) -> Option<&mut Attributes> {
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
