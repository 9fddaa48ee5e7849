#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod answer;
pub mod api;
mod api_error;
mod attempt;
mod cache;
mod call;
mod cause;
mod config;
mod connector;
mod endpoint;
mod error;
mod exchange;
mod health;
mod heartbeats;
mod node;
mod observation;
mod observer;
mod options;
mod permits;
mod race;
mod refused;
mod socket;
#[cfg(feature = "tls")]
mod tls;
mod transport;
mod upstream;
mod version;
mod wildcards;

pub use answer::Rows;
pub use api_error::ApiError;
pub use cache::CacheUsage;
pub use call::{PageRequest, RequestCounter};
pub use cause::Cause;
pub use config::{AnswerMemory, ApiKey, ConfigError, MemoryGrant, NodeConfig, OwnNode, Timeouts};
pub use connector::{Connecting, Connector, Wire};
pub use endpoint::{Access, Endpoint, KeyUse, Method, Tier};
pub use error::{NodeError, NodeErrorKind};
pub use health::NodeHealth;
pub use node::{Node, NodeFuture};
pub use observation::{FallbackReason, Gaps, Observation, Observations};
pub use observer::{NodeObserver, NodeRequest};
pub use socket::Socket;
pub use upstream::Circuit;
pub use version::{CoreVersion, NotAVersion};
