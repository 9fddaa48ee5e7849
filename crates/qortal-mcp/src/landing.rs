//! The page at `/` for people with a browser, and what else browsers and robots look for.

mod files;
mod headers;
mod html;
mod node;
mod sections;

use std::sync::Arc;

use mcp_http::Audience;
use mcp_operate::PageRow;
use qortal_tools::Catalog;

use crate::config::Values;

use files::Content;
pub(crate) use node::NodeFacts;

/// What all pages know of the server.
#[derive(Debug)]
struct Facts {
    catalog: Arc<Catalog>,
    /// The endpoints: that of the configured surface first.
    endpoints: Vec<String>,
    public_url: Option<String>,
    /// Whether the node is the simulated one.
    is_demo: bool,
    needs_token: bool,
    /// Whether others than the operator may see the page: they learn less of the node.
    is_public: bool,
}

/// All pages of a server with these endpoints.
pub(crate) fn pages(
    catalog: &Arc<Catalog>,
    node: &Arc<NodeFacts>,
    endpoints: Vec<String>,
    settings: &Values,
) -> Vec<PageRow> {
    let facts = Arc::new(Facts {
        catalog: Arc::clone(catalog),
        public_url: settings.public_url().map(str::to_owned),
        is_demo: settings.demo.is_on(),
        needs_token: settings.needs_token(),
        is_public: !settings.listen.is_local()
            || !settings.allow_host.is_empty()
            || settings.public_url.is_some(),
        endpoints,
    });
    let page = |path: &str, content| -> PageRow {
        (path.to_owned(), Audience::Browsers, Arc::new(content))
    };
    let explained = facts.endpoints.iter();
    let explained = explained.map(|path| page(path, Content::Endpoint(Arc::clone(&facts))));
    let start = page("/", Content::Start(Arc::clone(&facts), Arc::clone(node)));
    let files = files::files(&facts).into_iter();
    let files = files.map(|(path, file)| (path.to_owned(), Audience::Everyone, file));
    explained.chain([start]).chain(files).collect()
}

impl Facts {
    /// The address of an endpoint, as the client has to write it.
    fn address(&self, host: Option<&str>, path: &str) -> String {
        match &self.public_url {
            Some(url) => format!("{url}{path}"),
            // TLS ends before this server, if anywhere: what is said of that on the way is not checked.
            None => format!("http://{}{path}", host.unwrap_or("localhost")),
        }
    }

    /// The endpoint of the configured surface.
    fn endpoint(&self) -> &str {
        self.endpoints.first().map_or("/mcp", String::as_str)
    }
}

#[cfg(test)]
mod tests;
