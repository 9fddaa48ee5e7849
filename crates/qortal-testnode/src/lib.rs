#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod announcement;
mod answer;
mod builds;
mod chain;
mod clock;
mod codec;
mod demo;
mod endpoint;
mod error;
mod event;
mod fault;
mod journal;
mod json;
mod life;
mod like;
mod node;
mod page;
mod processors;
mod raw;
#[cfg(feature = "scenarios")]
mod release;
mod request;
mod resource;
mod route;
mod scenario;
mod server;
mod socket;
mod state;
mod tick;
mod traffic;
mod wire;

pub use event::Event;
pub use fault::Fault;
pub use journal::Exchange;
pub use node::{Dialer, StartError, TestNode};
pub use scenario::Scenario;
pub use state::API_KEY;
pub use wire::MemoryStream;
