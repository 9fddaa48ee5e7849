//! Metrics of a running server in the Prometheus text format.

mod family;
mod metric;
#[cfg(target_os = "linux")]
mod process;

#[cfg(feature = "tls")]
use std::time::UNIX_EPOCH;
use std::{collections::BTreeSet, fmt, sync::Arc, time::Duration};

use mcp_http::{Bytes, HttpPage, PageAudience, PageRequest, Response, TransportStats};
use mcp_protocol::Method;
use mcp_server::{BoxFuture, RequestEnd, RequestObserver, RequestOutcome, Server, TaskEnd};
use parking_lot::Mutex;
use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;
use tokio_util::sync::CancellationToken;

use family::{Counters, Gathered, Histograms, Labels, Values};
pub use metric::{LabeledSamples, MetricDefinition};

#[cfg(feature = "tls")]
use crate::TlsFiles;
use crate::{
    FileWatcher, HttpPageEntry,
    ready::answer,
    request_name::{NameKind, name_kind},
};

/// In seconds. OpenTelemetry's boundaries for MCP, and smaller ones: most answers take a few milliseconds.
const BUCKETS: [f64; 13] = [
    0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0, 60.0,
];
/// What a client named and no table has (OpenTelemetry, "Standard attributes").
const OTHER: &str = "_OTHER";

/// The metrics of watched files. Their names follow the prefix of the program.
const FILES: &[MetricDefinition<Vec<FileWatcher>>] = &[MetricDefinition::observable_gauges(
    "_file_invalid",
    "1 while a file is invalid and its previous content stays in effect.",
    "file",
    |files| {
        let name = |it: &FileWatcher| it.name().to_owned();
        let files = files.iter();
        files.map(|it| (name(it), it.is_invalid().into())).collect()
    },
)];

/// The metric of the certificate that a server serves with.
#[cfg(feature = "tls")]
const CERTIFICATE: &[MetricDefinition<TlsFiles>] = &[MetricDefinition::observable_gauge(
    "_tls_certificate_expiry_timestamp_seconds",
    "Time at which the first certificate of the served chain expires, in seconds since 1970, or 0 if it cannot be read.",
    |files| {
        let since = files.expires_at().map(|it| it.duration_since(UNIX_EPOCH));
        since.map_or(0, |it| it.map_or(0, |it| it.as_secs()))
    },
)];

/// What is read of a server, after the prefix of the program.
const SERVER: &[MetricDefinition<ServerMetricsSource>] = &[
    MetricDefinition::observable_counters(
        "_refused_requests_total",
        "HTTP requests rejected before they reached the server, by cause.",
        "cause",
        |it| named(it.usage.rejections()),
    ),
    MetricDefinition::observable_counters(
        "_refused_calls_total",
        "Calls rejected because of a limit.",
        "limit",
        |it| named(it.server.stats().refused),
    ),
    MetricDefinition::observable_gauge(
        "_memory_limit_bytes",
        "Bytes that can be reserved for messages and results.",
        |it| number(it.server.memory_budget().limit()),
    ),
    MetricDefinition::observable_gauge(
        "_memory_used_bytes",
        "Bytes reserved for messages and results.",
        |it| number(it.server.memory_budget().used()),
    ),
    MetricDefinition::observable_gauge(
        "_calls_in_flight",
        "Calls, prompts, resources and completions in progress.",
        |it| number(it.server.stats().calls),
    ),
    MetricDefinition::observable_gauge(
        "_subscriptions",
        "Resources that clients are subscribed to.",
        |it| number(it.server.stats().subscriptions),
    ),
    MetricDefinition::observable_gauge("_connections", "Open client connections.", |it| {
        number(it.usage.connections())
    }),
    MetricDefinition::observable_gauge(
        "_streams",
        "Open streams that only the client or the server ends.",
        |it| number(it.usage.listening_streams()),
    ),
    MetricDefinition::observable_gauge("_sessions", "Open client sessions.", |it| {
        number(it.usage.sessions())
    }),
    MetricDefinition::observable_gauge(
        "_draining",
        "1 while the server finishes accepted requests before it stops.",
        |it| u64::from(it.shutting_down.is_cancelled()),
    ),
];

/// The metrics of a process.
///
/// Request metrics have the names and labels of OpenTelemetry's conventions for MCP servers, in Prometheus form. No label value
/// comes from a client: names outside the program's tables become `_OTHER`. On Linux, the process metrics are included.
pub struct Metrics {
    prefix: &'static str,
    tool: fn(&str) -> Option<&'static str>,
    operations: LabeledHistogram,
    requests: LabeledCounter,
    tables: Mutex<Vec<Table>>,
}

/// Returns metrics as they are now.
type Table = Box<dyn Fn() -> Vec<Gathered> + Send + Sync>;

/// A running server whose metrics are read at each scrape.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerMetricsSource {
    /// The server.
    pub server: Arc<Server>,
    /// Statistics of the server's transport, such as open connections and streams.
    pub usage: TransportStats,
    /// Cancelled when the server is asked to stop.
    pub shutting_down: CancellationToken,
}

