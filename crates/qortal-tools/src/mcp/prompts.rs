//! The catalog's questions as MCP prompts.

use std::sync::Arc;

use mcp_protocol::{
    ContentBlock, GetPromptResult, Object, Prompt, PromptArgument,
    content::{Attributes, Embedded, ResourceContents},
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
        Prompt {
            title: Some(self.title.to_owned()),
            arguments: self.blanks.iter().map(Blank::to_argument).collect(),
            ..Prompt::new(self.name, self.description)
        }
    }
}

impl Blank {
    fn to_argument(&self) -> PromptArgument {
        PromptArgument {
            name: self.name.to_owned(),
            title: None,
            description: Some(self.description.to_owned()),
            required: self.default.is_none(),
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
                    Ok(GetPromptResult {
                        description: Some(question.description.to_owned()),
                        ..GetPromptResult::user([text].into_iter().chain(attached))
                    })
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
