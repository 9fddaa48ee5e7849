#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod access_log;
mod descriptors;
mod health;
mod listen;
#[cfg(feature = "log")]
pub mod log;
mod log_writer;
mod management;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "oauth")]
mod oauth;
#[cfg(feature = "otel")]
mod otel;
mod permitted;
mod ready;
#[cfg(any(feature = "metrics", feature = "otel"))]
mod request_name;
mod scope_rules;
pub mod secret;
mod serve;
mod signals;
#[cfg(feature = "tls")]
mod tls_files;
#[cfg(feature = "tokens")]
mod token_file;
mod watched_file;

pub use access_log::{AccessLine, AccessLog};
pub use descriptors::connections;
pub use health::{HealthError, ask_health};
pub use listen::{Listen, SocketFile};
pub use log_writer::LogWriter;
pub use management::Management;
#[cfg(feature = "metrics")]
pub use metrics::{Counters, Durations, Figure, Metrics, MetricsError, Reading, Running};
#[cfg(feature = "oauth")]
pub use oauth::{Issuer, IssuerError, IssuerUrl};
#[cfg(feature = "otel")]
pub use otel::{Program, Telemetry};
pub use permitted::{Permitted, ToolIndex};
pub use ready::{ReadyCheck, ReadyPage, ReadyState};
pub use scope_rules::{Permit, ScopeRules};
pub use serve::{ServiceState, keep_alive, serve, tell};
pub use signals::Signals;
#[cfg(feature = "tls")]
pub use tls_files::{TlsError, TlsFiles};
#[cfg(feature = "tokens")]
pub use token_file::{TokenFile, TokenFileError, TokenWord};
pub use watched_file::{SeenFiles, Taken, WatchedFile};

/// A page with its path, and who is shown it, as [`mcp_http::Config::pages`] has it.
pub type PageRow = (
    String,
    mcp_http::Audience,
    std::sync::Arc<dyn mcp_http::Page>,
);
