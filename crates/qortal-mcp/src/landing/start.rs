//! The page at `/`.

use std::sync::Arc;

use mcp_http::{Bytes, Page, Response, Visit};
use mcp_server::BoxFuture;

use super::{
    Facts, headers,
    html::{Html, html},
    node::NodeFacts,
    sections,
};

/// What the server is, how the node is, and how to connect.
#[derive(Debug)]
pub(super) struct StartPage {
    facts: Arc<Facts>,
    node: Arc<NodeFacts>,
    /// The parts that are the same for every visit.
    tools: Html,
    questions: Html,
}

impl StartPage {
    pub(super) fn new(facts: &Arc<Facts>, node: &Arc<NodeFacts>) -> Self {
        Self {
            facts: Arc::clone(facts),
            node: Arc::clone(node),
            tools: sections::tools(),
            questions: sections::questions(),
        }
    }

    async fn html(&self, visit: &Visit) -> Html {
        let facts = &self.facts;
        let host = visit.host.as_deref();
        let address = facts.address(host, facts.endpoint());
        // A visitor has shown no token, and learns nothing of the node.
        let node = if facts.needs_token {
            Html::default()
        } else {
            sections::node(&self.node.seen().await, facts.is_public, facts.is_demo)
        };
        html!(
            include_str!("../../landing/start.html"),
            style = headers::style(),
            node = node,
            address = Html::text(&address),
            token = sections::token(facts.needs_token),
            links = sections::links(&address, facts.needs_token),
            guides = sections::guides(&address, facts.needs_token),
            request = sections::request(&address, facts.needs_token),
            questions = self.questions.clone(),
            surfaces = sections::surfaces(facts, host),
            tools = self.tools.clone(),
            version = Html::of(env!("CARGO_PKG_VERSION")),
            license = Html::of(env!("CARGO_PKG_LICENSE")),
            repository = Html::of(env!("CARGO_PKG_REPOSITORY"))
        )
    }
}

impl Page for StartPage {
    fn render<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        Box::pin(async { headers::page(self.html(visit).await) })
    }
}
