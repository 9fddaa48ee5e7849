#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod answer;
pub mod api;
mod api_error;
mod breaker;
mod cache;
mod call;
mod cause;
mod coalescer;
mod config;
mod endpoint;
mod error;
mod exchange;
mod health;
mod hedge;
mod heights;
mod hollow;
mod memory;
mod node;
mod node_enum;
mod observation;
mod observer;
mod page;
mod permits;
mod pulse;
mod request_counter;
mod rows;
mod setters;
mod sift;
mod socket;
mod transport;
mod turns;
mod unsigned;
mod upstream;
mod version;

pub use api_error::ApiError;
pub use breaker::Circuit;
pub use cache::CacheUsage;
pub use cause::Cause;
pub use config::{ApiKey, Config, ConfigError, OwnNode, Timeouts};
pub use endpoint::{Access, Endpoint, Method, Tier};
pub use error::{KeyUse, NodeError, NodeErrorKind};
pub use health::NodeHealth;
pub use memory::{AnswerMemory, MemoryGrant};
pub use node::Node;
pub use observation::{Fallback, Gaps, Observation, Observations};
pub use observer::{NodeRequest, RequestObserver};
pub use page::Page;
pub use request_counter::RequestCounter;
pub use socket::Socket;
pub use version::{CoreVersion, NotAVersion};
