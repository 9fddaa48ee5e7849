//! Typed tools: the types of a handler's parameters and record are its schemas, its reader and its writer.

use std::{fmt::Display, future::Future, marker::PhantomData};

use mcp_protocol::{CallToolResult, Object, Tool, ToolAnnotations};
use serde_json::Value;
use tool_schema::{Member, Output, Params, Record, input_schema, object_schema};

use crate::{BoxFuture, BuildError, CallContext, ToolHandler, ToolReply, ToolRouter};

/// The member of an answer that holds sentences on how to read it, among them what was coerced.
const NOTES: &str = "notes";

impl ToolRouter {
    /// Adds a tool that is declared by types: the parameters `P` and the answer `R`, from
    /// [`params!`](tool_schema::params) and [`record!`](tool_schema::record).
    ///
    /// ```
    /// use mcp_protocol::ToolAnnotations;
    /// use mcp_server::ToolRouter;
    /// use mcp_server::tool_schema::{Text, params, record};
    ///
    /// params! {
    ///     struct GreetParams {
    ///         /// Whom to greet.
    ///         name: Text<1, 80>
    ///     }
    /// }
    ///
    /// record! {
    ///     struct Greeting {
    ///         /// The greeting.
    ///         text: String
    ///     }
    /// }
    ///
    /// async fn greet(params: GreetParams) -> Result<Greeting, String> {
    ///     Ok(Greeting { text: format!("Hello, {}!", params.name.as_str()) })
    /// }
    ///
    /// let tools = ToolRouter::new().tool("greet", "Greet someone.", ToolAnnotations::PURE, greet);
    /// # drop(tools);
    /// ```
    ///
    /// Both schemas are published. Invalid arguments fail with everything that is wrong with them, before the handler
    /// runs; values with a plain meaning are coerced, which `notes` in the answer reports. An error of the handler is a
    /// failure of the tool, and its text is for the model.
    pub fn tool<P, R, E, F, Fut>(
        self,
        name: impl Into<String>,
        description: impl Into<String>,
        annotations: ToolAnnotations,
        handler: F,
    ) -> Self
    where
        P: Params + 'static,
        R: Record + 'static,
        E: Display + 'static,
        F: Fn(P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, E>> + Send + 'static,
    {
        let tool = Tool::new(name, description, Value::Null, annotations);
        self.tool_with_context(tool, move |params, _| Box::pin(handler(params)))
    }

    /// Adds a tool like [`ToolRouter::tool`] whose handler uses its [`CallContext`]. The schemas of `tool`, which may
    /// have a title, icons and `_meta`, are replaced by those of the types.
    pub fn tool_with_context<P, R, E, F>(self, mut tool: Tool, handler: F) -> Self
    where
        P: Params + 'static,
        R: Record + 'static,
        E: Display + 'static,
        F: for<'a> Fn(P, &'a CallContext) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
    {
        let parameters = P::members();
        tool.input_schema = input_schema(&parameters);
        tool.output_schema = Some(Value::Object(object_schema(answer::<R>())));
        let typed = Typed {
            duplicate: duplicate(&parameters),
            tool: tool.name.clone(),
            handler,
            types: PhantomData,
        };
        self.with_handler(tool, typed)
    }
}

/// A handler between the types of its parameters and of its answer.
struct Typed<P, R, F> {
    tool: String,
    /// A parameter that the types declare more than once.
    duplicate: Option<String>,
    handler: F,
    types: PhantomData<fn(P) -> R>,
}

impl<P, R, E, F> ToolHandler for Typed<P, R, F>
where
    P: Params + 'static,
    R: Record + 'static,
    E: Display + 'static,
    F: for<'a> Fn(P, &'a CallContext) -> BoxFuture<'a, Result<R, E>> + Send + Sync + 'static,
{
    fn call<'a>(&'a self, mut arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, ToolReply> {
        let (params, coerced) = match P::from_arguments(&mut arguments) {
            Ok(read) => read,
            Err(invalid) => {
                let result = CallToolResult::error(invalid.to_string());
                return Box::pin(std::future::ready(result.into()));
            }
        };
        let answer = (self.handler)(params, cx);
        Box::pin(async move {
            match answer.await {
                Ok(record) => result(record, coerced).into(),
                Err(error) => CallToolResult::error(error.to_string()).into(),
            }
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        match &self.duplicate {
            None => Ok(()),
            Some(parameter) => Err(BuildError::DuplicateParameter {
                tool: self.tool.clone(),
                parameter: parameter.clone(),
            }),
        }
    }
}

/// The members of an answer, which may have notes besides its own.
fn answer<R: Record>() -> Vec<Member> {
    let mut members = R::members();
    if !members.iter().any(|it| it.name == NOTES) {
        let doc = "What to know when reading the answer.";
        <Option<Vec<String>> as Output>::describe(NOTES, doc, &mut members);
    }
    members
}

fn result<R: Record>(record: R, coerced: Vec<String>) -> CallToolResult {
    let (mut object, mut notes) = record.to_object();
    notes.extend(coerced);
    let sentences = notes.into_sentences();
    if !sentences.is_empty() {
        let notes = object
            .entry(NOTES)
            .or_insert_with(|| Value::Array(Vec::new()));
        // A record may use the name for something else.
        if let Value::Array(notes) = notes {
            notes.extend(sentences.into_iter().map(Value::String));
        }
    }
    CallToolResult::structured(Value::Object(object))
}

fn duplicate(parameters: &[Member]) -> Option<String> {
    let mut indexed = parameters.iter().enumerate();
    let (_, repeated) = indexed.find(|(index, member)| {
        let mut earlier = parameters.iter().take(*index);
        earlier.any(|it| it.name == member.name)
    })?;
    Some(repeated.name.clone())
}
