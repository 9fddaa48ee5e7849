//! How a server identifies itself, independent of any revision.

use crate::Icon;

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

    setters! {
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// With a description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// With a home page.
        with_website_url(website_url: impl Into<String>) { website_url = Some(website_url.into()) }
        /// With one more icon.
        with_icon(icon: Icon) { icons.push(icon) }
    }
}
