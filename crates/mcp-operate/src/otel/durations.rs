//! Durations of requests, as the histogram of OpenTelemetry's conventions for MCP servers.

use std::{error::Error, time::Duration};

use mcp_protocol::Method;
use mcp_server::{RequestEnd, RequestOutcome, TaskEnd};
use opentelemetry::{
    KeyValue,
    metrics::{Histogram, MeterProvider as _},
};
use opentelemetry_otlp::{MetricExporter, WithHttpConfig as _};
use opentelemetry_sdk::{Resource, metrics::SdkMeterProvider};

use super::{
    attributes::{OtelServiceInfo, attributes, failure},
    collector::Collector,
};

/// In seconds, as the conventions have them ("Metric: `mcp.server.operation.duration`").
const BOUNDARIES: [f64; 14] = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0,
];

/// The durations of a process, sent once a minute or as `OTEL_METRIC_EXPORT_INTERVAL` says.
#[derive(Debug)]
pub(super) struct Durations {
    pub(super) provider: SdkMeterProvider,
    histogram: Histogram<f64>,
}

impl Durations {
    pub(super) fn start(
        program: &OtelServiceInfo,
        resource: Resource,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let exporter = MetricExporter::builder()
            .with_http()
            .with_http_client(Collector::new()?)
            .build()?;
        let provider = SdkMeterProvider::builder()
            .with_periodic_exporter(exporter)
            .with_resource(resource)
            .build();
        let histogram = provider
            .meter(program.name)
            .f64_histogram("mcp.server.operation.duration")
            .with_unit("s")
            .with_description(
                "Processing time of a client request, without reading and writing it, or of a task until its end.",
            )
            .with_boundaries(BOUNDARIES.to_vec())
            .build();
        Ok(Self {
            provider,
            histogram,
        })
    }

    /// Counts a request.
    pub(super) fn answered(&self, program: &OtelServiceInfo, request: &RequestEnd<'_>) {
        let of = attributes(
            program,
            request.method,
            request.name,
            request.revision,
            request.extensions,
        );
        self.record(of, request.outcome, request.duration);
    }

    /// Counts a call that became a task.
    pub(super) fn on_task_end(&self, program: &OtelServiceInfo, task: &TaskEnd<'_>) {
        let (method, tool) = (Some(Method::ToolsCall.as_str()), Some(task.tool));
        let of = attributes(program, method, tool, task.revision, task.extensions);
        self.record(of, task.outcome, task.duration);
    }

    fn record(&self, mut of: Vec<KeyValue>, outcome: RequestOutcome, time: Duration) {
        // What came of it is known when the task has ended, and one that its client cancels is no more measured than a request.
        if matches!(outcome, RequestOutcome::Task | RequestOutcome::Cancelled) {
            return;
        }
        of.extend(failure(outcome));
        self.histogram.record(time.as_secs_f64(), &of);
    }
}
