//! The figures of a running server, in the text format of Prometheus.
//!
//! Requests have the names and labels of OpenTelemetry's conventions for MCP servers, in the form that Prometheus gives them.
//! No label comes from a client: what is not in our own tables is `_OTHER`.

use std::{
    fmt,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use mcp_http::Usage;
use mcp_server::{AnsweredRequest, Load, MemoryBudget, RequestOutcome};
use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder,
};
use qortal_client::{Cause, Circuit, Node, NodeErrorKind, NodeRequest};
use qortal_tools::Catalog;
use qortal_types::Height;

use super::cache_figures::CacheFigures;

/// In seconds. OpenTelemetry's boundaries for MCP, and smaller ones: most answers take a few milliseconds.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0, 60.0,
];
/// What a client named and no table has (OpenTelemetry, "Standard attributes").
const OTHER: &str = "_OTHER";
/// Nodes that are told apart. More are counted together.
const MOST_NODES: usize = 16;

/// All figures of a process.
pub(crate) struct Metrics {
    registry: Registry,
    operations: HistogramVec,
    requests: IntCounterVec,
    node_requests: IntCounterVec,
    node_durations: HistogramVec,
    node_height: IntGaugeVec,
    node_behind: IntGaugeVec,
    node_open: IntGaugeVec,
    node_in_flight: IntGaugeVec,
    node_waiting: IntGaugeVec,
    refused_requests: IntCounterVec,
    refused_calls: IntCounterVec,
    memory_used: IntGauge,
    memory_limit: IntGauge,
    calls: IntGauge,
    subscriptions: IntGauge,
    connections: IntGauge,
    streams: IntGauge,
    sessions: IntGauge,
    draining: IntGauge,
    cache: CacheFigures,
    /// Held while figures are read: two readers would both count on.
    reading: Mutex<()>,
}

/// What is read when someone looks.
#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) node: Node,
    pub(crate) memory: MemoryBudget,
    pub(crate) usage: Usage,
    pub(crate) load: Load,
    pub(crate) is_draining: bool,
}

impl Metrics {
    /// # Errors
    /// Fails if a name is invalid or given twice, which the tests of this module exclude.
    pub(crate) fn new() -> Result<Self, prometheus::Error> {
        let registry = Registry::new();
        let cache = CacheFigures::new(&registry)?;
        let metrics = Self {
            operations: histogram(
                "mcp_server_operation_duration_seconds",
                "Time to answer a request of a client, without reading and writing it.",
                &[
                    "mcp_method_name",
                    "gen_ai_tool_name",
                    "error_type",
                    "network_transport",
                ],
            )?,
            requests: counter(
                "mcp_server_requests_total",
                "Requests of clients by the protocol revision that they were answered in.",
                &["mcp_protocol_version"],
            )?,
            node_requests: counter(
                "qortal_node_requests_total",
                "Requests to nodes by what came of them.",
                &["node", "endpoint", "outcome"],
            )?,
            node_durations: histogram(
                "qortal_node_request_duration_seconds",
                "Time of a request to a node, from waiting for its turn to the end of the answer.",
                &["node"],
            )?,
            node_height: gauges(
                "qortal_node_height",
                "The height that the node stated last; 0 if it stated none.",
            )?,
            node_behind: gauges(
                "qortal_node_blocks_behind",
                "Blocks that the node lacks compared with the others, if more than it may.",
            )?,
            node_open: gauges(
                "qortal_node_circuit_open",
                "1 while the node does not answer and others are preferred.",
            )?,
            node_in_flight: gauges(
                "qortal_node_requests_in_flight",
                "Requests that the node works on.",
            )?,
            node_waiting: gauges(
                "qortal_node_requests_waiting",
                "Requests that wait for the node to have worked on others.",
            )?,
            refused_requests: counter(
                "qortal_mcp_refused_requests_total",
                "Requests over HTTP that were refused before they reached the server, by cause.",
                &["cause"],
            )?,
            refused_calls: counter(
                "qortal_mcp_refused_calls_total",
                "Calls that were refused because of a limit, with an answer that says so.",
                &["limit"],
            )?,
            memory_limit: IntGauge::new(
                "qortal_mcp_memory_limit_bytes",
                "Bytes that can be reserved for messages and answers.",
            )?,
            calls: IntGauge::new(
                "qortal_mcp_calls_in_flight",
                "Calls, prompts, resources and completions that are worked on.",
            )?,
            subscriptions: IntGauge::new(
                "qortal_mcp_subscriptions",
                "Resources that clients are subscribed to.",
            )?,
            memory_used: IntGauge::new(
                "qortal_mcp_memory_used_bytes",
                "Bytes reserved for messages and answers.",
            )?,
            connections: IntGauge::new("qortal_mcp_connections", "Open connections of clients.")?,
            streams: IntGauge::new(
                "qortal_mcp_streams",
                "Open streams that have no end of their own.",
            )?,
            sessions: IntGauge::new("qortal_mcp_sessions", "Open sessions of clients.")?,
            draining: IntGauge::new(
                "qortal_mcp_draining",
                "1 while the server finishes what it has accepted before it stops.",
            )?,
            cache,
            registry,
            reading: Mutex::default(),
        };
        metrics.register()?;
        Ok(metrics)
    }

