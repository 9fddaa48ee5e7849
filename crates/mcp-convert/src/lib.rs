//! Conversion of MCP server output to the formats of hosts, SDKs and model APIs.
//!
#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

#[macro_use]
mod choice;
mod convert;
mod encoding;
pub mod settings;

pub use self::convert::{
    answer::ModelApi,
    anthropic::Anthropic,
    bedrock::Bedrock,
    block::{BlockRef, LinkRef, ResourceContentsRef},
    converted::{CallRef, Conversion, ConvertError},
    copilot::{Copilot, CopilotSdkLanguage},
    framework::{PlainText, Rig},
    gemini::Gemini,
    json_ref::ConvertedJson,
    limits::{OutputLimits, Truncation},
    messages,
    openai::{Codex, OpenAiChat, OpenAiResponses},
    policy::{ContentPreference, ConvertOptions},
    target::{Target, VendorConverter, convert, convert_like_vendor},
    tools, validate,
    view::{AsResultView, ResultView},
};

/// The examples of the pages are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/convert/index.md")]
#[doc = include_str!("../docs/convert/types.md")]
struct Pages;
