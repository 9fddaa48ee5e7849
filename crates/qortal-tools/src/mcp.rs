//! The catalogue as sets of MCP tools, resources and prompts. Nothing else in this crate needs MCP.

mod completer;
mod prompts;
mod resources;

use mcp_protocol::{CallToolResult, ContentBlock, Object, Tool};
use mcp_server::{BoxFuture, CallContext, ToolSet};
use serde_json::Value;

pub use self::{completer::Suggester, prompts::Prompts, resources::Resources};
use crate::{catalogue::Catalogue, declare::Entry};

impl Entry {
    /// The tool as an MCP client sees it.
    #[must_use]
    pub fn to_tool(&self) -> Tool {
        Tool {
            name: self.name.to_owned(),
            title: Some(self.title.to_owned()),
            description: self.description.to_owned(),
            input_schema: self.input_schema(),
            output_schema: Some(self.output_schema()),
            annotations: self.annotations,
        }
    }
}

impl ToolSet for Catalogue {
    fn tools(&self) -> Vec<Tool> {
        self.listed().iter().map(|entry| entry.to_tool()).collect()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, CallToolResult>> {
        let entry = self.entry(name)?;
        Some(Box::pin(async move {
            match Self::call(self, entry, arguments).await {
                Ok(outcome) => {
                    let mut result = CallToolResult::structured(Value::Object(outcome.structure));
                    let pictures = outcome
                        .attachments
                        .into_iter()
                        .map(|it| ContentBlock::image(it.data, it.mime_type));
                    result.content.extend(pictures);
                    result
                }
                Err(err) => CallToolResult::error(err.to_string()),
            }
        }))
    }
}
