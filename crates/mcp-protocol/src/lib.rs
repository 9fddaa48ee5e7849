#![doc = include_str!("../README.md")]

pub mod base64;
pub mod client;
pub mod completion;
pub mod content;
pub mod convert;
pub mod error;
mod json;
pub mod jsonrpc;
pub mod lifecycle;
pub mod log;
pub mod loss;
pub mod output;
pub mod parse;
pub mod prompt;
pub mod render;
pub mod resource;
pub mod result;
pub mod revision;
pub mod tool;

pub use client::{Capability, ClientRequest};
pub use completion::{Completion, Reference};
pub use content::ContentBlock;
pub use error::ErrorObject;
pub use jsonrpc::{Incoming, Message, Notification, Request, RequestId};
pub use log::LogLevel;
pub use output::{IntoToolOutput, ToolOutput};
pub use prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
pub use resource::{ReadResourceResult, Resource, ResourceTemplate};
pub use result::CallToolResult;
pub use revision::{Revision, Rules};
pub use tool::{ServerInfo, Tool, ToolAnnotations};

/// A JSON object as the wire carries it.
pub type Object = serde_json::Map<String, serde_json::Value>;

#[cfg(test)]
mod tests;

/// The examples of the guide are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/adopting-conversion.md")]
struct AdoptionGuide;
