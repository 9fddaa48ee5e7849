//! The files that browsers, robots and agents look for.

use std::sync::Arc;

use mcp_http::{Bytes, Page, Response, Visit};
use mcp_server::BoxFuture;
use qortal_tools::Catalog;

use super::{Facts, headers, sections::first_sentence};

/// A copy of packaging/icon.svg.
const ICON: &str = include_str!("../../landing/icon.svg");
const SVG: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";
/// The page may be found; the endpoints are for clients.
const ROBOTS: &str = "User-agent: *\nDisallow: /mcp\n";

/// The files with their paths.
pub(super) fn files(facts: &Arc<Facts>) -> [(&'static str, Arc<dyn Page>); 4] {
    let icon: Arc<dyn Page> = Arc::new(File(SVG, ICON));
    [
        ("/favicon.svg", Arc::clone(&icon)),
        // Browsers ask for this one unless a page names another, and go by the content type.
        ("/favicon.ico", icon),
        ("/robots.txt", Arc::new(File(TEXT, ROBOTS))),
        ("/llms.txt", Arc::new(LlmsText(Arc::clone(facts)))),
    ]
}

/// A file that never changes.
#[derive(Debug)]
struct File(&'static str, &'static str);

impl Page for File {
    fn render<'a>(&'a self, _: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        let Self(content_type, content) = *self;
        Box::pin(async move { headers::file(content_type, content) })
    }
}

/// What this server is, for agents that look for it (llmstxt.org).
#[derive(Debug)]
struct LlmsText(Arc<Facts>);

impl Page for LlmsText {
    fn render<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        let Self(facts) = self;
        let address = facts.address(visit.host.as_deref(), facts.endpoint());
        let text = llms_text(&address, facts.needs_token);
        Box::pin(async { headers::file(TEXT, text) })
    }
}

fn llms_text(address: &str, needs_token: bool) -> String {
    let token = if needs_token {
        "Requests need an access token, which the operator hands out: `Authorization: Bearer TOKEN`."
    } else {
        "No account and no token are needed."
    };
    let mut text = format!(
        "# Qortal over MCP\n\n\
         > A Model Context Protocol (MCP) server that answers questions about the Qortal blockchain: accounts, balances, names, \
         blocks, minting, trades, groups, chat, polls and QDN. It only reads: it signs nothing, sends nothing and changes nothing.\n\n\
         Endpoint: {address} (Streamable HTTP, all protocol revisions from 2024-11-05 to 2026-07-28). {token}\n\n\
         Configuration that most hosts read: `{{\"mcpServers\": {{\"qortal\": {{\"type\": \"http\", \"url\": \"{address}\"}}}}}}`\n\n\
         `tools/list` shows the tools of the configured surface; every tool can be called, and `find_tools` finds one.\n"
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
