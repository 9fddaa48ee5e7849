//! Reading server responses of all revisions: lists, tools, resources, prompts, contents and results. The crate
//! `mcp-client` reads the other messages to clients.
//!
//! Reading is tolerant, as the specification requires of clients. Unknown fields, and optional ones of the wrong type,
//! are left out. An unreadable entry of a list does not affect the others. Each type implements [`serde::Deserialize`].
//! [`crate::CallToolResult::read`] also reports everything in a result that the specification does not allow.
//!
//! ```
//! use mcp_protocol::{Tool, read::Page};
//!
//! let result = r#"{"tools":[{"name":"now","inputSchema":{"type":"object"}}, 7],"nextCursor":"abc"}"#;
//! let page: Page<Tool> = serde_json::from_str(result)?;
//! assert_eq!(page.items[0].name, "now");
//! assert_eq!(page.unreadable[0].1.to_string(), "tools: expected an object, found a number");
//! assert_eq!(page.next_cursor.as_deref(), Some("abc"));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod client_request;
mod entry;
mod features;
pub(crate) mod members;
mod page;
pub(crate) mod result;
mod tool;
mod unreadable;
mod visit;

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

use self::members::FromWire;
pub use self::{
    page::{ListItem, Page},
    result::{
        Diagnostic, NotAToolResult, ReceivedToolResult, ToolResultReadOptions, ToolResultRef,
    },
    unreadable::DecodeError,
};
use crate::{
    Completion, ErrorObject, GetPromptResult, Icon, PromptArgument, PromptMessage,
    ReadResourceResult, RequestId, ServerInfo, ToolAnnotations,
    content::{Annotations, ResourceContents},
};

macro_rules! deserialize {
    ($($type:ty,)+) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                Self::from_wire(value).map_err(D::Error::custom)
            }
        }
    )+};
}

deserialize! {
    Annotations, Completion, ErrorObject, GetPromptResult, Icon,
    PromptArgument, PromptMessage, ReadResourceResult, RequestId, ResourceContents, ServerInfo,
    ToolAnnotations,
}
