//! Conversion, with one row for each target.
//!
//! A structured value of `null` is treated as absent, because it carries no information for a model. The content block for a result
//! in a sampling request is [`mcp_protocol::render::sampling_tool_result`].

pub(crate) mod ai_sdk;
pub(crate) mod answer;
pub(crate) mod anthropic;
pub(crate) mod bedrock;
pub(crate) mod block;
mod carrier;
pub(crate) mod converted;
pub(crate) mod copilot;
mod cut;
mod documents;
mod duplicates;
mod fit;
pub(crate) mod framework;
pub(crate) mod gemini;
pub(crate) mod json_ref;
pub(crate) mod langchain;
pub(crate) mod limits;
mod loss;
pub(crate) mod media;
pub mod messages;
pub(crate) mod openai;
mod part;
mod parts;
mod phrases;
pub(crate) mod policy;
mod repeated;
mod shape;
pub(crate) mod target;
#[cfg(test)]
mod tests;
pub mod tools;
pub mod validate;
pub(crate) mod view;
