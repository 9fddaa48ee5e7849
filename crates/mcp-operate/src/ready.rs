//! The readiness page at `/ready`.

use std::{fmt, sync::Arc};

use mcp_http::{Bytes, HttpPage, PageAudience, PageRequest, Response};
use mcp_protocol::Object;
use mcp_server::BoxFuture;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::HttpPageEntry;

/// A readiness check for a dependency of the server, such as a database.
pub trait ReadyCheck: fmt::Debug + Send + Sync {
    /// Checks the dependency. Monitors check often and give up soon, so a slow check needs its own deadline and cache.
    fn check(&self) -> BoxFuture<'_, ReadyCheckResult>;
}

/// The result of a readiness check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadyCheckResult {
    /// The reason the server is not ready, in a few words, such as `database away`.
    pub problem: Option<&'static str>,
    /// Further details for the operator.
    pub details: Object,
}

/// The page at `/ready`. It returns 200, or 503 while the server is stopping or a dependency is unavailable.
#[derive(Debug, Clone)]
pub struct ReadyPage {
    leaving: CancellationToken,
    check: Option<Arc<dyn ReadyCheck>>,
    has_details: bool,
}

impl ReadyCheckResult {
    /// Creates a report. The server is ready if `problem` is `None`.
    #[must_use]
    pub fn new(problem: Option<&'static str>, details: Object) -> Self {
        Self { problem, details }
    }
}

impl ReadyPage {
    /// Creates the page of a server that is ready until `leaving` is cancelled.
    #[must_use]
    pub fn until_cancelled(leaving: CancellationToken) -> Self {
        Self {
            leaving,
            check: None,
            has_details: false,
        }
    }

    mcp_protocol::setters! {
        /// Sets the check of the server's dependencies.
        with_check(check: Arc<dyn ReadyCheck>) { check = Some(check) }
        /// Includes the details of the report in the response. They are meant only for the operator.
        with_details() { has_details = true }
    }

    /// Returns the page at `/ready`, visible to probes.
    #[must_use]
    pub fn into_page(self) -> HttpPageEntry {
        ("/ready".to_owned(), PageAudience::Probes, Arc::new(self))
    }

    async fn response(&self) -> Response<Bytes> {
        let is_draining = self.leaving.is_cancelled();
        let state = match &self.check {
            Some(check) => check.check().await,
            None => ReadyCheckResult::default(),
        };
        let (status, word) = match (is_draining, state.problem) {
            (true, _) => (503, "draining"),
            (false, Some(problem)) => (503, problem),
            (false, None) => (200, "ready"),
        };
        let mut body = Object::from_iter([("status".to_owned(), json!(word))]);
        if self.has_details {
            body.extend(state.details);
        }
        answer(status, "application/json", Value::Object(body).to_string())
    }
}

impl HttpPage for ReadyPage {
    fn respond<'a>(&'a self, _: &'a PageRequest) -> BoxFuture<'a, Response<Bytes>> {
        Box::pin(self.response())
    }
}

/// An answer for a monitor.
pub(crate) fn answer(
    status: u16,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> Response<Bytes> {
    let response = Response::builder()
        .status(status)
        .header("Content-Type", content_type)
        .header("Cache-Control", "no-store")
        .body(body.into());
    // The status and the headers are constants.
    response.unwrap_or_else(|_| Response::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Away;

    impl ReadyCheck for Away {
        fn check(&self) -> BoxFuture<'_, ReadyCheckResult> {
            let details = Object::from_iter([("database".to_owned(), json!("silent"))]);
            Box::pin(async { ReadyCheckResult::new(Some("database away"), details) })
        }
    }

    async fn shown(page: &ReadyPage) -> (u16, String) {
        let response = page.response().await;
        let body = String::from_utf8(response.body().to_vec()).unwrap();
        (response.status().as_u16(), body)
    }

    #[tokio::test]
    async fn a_server_is_ready_until_it_leaves_or_lacks_what_it_needs() {
        let leaving = CancellationToken::new();
        let page = ReadyPage::until_cancelled(leaving.clone());
        assert_eq!(
            shown(&page).await,
            (200, r#"{"status":"ready"}"#.to_owned())
        );
        let needing = page.clone().with_check(Arc::new(Away));
        let expected = r#"{"status":"database away"}"#.to_owned();
        assert_eq!(shown(&needing).await, (503, expected));
        let (_, told) = shown(&needing.with_details()).await;
        assert!(told.contains(r#""database":"silent""#), "{told}");
        leaving.cancel();
        assert_eq!(
            shown(&page).await,
            (503, r#"{"status":"draining"}"#.to_owned())
        );
    }
}
