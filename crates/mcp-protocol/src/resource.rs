//! Resources and their contents, independent of any revision.

use crate::{
    CacheHint, Icon, Object,
    content::{Annotations, ResourceContents},
};

/// A resource (`Resource` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Resource {
    /// The URI, unique on the server.
    pub uri: String,
    /// A short name.
    pub name: String,
    /// The display name, from 2025-06-18 on.
    pub title: Option<String>,
    /// A description of the contents.
    pub description: Option<String>,
    /// The MIME type, for example `text/csv`.
    pub mime_type: Option<String>,
    /// The size in bytes, before any encoding.
    pub size: Option<u64>,
    /// The intended audience and the importance.
    pub annotations: Option<Annotations>,
    /// The icons, from 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// A template for resources whose URIs follow a pattern (`ResourceTemplate` of all revisions).
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ResourceTemplate {
    /// The URI template (RFC 6570), unique on the server.
    pub uri_template: String,
    /// A short name.
    pub name: String,
    /// The display name, from 2025-06-18 on.
    pub title: Option<String>,
    /// A description of the resources.
    pub description: Option<String>,
    /// The MIME type, if all resources have the same one.
    pub mime_type: Option<String>,
    /// The intended audience and the importance.
    pub annotations: Option<Annotations>,
    /// The icons, from 2025-11-25 on.
    pub icons: Vec<Icon>,
    /// `_meta`, from 2025-06-18 on.
    pub meta: Object,
}

/// The result of `resources/read`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadResourceResult {
    /// The parts, never empty.
    pub contents: Vec<ResourceContents>,
    /// The cache hint, from 2026-07-28 on.
    pub cache: CacheHint,
    /// `_meta`.
    pub meta: Object,
}

/// The setters that resources and templates share.
macro_rules! described {
    ($type:ty) => {
        impl $type {
            setters! {
                /// Sets the title.
                with_title(title: impl Into<String>) { title = Some(title.into()) }
                /// Sets the description.
                with_description(description: impl Into<String>) { description = Some(description.into()) }
                /// Sets the MIME type.
                with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
                /// Sets the annotations.
                with_annotations(annotations: Annotations) { annotations = Some(annotations) }
                /// Adds an icon.
                with_icon(icon: Icon) { icons.push(icon) }
                /// Sets `_meta`, replacing any previous value.
                with_meta(meta: Object) { meta = meta }
            }
        }
    };
}

described!(Resource);
described!(ResourceTemplate);

impl Resource {
    /// Creates a resource with a URI, a name and a description.
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
        /// Sets the size in bytes.
        with_size(size: u64) { size = Some(size) }
    }
}

impl ResourceTemplate {
    /// Creates a template with a URI template, a name and a description.
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
    /// Creates a result with these parts. It must not be cached.
    #[must_use]
    pub fn new(contents: Vec<ResourceContents>) -> Self {
        Self {
            contents,
            cache: CacheHint::NONE,
            meta: Object::new(),
        }
    }

    /// Creates a result with one text part. It must not be cached.
    pub fn text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        Self::new(vec![
            ResourceContents::text(uri, text).with_mime_type(mime_type),
        ])
    }

    /// Creates a result with one binary part, from standard base64 with padding. It must not be cached.
    pub fn blob_base64(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        blob: impl Into<String>,
    ) -> Self {
        Self::new(vec![
            ResourceContents::blob_base64(uri, blob).with_mime_type(mime_type),
        ])
    }

    setters! {
        /// Sets the cache hint.
        with_cache(cache: CacheHint) { cache = cache }
        /// Sets `_meta`, replacing any previous value.
        with_meta(meta: Object) { meta = meta }
    }
}
