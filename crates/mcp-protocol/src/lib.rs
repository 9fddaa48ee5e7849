#![doc = include_str!("../README.md")]

pub mod base64;
pub mod content;
pub mod convert;
pub mod error;
mod json;
pub mod jsonrpc;
pub mod lifecycle;
pub mod loss;
pub mod output;
pub mod parse;
pub mod render;
pub mod result;
pub mod revision;
pub mod tool;

pub use content::ContentBlock;
pub use error::ErrorObject;
pub use jsonrpc::{Incoming, Message, Notification, Request, RequestId};
pub use output::{IntoToolOutput, ToolOutput};
pub use result::CallToolResult;
pub use revision::{Revision, Rules};
pub use tool::{ServerInfo, Tool, ToolAnnotations};

/// A JSON object as the wire carries it.
pub type Object = serde_json::Map<String, serde_json::Value>;

#[cfg(test)]
mod tests;

/// The examples of the guide are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/adopting-conversion.md")]
struct AdoptionGuide;
