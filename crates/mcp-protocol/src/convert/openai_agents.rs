//! OpenAI Agents SDK for Python: what a tool returns to the runner.
//!
//! Source: openai-agents 0.24 (`MCPUtil.invoke_mcp_tool`) and its `ToolOutputText`, `ToolOutputImage`,
//! `ToolOutputFileContent`.

use serde_json::Value;

use super::{
    openai_responses::CARRIER as RESPONSES,
    target::{Carrier, Found, Linked, Row, forms},
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
pub struct OpenAiAgents {}

impl Row for OpenAiAgents {
    fn carrier(&self, _: bool) -> Carrier {
        CARRIER
    }

    fn check(&self, output: &Value, carrier: &Carrier, found: &mut Found) {
        // A string is for the runner to send.
        if !output.is_string() {
            found.whole(output, carrier);
        }
    }
}
