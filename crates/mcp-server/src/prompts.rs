//! Prompts that a server offers, and how their arguments go on.

use std::num::NonZeroUsize;

use mcp_protocol::{
    CacheHint, Completion, ErrorObject, GetPromptResult, Object, Prompt, Reference, Revision,
    completion::CompleteRequest, render,
};
use serde_json::Value;

use crate::{
    ask::AskError, call::Ended, context::CallContext, response::Reply, server::Server,
    toolset::BoxFuture,
};

/// A set of prompts.
pub trait PromptSet: Send + Sync + 'static {
    /// The prompts to list, in the order to list them. Read when a client first asks, and again after
    /// [`crate::Changes::prompts_changed`].
    fn prompts(&self) -> Vec<Prompt>;

    /// Fills in a prompt; `None` if there is none of this name. The arguments are texts, and those
    /// that are listed as required are there.
    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>>;

    /// How many entries a page of the list has; all if there is no number.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the list may be kept; by default an hour, or not at all if it can change.
    fn cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

/// Says how the arguments of prompts and resource templates could go on. Not those of tools: no
/// revision has that.
pub trait Completer: Send + Sync + 'static {
    /// The values that fit what has been typed; none for what is not known.
    fn complete<'a>(&'a self, request: &'a CompleteRequest) -> BoxFuture<'a, Completion>;
}

/// Why a prompt says nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PromptError {
    /// An argument has a value it cannot have; the client is told why.
    Argument(String),
    /// It could not be filled in; the client is told why.
    Failed(String),
}

impl std::fmt::Display for PromptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Argument(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for PromptError {}

/// An unanswered question ends the round; what is returned then is not sent.
impl From<AskError> for PromptError {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl Server {
    pub(crate) async fn prompts_get(
        &self,
        set: &dyn PromptSet,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let Some(Value::String(name)) = params.remove("name") else {
            return Err(ErrorObject::invalid_params("name must be a string"));
        };
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Object::new(),
            Some(Value::Object(arguments)) if arguments.values().all(Value::is_string) => arguments,
            Some(_) => {
                let what = "arguments must be an object of texts";
                return Err(ErrorObject::invalid_params(what));
            }
        };
        self.require_arguments(&name, &arguments)?;
        let rules = revision.rules();
        let cx = self.context(revision, &mut params, ("prompts/get", &name), cx)?;
        let ended = self
            .run(&name, &cx, || set.get(&name, arguments, &cx))
            .await;
        if let Some(ask) = self.ask_instead(cx, ("prompts/get", &name), rules)? {
            return Ok(ask);
        }
        match ended {
            None => {
                let shown: String = name.chars().take(100).collect();
                let what = format_args!("unknown prompt {shown}, prompts/list names them all");
                Err(ErrorObject::invalid_params(what))
            }
            Some(Ended::With(Ok(result))) => {
                self.finish(render::get_prompt_result(result, rules), rules)
            }
            Some(Ended::With(Err(PromptError::Argument(why)))) => {
                Err(ErrorObject::invalid_params(why))
            }
            Some(Ended::With(Err(PromptError::Failed(why))) | Ended::Early(why)) => {
                Err(ErrorObject::new(mcp_protocol::error::INTERNAL_ERROR, why))
            }
        }
    }

    fn require_arguments(&self, name: &str, arguments: &Object) -> Result<(), ErrorObject> {
        self.with_lists(|lists| {
            let prompt = lists.prompts.iter().find(|it| it.name == name);
            let mut declared = prompt.into_iter().flat_map(|it| &it.arguments);
            let missing = declared.find(|it| it.required && !arguments.contains_key(&it.name));
            match missing {
                Some(argument) => Err(ErrorObject::invalid_params(format_args!(
                    "the argument {} is missing",
                    argument.name
                ))),
                None => Ok(()),
            }
        })
    }

    pub(crate) async fn complete(
        &self,
        completer: &dyn Completer,
        revision: Revision,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let request = CompleteRequest::from_params(params.as_ref())?;
        if let Reference::Prompt(name) = &request.reference {
            self.require_prompt(name)?;
        }
        let rules = revision.rules();
        let ended = self
            .run("completion", cx, || Some(completer.complete(&request)))
            .await;
        match ended {
            Some(Ended::With(completion)) => self.finish(render::completion(completion), rules),
            Some(Ended::Early(why)) => {
                Err(ErrorObject::new(mcp_protocol::error::INTERNAL_ERROR, why))
            }
            None => Err(ErrorObject::internal()),
        }
    }

    /// `server/utilities/completion`, "Error Handling".
    fn require_prompt(&self, name: &str) -> Result<(), ErrorObject> {
        self.with_lists(
            |lists| match lists.prompts.iter().any(|it| it.name == name) {
                true => Ok(()),
                false => Err(ErrorObject::invalid_params(
                    "ref names no prompt of this server",
                )),
            },
        )
    }
}
