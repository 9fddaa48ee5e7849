//! The catalog as sets of MCP tools, resources, prompts and completions. Nothing else in this crate needs MCP.

mod completions;
mod prompts;
mod resources;

use mcp_protocol::{
    CallToolResult, ContentBlock, Object, Tool, ToolAnnotations, content::ResourceLink,
};
use mcp_server::{BoxFuture, CallContext, ToolSet};
use serde_json::Value;

pub use self::{prompts::Prompts, resources::Resources};
use crate::{
    catalog::{Catalog, OutputSchemas},
    declare::{Attachment, Entry, Link},
    resource::Body,
};

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
            annotations: match self.uses_node {
                true => ToolAnnotations::LOOKUP,
                false => ToolAnnotations::PURE,
            },
        }
    }
}

/// Hosts show pictures; text is linked to instead.
fn picture(attachment: Attachment) -> Option<ContentBlock> {
    match attachment.body {
        Body::Base64(data) => Some(ContentBlock::image(data, attachment.mime_type)),
        Body::Text(_) => None,
    }
}

impl Link {
    fn to_block(&self) -> ContentBlock {
        ContentBlock::ResourceLink(Box::new(ResourceLink {
            uri: self.uri.clone(),
            name: self.source.name.to_owned(),
            title: Some(self.source.title.to_owned()),
            description: Some(self.source.description.to_owned()),
            mime_type: Some(self.mime_type.clone()),
            ..ResourceLink::default()
        }))
    }
}

impl Catalog {
    /// A tool as this catalog lists it.
    #[must_use]
    pub fn definition(&self, entry: &Entry) -> Tool {
        let tool = entry.to_tool();
        match self.output_schemas() {
            OutputSchemas::Lean => tool,
            OutputSchemas::Off => Tool {
                output_schema: None,
                ..tool
            },
        }
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
