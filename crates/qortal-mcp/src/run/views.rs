//! What one HTTP server lists to whom: each surface has a path of its own, and clients choose among the
//! tools by headers, so that one server suits hosts of every size.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use mcp_http::{HeaderMap, Variants};
use mcp_server::{Builder, Server};
use qortal_tools::{Catalog, Selection, Surface, UnknownName};

const PATH: &str = "/mcp";
const TOOLSETS: &str = "X-MCP-Toolsets";
const TOOLS: &str = "X-MCP-Tools";
const EXCLUDE_TOOLS: &str = "X-MCP-Exclude-Tools";
/// Choices of clients that are kept ready; the one unused for longest makes room for one more.
const KEPT: usize = 32;

/// All servers over one catalog. They answer the same calls and keep the same limits together.
pub(crate) struct Views {
    catalog: Catalog,
    serving: Box<dyn Fn(Arc<Catalog>) -> Builder + Send + Sync>,
    main: Arc<Server>,
    /// What is listed at each path.
    paths: Vec<(String, Selection)>,
    /// What clients have chosen, the latest last.
    chosen: Mutex<Vec<(Selection, Arc<Server>)>>,
}

impl Views {
    /// `serving` sets up the server of one view.
    pub(crate) fn new(
        catalog: Catalog,
        selection: &Selection,
        serving: impl Fn(Arc<Catalog>) -> Builder + Send + Sync + 'static,
    ) -> Self {
        let whole = serving(Arc::new(catalog.clone()));
        let surfaces = Surface::ALL.into_iter().map(|surface| {
            let path = format!("{PATH}/x/{}", surface.name());
            let mut selection = selection.clone();
            selection.surface = surface;
            (path, selection)
        });
        Self {
            catalog,
            serving: Box::new(serving),
            main: Arc::new(whole.build()),
            paths: std::iter::once((PATH.to_owned(), selection.clone()))
                .chain(surfaces)
                .collect(),
            chosen: Mutex::default(),
        }
    }

    /// The server at `/mcp`.
    pub(crate) fn main(&self) -> Arc<Server> {
        Arc::clone(&self.main)
    }

    /// `/mcp`, and each surface at `/mcp/x/SURFACE`.
    pub(crate) fn endpoints(&self) -> Result<Vec<(String, Arc<Server>)>, UnknownName> {
        let endpoints = self.paths.iter().map(|(path, selection)| {
            let server = match path == PATH {
                true => self.main(),
                false => self.server(selection)?,
            };
            Ok((path.clone(), server))
        });
        endpoints.collect()
    }

    fn server(&self, selection: &Selection) -> Result<Arc<Server>, UnknownName> {
        let catalog = self.catalog.selecting(selection)?;
        let server = (self.serving)(Arc::new(catalog)).limits_of(&self.main);
        Ok(Arc::new(server.build()))
    }

    fn kept(&self, selection: Selection) -> Result<Arc<Server>, UnknownName> {
        // Poisoned or not, the list is valid at every step.
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let found = chosen.iter().position(|(it, _)| *it == selection);
        let entry = match found {
            Some(place) => chosen.remove(place),
            None => {
                let server = self.server(&selection)?;
                if chosen.len() >= KEPT {
                    chosen.remove(0);
                }
                (selection, server)
            }
        };
        let server = Arc::clone(&entry.1);
        chosen.push(entry);
        Ok(server)
    }
}

impl Variants for Views {
    /// `X-MCP-Toolsets`, `X-MCP-Tools` and `X-MCP-Exclude-Tools` take the place of the flags of these names.
    fn variant(&self, path: &str, headers: &HeaderMap) -> Result<Option<Arc<Server>>, String> {
        let toolsets = names(headers, TOOLSETS)?;
        let tools = names(headers, TOOLS)?;
        let excluded = names(headers, EXCLUDE_TOOLS)?;
        if toolsets.is_none() && tools.is_none() && excluded.is_none() {
            return Ok(None);
        }
        let Some((_, base)) = self.paths.iter().find(|(it, _)| it == path) else {
            return Ok(None);
        };
        let mut selection = base.clone();
        selection.families = toolsets.unwrap_or(selection.families);
        selection.include = tools.unwrap_or(selection.include);
        selection.exclude = excluded.unwrap_or(selection.exclude);
        let server = self.kept(selection);
        server.map(Some).map_err(|err| err.to_string())
    }
}

/// The names in a header, over all lines of it; `None` if there are none.
fn names(headers: &HeaderMap, header: &str) -> Result<Option<Vec<String>>, String> {
    let mut names = Vec::new();
    for line in headers.get_all(header) {
        let line = line
            .to_str()
            .map_err(|_| format!("{header} must be names with commas between them"))?;
        let parts = line.split(',').map(str::trim);
        names.extend(parts.filter(|it| !it.is_empty()).map(str::to_owned));
    }
    names.sort();
    names.dedup();
    Ok(Some(names).filter(|it| !it.is_empty()))
}

impl fmt::Debug for Views {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Views")
            .field("paths", &self.paths)
            .finish_non_exhaustive()
    }
}
