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
pub use descriptors::raise_fd_limit;
pub use file_watcher::{FileSnapshot, FileWatcher, ReloadOutcome};
#[cfg(feature = "tls")]
pub use health::check_health_tls_unverified;
pub use health::{HealthError, check_health};
pub use listen::{ListenAddr, SocketFile};
pub use log_writer::LogWriter;
#[cfg(feature = "metrics")]
pub use metrics::{
    LabeledCounter, LabeledHistogram, LabeledSamples, MetricDefinition, Metrics, MetricsError,
    ServerMetricsSource,
};
#[cfg(feature = "oauth")]
pub use oauth::{Issuer, IssuerBuildError, IssuerUrl};
#[cfg(feature = "otel")]
pub use otel::{OtelObserver, OtelServiceInfo};
pub use ready::{ReadyCheck, ReadyCheckResult, ReadyPage};
pub use scope_rules::{CallerPermissions, ScopeGrants};
pub use scoped_set::{ScopedSet, ScopedToolResolver};
pub use serve::{ServiceState, notify_systemd, run_watchdog, serve_monitored};
pub use signals::Signals;
#[cfg(feature = "tls")]
pub use tls_files::{TlsError, TlsFiles};
#[cfg(feature = "tokens")]
pub use token_file::{TokenFile, TokenFileAttribute, TokenFileError};

/// A page with its path and its permitted visitors, as in [`mcp_http::HttpConfig::routes`].
pub type HttpPageEntry = (
    String,
    mcp_http::PageAudience,
    std::sync::Arc<dyn mcp_http::HttpPage>,
);
