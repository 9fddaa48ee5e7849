//! Tool results in the shapes of hosts and SDKs.
//!
//! One function for every target, chosen by the caller and never detected. It takes anything that can be viewed as a
//! result ([`AsToolResult`]: a JSON value, a [`mcp_protocol::CallToolResult`], your own type), borrows what it can, and returns
//! what the target cannot carry as [`mcp_protocol::Losses`].
//!
//! | function | its output |
//! | --- | --- |
//! | [`convert()`] | loses nothing that the target can carry; never Base64 in text; failures always reach the model |
//! | [`compat()`] | equals the vendor's own converter, with its gaps |
//!
//! A structured value of `null` is treated as absent, because it means nothing to a model. The block of a result for a
//! model that an MCP server samples is [`mcp_protocol::render::sampling_tool_result`].

mod ai_sdk;
mod anthropic;
mod bedrock;
mod block;
mod carrier;
mod converted;
mod copilot;
mod cut;
mod fit;
mod form;
mod framework;
mod gemini;
mod json_ref;
mod langchain;
mod limits;
mod media;
pub mod messages;
mod openai;
mod piece;
mod pieces;
mod policy;
mod said;
mod target;
pub mod tools;
pub mod validate;
mod view;
mod words;

use serde_json::Value;

pub(crate) use self::media::Media;
pub use self::{
    ai_sdk::{AiSdk, Mastra},
    anthropic::Anthropic,
    bedrock::{Bedrock, Strands},
    block::{BlockRef, LinkRef, ResourceRef},
    converted::{Call, ConvertError, Converted},
    copilot::{Copilot, CopilotFlavor},
    framework::{Framework, LlamaIndex, PydanticAi, Rig, Swiftide},
    gemini::Gemini,
    json_ref::JsonRef,
    langchain::LangChain,
    limits::{Cut, Limits},
    openai::{Codex, OpenAiAgents, OpenAiChat, OpenAiResponses},
    policy::{ErrorMark, Policy, Prefer, Unsupported},
    target::{Target, Vendor, compat, convert},
    view::{AsToolResult, ResultView},
};

/// Text for a value that a tool's function returned to a host directly, without MCP: null is empty, text is
/// itself, anything else is its JSON. Objects that look like a result are objects.
#[must_use]
pub fn ordinary_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
