//! OpenAI Agents SDK for Python: what a tool returns to the runner.
//!
//! Source: openai-agents 0.24 (`MCPUtil.invoke_mcp_tool`) and its `ToolOutputText`, `ToolOutputImage`,
//! `ToolOutputFileContent`.

use serde_json::Value;

use super::{
    carrier::{Carrier, Linked},
    form::forms,
    json_ref::JsonRef,
    openai_responses::CARRIER as RESPONSES,
    piece::PieceOf,
    target::{Context, Row},
    validate::found::Found,
};

/// The runner passes items on to the Responses API.
const CARRIER: Carrier = Carrier {
    forms: forms! {
        Text {"type": "text", "text": Text}
        Image {"type": "image", "image_url": DataUrl}
        File {"type": "file", "file_data": DataUrl, "filename": FileName}
    },
    wants: "text, an image or a file is required",
    links: Linked::No,
    ..RESPONSES
};

/// The Agents SDK: one item, a list of items, or a string of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OpenAiAgents {
    /// The server's option of that name, for [`super::compat()`]: of a success with structure, the rest is dropped.
    pub use_structured_content: bool,
    /// The `mcp` package beside the vendor's, for [`super::compat()`].
    pub mcp: McpPackage,
}

/// The `mcp` package that a vendor's Python package runs with: it prints blocks by the names of its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McpPackage {
    /// `mcp` 1: the names of the wire.
    #[default]
    V1,
    /// `mcp` 2, which a fresh installation has: `mime_type` and `last_modified`.
    V2,
}

impl OpenAiAgents {
    setters! {
        /// With the server's option of that name.
        with_use_structured_content(use_structured_content: bool) {
            use_structured_content = use_structured_content
        }
        /// With this `mcp` package.
        with_mcp(mcp: McpPackage) { mcp = mcp }
    }
}

impl Row for OpenAiAgents {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn whole<'a>(&self, pieces: Vec<PieceOf<'a>>, _: Context<'a, '_>) -> JsonRef<'a> {
        JsonRef::one_or_many(CARRIER.parts(pieces))
    }

    fn check(&self, output: &Value, found: &mut Found) {
        match output {
            Value::String(_) => (),
            Value::Array(items) => found.parts(items, "", &CARRIER),
            item => found.part(item, "", &CARRIER),
        }
    }
}
