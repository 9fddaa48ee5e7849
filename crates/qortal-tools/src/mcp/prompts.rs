//! The catalog's questions as MCP prompts.

use std::sync::Arc;

use mcp_protocol::{
    ContentBlock, GetPromptResult, Object, Prompt, PromptArgument, content::ResourceContents,
};
use mcp_server::{BoxFuture, BuildError, CallContext, PromptError, PromptSet, Scope};

use crate::{
    catalog::Catalog,
    prompt::{Blank, Question, Unasked},
    resource::{Body, Contents},
};

/// Questions about Qortal with the data to answer them, as MCP has them.
#[derive(Debug, Clone)]
pub struct Prompts(pub Arc<Catalog>);

impl Question {
    fn to_prompt(&self) -> Prompt {
        let prompt = Prompt::new(self.name, self.description).with_title(self.title);
        let arguments = self.blanks.iter().map(Blank::to_argument);
        arguments.fold(prompt, Prompt::with_argument)
    }
}

impl Blank {
    fn to_argument(&self) -> PromptArgument {
        match self.default {
            None => PromptArgument::required(self.name, self.description),
            Some(_) => PromptArgument::optional(self.name, self.description),
        }
    }
}

impl PromptSet for Prompts {
    fn prompts(&self, _: &Scope) -> Vec<Prompt> {
        self.0.questions().map(Question::to_prompt).collect()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        let question = self.0.questions().find(|it| it.name == name)?;
        Some(Box::pin(async move {
            match self.0.ask(question, &arguments).await {
                Ok(asked) => {
                    let text = ContentBlock::text(asked.text);
                    let attached = asked.attached.into_iter().map(embedded);
                    let result = GetPromptResult::user([text].into_iter().chain(attached));
                    Ok(result.with_description(question.description))
                }
                Err(Unasked::Argument(why)) => Err(PromptError::Argument(why)),
                Err(Unasked::Failed(why)) => Err(PromptError::Failed(why)),
            }
        }))
    }

    /// The tests check every name.
    fn check(&self) -> Result<(), BuildError> {
        Ok(())
    }
}

fn embedded(contents: Contents) -> ContentBlock {
    let resource = match contents.body {
        Body::Text(text) => ResourceContents::text(contents.uri, text),
        Body::Base64(blob) => ResourceContents::blob(contents.uri, blob),
    };
    ContentBlock::resource(resource.with_mime_type(contents.mime_type))
}
