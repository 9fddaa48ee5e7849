#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod call_task;
mod capabilities;
mod challenge;
mod client;
mod config;
mod conversation;
mod endpoint;
mod error;
mod handler;
mod http;
mod id;
mod in_flight;
mod incoming;
mod input_required;
mod limits;
mod lines;
mod list;
mod listener;
mod notification;
mod open;
mod peer;
mod process;
mod subscription;
mod target;
mod tasks;
mod token;
mod tool_call;

/// The programs of the guide, compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
mod guide {}

/// The message types, and the types of results.
pub use mcp_protocol;

pub use capabilities::{ListCapability, ServerCapabilities};
pub use challenge::Challenge;
pub use client::Client;
pub use config::ClientConfig;
pub use endpoint::Endpoint;
pub use error::ClientError;
pub use handler::ClientHandler;
pub use limits::ClientLimits;
pub use list::ListError;
pub use listener::NotificationFilter;
pub use notification::{NotificationBody, Progress, ServerNotification};
pub use subscription::Subscription;
pub use target::ConnectTarget;
pub use token::TokenSource;
pub use tool_call::ToolCallStream;