    fn register(&self) -> Result<(), prometheus::Error> {
        let build = gauge_vec(
            "qortal_mcp_build_info",
            "1, with the version of the program.",
            &["version"],
        )?;
        build.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
        let registry = &self.registry;
        registry.register(Box::new(build))?;
        registry.register(Box::new(self.operations.clone()))?;
        for counter in [
            &self.requests,
            &self.node_requests,
            &self.refused_requests,
            &self.refused_calls,
        ] {
            registry.register(Box::new(counter.clone()))?;
        }
        registry.register(Box::new(self.node_durations.clone()))?;
        for gauges in [
            &self.node_height,
            &self.node_behind,
            &self.node_open,
            &self.node_in_flight,
            &self.node_waiting,
        ] {
            registry.register(Box::new(gauges.clone()))?;
        }
        for gauge in [
            &self.memory_used,
            &self.memory_limit,
            &self.calls,
            &self.subscriptions,
            &self.connections,
            &self.streams,
            &self.sessions,
            &self.draining,
        ] {
            registry.register(Box::new(gauge.clone()))?;
        }
        // Time, memory, descriptors and start of the process.
        #[cfg(target_os = "linux")]
        registry.register(Box::new(
            prometheus::process_collector::ProcessCollector::for_self(),
        ))?;
        Ok(())
    }

    /// Counts a request of a client.
    pub(crate) fn answered(&self, request: &AnsweredRequest<'_>) {
        let tool = match request.method {
            Some("tools/call" | "call_tool") => {
                let mut tools = Catalog::entries();
                let found = request
                    .name
                    .and_then(|it| tools.find(|tool| tool.name == it));
                found.map_or(OTHER, |it| it.name)
            }
            _ => "",
        };
        let error = match request.outcome {
            RequestOutcome::Result => String::new(),
            RequestOutcome::ToolError => "tool_error".to_owned(),
            RequestOutcome::Refused => "refused".to_owned(),
            RequestOutcome::Error(code) => code.to_string(),
            _ => OTHER.to_owned(),
        };
        let method = request.method.unwrap_or(OTHER);
        self.operations
            .with_label_values(&[method, tool, error.as_str(), "tcp"])
            .observe(request.duration.as_secs_f64());
        self.requests
            .with_label_values(&[request.revision.name()])
            .inc();
    }

    /// Counts a request to a node.
    pub(crate) fn asked(&self, request: &NodeRequest<'_>) {
        let node = node_name(request.node, request.is_own);
        let outcome = outcome(request);
        self.node_requests
            .with_label_values(&[&*node, request.endpoint.template(), outcome])
            .inc();
        self.observe_node(&node, request.duration);
    }

    fn observe_node(&self, node: &str, duration: Duration) {
        self.node_durations
            .with_label_values(&[node])
            .observe(duration.as_secs_f64());
    }

