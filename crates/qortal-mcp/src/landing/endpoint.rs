//! What a person reads who opens the address that is meant for a client.

use std::sync::Arc;

use mcp_http::{Bytes, Page, Response, Visit};
use mcp_server::BoxFuture;

use super::{
    Facts, headers,
    html::{Html, html},
};

/// Says that the address is right, and leads to `/`.
#[derive(Debug)]
pub(super) struct Explanation(Arc<Facts>);

impl Explanation {
    pub(super) fn new(facts: &Arc<Facts>) -> Self {
        Self(Arc::clone(facts))
    }
}

impl Page for Explanation {
    fn render<'a>(&'a self, visit: &'a Visit) -> BoxFuture<'a, Response<Bytes>> {
        let Self(facts) = self;
        let path = visit.path.strip_suffix('/').unwrap_or(&visit.path);
        let address = facts.address(visit.host.as_deref(), path);
        let page = html!(
            include_str!("../../landing/endpoint.html"),
            style = headers::style(),
            address = Html::text(&address)
        );
        Box::pin(async { headers::page(page) })
    }
}
