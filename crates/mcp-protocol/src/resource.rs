//! Resources as a client sees them, and their contents, independent of any revision.

use crate::{
    CacheHint, Icon, Object,
    content::{Annotations, ResourceContents},
};

/// A resource (`Resource` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Resource {
    /// Its address; unique.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// The name shown to people, from 2025-06-18 on.
    pub title: Option<String>,
    /// What it contains.
    pub description: Option<String>,
    /// For example `text/csv`.
    pub mime_type: Option<String>,
    /// Bytes, before any encoding.
    pub size: Option<u64>,
    /// Whom it is for, and how important it is.
    pub annotations: Option<Annotations>,
    /// From 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// Resources whose addresses follow a pattern (`ResourceTemplate` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The pattern (RFC 6570); unique.
    pub uri_template: String,
    /// A short name.
    pub name: String,
    /// The name shown to people, from 2025-06-18 on.
    pub title: Option<String>,
    /// What the resources contain.
    pub description: Option<String>,
    /// Their MIME type, if all have the same.
    pub mime_type: Option<String>,
    /// Whom they are for, and how important they are.
    pub annotations: Option<Annotations>,
    /// From 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// The contents of a resource, as `resources/read` returns them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadResourceResult {
    /// One entry for each part; never empty.
    pub contents: Vec<ResourceContents>,
    /// How long a client may cache it, from 2026-07-28 on.
    pub cache: CacheHint,
    /// `_meta`.
    pub meta: Object,
}

/// The setters that resources and templates share.
macro_rules! described {
    ($type:ty) => {
        impl $type {
            setters! {
                /// With a title.
                with_title(title: impl Into<String>) { title = Some(title.into()) }
                /// With a description.
                with_description(description: impl Into<String>) { description = Some(description.into()) }
                /// With a MIME type.
                with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
                /// With annotations.
                with_annotations(annotations: Annotations) { annotations = Some(annotations) }
                /// With one more icon.
                with_icon(icon: Icon) { icons.push(icon) }
                /// With `_meta`, which replaces any set before.
                with_meta(meta: Object) { meta = meta }
            }
        }
    };
}

described!(Resource);
described!(ResourceTemplate);

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

    setters! {
        /// With a size in bytes.
        with_size(size: u64) { size = Some(size) }
    }
}

impl ResourceTemplate {
    /// A template with nothing but its pattern, name and description.
    pub fn new(
        uri_template: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            uri_template: uri_template.into(),
            name: name.into(),
            description: Some(description.into()),
            ..Self::default()
        }
    }
}

impl ReadResourceResult {
    /// These parts, not to be cached.
    #[must_use]
    pub fn new(contents: Vec<ResourceContents>) -> Self {
        Self {
            contents,
            cache: CacheHint::NONE,
            meta: Object::new(),
        }
    }

    /// Text, not to be cached.
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::new(vec![
            ResourceContents::text(uri, text).with_mime_type(mime_type),
        ])
    }

    /// Bytes, from standard Base64 with padding, not to be cached.
    pub fn blob(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        blob: impl Into<String>,
    ) -> Self {
        Self::new(vec![
            ResourceContents::blob(uri, blob).with_mime_type(mime_type),
        ])
    }

    setters! {
        /// With a cache hint.
        with_cache(cache: CacheHint) { cache = cache }
        /// With `_meta`, which replaces any set before.
        with_meta(meta: Object) { meta = meta }
    }
}