/// A counter for each set of label values.
#[derive(Debug, Clone)]
pub struct LabeledCounter {
    labels: Arc<[String]>,
    family: Counters,
}

/// A histogram of durations for each set of label values.
#[derive(Debug, Clone)]
pub struct LabeledHistogram {
    labels: Arc<[String]>,
    family: Histograms,
}

/// An error registering or encoding metrics.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct MetricsError(#[from] Problem);

#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("the metric name {0:?} is invalid, or a counter's name does not end in _total")]
    Name(String),
    #[error("the metric {0:?} is already registered")]
    Duplicate(String),
    #[error("the metrics cannot be written")]
    Text(#[from] fmt::Error),
}

impl Metrics {
    /// Creates the metrics of a program with this version.
    ///
    /// The names of the program's own metrics begin with `prefix`. `tool` returns the program's tool with a name.
    ///
    /// # Errors
    /// Returns an error if the prefix does not form valid metric names.
    pub fn new(
        prefix: &'static str,
        version: &'static str,
        tool: fn(&str) -> Option<&'static str>,
    ) -> Result<Self, MetricsError> {
        let operations = LabeledHistogram::new(&[
            "mcp_method_name",
            "gen_ai_tool_name",
            "error_type",
            "network_transport",
        ]);
        let requests = LabeledCounter::new(&["mcp_protocol_version"]);
        let metrics = Self {
            prefix,
            tool,
            operations: operations.clone(),
            requests: requests.clone(),
            tables: Mutex::default(),
        };
        metrics.insert(operations.gathered(
            "mcp_server_operation_duration_seconds",
            "Processing time of a client request, without reading and writing it, or of a task until its end.",
        ))?;
        metrics.insert(requests.gathered(
            "mcp_server_requests_total",
            "Client requests, by the protocol version of the response.",
        ))?;
        const BUILD: &[MetricDefinition<&str>] = &[MetricDefinition::observable_gauges(
            "_build_info",
            "1, labeled with the version of the program.",
            "version",
            |version| vec![((*version).to_owned(), 1)],
        )];
        metrics.add(prefix, BUILD, version)?;
        #[cfg(target_os = "linux")]
        metrics.add("", process::PROCESS, ())?;
        Ok(metrics)
    }

    /// Registers the metrics of a server.
    ///
    /// # Errors
    /// Returns an error if they are already registered.
    pub fn register_server(&self, server: ServerMetricsSource) -> Result<(), MetricsError> {
        self.add(self.prefix, SERVER, server)
    }

    /// Registers the metric of files that are reloaded without a restart.
    ///
    /// # Errors
    /// Returns an error if it is already registered.
    pub fn register_file_watchers(&self, files: Vec<FileWatcher>) -> Result<(), MetricsError> {
        self.add(self.prefix, FILES, files)
    }

    /// Registers the metric of the server's certificate.
    ///
    /// # Errors
    /// Returns an error if it is already registered.
    #[cfg(feature = "tls")]
    pub fn register_certificate(&self, files: TlsFiles) -> Result<(), MetricsError> {
        self.add(self.prefix, CERTIFICATE, files)
    }

    /// Registers metrics of the program. They are read from `source` at each scrape.
    ///
    /// # Errors
    /// Returns an error if a name is invalid or already registered.
    pub fn register_source<T: Send + Sync + 'static>(
        &self,
        figures: &'static [MetricDefinition<T>],
        source: T,
    ) -> Result<(), MetricsError> {
        self.add("", figures, source)
    }

    /// Registers a counter of the program.
    ///
    /// # Errors
    /// Returns an error if the name is invalid or already registered.
    pub fn register_counter(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Result<LabeledCounter, MetricsError> {
        let counters = LabeledCounter::new(labels);
        self.insert(counters.gathered(name, help))?;
        Ok(counters)
    }

    /// Registers a histogram of durations of the program.
    ///
    /// # Errors
    /// Returns an error if the name is invalid or already registered.
    pub fn register_duration_histogram(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Result<LabeledHistogram, MetricsError> {
        let durations = LabeledHistogram::new(labels);
        self.insert(durations.gathered(name, help))?;
        Ok(durations)
    }

    fn add<T: Send + Sync + 'static>(
        &self,
        prefix: &'static str,
        figures: &'static [MetricDefinition<T>],
        source: T,
    ) -> Result<(), MetricsError> {
        self.add_table(Box::new(move || {
            let figures = figures.iter();
            figures.map(|it| it.gather(prefix, &source)).collect()
        }))
    }

    fn insert(&self, metric: Gathered) -> Result<(), MetricsError> {
        self.add_table(Box::new(move || vec![metric.clone()]))
    }

    /// Adds metrics, after a check of their names.
    fn add_table(&self, table: Table) -> Result<(), MetricsError> {
        let mut tables = self.tables.lock();
        let present = tables.iter().flat_map(|it| it());
        let mut names: BTreeSet<String> = present.map(|it| it.name).collect();
        for metric in table() {
            if !metric.is_valid() {
                return Err(Problem::Name(metric.name).into());
            }
            if !names.insert(metric.name.clone()) {
                return Err(Problem::Duplicate(metric.name).into());
            }
        }
        tables.push(table);
        Ok(())
    }

    /// Returns the current value of all metrics as text.
    ///
    /// # Errors
    /// Returns an error if a metric cannot be written as text.
    pub fn encode(&self) -> Result<Vec<u8>, MetricsError> {
        let metrics = self.tables.lock().iter().flat_map(|it| it()).collect();
        let text = family::text(metrics).map_err(Problem::Text)?;
        Ok(text.into_bytes())
    }

    /// Returns the page at `/metrics`.
    #[must_use]
    pub fn route(self: &Arc<Self>) -> HttpPageEntry {
        let page = MetricsPage(Arc::clone(self));
        ("/metrics".to_owned(), PageAudience::Probes, Arc::new(page))
    }
}

