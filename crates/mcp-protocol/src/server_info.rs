//! The identity of a server, independent of any revision.

use crate::Icon;

/// The server's `serverInfo` (`Implementation` of all revisions).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerInfo {
    /// The name of the program.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// The display name, from 2025-06-18 on.
    pub title: Option<String>,
    /// A description of the server, from 2025-11-25 on.
    pub description: Option<String>,
    /// The home page, from 2025-11-25 on.
    pub website_url: Option<String>,
    /// The icons, from 2025-11-25 on.
    pub icons: Vec<Icon>,
}

impl ServerInfo {
    /// Creates an identity with a name and a version.
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
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// Sets the description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// Sets the home page.
        with_website_url(website_url: impl Into<String>) { website_url = Some(website_url.into()) }
        /// Adds an icon.
        with_icon(icon: Icon) { icons.push(icon) }
    }
}
