//! Pages of the host, for people with a browser, next to the endpoints and at their paths.

use std::{fmt, sync::Arc};

use bytes::Bytes;
use hyper::{
    HeaderMap, Response,
    header::{CONTENT_LENGTH, HeaderValue, VARY},
    http::request::Parts,
};
use mcp_server::BoxFuture;

use crate::{
    Body, ConfigError, header,
    refusal::BodyUnread,
    site::{Caller, Hosts},
};

const VARY_ACCEPT: HeaderValue = HeaderValue::from_static("accept");

/// A page of the host: the response to `GET` and `HEAD` at its path.
pub trait HttpPage: fmt::Debug + Send + Sync {
    /// Renders the page. It is called for each visit, so slow work needs a deadline and a cache.
    fn respond<'a>(&'a self, request: &'a PageRequest) -> BoxFuture<'a, Response<Bytes>>;
}

/// The visitors of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageAudience {
    /// Everyone, with any `Accept` header: `/robots.txt` and the like.
    Everyone,
    /// Everyone, with any `Accept` and `Host` header, for load balancers and monitors. The page must not contain
    /// secrets.
    Probes,
    /// Browsers, which accept `text/html` and name neither `application/json` nor `text/event-stream`. Other clients
    /// get the same response as without the page.
    Browsers,
}

/// A request for a page. Its host and origin have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageRequest {
    /// The path of the request.
    pub path: String,
    /// The host in the request, with the port if there is one. `None` if the request names none, which only an HTTP/1.0
    /// client may do.
    pub host: Option<String>,
}

/// The pages by path.
#[derive(Debug)]
pub(crate) struct Pages(Vec<(String, PageAudience, Arc<dyn HttpPage>)>);

impl Pages {
    /// Checks the paths. The path of an endpoint can only have a page for browsers.
    pub(crate) fn new(
        pages: Vec<(String, PageAudience, Arc<dyn HttpPage>)>,
        is_path: impl Fn(&str) -> bool,
        is_endpoint: impl Fn(&str) -> bool,
    ) -> Result<Self, ConfigError> {
        for (n, (path, audience, _)) in pages.iter().enumerate() {
            if !is_path(path) || is_endpoint(path) && *audience != PageAudience::Browsers {
                return Err(ConfigError::Path(path.clone()));
            }
            if pages.iter().take(n).any(|(other, ..)| other == path) {
                return Err(ConfigError::DuplicatePath(path.clone()));
            }
        }
        Ok(Self(pages))
    }

    /// Returns the page for a read request, and whether the response depends on the `Accept` header. A web page of
    /// another origin gets none, because pages are not for programs.
    pub(crate) fn find(
        &self,
        path: &str,
        headers: &HeaderMap,
        caller: &Caller,
    ) -> (Option<(&dyn HttpPage, PageAudience)>, bool) {
        let Self(pages) = self;
        let Some((_, audience, page)) = pages.iter().find(|(at, ..)| at == path) else {
            return (None, false);
        };
        let is_negotiated = *audience == PageAudience::Browsers;
        let is_shown =
            matches!(caller, Caller::Direct) && (!is_negotiated || header::is_browser(headers));
        (is_shown.then_some((&**page, *audience)), is_negotiated)
    }
}

impl PageRequest {
    /// Creates a visit, for tests of pages.
    #[must_use]
    pub fn new(path: impl Into<String>, host: Option<&str>) -> Self {
        Self {
            path: path.into(),
            host: host.map(str::to_owned),
        }
    }

    pub(crate) fn of(parts: &Parts, hosts: &Hosts<'_>) -> Self {
        let host = hosts.iter().next();
        let host = host.and_then(|it| std::str::from_utf8(it).ok());
        Self::new(parts.uri.path(), host)
    }
}

/// Renders the page as a response.
pub(crate) async fn show(page: &dyn HttpPage, visit: &PageRequest) -> Response<Body> {
    let mut response = page.respond(visit).await.map(Body::from);
    // The length follows from the body, so any value set by the host is removed.
    response.headers_mut().remove(CONTENT_LENGTH);
    response.extensions_mut().insert(BodyUnread);
    response
}

/// Returns the error response with the page as its body. The status is unchanged, and the page's headers are added.
pub(crate) async fn explain(
    page: &dyn HttpPage,
    visit: &PageRequest,
    refused: Response<Body>,
) -> Response<Body> {
    let (refused, _) = refused.into_parts();
    let mut response = show(page, visit).await;
    *response.status_mut() = refused.status;
    response.extensions_mut().extend(refused.extensions);
    let headers = response.headers_mut();
    for (name, value) in &refused.headers {
        if !headers.contains_key(name) {
            headers.append(name, value.clone());
        }
    }
    response
}

/// Marks the response as dependent on the `Accept` header, for caches.
pub(crate) fn vary(headers: &mut HeaderMap) {
    headers.append(VARY, VARY_ACCEPT);
}
