//! What a program is told of each request that was answered, to measure them.

use std::{fmt, sync::Arc, time::Duration};

use mcp_protocol::Revision;

/// A request that was answered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AnsweredRequest<'a> {
    /// The revision it was answered in.
    pub revision: Revision,
    /// Its method, as this server knows it; `None` for an unknown one, so that no client invents names here.
    pub method: Option<&'a str>,
    /// The name of the tool or prompt that it asked for, as the client wrote it.
    pub name: Option<&'a str>,
    /// What came of it.
    pub outcome: RequestOutcome,
    /// How long it took, without reading and writing.
    pub duration: Duration,
}

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestOutcome {
    /// A result.
    Result,
    /// The result of a tool that failed.
    ToolError,
    /// A JSON-RPC error with this code.
    Error(i64),
}

/// Is told of each request that was answered.
#[derive(Clone)]
pub(crate) struct RequestObserver(Arc<dyn Fn(&AnsweredRequest<'_>) + Send + Sync>);

impl RequestObserver {
    pub(crate) fn new(told: impl Fn(&AnsweredRequest<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    pub(crate) fn tell(&self, request: &AnsweredRequest<'_>) {
        (self.0)(request);
    }
}

impl fmt::Debug for RequestObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestObserver")
    }
}
