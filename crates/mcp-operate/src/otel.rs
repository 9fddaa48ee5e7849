//! OpenTelemetry traces and durations of requests, sent to a collector as OTLP over HTTP.
//!
//! tracing-opentelemetry could replace only the creation of spans in `traces`: providers and exporters already are those of OpenTelemetry. In a
//! trial on 2026-11-28, version 0.34 in a crate with the same hooks sent the same names, attributes, parents and states, and the node got the
//! same `traceparent`. It takes 85 allocations a call instead of 70 (2,000 calls of `Server::handle` with a collector on the loopback,
//! `cargo run --release -- 2000`), with no difference in time beyond the noise. It adds a crate that compiles in 1.7 s, and it lists each
//! attribute twice: as a field of the span and as a `KeyValue` of the histogram. As a layer of the program's subscriber it also needs a filter.
//! Without one it sends the log span of each request as a second trace, and the queue lost 4,332 of 12,012 spans. With a
//! collector that never answers, each signal gives up after five seconds; a crate of either kind has to stop both at once, as
//! [`OtelObserver::stop`] does. The client in `collector` stays because the one of opentelemetry-otlp that has TLS brings aws-lc-rs.

mod attributes;
mod collector;
mod durations;
mod traces;

use std::error::Error;

use mcp_server::{Extensions, RequestEnd, RequestObserver, RequestStart, TaskEnd};
use opentelemetry::KeyValue;
use opentelemetry_sdk::{Resource, error::OTelSdkResult};

pub use attributes::OtelServiceInfo;
use durations::Durations;
use traces::Traces;

/// Where the collector of everything is.
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// Where that of one signal is, and what sends it.
const TRACES: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER"];
const METRICS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_METRICS_EXPORTER",
];

/// An observer that sends traces and durations of requests to a collector.
///
/// Only the standard `OTEL_*` variables configure it, and it sends nothing unless they name an endpoint. Spans and metrics have the
/// names and attributes of OpenTelemetry's conventions for MCP servers. They never include arguments or results.
#[derive(Debug)]
pub struct OtelObserver {
    program: OtelServiceInfo,
    traces: Option<Traces>,
    durations: Option<Durations>,
}

impl OtelObserver {
    /// Starts sending the signals that the environment selects. Call it on a tokio runtime.
    ///
    /// # Errors
    /// Returns an error if the configuration of an exporter is invalid.
    pub fn start(
        program: OtelServiceInfo,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let is = |name: &str, value: &str| {
            environment(name).is_some_and(|it| it.eq_ignore_ascii_case(value))
        };
        // OpenTelemetry, "Environment Variable Specification".
        let is_sent = |[endpoint, exporter]: [&str; 2]| {
            let mut endpoints = [endpoint, ENDPOINT].into_iter();
            let has_endpoint = endpoints.any(|it| environment(it).is_some());
            has_endpoint && !is("OTEL_SDK_DISABLED", "true") && !is(exporter, "none")
        };
        let name = environment("OTEL_SERVICE_NAME").unwrap_or_else(|| program.name.to_owned());
        let resource = Resource::builder()
            .with_service_name(name)
            .with_attribute(KeyValue::new("service.version", program.version))
            .build();
        let traces = is_sent(TRACES).then(|| Traces::start(&program, resource.clone()));
        let durations = is_sent(METRICS).then(|| Durations::start(&program, resource));
        Ok(Self {
            program,
            traces: traces.transpose()?,
            durations: durations.transpose()?,
        })
    }

    /// Sends the remaining signals to the collector and waits for completion.
    pub async fn stop(&self) {
        let traces = self.traces.as_ref().map(|it| it.provider.clone());
        let metrics = self.durations.as_ref().map(|it| it.provider.clone());
        tokio::join!(
            stop("traces", traces.map(|it| move || it.shutdown())),
            stop("metrics", metrics.map(|it| move || it.shutdown())),
        );
    }
}

impl RequestObserver for OtelObserver {
    fn is_enabled(&self) -> bool {
        self.traces.is_some() || self.durations.is_some()
    }

    fn on_request(&self, request: &RequestStart<'_>, extensions: &mut Extensions) {
        if let Some(traces) = &self.traces {
            traces.begun(&self.program, request, extensions);
        }
    }

    fn on_response(&self, request: &RequestEnd<'_>) {
        if let Some(traces) = &self.traces {
            traces.answered(request);
        }
        if let Some(durations) = &self.durations {
            durations.answered(&self.program, request);
        }
    }

    fn on_task_end(&self, task: &TaskEnd<'_>) {
        if let Some(traces) = &self.traces {
            traces.on_task_end(task);
        }
        if let Some(durations) = &self.durations {
            durations.on_task_end(&self.program, task);
        }
    }
}

/// Sends what is left of a signal to the collector, and waits for that.
async fn stop(
    what: &'static str,
    shutdown: Option<impl FnOnce() -> OTelSdkResult + Send + 'static>,
) {
    let Some(shutdown) = shutdown else { return };
    match tokio::task::spawn_blocking(shutdown).await {
        Ok(Ok(())) => (),
        Ok(Err(err)) => tracing::warn!(%err, "the last {what} were not sent"),
        Err(err) => tracing::error!(%err, "sending the last {what} panicked"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_is_sent_is_what_the_environment_says() {
        let (all, traces, metrics) = ((ENDPOINT, "http://127.0.0.1:9"), TRACES, METRICS);
        for (variables, expected) in [
            (&[][..], [false, false]),
            (&[(traces[0], "http://127.0.0.1:9")], [true, false]),
            (&[(metrics[0], "http://127.0.0.1:9")], [false, true]),
            (&[all, ("OTEL_SDK_DISABLED", "TRUE")], [false, false]),
            (
                &[all, ("OTEL_SDK_DISABLED", "no"), (metrics[1], "None")],
                [true, false],
            ),
        ] {
            let program = OtelServiceInfo::new("example", "1", |_| None);
            let telemetry = OtelObserver::start(program, |name| {
                let found = variables.iter().find(|(it, _)| *it == name);
                found.map(|(_, value)| (*value).to_owned())
            });
            let telemetry = telemetry.unwrap();
            let sends = [telemetry.traces.is_some(), telemetry.durations.is_some()];
            assert_eq!(sends, expected, "{variables:?}");
            assert_eq!(telemetry.is_enabled(), expected != [false, false]);
            telemetry.stop().await;
        }
    }
}
