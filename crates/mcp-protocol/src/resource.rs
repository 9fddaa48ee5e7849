//! Resources as they describe themselves, and what they hold, free of any revision.

use serde_json::Value;

use crate::{
    Object,
    content::{Annotations, ResourceContents},
    render::CacheHint,
};

/// A resource as a client sees it (`Resource` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resource {
    /// Where it is; unique.
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
    /// For whom, and how important.
    pub annotations: Option<Annotations>,
    /// Objects like `Icon` of 2025-11-25.
    pub icons: Option<Vec<Value>>,
}

/// Resources whose addresses follow a pattern (`ResourceTemplate` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceTemplate {
    /// The pattern (RFC 6570); unique.
    pub uri_template: String,
    /// A short name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What they hold.
    pub description: Option<String>,
    /// Their type, if all have the same.
    pub mime_type: Option<String>,
    /// For whom, and how important.
    pub annotations: Option<Annotations>,
    /// Objects like `Icon` of 2025-11-25.
    pub icons: Option<Vec<Value>>,
}

/// What a resource holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadResourceResult {
    /// One entry a part; never empty.
    pub contents: Vec<ResourceContents>,
    /// How long it may be kept, from 2026-07-28 on.
    pub cache: CacheHint,
    /// `_meta` members.
    pub meta: Object,
}

impl Resource {
    /// A resource with nothing but its address, name and description.
    pub fn new(
        uri: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            uri: uri.into(),
            name: name.into(),
            description: Some(description.into()),
            ..Self::default()
        }
    }

    /// With a type.
    #[must_use]
    pub fn with_mime_type(mut self, mime_type: impl Into<String>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }
}

impl ReadResourceResult {
    /// Text, not to be kept.
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::one(ResourceContents {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            text: Some(text.into()),
            ..ResourceContents::default()
        })
    }

    /// Bytes, from standard Base64 with padding, not to be kept.
    pub fn blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        blob: impl Into<String>,
    ) -> Self {
        Self::one(ResourceContents {
            uri: uri.into(),
            mime_type: Some(mime_type.into()),
            blob: Some(blob.into()),
            ..ResourceContents::default()
        })
    }

    fn one(contents: ResourceContents) -> Self {
        Self {
            contents: vec![contents],
            cache: CacheHint::NONE,
            meta: Object::new(),
        }
    }
}
