//! All that observes the requests of a server: figures, the access log, and what a collector of OpenTelemetry is sent.

use std::{error::Error, sync::Arc};

use mcp_server::Builder;

#[cfg(feature = "otel")]
use super::otel::{Durations, Traces};
use super::{AccessLog, Metrics};

/// What observes the requests of a server.
#[derive(Debug)]
pub(crate) struct Observers {
    access: AccessLog,
    metrics: Option<Arc<Metrics>>,
    #[cfg(feature = "otel")]
    traces: Option<Arc<Traces>>,
    #[cfg(feature = "otel")]
    durations: Option<Arc<Durations>>,
}

impl Observers {
    /// # Errors
    /// Fails if a collector is configured and nothing can be sent to it.
    pub(crate) fn start(
        access: AccessLog,
        metrics: Option<Arc<Metrics>>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(Self {
            access,
            metrics,
            #[cfg(feature = "otel")]
            traces: Traces::start(access.transport())?.map(Arc::new),
            #[cfg(feature = "otel")]
            durations: Durations::start(access.transport())?.map(Arc::new),
        })
    }

    /// Has them told of each request.
    pub(crate) fn observe(&self, server: Builder) -> Builder {
        let (access, metrics) = (self.access, self.metrics.clone());
        #[cfg(feature = "otel")]
        let (server, traces) = (self.trace(server), self.traces.clone());
        #[cfg(feature = "otel")]
        let durations = self.durations.clone();
        #[cfg(feature = "otel")]
        let is_sent = traces.is_some() || durations.is_some();
        #[cfg(not(feature = "otel"))]
        let is_sent = false;
        let always = metrics.is_some() || is_sent;
        let listens = move || always || AccessLog::is_on();
        server.observer_while(listens, move |it| {
            if let Some(metrics) = &metrics {
                metrics.answered(it);
            }
            #[cfg(feature = "otel")]
            if let Some(traces) = &traces {
                traces.answered(it);
            }
            #[cfg(feature = "otel")]
            if let Some(durations) = &durations {
                durations.answered(it);
            }
            access.answered(it);
        })
    }

    #[cfg(feature = "otel")]
    fn trace(&self, server: Builder) -> Builder {
        match self.traces.clone() {
            Some(traces) => server.on_request(move |it| traces.begun(it)),
            None => server,
        }
    }

    /// Waits until all that was observed has been sent.
    pub(crate) async fn stop(self) {
        #[cfg(feature = "otel")]
        tokio::join!(
            async {
                if let Some(traces) = &self.traces {
                    traces.stop().await;
                }
            },
            async {
                if let Some(durations) = &self.durations {
                    durations.stop().await;
                }
            }
        );
    }
}
