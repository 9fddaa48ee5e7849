//! Prompts, and the completion of their arguments.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mcp_protocol::{
    Completion, ContentBlock, GetPromptResult, Object, Prompt, PromptArgument, Reference,
    completion::CompleteRequest,
};
use mcp_server::{BoxFuture, CallContext, Completer, PromptError, PromptSet, Scope};
use serde_json::Value;

use crate::{
    asking::{field, form},
    content::{PNG, embedded},
};

/// What the first argument of a prompt can be.
const FIRST: [&str; 4] = ["paris", "park", "party", "test"];

/// The prompts, one of which comes and goes.
pub(crate) struct Prompts {
    pub(crate) has_more: Arc<AtomicBool>,
}

/// Completes `arg1`, and nothing else.
pub(crate) struct Completions;

impl PromptSet for Prompts {
    fn prompts(&self, _: &Scope) -> Vec<Prompt> {
        let mut prompts = vec![
            Prompt::new("test_simple_prompt", "Says something."),
            Prompt::new("test_prompt_with_arguments", "Says what it is told.")
                .with_argument(PromptArgument::required("arg1", "The first word."))
                .with_argument(PromptArgument::required("arg2", "The second word.")),
            Prompt::new(
                "test_prompt_with_embedded_resource",
                "Hands out a resource.",
            )
            .with_argument(PromptArgument::required(
                "resourceUri",
                "Where the resource is.",
            )),
            Prompt::new("test_prompt_with_image", "Shows a picture."),
            Prompt::new(
                "test_input_required_result_prompt",
                "Asks before it says something.",
            ),
        ];
        if self.has_more.load(Ordering::Relaxed) {
            prompts.push(Prompt::new("test_dynamic_prompt", "Is not always there."));
        }
        prompts
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        let text = |name: &str| {
            arguments
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let blocks = match name {
            "test_simple_prompt" => {
                vec![ContentBlock::text("This is a simple prompt for testing.")]
            }
            "test_prompt_with_arguments" => {
                let (first, second) = (text("arg1"), text("arg2"));
                let said = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
                vec![ContentBlock::text(said)]
            }
            "test_prompt_with_embedded_resource" => vec![
                embedded(
                    text("resourceUri"),
                    "text/plain",
                    "Embedded resource content for testing.",
                ),
                ContentBlock::text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image" => vec![
                ContentBlock::image(PNG, "image/png"),
                ContentBlock::text("Please analyze the image above."),
            ],
            "test_input_required_result_prompt" => return Some(Box::pin(ask_first(cx))),
            _ => return None,
        };
        Some(Box::pin(async { Ok(GetPromptResult::user(blocks)) }))
    }
}

async fn ask_first(cx: &CallContext) -> Result<GetPromptResult, PromptError> {
    let question = form("What context should the prompt use?", "context", "string");
    let answer = cx.ask("user_context", question).await?;
    let said = format!("Use this context: {}", field(&answer, "context"));
    Ok(GetPromptResult::user([ContentBlock::text(said)]))
}

impl Completer for Completions {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async {
            let is_known = matches!(&request.reference, Reference::Prompt(_));
            if !is_known || request.argument != "arg1" {
                return Completion::default();
            }
            let fitting = FIRST.iter().filter(|it| it.starts_with(&request.value));
            let values: Vec<_> = fitting.map(ToString::to_string).collect();
            let total = values.len() as u64;
            Completion::new(values).with_total(total)
        })
    }
}
