//! The catalog as sets of MCP tools, resources and prompts. Nothing else in this crate needs MCP.

mod completer;
mod prompts;
mod resources;

use mcp_protocol::{CallToolResult, ContentBlock, Object, Tool, content::ResourceLink};
use mcp_server::{BoxFuture, CallContext, ToolSet};
use serde_json::Value;

pub use self::{completer::Suggester, prompts::Prompts, resources::Resources};
use crate::{
    catalog::{Catalog, OutputSchemas},
    declare::{Attachment, Entry, Link},
    resource::Body,
};

impl Entry {
    /// The tool as an MCP client sees it.
    #[must_use]
    pub fn to_tool(&self) -> Tool {
        Tool::new(
            self.name,
            self.description,
            self.input_schema(),
            self.annotations,
        )
        .with_title(self.title)
        .with_output_schema(self.output_schema())
    }
}

/// Pictures in pixels, as hosts show them. Text has an address, and a link to it.
fn picture(attachment: Attachment) -> Option<ContentBlock> {
    match attachment.body {
        Body::Base64(data) => Some(ContentBlock::image(data, attachment.mime_type)),
        Body::Text(_) => None,
    }
}

impl Link {
    fn to_block(&self) -> ContentBlock {
        ResourceLink::new(&self.uri, self.source.name)
            .with_title(self.source.title)
            .with_description(self.source.description)
            .with_mime_type(&self.mime_type)
            .into()
    }
}

impl Catalog {
    /// A tool as this catalog lists it.
    #[must_use]
    pub fn definition(&self, entry: &Entry) -> Tool {
        let mut tool = entry.to_tool();
        match self.output_schemas() {
            OutputSchemas::Lean => (),
            OutputSchemas::Off => tool.output_schema = None,
        }
        tool
    }
}

impl ToolSet for Catalog {
    fn tools(&self) -> Vec<Tool> {
        let listed = self.listed().iter();
        listed.map(|entry| self.definition(entry)).collect()
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
                    let pictures = outcome.attachments.into_iter().filter_map(picture);
                    result.content.extend(pictures);
                    result
                        .content
                        .extend(outcome.links.iter().map(Link::to_block));
                    result
                }
                Err(err) => CallToolResult::error(err.to_string()),
            }
        }))
    }
}
