//! What is at each path that browsers, robots and agents look for.

use std::sync::Arc;

use mcp_http::{Bytes, HttpPage, PageRequest, Response};
use mcp_server::BoxFuture;
use qortal_tools::Catalog;

use super::{
    facts::Facts,
    hosts,
    html::{escaped, filled, page, static_file},
    node::NodeFacts,
    sections::{self, first_sentence},
};
use crate::install::SERVER;

/// A copy of packaging/icon.svg.
const ICON: Content = Content::File("image/svg+xml", include_str!("../../landing/icon.svg"));
const TEXT: &str = "text/plain; charset=utf-8";
/// The page may be found; the endpoints are for clients.
const ROBOTS: Content = Content::File(TEXT, "User-agent: *\nDisallow: /mcp\n");

/// What a visitor is shown.
#[derive(Debug)]
pub(super) enum Content {
    /// What the server is, how the node is, and how to connect.
    Start(Arc<Facts>, Arc<NodeFacts>),
    /// That the address is right, for a person who opens one that is meant for a client.
    Endpoint(Arc<Facts>),
    /// What this server is, for agents that look for it (llmstxt.org).
    LlmsText(Arc<Facts>),
    /// A file that never changes, with its type.
    File(&'static str, &'static str),
}

/// The files with their paths.
pub(super) fn files(facts: &Arc<Facts>) -> [(&'static str, Arc<dyn HttpPage>); 4] {
    [
        ("/favicon.svg", Arc::new(ICON)),
        // Browsers ask for this one unless a page names another, and go by the content type.
        ("/favicon.ico", Arc::new(ICON)),
        ("/robots.txt", Arc::new(ROBOTS)),
        ("/llms.txt", Arc::new(Content::LlmsText(Arc::clone(facts)))),
    ]
}

impl HttpPage for Content {
    fn respond<'a>(&'a self, request: &'a PageRequest) -> BoxFuture<'a, Response<Bytes>> {
        let host = request.host.as_deref();
        Box::pin(async move {
            match self {
                Self::Start(facts, node) => start(facts, node, host).await,
                Self::Endpoint(facts) => {
                    let path = request.path.strip_suffix('/').unwrap_or(&request.path);
                    let address = escaped(&facts.address(host, path));
                    let html = include_str!("../../landing/endpoint.html");
                    page(html, &[("address", &address)])
                }
                Self::LlmsText(facts) => static_file(TEXT, llms_text(facts, host)),
                Self::File(content_type, content) => static_file(content_type, *content),
            }
        })
    }
}

async fn start(facts: &Facts, node: &NodeFacts, host: Option<&str>) -> Response<Bytes> {
    let address = facts.address(host, facts.endpoint());
    let access = &facts.access;
    // A visitor has shown no token, and learns nothing of the node.
    let node = if access.is_open() {
        sections::node(&node.seen().await, facts.is_public, facts.is_demo)
    } else {
        String::new()
    };
    page(
        include_str!("../../landing/start.html"),
        &[
            ("node", &node),
            ("access", &sections::access(access)),
            ("links", &hosts::links(SERVER, &address, access.mode)),
            (
                "guides",
                &hosts::instructions(SERVER, &address, access.mode),
            ),
            ("trial", &sections::trial(access, &address)),
            ("address", &escaped(&address)),
            ("questions", &sections::questions()),
            ("surfaces", &sections::surfaces(facts, host)),
            ("tools", &sections::tools()),
            ("version", env!("CARGO_PKG_VERSION")),
            ("license", env!("CARGO_PKG_LICENSE")),
            ("repository", env!("CARGO_PKG_REPOSITORY")),
        ],
    )
}

fn llms_text(facts: &Facts, host: Option<&str>) -> String {
    let address = facts.address(host, facts.endpoint());
    let mut text = filled(
        include_str!("../../landing/llms.txt"),
        &[
            ("address", &address),
            ("access", &facts.access.for_agents()),
            ("field", facts.access.entry_field()),
        ],
    );
    for family in Catalog::families() {
        text.push_str(&format!("\n## {}\n\n{}\n\n", family.name, family.purpose));
        for tool in family.tools {
            let sentence = first_sentence(tool.description);
            text.push_str(&format!("- `{}`: {sentence}\n", tool.name));
        }
    }
    text
}
