//! Views: pages that a host shows beside the answer of a tool (the extension MCP Apps).
//!
//! A server needs three things for a view: a [`View`], its link on tools ([`Tool::with_view`]), and the extension among its
//! capabilities ([`EXTENSION`]). `mcp-server` lists and serves the views that it is given, and declares the extension.
//!
//! ```
//! use mcp_protocol::{Tool, ToolAnnotations, ui::View};
//! use serde_json::json;
//!
//! let view = View::new("ui://weather/forecast.html", "forecast", "<!DOCTYPE html>…");
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

/// The MIME type of a view; plain `text/html` is not a view ("UI Resource Format").
pub const MIME_TYPE: &str = "text/html;profile=mcp-app";

/// The member of `_meta` that belongs to the extension.
const MEMBER: &str = "ui";

/// The link as some hosts still read it, deprecated in favor of the member of [`MEMBER`] ("Resource Discovery").
const FLAT_LINK: &str = "ui/resourceUri";

/// How long a page may be kept: its address changes with its content.
const TTL_MS: u64 = 86_400_000;

/// Digits of the digest in an address.
const DIGITS: usize = 8;

/// A page that a host shows beside the answer of a tool.
///
/// Hosts keep a page by its address, so the address contains a digest of the page: a new page has a new address.
/// [`View::serves_uri`] the others too, for conversations that were begun with an earlier release.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct View {
    /// The address up to the digest.
    stem: String,
    /// The address after it.
    ending: String,
    uri: String,
    /// A short name.
    pub name: String,
    /// The name shown to people.
    pub(crate) title: Option<String>,
    /// What it shows.
    pub(crate) description: Option<String>,
    html: Cow<'static, str>,
    /// What the page loads from elsewhere.
    pub(crate) origins: Csp,
    /// What the page asks the browser for.
    pub(crate) permissions: Vec<Permission>,
    /// Whether the host draws a border and a background; otherwise the host decides.
    pub(crate) prefers_border: Option<bool>,
    /// The stable origin that the page needs. Its form is a matter of the host, and a wrong one is not shown.
    pub(crate) domain: Option<String>,
}

/// The origins that a view uses (`UIResourceMeta.csp`); hosts allow no others. Empty, as by default, is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Csp {
    /// For requests of its script.
    pub(crate) connect: Vec<String>,
    /// For scripts, styles, pictures, fonts and media.
    pub(crate) resource: Vec<String>,
    /// For frames.
    pub(crate) frame: Vec<String>,
    /// For its base URI.
    pub(crate) base_uri: Vec<String>,
}

/// What a view asks the browser for (`UIResourceMeta.permissions`); hosts may refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Permission {
    /// The camera.
    Camera,
    /// The microphone.
    Microphone,
    /// Where the user is.
    Geolocation,
    /// Writing to the clipboard.
    ClipboardWrite,
}

/// Who can call a tool (`McpUiToolMeta.visibility`); both unless stated. Several hosts show all tools to the model
/// nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Visibility {
    /// The model.
    Model,
    /// The views of the same server.
    App,
}

/// Whether a client shows views, as far as its capabilities tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ViewSupport {
    /// It declares the extension with the MIME type of views.
    Supported,
    /// It declares the extension with other MIME types only.
    Unsupported,
    /// It does not say: some hosts show views and declare nothing.
    #[default]
    Unknown,
}

impl View {
    /// A page that uses nothing from elsewhere. Its address is `uri`, which begins with `ui://`, with a digest of the page
    /// before the last dot.
    pub fn new(
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
        /// With a title.
        with_title(title: impl Into<String>) { title = Some(title.into()) }
        /// With a description.
        with_description(description: impl Into<String>) { description = Some(description.into()) }
        /// With the origins that it uses.
        with_csp(origins: Csp) { origins = origins }
        /// With one more permission.
        with_permission(permission: Permission) { permissions.push(permission) }
        /// Whether the host draws a border and a background.
        with_border(border: bool) { prefers_border = Some(border) }
        /// With a stable origin, in the form of the host.
        with_domain(domain: impl Into<String>) { domain = Some(domain.into()) }
    }

    /// The address of this page.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The page.
    #[must_use]
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Whether the address is that of this page, of an earlier one, or the one without a digest.
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

    /// The page as a resource to list.
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

    /// The page as it is read at an address that it [serves](View::serves_uri).
    #[must_use]
    pub fn read(&self, uri: &str) -> ReadResourceResult {
        let contents = ResourceContents::text(uri, self.html.clone())
            .with_mime_type(MIME_TYPE)
            .with_meta(self.meta());
        ReadResourceResult::new(vec![contents]).with_cache(CacheHint::public(TTL_MS))
    }

    /// `_meta` of the resource and of its contents: hosts look at both.
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
        /// With one more origin for requests.
        with_connect_domain(origin: impl Into<String>) { connect.push(origin.into()) }
        /// With one more origin for scripts, styles, pictures, fonts and media.
        with_resource_domain(origin: impl Into<String>) { resource.push(origin.into()) }
        /// With one more origin for frames.
        with_frame_domain(origin: impl Into<String>) { frame.push(origin.into()) }
        /// With one more origin for the base URI.
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
    /// What these capabilities of a client tell.
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

/// Types are compared without regard to case and spaces (RFC 9110 §8.3.1).
fn is_mime_type(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let text = text.chars().filter(|it| !it.is_ascii_whitespace());
    text.map(|it| it.to_ascii_lowercase()).eq(MIME_TYPE.chars())
}

impl Tool {
    /// Links the tool to the view that hosts show beside its answers.
    #[must_use]
    pub fn with_view(mut self, view: &View) -> Self {
        self.set_ui("resourceUri", view.uri().into());
        self.meta.insert(FLAT_LINK.to_owned(), view.uri().into());
        self
    }

    /// States who can call the tool.
    #[must_use]
    pub fn with_visibility(mut self, visibility: &[Visibility]) -> Self {
        let names: Vec<_> = visibility.iter().map(|it| it.name()).collect();
        self.set_ui("visibility", names.into());
        self
    }

    /// Removes all that the extension put into `_meta`, for a client that shows no views.
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

/// Whether a member of `_meta` belongs to the extension. Hosts read these in revisions without `_meta`, too: one of them
/// speaks 2025-03-26.
pub(crate) fn is_member(name: &str) -> bool {
    name == MEMBER || name == FLAT_LINK
}

/// FNV-1a, folded to 32 bits: it has to change when a page does, and nothing more.
fn digest(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash >> 32) ^ (hash & 0xffff_ffff)
}
