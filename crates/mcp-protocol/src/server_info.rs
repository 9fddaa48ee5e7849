//! How a server identifies itself, independent of any revision.

use crate::icon::Icon;

/// The server's `serverInfo` (`Implementation` of all revisions).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The program's name.
    pub name: String,
    /// The program's version.
    pub version: String,
    /// The name shown to people, from 2025-06-18 on.
    pub title: Option<String>,
    /// What it serves, from 2025-11-25 on.
    pub description: Option<String>,
    /// Its home page, from 2025-11-25 on.
    pub website_url: Option<String>,
    /// From 2025-11-25 on.
    pub icons: Vec<Icon>,
}

impl ServerInfo {
    /// A server with nothing but its name and version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: version.into(),
            title: None,
            description: None,
            website_url: None,
            icons: Vec::new(),
        }
    }

    /// With a title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// With a description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// With a home page.
    #[must_use]
    pub fn with_website_url(mut self, website_url: impl Into<String>) -> Self {
        self.website_url = Some(website_url.into());
        self
    }

    /// With one more icon.
    #[must_use]
    pub fn with_icon(mut self, icon: Icon) -> Self {
        self.icons.push(icon);
        self
    }
}
