//! The prompts of the catalog for MCP clients.

use std::sync::Arc;

use mcp_protocol::{
    ContentBlock, GetPromptResult, Object,
    content::{Attributes, Embedded, ResourceContents},
};
use mcp_server::{BoxFuture, CallContext, PromptSet};

use crate::{
    catalog::Catalog,
    prompt::{Prompt, PromptArgument, PromptError},
    resource::{Body, Contents},
};

/// The prompts of a catalog.
#[derive(Debug, Clone)]
pub struct Prompts(Arc<Catalog>);

impl Prompts {
    /// The prompts of a catalog.
    #[must_use]
    pub const fn new(catalog: Arc<Catalog>) -> Self {
        Self(catalog)
    }
}

impl Prompt {
    fn to_mcp(&self) -> mcp_protocol::Prompt {
        let arguments = self.arguments.iter();
        mcp_protocol::Prompt {
            title: Some(self.title.to_owned()),
            arguments: arguments.map(PromptArgument::to_mcp).collect(),
            ..mcp_protocol::Prompt::new(self.name, self.description)
        }
    }
}

impl PromptArgument {
    fn to_mcp(&self) -> mcp_protocol::PromptArgument {
        mcp_protocol::PromptArgument {
            name: self.name.to_owned(),
            title: None,
            description: Some(self.description.to_owned()),
            required: self.default.is_none(),
        }
    }
}

impl PromptSet for Prompts {
    fn prompts(&self) -> Vec<mcp_protocol::Prompt> {
        self.0.prompts().map(Prompt::to_mcp).collect()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, mcp_server::PromptError>>> {
        let prompt = self.0.prompts().find(|it| it.name == name)?;
        Some(Box::pin(async move {
            let rendered = self.0.render(prompt, &arguments).await?;
            let text = ContentBlock::text(rendered.text);
            let resources = rendered.resources.into_iter().map(embedded);
            Ok(GetPromptResult {
                description: Some(prompt.description.to_owned()),
                ..GetPromptResult::user([text].into_iter().chain(resources))
            })
        }))
    }
}

impl From<PromptError> for mcp_server::PromptError {
    fn from(err: PromptError) -> Self {
        match err {
            PromptError::InvalidArgument { message, .. } => Self::Argument(message),
            PromptError::Read(err) => Self::Failed(err.to_string()),
        }
    }
}

fn embedded(contents: Contents) -> ContentBlock {
    let (text, blob) = match contents.body {
        Body::Text(text) => (Some(text), None),
        Body::Base64(blob) => (None, Some(blob)),
    };
    ContentBlock::Resource(Box::new(Embedded {
        resource: ResourceContents {
            uri: contents.uri,
            mime_type: Some(contents.mime_type),
            text,
            blob,
            ..ResourceContents::default()
        },
        attributes: Attributes::default(),
    }))
}
