#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod access_log;
mod admin;
mod descriptors;
mod file_watcher;
mod health;
mod listen;
#[cfg(feature = "log")]
pub mod log;
mod log_writer;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "oauth")]
mod oauth;
#[cfg(feature = "otel")]
mod otel;
mod ready;
#[cfg(any(feature = "metrics", feature = "otel"))]
mod request_name;
mod scope_rules;
mod scoped_set;
pub mod secret;
mod serve;
mod signals;
#[cfg(feature = "tls")]
mod tls_files;
#[cfg(feature = "tokens")]
mod token_file;

pub use access_log::{AccessLog, AccessLogEntry};
pub use admin::AdminServer;
pub use descriptors::raise_connection_limit;
pub use file_watcher::{FileSnapshot, FileWatcher, TakesEffect};
#[cfg(feature = "tls")]
pub use health::check_health_over_tls;
pub use health::{HealthError, check_health};
pub use listen::{ListenAddr, SocketFile};
pub use log_writer::LogWriter;
#[cfg(feature = "metrics")]
pub use metrics::{
    LabeledCounter, LabeledHistogram, LabeledSamples, Metric, Metrics, MetricsError,
    ServerMetricsSource,
};
#[cfg(feature = "oauth")]
pub use oauth::{Issuer, IssuerError, IssuerUrl};
#[cfg(feature = "otel")]
pub use otel::{OtelObserver, TracedService};
pub use ready::{ReadyCheck, ReadyReport, ReadyRoute};
pub use scope_rules::{CallerPermissions, ScopeGrants};
pub use scoped_set::{ScopedSet, ScopedToolResolver};
pub use serve::{ServiceState, feed_watchdog, notify_systemd, serve};
pub use signals::Signals;
#[cfg(feature = "tls")]
pub use tls_files::{TlsError, TlsFiles};
#[cfg(feature = "tokens")]
pub use token_file::{TokenAttributeSpec, TokenFile, TokenFileError};

/// A page with its path and its permitted visitors, as in [`mcp_http::HttpConfig::routes`].
pub type RouteEntry = (
    String,
    mcp_http::RouteVisitors,
    std::sync::Arc<dyn mcp_http::Route>,
);
