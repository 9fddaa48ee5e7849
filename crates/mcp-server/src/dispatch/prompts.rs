//! Prompts, and completion of the arguments of prompts and resource templates.

use mcp_protocol::{
    CompleteRequest, ErrorObject, Method, Object, Prompt, Reference, Revision,
    error::INTERNAL_ERROR, render,
};
use serde_json::Value;

use crate::{
    context::{CallContext, RequestContext},
    dispatch::{ResponsePayload, Server, call::SHOWN, params::invalid},
    provide::{Completer, PromptError, PromptSet},
};

impl Server {
    pub(crate) async fn prompts_get(
        &self,
        set: &dyn PromptSet,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let Some(Value::String(name)) = params.remove("name") else {
            return invalid("name must be a string");
        };
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Object::new(),
            Some(Value::Object(arguments)) if arguments.values().all(Value::is_string) => arguments,
            Some(_) => return invalid("arguments must be an object of strings"),
        };
        self.require_arguments(&name, &arguments, cx)?;
        let rules = revision.features();
        let target = [Method::PromptsGet.as_str(), name.as_str()];
        let (cx, binding) = self.call_context(revision, target, &arguments, &mut params, cx)?;
        let Some(rendering) = set.get(&name, arguments, &cx) else {
            let shown: String = name.chars().take(SHOWN).collect();
            return invalid(format_args!(
                "unknown prompt {shown}, prompts/list names them all"
            ));
        };
        let ended = self.run(&cx, rendering).await;
        if let Some(input_required) = self.input_required(&cx, binding.as_ref(), rules)? {
            return Ok(input_required);
        }
        let result = ended?.map_err(|error| match error {
            PromptError::Argument(why) => ErrorObject::invalid_params(why),
            PromptError::Failed(why) => ErrorObject::new(INTERNAL_ERROR, why),
        })?;
        self.finish(render::get_prompt_result(result, rules), rules)
    }

    fn require_arguments(
        &self,
        name: &str,
        arguments: &Object,
        cx: &RequestContext,
    ) -> Result<(), ErrorObject> {
        self.with_prompts(cx, |prompts| {
            let prompt = prompts.iter().find(|it| it.name == name);
            let mut declared = prompt.into_iter().flat_map(|it| &it.arguments);
            let missing = declared.find(|it| it.required && !arguments.contains_key(&it.name));
            match missing {
                Some(argument) => {
                    invalid(format_args!("the argument {} is missing", argument.name))
                }
                None => Ok(()),
            }
        })
    }

    pub(crate) async fn complete(
        &self,
        completer: &dyn Completer,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let request = CompleteRequest::read(params.as_ref())?;
        if let Reference::Prompt(name) = &request.reference {
            self.require_prompt(name, cx)?;
        }
        let cx = CallContext::from(cx.clone());
        let completion = self
            .run_completion(&cx, completer.complete(&request, &cx))
            .await?;
        self.finish(render::completion(completion), revision.features())
    }

    /// Returns an error if the prompt of a completion does not exist (`server/utilities/completion`, "Error Handling").
    fn require_prompt(&self, name: &str, cx: &RequestContext) -> Result<(), ErrorObject> {
        self.with_prompts(cx, |prompts| {
            if prompts.iter().any(|it| it.name == name) {
                Ok(())
            } else {
                invalid("ref names an unknown prompt")
            }
        })
    }

    /// Calls a function with the prompts in the request's list variant.
    fn with_prompts(
        &self,
        cx: &RequestContext,
        look: impl FnOnce(&[Prompt]) -> Result<(), ErrorObject>,
    ) -> Result<(), ErrorObject> {
        self.lists.with(cx.list_variant(), |lists| {
            let _permit = match lists.has_prompts() {
                true => None,
                false => self.admit_scoped(cx)?,
            };
            look(lists.prompts(&self.sets))
        })
    }
}
