//! Conversion of what MCP servers send to the shapes of hosts, SDKs and model APIs.
//!
#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod convert;
mod encoding;
mod output;
mod peers;
pub mod settings;

pub use self::{
    convert::{
        AiSdk, Anthropic, AsToolResult, Bedrock, BlockRef, Call, Codex, ConvertError, Converted,
        Copilot, CopilotFlavor, Cut, ErrorMark, Framework, Gemini, JsonRef, LangChain, Limits,
        LinkRef, LlamaIndex, Mastra, OpenAiAgents, OpenAiChat, OpenAiResponses, Policy, Prefer,
        PydanticAi, ResourceRef, ResultView, Rig, Strands, Swiftide, Target, Unsupported, Vendor,
        compat, convert, messages, ordinary_text, tools, validate,
    },
    output::{IntoCallToolResult, NotJson, OutputOptions, Structured, ToolFailure},
    peers::for_peers,
};

/// The examples of the guide are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/adopting-conversion.md")]
struct AdoptionGuide;