impl ServerMetricsSource {
    /// Creates the source for a server whose transport counts in `usage`. The server is draining once `leaving` is cancelled.
    #[must_use]
    pub fn new(server: Arc<Server>, usage: TransportStats, leaving: CancellationToken) -> Self {
        Self {
            server,
            usage,
            shutting_down: leaving,
        }
    }
}

impl LabeledCounter {
    fn new(labels: &[&str]) -> Self {
        Self {
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
            family: Counters::default(),
        }
    }

    fn gathered(&self, name: &str, help: &str) -> Gathered {
        Gathered {
            name: name.to_owned(),
            help: help.to_owned(),
            values: Values::Counters(self.family.clone()),
        }
    }

    /// Increments the counter for these label values by one.
    pub fn inc(&self, labels: &[&str]) {
        let labels = Labels::new(&self.labels, labels);
        self.family.get_or_create(&labels).inc();
    }
}

impl LabeledHistogram {
    fn new(labels: &[&str]) -> Self {
        Self {
            labels: labels.iter().map(|it| (*it).to_owned()).collect(),
            family: family::histograms(),
        }
    }

    fn gathered(&self, name: &str, help: &str) -> Gathered {
        Gathered {
            name: name.to_owned(),
            help: help.to_owned(),
            values: Values::Histograms(self.family.clone()),
        }
    }

    /// Records a duration for these label values.
    pub fn observe(&self, labels: &[&str], time: Duration) {
        let labels = Labels::new(&self.labels, labels);
        self.family
            .get_or_create(&labels)
            .observe(time.as_secs_f64());
    }
}

impl Metrics {
    /// Notes what came of a request, or of the task that it became.
    fn record(
        &self,
        method: Option<&str>,
        name: Option<&str>,
        outcome: RequestOutcome,
        time: Duration,
    ) {
        let tool = match method.and_then(name_kind) {
            Some(NameKind::Tool) => name.and_then(self.tool).unwrap_or(OTHER),
            Some(NameKind::Prompt) | None => "",
        };
        let error = match outcome {
            RequestOutcome::Result => String::new(),
            RequestOutcome::ToolError => "tool_error".to_owned(),
            RequestOutcome::Refused => "refused".to_owned(),
            RequestOutcome::Error(code) => code.to_string(),
            // What came of it is known when the task has ended, and one that its client cancels is no more counted than a request.
            RequestOutcome::Task | RequestOutcome::Cancelled => return,
            _ => OTHER.to_owned(),
        };
        let labels = [method.unwrap_or(OTHER), tool, error.as_str(), "tcp"];
        self.operations.observe(&labels, time);
    }
}

impl RequestObserver for Metrics {
    fn on_response(&self, request: &RequestEnd<'_>) {
        let (method, name) = (request.method, request.name);
        self.record(method, name, request.outcome, request.duration);
        self.requests.inc(&[request.revision.name()]);
    }

    fn on_task_end(&self, task: &TaskEnd<'_>) {
        let (method, name) = (Some(Method::ToolsCall.as_str()), Some(task.tool));
        self.record(method, name, task.outcome, task.duration);
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct MetricsPage(Arc<Metrics>);

impl HttpPage for MetricsPage {
    fn respond<'a>(&'a self, _: &'a PageRequest) -> BoxFuture<'a, Response<Bytes>> {
        let response = match self.0.encode() {
            Ok(text) => answer(200, CONTENT_TYPE, text),
            Err(err) => {
                tracing::error!(%err, "the metrics cannot be written");
                let text = "the metrics cannot be written\n";
                answer(500, "text/plain; charset=utf-8", text)
            }
        };
        Box::pin(async { response })
    }
}

fn named(counts: impl IntoIterator<Item = (&'static str, u64)>) -> LabeledSamples {
    let named = counts
        .into_iter()
        .map(|(name, count)| (name.to_owned(), count));
    named.collect()
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
