//! Prompts, and the completion of their arguments.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mcp_protocol::{
    CompleteRequest, Completion, ContentBlock, GetPromptResult, Object, Prompt, Reference,
};
use mcp_server::{
    AskError, BoxFuture, CallContext, Completer, ListVariant, PromptError, PromptRouter, PromptSet,
    tool_schema::{NoParams, params},
};

use crate::{
    asking::{field, form},
    content::{PNG, embedded},
};

/// What the first argument of a prompt can be.
const FIRST: [&str; 4] = ["paris", "park", "party", "test"];

/// The prompts, one of which comes and goes.
pub(crate) struct Prompts {
    prompts: PromptRouter,
    has_more: Arc<AtomicBool>,
}

/// Completes `arg1`, and nothing else.
pub(crate) struct Completions;

params! {
    struct Words {
        /// The first word.
        arg1: String,
        /// The second word.
        arg2: String,
    }
}

params! {
    struct Embedded {
        /// Where the resource is.
        #[name("resourceUri")]
        resource_uri: String,
    }
}

async fn with_arguments(words: Words) -> String {
    let Words { arg1, arg2 } = words;
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

async fn with_resource(params: Embedded) -> Vec<ContentBlock> {
    let text = "Embedded resource content for testing.";
    vec![
        embedded(&params.resource_uri, "text/plain", text),
        ContentBlock::text("Please process the embedded resource above."),
    ]
}

async fn with_image() -> Vec<ContentBlock> {
    vec![
        ContentBlock::image_base64(PNG, "image/png"),
        ContentBlock::text("Please analyze the image above."),
    ]
}

impl Prompts {
    pub(crate) fn new(has_more: Arc<AtomicBool>) -> Self {
        let prompts = PromptRouter::new()
            .prompt(
                "test_simple_prompt",
                "Says something.",
                async || "This is a simple prompt for testing.",
            )
            .prompt(
                "test_prompt_with_arguments",
                "Says what it is told.",
                with_arguments,
            )
            .prompt(
                "test_prompt_with_embedded_resource",
                "Hands out a resource.",
                with_resource,
            )
            .prompt("test_prompt_with_image", "Shows a picture.", with_image)
            .prompt(
                "test_input_required_result_prompt",
                "Asks before it says something.",
                async |_: NoParams, cx: &CallContext| ask_first(cx).await,
            )
            .prompt(MORE, "Is not always there.", async || "here");
        Self { prompts, has_more }
    }
}

/// The prompt that comes and goes.
const MORE: &str = "test_dynamic_prompt";

impl PromptSet for Prompts {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        let mut prompts = self.prompts.prompts(scope);
        if !self.has_more.load(Ordering::Relaxed) {
            prompts.retain(|it| it.name != MORE);
        }
        prompts
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        self.prompts.get(name, arguments, cx)
    }
}

async fn ask_first(cx: &CallContext) -> Result<String, AskError> {
    let question = form("What context should the prompt use?", "context", "string");
    let answer = cx.ask("user_context", question).await?;
    Ok(format!("Use this context: {}", field(&answer, "context")))
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
