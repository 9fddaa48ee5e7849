//! Tools with raw JSON Schemas, which are validated before and after each call.

use std::{future::Future, sync::Arc};

use jsonschema::{ValidationError, Validator};
use mcp_protocol::{CallToolResult, Object, Tool};
use serde_json::Value;

use crate::{
    builder::BuildError,
    context::CallContext,
    provide::{BoxFuture, ToolHandler, ToolHandlerResult, ToolReply, ToolRouter},
};

/// Maximum number of reported problems with the arguments of one call. A model corrects a few at a time.
const PROBLEMS: usize = 5;
/// Maximum length of one problem, in characters. Its message repeats the value, which may be large.
const PROBLEM_CHARACTERS: usize = 300;

impl<S> ToolRouter<S> {
    /// Adds a tool. Arguments reach the handler only if they match the tool's input schema. Otherwise, the call fails
    /// with a list of the problems. Structured content reaches the client only if it matches the tool's output schema.
    ///
    /// ```
    /// use mcp_protocol::{CallToolResult, Tool, ToolAnnotations};
    /// use mcp_server::ToolRouter;
    /// use serde_json::json;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"text": {"type": "string", "maxLength": 80}},
    ///     "required": ["text"],
    /// });
    /// let shout = Tool::new("shout", "Say it louder.", schema, ToolAnnotations::PURE);
    /// let tools = ToolRouter::new().raw_tool(shout, |arguments| async move {
    ///     let text = arguments["text"].as_str().unwrap_or_default();
    ///     CallToolResult::text(text.to_uppercase())
    /// });
    /// # drop(tools);
    /// ```
    pub fn raw_tool<F, R>(self, tool: Tool, handler: F) -> Self
    where
        F: Fn(Object) -> R + Send + Sync + 'static,
        R: Future<Output = CallToolResult> + Send + 'static,
    {
        let checked = Checked::new(&tool, move |arguments: Object, _: &CallContext| {
            Box::pin(handler(arguments)) as BoxFuture<'_, _>
        });
        self.with_handler(tool, checked)
    }

    /// Adds a tool with access to its [`CallContext`], with the validation of [`ToolRouter::raw_tool`].
    pub fn raw_tool_with_context<F>(self, tool: Tool, handler: F) -> Self
    where
        F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, ToolHandlerResult>
            + Send
            + Sync
            + 'static,
    {
        let checked = Checked::new(&tool, move |arguments: Object, cx: &CallContext| {
            let outcome = handler(arguments, cx);
            Box::pin(async move { outcome.await.unwrap_or_else(CallToolResult::from) })
                as BoxFuture<'_, _>
        });
        self.with_handler(tool, checked)
    }
}

/// A handler with the validators of its tool's two schemas.
struct Checked<F> {
    tool: String,
    input: Result<Validator, InvalidSchema>,
    output: Option<Result<Validator, InvalidSchema>>,
    handler: F,
}

type InvalidSchema = Arc<ValidationError<'static>>;

impl<F> Checked<F>
where
    F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, CallToolResult>,
{
    fn new(tool: &Tool, handler: F) -> Self {
        let compile = |schema: &Value| jsonschema::validator_for(schema).map_err(Arc::new);
        Self {
            tool: tool.name.clone(),
            input: compile(&tool.input_schema),
            output: tool.output_schema.as_ref().map(compile),
            handler,
        }
    }

    /// Returns the arguments, or the result that reports the problems with them.
    fn arguments(&self, arguments: Object) -> Result<Object, Box<CallToolResult>> {
        // A server is not built with a schema that does not compile.
        let Ok(validator) = &self.input else {
            return Err(Box::new(internal()));
        };
        let arguments = Value::Object(arguments);
        let mut problems = validator.iter_errors(&arguments).map(|it| problem(&it));
        let mut text: Vec<_> = problems.by_ref().take(PROBLEMS).collect();
        if text.is_empty() {
            drop(problems);
            return match arguments {
                Value::Object(arguments) => Ok(arguments),
                _ => Err(Box::new(internal())),
            };
        }
        text.insert(0, "Invalid arguments.".to_owned());
        if problems.next().is_some() {
            text.push("There are more problems.".to_owned());
        }
        text.push(format!(
            "Call {} again with arguments that its input schema accepts.",
            self.tool
        ));
        Err(Box::new(CallToolResult::error(text.join(" "))))
    }

    fn result(&self, result: CallToolResult) -> CallToolResult {
        let Some(validator) = &self.output else {
            return result;
        };
        if result.is_error {
            return result;
        }
        let why = match (validator, &result.structured_content) {
            (Err(error), _) => error.to_string(),
            (Ok(_), None) => "there is no structured content".to_owned(),
            (Ok(validator), Some(content)) => match validator.validate(content) {
                Ok(()) => return result,
                Err(error) => problem(&error),
            },
        };
        tracing::error!(tool = self.tool, why, "a result does not match its schema");
        internal()
    }
}

impl<F> ToolHandler for Checked<F>
where
    F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, CallToolResult> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, ToolReply> {
        match self.arguments(arguments) {
            Ok(arguments) => {
                let called = (self.handler)(arguments, cx);
                Box::pin(async move { self.result(called.await).into() })
            }
            Err(refused) => Box::pin(std::future::ready((*refused).into())),
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        let invalid = |schema, source: &InvalidSchema| BuildError::InvalidSchema {
            tool: self.tool.clone(),
            schema,
            source: Box::new(Arc::clone(source)),
        };
        if let Err(error) = &self.input {
            return Err(invalid("input", error));
        }
        match &self.output {
            Some(Err(error)) => Err(invalid("output", error)),
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

/// Returns one sentence that reports a problem and its location.
fn problem(error: &ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    let place = match path.trim_start_matches('/') {
        "" => "arguments",
        path => path,
    };
    let what: String = error.to_string().chars().take(PROBLEM_CHARACTERS).collect();
    format!("{place}: {what}.")
}

fn internal() -> CallToolResult {
    CallToolResult::error(
        "Internal error. The result of the tool does not match its output schema, which is a fault of the server. Use another tool.",
    )
}
