//! What operators and their programs are shown: who asked for what, how the nodes are, and whether the server can take requests.

mod nodes;
mod ready;

use std::error::Error;

use mcp_operate::{AccessLog, AccessLogEntry, Metrics, MetricsError};
use mcp_server::ServerBuilder;
pub(crate) use nodes::{NODES, asked};
use qortal_tools::Catalog;
pub(crate) use ready::{NodeCheck, watch};

/// What a line for each answered request is logged as.
pub(crate) const ACCESS_LOG: &str = "qortal_mcp::access";

/// The figures of the program.
pub(crate) fn metrics() -> Result<Metrics, MetricsError> {
    Metrics::new("qortal_mcp", env!("CARGO_PKG_VERSION"), tool)
}

/// What requests come over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Http,
    Stdio,
}

/// What observes the requests of a server.
#[derive(Debug)]
pub(crate) struct Observers {
    #[cfg(feature = "otel")]
    telemetry: std::sync::Arc<mcp_operate::OtelObserver>,
}

impl Observers {
    /// Has them told of each request.
    ///
    /// # Errors
    /// Fails if a collector is configured and nothing can be sent to it.
    pub(crate) fn start(
        transport: Transport,
        server: ServerBuilder,
    ) -> Result<(Self, ServerBuilder), Box<dyn Error + Send + Sync>> {
        let is_on = || tracing::enabled!(target: ACCESS_LOG, tracing::Level::INFO);
        let server = server.observer(match transport {
            Transport::Http => AccessLog::from_fn(is_on, |it| log(it, "http")),
            Transport::Stdio => AccessLog::from_fn(is_on, |it| log(it, "stdio")),
        });
        #[cfg(feature = "otel")]
        {
            let version = env!("CARGO_PKG_VERSION");
            let mut program = mcp_operate::OtelServiceInfo::new("qortal-mcp", version, tool);
            if transport == Transport::Stdio {
                program.transport = "pipe";
            }
            let telemetry = mcp_operate::OtelObserver::start(program, crate::env::read)?;
            let telemetry = std::sync::Arc::new(telemetry);
            let server = server.observer(std::sync::Arc::clone(&telemetry));
            Ok((Self { telemetry }, server))
        }
        #[cfg(not(feature = "otel"))]
        Ok((Self {}, server))
    }

    /// Waits until all that was observed has been sent.
    pub(crate) async fn stop(self) {
        #[cfg(feature = "otel")]
        self.telemetry.stop().await;
    }
}

/// Our tool of a name, so that clients invent none.
fn tool(name: &str) -> Option<&'static str> {
    Catalog::entries().map(|it| it.name).find(|it| *it == name)
}

fn log(line: &AccessLogEntry<'_>, transport: &str) {
    tracing::info!(
        target: ACCESS_LOG,
        request_id = line.request_id.as_deref(),
        method = line.method,
        name = line.name.as_deref(),
        outcome = &*line.outcome,
        ms = line.ms,
        client = line.client.as_deref(),
        subject = line.subject.as_deref(),
        id = &*line.id,
        revision = line.revision,
        transport,
        "answered"
    );
}
