#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod answer;
pub mod api;
mod api_error;
mod cache;
mod call;
mod coalescer;
mod config;
mod endpoint;
mod error;
mod node;
mod node_enum;
mod page;
mod setters;
mod socket;
mod transport;
mod upstream;

pub use api_error::ApiError;
pub use config::{ApiKey, Config, ConfigError, Timeouts};
pub use endpoint::{Access, Endpoint, Method, Tier};
pub use error::{KeyUse, NodeError, NodeErrorKind};
pub use node::Node;
pub use page::Page;
pub use socket::Socket;