    /// All figures as they are now.
    ///
    /// # Errors
    /// Fails if a figure cannot be written as text.
    pub(crate) fn text(&self, current: &Current) -> Result<Vec<u8>, prometheus::Error> {
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        for (n, health) in current.node.health().iter().enumerate().take(MOST_NODES) {
            let node = node_name(n, health.is_own);
            let set = |gauges: &IntGaugeVec, value: u32| {
                gauges.with_label_values(&[&*node]).set(i64::from(value));
            };
            set(&self.node_height, health.height.map_or(0, Height::number));
            set(&self.node_behind, health.blocks_behind.unwrap_or(0));
            set(
                &self.node_open,
                u32::from(health.circuit != Circuit::Closed),
            );
            let count = |requests: usize| u32::try_from(requests).unwrap_or(u32::MAX);
            set(&self.node_in_flight, count(health.in_flight));
            set(&self.node_waiting, count(health.waiting));
        }
        let set = |gauge: &IntGauge, value: usize| {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        };
        set(&self.memory_used, current.memory.used());
        set(&self.memory_limit, current.memory.limit());
        set(&self.calls, current.load.calls);
        set(&self.subscriptions, current.load.subscriptions);
        catch_up(&self.refused_requests, &current.usage.refusals());
        catch_up(&self.refused_calls, &current.load.refused);
        set(&self.connections, current.usage.connections());
        set(&self.streams, current.usage.streams());
        set(&self.sessions, current.usage.sessions());
        self.draining.set(i64::from(current.is_draining));
        self.cache.read(&current.node);
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// Counts on to what was counted elsewhere.
fn catch_up(counters: &IntCounterVec, counts: &[(&'static str, u64)]) {
    for (label, count) in counts {
        let counter = counters.with_label_values(&[*label]);
        counter.inc_by(count.saturating_sub(counter.get()));
    }
}

/// A position and not a URL, which would tell where private nodes are.
pub(super) fn node_name(position: usize, is_own: bool) -> String {
    match position {
        0 => "own".to_owned(),
        it if it < MOST_NODES && is_own => format!("own-{it}"),
        it if it < MOST_NODES => format!("public-{it}"),
        _ => OTHER.to_owned(),
    }
}

/// What came of a request to a node, in one word.
fn outcome(request: &NodeRequest<'_>) -> &'static str {
    let error = match request.result {
        Ok(status) => {
            return match status {
                200..=299 if request.is_page => "page",
                200..=299 => "ok",
                400..=499 => "refused",
                500..=599 => "failed",
                _ => OTHER,
            };
        }
        Err(error) => error,
    };
    match (error.kind(), error.cause()) {
        (NodeErrorKind::Unreachable, Some(cause)) => match cause {
            Cause::Refused => "connection_refused",
            Cause::Dns => "dns",
            Cause::Tls => "tls",
            Cause::ConnectTimeout => "connect_timeout",
            Cause::NoRoute => "no_route",
            Cause::Reset => "reset",
            Cause::Closed => "closed",
            Cause::Broken => "broken",
            _ => "unreachable",
        },
        (NodeErrorKind::Unreachable, None) => "unreachable",
        (NodeErrorKind::TimedOut { .. }, _) => "timed_out",
        (NodeErrorKind::Overloaded { .. }, _) => "overloaded",
        (NodeErrorKind::TooLarge { .. }, _) => "too_large",
        (NodeErrorKind::NoMemory, _) => "no_memory",
        _ => OTHER,
    }
}

fn histogram(name: &str, help: &str, labels: &[&str]) -> Result<HistogramVec, prometheus::Error> {
    let options = HistogramOpts::new(name, help).buckets(BUCKETS.to_vec());
    HistogramVec::new(options, labels)
}

fn counter(name: &str, help: &str, labels: &[&str]) -> Result<IntCounterVec, prometheus::Error> {
    IntCounterVec::new(Opts::new(name, help), labels)
}

fn gauges(name: &str, help: &str) -> Result<IntGaugeVec, prometheus::Error> {
    gauge_vec(name, help, &["node"])
}

fn gauge_vec(name: &str, help: &str, labels: &[&str]) -> Result<IntGaugeVec, prometheus::Error> {
    IntGaugeVec::new(Opts::new(name, help), labels)
}
