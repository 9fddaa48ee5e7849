//! Views: pages that a host shows next to the result of a tool (the extension MCP Apps).
//!
//! A server with a view needs three things: a [`View`], a link to it on tools ([`Tool::with_view`]), and the extension
//! among its capabilities ([`EXTENSION`]). `mcp-server` lists and serves its views, and declares the extension.
//!
//! ```
//! use mcp_protocol::{Tool, ToolAnnotations, ui::View};
//! use serde_json::json;
//!
//! let view = View::versioned("ui://weather/forecast.html", "forecast", "<!DOCTYPE html>…");
//! let tool = Tool::new("forecast", "Tomorrow.", json!({"type": "object"}), ToolAnnotations::LOOKUP)
//!     .with_view(&view);
//! assert_eq!(tool.meta["ui"]["resourceUri"], view.uri());
//! assert!(view.serves_uri("ui://weather/forecast.html"));
//! ```
//!
//! Source: `specification/2026-01-26/apps.mdx` of modelcontextprotocol/ext-apps.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{
    CacheHint, Object, ReadResourceResult, Resource, Tool,
    content::ResourceContents,
    json::{put, put_some},
};

/// The name of the extension among the capabilities.
pub const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The MIME type of a view. Plain `text/html` is not a view ("UI Resource Format").
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The field of `_meta` that belongs to the extension.
const MEMBER: &str = "ui";

/// A deprecated form of the link, which some hosts still read in place of the one in [`MEMBER`] ("Resource Discovery").
const FLAT_LINK: &str = "ui/resourceUri";

/// The cache lifetime of a page. It can be long because the URI changes with the content.
const TTL_MS: u64 = 86_400_000;

/// The number of hexadecimal digits in the digest of a URI.
const DIGITS: usize = 8;

/// A page that a host shows next to the result of a tool.
///
/// Hosts cache a page by its URI, so the URI contains a digest of the page: a new page has a new URI.
/// [`View::serves_uri`] also accepts earlier URIs, for conversations that started with an earlier release.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct View {
    /// The URI up to the digest.
    stem: String,
    /// The URI after the digest.
    ending: String,
    uri: String,
    /// A short name.
    pub name: String,
    /// The name shown to people.
    pub(crate) title: Option<String>,
    /// A description of the view.
    pub(crate) description: Option<String>,
    html: Cow<'static, str>,
    /// The other origins from which the page loads content.
    pub(crate) origins: Csp,
    /// The browser permissions that the page requests.
    pub(crate) permissions: Vec<Permission>,
    /// Whether the host should draw a border and a background. If `None`, the host decides.
    pub(crate) prefers_border: Option<bool>,
    /// The stable origin that the page needs. Each host defines its form, and does not show a view with an invalid one.
    pub(crate) domain: Option<String>,
}

/// The origins that a view uses (`UIResourceMeta.csp`). Hosts allow no others. The default is empty and allows none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Csp {
    /// Origins for requests of the page's script.
    pub(crate) connect: Vec<String>,
    /// Origins for scripts, styles, images, fonts and media.
    pub(crate) resource: Vec<String>,
    /// Origins for frames.
    pub(crate) frame: Vec<String>,
    /// Origins for the base URI.
    pub(crate) base_uri: Vec<String>,
}

/// A browser permission that a view requests (`UIResourceMeta.permissions`). Hosts may reject it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Permission {
    /// The camera.
    Camera,
    /// The microphone.
    Microphone,
    /// The location of the user.
    Geolocation,
    /// Write access to the clipboard.
    ClipboardWrite,
}

/// A caller of a tool (`McpUiToolMeta.visibility`). The default is both. Several hosts show all tools to the model
/// regardless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Visibility {
    /// The model.
    Model,
    /// The views of the same server.
    App,
}

/// Whether a client shows views, according to its capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ViewSupport {
    /// The client declares the extension with the MIME type of views.
    Supported,
    /// The client declares the extension, but only with other MIME types.
    Unsupported,
    /// The client does not declare the extension. Some hosts show views nevertheless.
    #[default]
    Unknown,
}

impl View {
    /// Creates a view that loads nothing from other origins. Its URI is `uri`, which must start with `ui://`, with a
    /// digest of the page inserted before the last dot.
    pub fn versioned(
        uri: impl Into<String>,
        name: impl Into<String>,
        html: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (mut stem, html) = (uri.into(), html.into());
        let path = stem.rfind('/').map_or(0, |at| at + 1);
        let dot = stem.get(path..).and_then(|name| name.rfind('.'));
        let ending = dot.map_or_else(String::new, |dot| stem.split_off(path + dot));
        Self {
            uri: format!("{stem}-{:0DIGITS$x}{ending}", digest(html.as_bytes())),
            stem,
            ending,
            name: name.into(),
            title: None,
            description: None,
            html,
            origins: Csp::default(),
            permissions: Vec::new(),
            prefers_border: None,
            domain: None,
        }
    }

    setters! {
        /// Sets the title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// Sets the description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// Sets the origins that the page uses.
        with_csp(origins: Csp) { origins = origins }
        /// Adds a permission.
        with_permission(permission: Permission) { permissions.push(permission) }
        /// Sets whether the host draws a border and a background.
        with_border(border: bool) { prefers_border = Some(border) }
        /// Sets a stable origin, in the form that the host defines.
        with_domain(domain: impl Into<String>) { domain = Some(domain.into()) }
    }

    /// Returns the URI of this page.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// Returns the HTML of the page.
    #[must_use]
    pub fn html_text(&self) -> &str {
        &self.html
    }

