#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod authorization;
mod authorizer;
mod body;
mod config;
mod discard;
mod events;
mod exchange;
mod header;
mod incoming;
mod inflight;
mod limits;
mod listener;
mod mcp_headers;
mod peers;
mod proxies;
mod refusal;
mod respond;
mod route;
mod serve;
mod service;
mod session;
mod site;
mod stats;
mod stream;
mod stream_quota;
mod throttle;
#[cfg(feature = "tls")]
mod tls;
#[cfg(feature = "tower")]
mod tower;

pub use authorization::{Authorization, ProtectedResource, TokenVerifier, VerifyError};
pub use body::Body;
/// The head of a request, which scopes and tools can read from [`Extensions`](mcp_server::Extensions).
pub use hyper::http::request::Parts;
pub use mcp_server::{AuthInfo, ShutdownReport, ShutdownToken};
/// The response of a [`HttpPage`].
pub use {bytes::Bytes, hyper::Response};

pub use config::{ConfigError, HttpConfig};
pub use limits::HttpLimits;
pub use listener::{ExternalStream, Listener};
pub use route::{HttpPage, PageAudience, PageRequest};
pub use serve::serve;
pub use service::Service;
pub use stats::TransportStats;
#[cfg(feature = "tls")]
pub use tls::Tls;
