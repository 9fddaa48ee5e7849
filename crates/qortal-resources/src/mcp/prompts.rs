//! Prompts for MCP clients, and completion of the arguments of prompts and resources.

use std::sync::Arc;

use mcp_protocol::{
    CompleteRequest, Completion, ContentBlock, GetPromptResult, Object, Reference,
    content::ResourceContents,
};
use mcp_server::{BoxFuture, BuildError, CallContext, Completer, ListVariant, PromptSet};
use qortal_tools::{Body, Catalog};

use crate::{Completions, Contents, Prompt, PromptArgument, PromptError};

/// The prompts of a catalog.
#[derive(Debug, Clone)]
pub struct Prompts(Arc<Catalog>);

impl Prompts {
    /// Creates the set of a catalog's prompts.
    #[must_use]
    pub const fn new(catalog: Arc<Catalog>) -> Self {
        Self(catalog)
    }
}

impl Prompt {
    fn to_mcp(&self) -> mcp_protocol::Prompt {
        let prompt = mcp_protocol::Prompt::new(self.name, self.description).with_title(self.title);
        let arguments = self.arguments.iter().map(PromptArgument::to_mcp);
        arguments.fold(prompt, mcp_protocol::Prompt::with_argument)
    }
}

impl PromptArgument {
    fn to_mcp(&self) -> mcp_protocol::PromptArgument {
        match self.default {
            None => mcp_protocol::PromptArgument::required(self.name, self.description),
            Some(_) => mcp_protocol::PromptArgument::optional(self.name, self.description),
        }
    }
}

impl PromptSet for Prompts {
    fn prompts(&self, _: &ListVariant) -> Vec<mcp_protocol::Prompt> {
        Prompt::offered(&self.0).map(Prompt::to_mcp).collect()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, mcp_server::PromptError>>> {
        let prompt = Prompt::offered(&self.0).find(|it| it.name == name)?;
        Some(Box::pin(async move {
            let rendered = prompt.render(&self.0, &arguments).await?;
            let text = ContentBlock::text(rendered.text);
            let resources = rendered.resources.into_iter().map(embedded);
            let result = GetPromptResult::user_messages([text].into_iter().chain(resources));
            Ok(result.with_description(prompt.description))
        }))
    }

    /// Returns `Ok`, since the tests check every name.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
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
    let resource = match contents.body {
        Body::Text(text) => ResourceContents::text(contents.uri, text),
        Body::Base64(blob) => ResourceContents::blob_base64(contents.uri, blob),
    };
    ContentBlock::resource(resource.with_mime_type(contents.mime_type))
}

impl Completer for Completions {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            let CompleteRequest {
                reference,
                argument,
                value,
                context,
                ..
            } = request;
            let is_known = match reference {
                Reference::Prompt(name) => self.has_prompt_argument(name, argument),
                Reference::Resource(template) => self.has_template_variable(template, argument),
                _ => false,
            };
            if !is_known {
                return Completion::default();
            }
            let found = Self::complete(self, argument, value, context).await;
            let mut completion = Completion::new(found.values);
            completion.total = found.total;
            completion
        })
    }
}
