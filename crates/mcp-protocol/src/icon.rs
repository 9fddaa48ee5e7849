//! Icons of tools, resources, prompts and servers.

use serde_json::Value;

use crate::{
    Object,
    json::{put, put_some},
};

/// An icon (`Icon` of 2025-11-25 and later). It is left out in older revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Icon {
    /// An `https:` URL on the server's own domain, or a `data:` URI.
    pub src: String,
    /// The MIME type, for a source with a missing or generic one.
    pub mime_type: Option<String>,
    /// The sizes that the icon is made for, such as `48x48`, or `any` for scalable formats. Empty means any size.
    pub sizes: Vec<String>,
    /// The background that the icon is made for. `None` means any.
    pub theme: Option<Theme>,
}

/// The background that an icon is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Theme {
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

impl Icon {
    /// Creates an icon for any size and background.
    pub fn new(src: impl Into<String>) -> Self {
        Self {
            src: src.into(),
            mime_type: None,
            sizes: Vec::new(),
            theme: None,
        }
    }

    setters! {
        /// Sets the MIME type.
        with_mime_type(mime_type: impl Into<String>) { mime_type = Some(mime_type.into()) }
        /// Adds a size.
        with_size(size: impl Into<String>) { sizes.push(size.into()) }
        /// Sets the theme.
        with_theme(theme: Theme) { theme = Some(theme) }
    }

    /// Returns the wire form.
    pub(crate) fn to_value(&self) -> Value {
        let mut object = Object::new();
        put(&mut object, "src", self.src.as_str());
        put_some(&mut object, "mimeType", self.mime_type.as_deref());
        if !self.sizes.is_empty() {
            put(&mut object, "sizes", self.sizes.clone());
        }
        let theme = self.theme.map(|it| match it {
            Theme::Light => "light",
            Theme::Dark => "dark",
        });
        put_some(&mut object, "theme", theme);
        Value::Object(object)
    }
}
