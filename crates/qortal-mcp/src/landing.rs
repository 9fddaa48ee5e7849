//! The page at `/` for people with a browser, and what else browsers and robots look for.

mod facts;
mod files;
mod hosts;
mod html;
mod node;
mod sections;

use std::sync::Arc;

use mcp_http::PageAudience;
use mcp_operate::HttpPageEntry;
use qortal_tools::Catalog;

use crate::{access::ServerAccess, config::Values};

use facts::Facts;
pub(crate) use node::NodeFacts;

/// All pages of a server with these endpoints.
pub(crate) fn pages(
    catalog: &Arc<Catalog>,
    node: &Arc<NodeFacts>,
    endpoints: Vec<String>,
    settings: &Values,
) -> Vec<HttpPageEntry> {
    let facts = Arc::new(Facts {
        catalog: Arc::clone(catalog),
        public_url: settings.public_url().map(str::to_owned),
        is_demo: settings.demo.is_on(),
        access: ServerAccess::of(settings),
        is_public: !settings.listen.is_local()
            || !settings.allowed_hosts.is_empty()
            || settings.public_url.is_some(),
        endpoints,
    });
    let page = |path: &str, content: files::Content| -> HttpPageEntry {
        (path.to_owned(), PageAudience::Browsers, Arc::new(content))
    };
    let explained = facts.endpoints.iter();
    let explained = explained.map(|path| page(path, files::Content::Endpoint(Arc::clone(&facts))));
    let start = page(
        "/",
        files::Content::Start(Arc::clone(&facts), Arc::clone(node)),
    );
    let files = files::files(&facts).into_iter();
    let files = files.map(|(path, file)| (path.to_owned(), PageAudience::Everyone, file));
    explained.chain([start]).chain(files).collect()
}

#[cfg(test)]
mod tests;
