//! Typed tools: the types of a handler's parameters and result define its schemas, parser and serializer.

use std::marker::PhantomData;

use mcp_protocol::{CallToolResult, Object, Tool, ToolAnnotations};
use tool_schema::{Params, Property, object_schema, with_definitions};

use super::handler::Bound;
use crate::{
    builder::BuildError,
    context::CallContext,
    provide::{BoxFuture, HandlerFn, IntoToolResult, ToolHandler, ToolReply, ToolRouter},
};

impl<S: Send + Sync + 'static> ToolRouter<S> {
    /// Adds a tool declared by types: the parameters `P` and the return type `A` of its [handler](HandlerFn). Declare
    /// them with [`params!`](tool_schema::params) and [`record!`](tool_schema::record), or use any other
    /// [`IntoToolResult`].
    ///
    /// ```
    /// use mcp_protocol::ToolAnnotations;
    /// use mcp_server::ToolRouter;
    /// use mcp_server::tool_schema::{BoundedString, params};
    ///
    /// params! {
    ///     struct GreetParams {
    ///         /// Whom to greet.
    ///         name: BoundedString<1, 80>
    ///     }
    /// }
    ///
    /// async fn greet(params: GreetParams) -> String {
    ///     format!("Hello, {}!", params.name)
    /// }
    ///
    /// let tools = ToolRouter::new().tool("greet", "Greet someone.", ToolAnnotations::PURE, greet);
    /// # drop(tools);
    /// ```
    ///
    /// Both schemas are published. If arguments are invalid, the call fails before the handler runs and reports every
    /// problem. Values with an obvious meaning are coerced, and `notes` in the result reports this. An error of the
    /// handler is a failure of the tool. The model receives its message only if it is meant for the model: see
    /// [`HandlerError`](crate::HandlerError).
    pub fn tool<P, A, K, T>(
        self,
        name: impl Into<String>,
        description: impl Into<String>,
        annotations: ToolAnnotations,
        handler: impl HandlerFn<S, P, A, K>,
    ) -> Self
    where
        P: Params + 'static,
        A: IntoToolResult<T>,
        K: 'static,
        T: 'static,
    {
        let mut tool = Tool::new(name, description, P::input_schema(), annotations);
        let schema = with_definitions(|| {
            let members = A::output_properties();
            members.map(object_schema).unwrap_or_default()
        });
        tool.output_schema = (!schema.is_empty()).then(|| schema.into());
        let typed = Typed {
            duplicate: duplicate(&P::properties()),
            tool: tool.name.clone(),
            handler: Bound::new(&self.state, handler),
            answer: PhantomData,
        };
        self.with_handler(tool, typed)
    }

    /// Changes the declaration of the tool added last: its title, icons, `_meta` or the view it is linked to. Its name
    /// and schemas cannot be changed.
    ///
    /// ```
    /// use mcp_protocol::ToolAnnotations;
    /// use mcp_server::ToolRouter;
    ///
    /// let tools = ToolRouter::new()
    ///     .tool("now", "Return the time.", ToolAnnotations::LOOKUP, async || "12:00")
    ///     .map_last_tool(|tool| tool.with_title("The time"));
    /// # drop(tools);
    /// ```
    pub fn map_last_tool(mut self, change: impl FnOnce(Tool) -> Tool) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            let tool = &mut entry.declared;
            let mut changed = change(tool.clone());
            changed.name.clone_from(&tool.name);
            changed.input_schema.clone_from(&tool.input_schema);
            changed.output_schema.clone_from(&tool.output_schema);
            *tool = changed;
        }
        self
    }
}

/// A handler with the types of its parameters and result.
struct Typed<S, H, P, A, K, T> {
    tool: String,
    /// A parameter that the types declare more than once.
    duplicate: Option<String>,
    handler: Bound<S, H, P, A, K>,
    answer: PhantomData<fn() -> T>,
}

impl<S, H, P, A, K, T> ToolHandler for Typed<S, H, P, A, K, T>
where
    S: Send + Sync + 'static,
    H: HandlerFn<S, P, A, K>,
    P: Params + 'static,
    A: IntoToolResult<T>,
    K: 'static,
    T: 'static,
{
    fn call<'a>(&'a self, mut arguments: Object, cx: &'a CallContext) -> BoxFuture<'a, ToolReply> {
        let (params, coerced) = match P::from_arguments(&mut arguments) {
            Ok(read) => read,
            Err(invalid) => {
                let result = CallToolResult::error(invalid.to_string());
                return Box::pin(std::future::ready(result.into()));
            }
        };
        let answer = self.handler.call(params, cx);
        Box::pin(async move { answer.await.into_result(coerced).into() })
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

fn duplicate(parameters: &[Property]) -> Option<String> {
    crate::builder::build_error::duplicate(parameters.iter().map(|it| &*it.name))
}