    /// Returns whether a URI belongs to this page, to an earlier version of it, or to the page without a digest.
    #[must_use]
    pub fn serves_uri(&self, uri: &str) -> bool {
        let between = uri
            .strip_prefix(self.stem.as_str())
            .and_then(|rest| rest.strip_suffix(self.ending.as_str()));
        match between.and_then(|it| it.strip_prefix('-')) {
            Some(digits) => {
                digits.len() == DIGITS && digits.bytes().all(|it| it.is_ascii_hexdigit())
            }
            None => between == Some(""),
        }
    }

    /// Returns the list entry of the page as a resource.
    #[must_use]
    pub fn to_resource(&self) -> Resource {
        let mut resource = Resource::default();
        resource.uri.clone_from(&self.uri);
        resource.name.clone_from(&self.name);
        resource.title.clone_from(&self.title);
        resource.description.clone_from(&self.description);
        resource.size = u64::try_from(self.html.len()).ok();
        resource.with_mime_type(MIME_TYPE).with_meta(self.meta())
    }

    /// Returns the contents of the page for a URI that it [serves](View::serves_uri).
    #[must_use]
    pub fn read(&self, uri: &str) -> ReadResourceResult {
        let contents = ResourceContents::text(uri, self.html.clone())
            .with_mime_type(MIME_TYPE)
            .with_meta(self.meta());
        ReadResourceResult::new(vec![contents]).with_cache(CacheHint::public(TTL_MS))
    }

    /// Returns `_meta` for the resource and for its contents. Hosts read both.
    fn meta(&self) -> Object {
        let mut ui = Object::new();
        put(&mut ui, "csp", self.origins.to_value());
        if !self.permissions.is_empty() {
            let asked = self.permissions.iter();
            let asked: Object = asked.map(|it| (it.name().to_owned(), json!({}))).collect();
            put(&mut ui, "permissions", asked);
        }
        put_some(&mut ui, "domain", self.domain.as_deref());
        put_some(&mut ui, "prefersBorder", self.prefers_border);
        Object::from_iter([(MEMBER.to_owned(), ui.into())])
    }
}

impl Csp {
    setters! {
        /// Adds an origin for requests.
        with_connect_domain(origin: impl Into<String>) { connect.push(origin.into()) }
        /// Adds an origin for scripts, styles, images, fonts and media.
        with_resource_domain(origin: impl Into<String>) { resource.push(origin.into()) }
        /// Adds an origin for frames.
        with_frame_domain(origin: impl Into<String>) { frame.push(origin.into()) }
        /// Adds an origin for the base URI.
        with_base_uri_domain(origin: impl Into<String>) { base_uri.push(origin.into()) }
    }

    fn to_value(&self) -> Value {
        let lists = [
            ("connectDomains", &self.connect),
            ("resourceDomains", &self.resource),
            ("frameDomains", &self.frame),
            ("baseUriDomains", &self.base_uri),
        ];
        let lists = lists.into_iter().filter(|(_, origins)| !origins.is_empty());
        lists
            .map(|(name, origins)| (name.to_owned(), json!(origins)))
            .collect::<Object>()
            .into()
    }
}

impl Permission {
    const fn name(self) -> &'static str {
        match self {
            Self::Camera => "camera",
            Self::Microphone => "microphone",
            Self::Geolocation => "geolocation",
            Self::ClipboardWrite => "clipboardWrite",
        }
    }
}

impl Visibility {
    const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::App => "app",
        }
    }
}

impl ViewSupport {
    /// Returns the view support in the capabilities of a client.
    #[must_use]
    pub fn of(capabilities: &Object) -> Self {
        let extensions = capabilities.get("extensions");
        let declared = extensions.and_then(|it| it.get(EXTENSION)?.get("mimeTypes")?.as_array());
        match declared {
            None => Self::Unknown,
            Some(types) if types.iter().any(is_mime_type) => Self::Supported,
            Some(_) => Self::Unsupported,
        }
    }
}

/// Returns whether the value is the MIME type of a view. Case and spaces do not matter (RFC 9110 §8.3.1).
fn is_mime_type(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let text = text.chars().filter(|it| !it.is_ascii_whitespace());
    text.map(|it| it.to_ascii_lowercase()).eq(MIME_TYPE.chars())
}

impl Tool {
    /// Links the tool to a view, which hosts show next to its results.
    #[must_use]
    pub fn with_view(mut self, view: &View) -> Self {
        self.set_ui("resourceUri", view.uri().into());
        self.meta.insert(FLAT_LINK.to_owned(), view.uri().into());
        self
    }

    /// Sets the callers that may call the tool.
    #[must_use]
    pub fn with_visibility(mut self, visibility: &[Visibility]) -> Self {
        let names: Vec<_> = visibility.iter().map(|it| it.name()).collect();
        self.set_ui("visibility", names.into());
        self
    }

    /// Removes all fields of the extension from `_meta`, for a client that does not show views.
    #[must_use]
    pub fn without_view(mut self) -> Self {
        self.meta.retain(|name, _| !is_member(name));
        self
    }

    fn set_ui(&mut self, name: &str, value: Value) {
        let mut ui = match self.meta.remove(MEMBER) {
            Some(Value::Object(ui)) => ui,
            Some(_) | None => Object::new(),
        };
        ui.insert(name.to_owned(), value);
        self.meta.insert(MEMBER.to_owned(), ui.into());
    }
}

/// Returns whether a field of `_meta` belongs to the extension. These fields are sent in revisions without `_meta` too,
/// because a host that uses 2025-03-26 reads them.
pub(crate) fn is_member(name: &str) -> bool {
    name == MEMBER || name == FLAT_LINK
}

/// Returns the FNV-1a hash, folded to 32 bits. It only has to change when a page changes.
fn digest(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) ^ (hash & 0xffff_ffff)
}
