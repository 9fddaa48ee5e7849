//! Tool results in the shapes of hosts and SDKs.
//!
//! One function for every target, chosen by the caller and never detected. It takes anything that can be viewed as a
//! result ([`AsToolResult`]: a JSON value, a [`crate::CallToolResult`], your own type), borrows what it can, and returns
//! what the target cannot carry as [`crate::loss::Losses`].
//!
//! | function | its output |
//! | --- | --- |
//! | [`convert()`] | loses nothing that the target can carry; never Base64 in text; failures always reach the model |
//! | [`compat()`] | equals the vendor's own converter, with its gaps |
//!
//! A structured value of `null` is treated as absent, because it means nothing to a model. The block of a result for a
//! model that an MCP server samples is [`crate::render::sampling_tool_result`].

pub mod ai_sdk;
pub mod anthropic;
pub mod bedrock;
mod block;
mod carrier;
pub mod codex;
mod compat;
mod converted;
pub mod copilot;
mod cut;
mod failure;
mod fit;
mod form;
mod framework;
pub mod gemini;
mod json_ref;
pub mod langchain;
mod limits;
pub mod llama_index;
pub mod mastra;
mod media;
pub mod messages;
pub mod openai_agents;
pub mod openai_chat;
pub mod openai_responses;
mod piece;
mod pieces;
mod policy;
pub mod pydantic_ai;
pub mod rig;
mod said;
pub mod strands;
pub mod swiftide;
mod target;
pub mod tools;
pub mod validate;
mod view;
mod words;

use serde_json::Value;

pub use self::{
    block::{BlockRef, Body, LinkRef, MediaRef, ResourceRef},
    converted::{Call, ConvertError, Converted},
    framework::Framework,
    json_ref::JsonRef,
    limits::{Budget, Cut, Limits, Measure, OversizedStructure},
    media::Media,
    piece::{Document, Piece, PieceOf},
    pieces::pieces,
    policy::{Audience, ErrorMark, Links, Policy, Prefer, Unsupported},
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
