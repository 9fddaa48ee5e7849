//! The scope of an HTTP request: each surface has its own path, and clients choose tools with headers, so that one
//! server suits hosts of every size.

use std::sync::Arc;

use mcp_http::Parts;
use mcp_operate::{ScopeGrants, TokenFileAttribute};
use mcp_protocol::ErrorObject;
use mcp_server::{AuthInfo, Extensions, ListVariant};
use parking_lot::RwLock;
use qortal_tools::{Catalog, Selection, Surface};

const PATH: &str = "/mcp";
/// How the names of the headers begin that choose tools.
const CHOICES: &str = "x-mcp-";
const TOOLSETS: &str = "X-MCP-Toolsets";
const TOOLS: &str = "X-MCP-Tools";
const EXCLUDE_TOOLS: &str = "X-MCP-Exclude-Tools";
/// The word of a token, and the claim, that names its surface.
const SURFACE: &str = "surface";

/// The scopes of the paths: what is listed there to clients that choose nothing themselves.
#[derive(Debug)]
pub(crate) struct Scopes {
    current: RwLock<Arc<Current>>,
    /// What the scopes of a token allow.
    rules: Arc<ScopeGrants>,
}

#[derive(Debug)]
struct Current {
    paths: Vec<PathScope>,
    /// How often another selection was configured since the start.
    changes: u32,
}

#[derive(Debug)]
struct PathScope {
    path: String,
    selection: Arc<Selection>,
    scope: ListVariant,
}

impl Scopes {
    /// The configured selection at `/mcp`, and the same with each surface at `/mcp/x/SURFACE`.
    pub(crate) fn new(configured: &Arc<Selection>, rules: &Arc<ScopeGrants>) -> Self {
        Self {
            current: RwLock::new(Arc::new(Current::new(configured, 0))),
            rules: Arc::clone(rules),
        }
    }

    /// Replaces the configured selection; whether it is another one.
    pub(crate) fn configure(&self, selection: &Arc<Selection>) -> bool {
        let mut current = self.current.write();
        let is_same = current.paths.first().map(|it| &it.selection) == Some(selection);
        if !is_same {
            *current = Arc::new(Current::new(selection, current.changes.wrapping_add(1)));
        }
        !is_same
    }

    fn current(&self) -> Arc<Current> {
        Arc::clone(&self.current.read())
    }

    /// The paths, whatever is configured.
    pub(crate) fn paths(&self) -> Vec<String> {
        let current = self.current();
        current.paths.iter().map(|it| it.path.clone()).collect()
    }

    /// Returns the function that determines the scope of each request.
    pub(crate) fn resolver(
        self: &Arc<Self>,
    ) -> impl Fn(&Extensions) -> Result<ListVariant, ErrorObject> + Send + Sync + use<> {
        let scopes = Arc::clone(self);
        move |extensions| scopes.of(extensions)
    }

    /// The scope of a request. `X-MCP-Toolsets`, `X-MCP-Tools` and `X-MCP-Exclude-Tools` replace the options of these
    /// names. What the caller's token does not allow is left out.
    pub(crate) fn of(&self, extensions: &Extensions) -> Result<ListVariant, ErrorObject> {
        let current = self.current();
        let Some(parts) = extensions.get::<Parts>() else {
            return Ok(ListVariant::default());
        };
        let path = parts.uri.path();
        let surface = match path {
            PATH => extensions.get::<AuthInfo>().and_then(surface),
            _ => None,
        };
        let Some(base) = current.base(path, surface) else {
            return Ok(ListVariant::default());
        };
        let permit = self.rules.permissions(extensions.get());
        // One look at the headers instead of three: most requests choose nothing.
        let mut headers = parts.headers.keys();
        let has_choice = headers.any(|it| it.as_str().starts_with(CHOICES));
        if !has_choice && permit.allows_everything() {
            return Ok(base.scope.clone());
        }
        let mut selection = Selection::clone(&base.selection);
        let lists = [
            (TOOLSETS, &mut selection.families),
            (TOOLS, &mut selection.include),
            (EXCLUDE_TOOLS, &mut selection.exclude),
        ];
        let mut is_chosen = false;
        for (header, list) in lists {
            if let Some(names) = names(parts, header)? {
                *list = names;
                is_chosen = true;
            }
        }
        if !is_chosen && permit.allows_everything() {
            return Ok(base.scope.clone());
        }
        selection.check().map_err(ErrorObject::invalid_request)?;
        // No known name contains these separators.
        let lists = [&selection.families, &selection.include, &selection.exclude];
        let lists = lists.map(|it| it.join(","));
        let mut key = format!("{} {}", selection.surface.name(), lists.join(" "));
        if !permit.allows_everything() {
            let entries = Catalog::entries().map(|it| it.name);
            let denied = entries.filter(|it| !permit.allows_tool(it));
            selection.withheld.extend(denied.map(str::to_owned));
            key = format!("{key} for {}", permit.scopes().join(" "));
        }
        Ok(ListVariant::private(key).with_data(Arc::new(selection)))
    }
}

impl Current {
    fn new(configured: &Arc<Selection>, changes: u32) -> Self {
        let scope = |name: &str, selection: &Arc<Selection>| {
            // Scopes with equal keys have equal lists: those of another selection have other keys.
            let key = match changes {
                0 => name.to_owned(),
                _ => format!("{name} {changes}"),
            };
            ListVariant::public(key).with_data(Arc::clone(selection))
        };
        let main = PathScope {
            path: PATH.to_owned(),
            selection: Arc::clone(configured),
            scope: match changes {
                0 => ListVariant::default(),
                _ => scope("", configured),
            },
        };
        let surfaces = Surface::ALL.into_iter().map(|surface| {
            let mut selection = Selection::clone(configured);
            selection.surface = surface;
            let selection = Arc::new(selection);
            PathScope {
                path: format!("{PATH}/x/{}", surface.name()),
                scope: scope(surface.name(), &selection),
                selection,
            }
        });
        Self {
            paths: std::iter::once(main).chain(surfaces).collect(),
            changes,
        }
    }

    /// The scope of a path, or of the surface that the client's token names.
    fn base(&self, path: &str, surface: Option<Surface>) -> Option<&PathScope> {
        let of_surface = |surface: Surface| {
            let mut others = self.paths.iter().filter(|it| it.path != PATH);
            others.find(|it| it.selection.surface == surface)
        };
        surface
            .and_then(of_surface)
            .or_else(|| self.paths.iter().find(|it| it.path == path))
    }
}

/// The words that a line of the token file may have.
pub(crate) fn token_words() -> Vec<TokenFileAttribute> {
    vec![TokenFileAttribute::new(
        SURFACE,
        Surface::ALL.map(Surface::name),
    )]
}

/// The surface that the token of a client names, if it names one.
fn surface(grant: &AuthInfo) -> Option<Surface> {
    let name = grant.claims.get(SURFACE)?.as_str()?;
    Surface::ALL.into_iter().find(|it| it.name() == name)
}

/// The names in all lines of a header; `None` if there are none.
fn names(parts: &Parts, header: &str) -> Result<Option<Vec<String>>, ErrorObject> {
    let mut names = Vec::new();
    for line in parts.headers.get_all(header) {
        let line = line.to_str().map_err(|_| {
            let what = format_args!("{header} must be a comma-separated list of names");
            ErrorObject::invalid_request(what)
        })?;
        let parts = line.split(',').map(str::trim);
        names.extend(parts.filter(|it| !it.is_empty()).map(str::to_owned));
    }
    names.sort();
    names.dedup();
    Ok(Some(names).filter(|it| !it.is_empty()))
}
