//! The messages of the Model Context Protocol as Rust types, in five revisions.
//!
#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

#[macro_use]
mod setters;

mod cache;
mod client;
mod completion;
pub mod content;
pub mod error;
mod icon;
mod json;
pub mod jsonrpc;
pub mod lifecycle;
mod log;
mod loss;
mod method;
mod prompt;
pub mod read;
pub mod render;
mod resource;
mod result;
mod revision;
mod server_info;
mod skill;
mod task;
mod tool;
pub mod transport;
pub mod ui;

pub use cache::CacheHint;
pub use client::{Capability, ServerRequest};
pub use completion::{CompleteRequest, Completion, Reference};
pub use content::ContentBlock;
pub use error::ErrorObject;
pub use icon::{Icon, Theme};
pub use json::Object;
pub use jsonrpc::{Request, RequestId};
pub use log::LogLevel;
pub use loss::{Loss, LossKind, Losses};
pub use method::Method;
pub use prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
pub use resource::{ReadResourceResult, Resource, ResourceTemplate};
pub use result::CallToolResult;
pub use revision::{Features, Revision, StructuredContentForm, TaskForm, UnknownRevision};
pub use server_info::ServerInfo;
pub use skill::{SkillEntry, SkillFileEntry};
pub use task::{RELATED_TASK, TASKS_EXTENSION, Task, TaskState, TaskSupport};
pub use tool::{Tool, ToolAnnotations};

#[cfg(test)]
mod tests;
