//! Sets of tools, and what calls need to know of the tools in them.

use std::{borrow::Cow, collections::HashMap, num::NonZeroUsize, sync::Arc};

use mcp_protocol::{
    CacheHint, CallToolResult, Object, TaskSupport, Tool, render::PreserializedResult,
    transport::HeaderParameter,
};
use serde_json::Value;

use crate::{
    builder::{BuildError, build_error},
    context::{CallContext, ListVariant},
    provide::{BoxFuture, LazyTool},
};

/// The answer of a tool to one call.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a result is values or their text, or an extension's own"
)]
pub enum ToolReply {
    /// A result of values.
    Result(Box<CallToolResult>),
    /// A success in JSON text, which is not read again.
    Written(PreserializedResult),
    /// A result of another type, which an extension defines.
    Other {
        /// `resultType`, in revisions that have it.
        result_type: Cow<'static, str>,
        /// Its other members.
        members: Object,
    },
}

impl From<CallToolResult> for ToolReply {
    fn from(result: CallToolResult) -> Self {
        Self::Result(Box::new(result))
    }
}

impl From<PreserializedResult> for ToolReply {
    fn from(result: PreserializedResult) -> Self {
        Self::Written(result)
    }
}

impl From<ToolReply> for CallToolResult {
    fn from(reply: ToolReply) -> Self {
        match reply {
            ToolReply::Result(result) => *result,
            ToolReply::Written(written) => written.into(),
            ToolReply::Other {
                result_type,
                members,
            } => {
                let mut result = Self::default();
                result.extra = members;
                let result_type = result_type.into_owned().into();
                result.extra.insert("resultType".to_owned(), result_type);
                result
            }
        }
    }
}

/// A set of tools.
///
/// ```
/// use mcp_protocol::{CallToolResult, Object, Tool, ToolAnnotations};
/// use mcp_server::{BoxFuture, CallContext, ListVariant, ToolReply, ToolSet};
/// use serde_json::json;
///
/// /// One tool for each of these, which [`ToolRouter`](mcp_server::ToolRouter) could not list one by one.
/// struct Lamps(Vec<String>);
///
/// impl ToolSet for Lamps {
///     fn tools(&self, _: &ListVariant) -> Vec<Tool> {
///         let switch = |name: &String| {
///             let schema = json!({"type": "object"});
///             Tool::new(name, format!("Switch {name}."), schema, ToolAnnotations::default())
///         };
///         self.0.iter().map(switch).collect()
///     }
///
///     fn call<'a>(
///         &'a self,
///         name: &str,
///         _: Object,
///         _: &'a CallContext,
///     ) -> Option<BoxFuture<'a, ToolReply>> {
///         let lamp = self.0.iter().find(|it| *it == name)?;
///         Some(Box::pin(async move { CallToolResult::text(format!("{lamp} is on.")).into() }))
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "tools/list")]
#[doc(alias = "tools/call")]
pub trait ToolSet: Send + Sync + 'static {
    /// The tools to list in a scope, in order. Called when the scope is first used, and again after
    /// [`crate::ChangeNotifier::tools_changed`].
    fn tools(&self, scope: &ListVariant) -> Vec<Tool>;

    /// The tools of [`ToolSet::tools`] without their schemas. Implement it where clients select their tools, so that a new selection
    /// is composed from what is rendered already. By default none, and each scope's tools are created and rendered for it.
    #[doc(hidden)]
    fn outlines<'a>(&'a self, _scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        None
    }

    /// Every tool that can be called in any scope, listed or not; a name stands for the same tool in all of them. By
    /// default the tools of the default scope: override it where other scopes list more.
    fn callable_tools(&self) -> Vec<Tool> {
        self.tools(&ListVariant::default())
    }

    /// Those of [`ToolSet::callable_tools`] that calls have to know more of: tools with parameters that are repeated in headers, tools
    /// whose structured content is not an object, and tools whose calls may become tasks. They are looked for among the tools that this returns, once and before
    /// the first call is answered; by default all. A set that knows that it has none saves that work.
    #[doc(hidden)]
    fn tools_with_special_calls(&self) -> Vec<Tool> {
        self.callable_tools()
    }

    /// Starts a call; `None` if the tool does not exist for this caller. A tool need not be listed to be callable.
    ///
    /// Bad arguments and failures are results with [`CallToolResult::is_error`] set. Dropping the
    /// future cancels the call, and a panic in it is an internal error of that call alone.
    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>>;

    /// Checks the declarations when the server is built: by default the names and schemas of
    /// [`ToolSet::callable_tools`]. A set whose own tests cover this may return `Ok` at once.
    ///
    /// # Errors
    /// Returns the first tool that clients would refuse.
    fn check(&self) -> Result<(), BuildError> {
        build_error::check_tools(&self.callable_tools())
    }

    /// The number of entries on a page; all if `None`, so that clients that read only the first page see every tool.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// How long the list may be kept; by default an hour, or not at all if it can change.
    fn list_cache_hint(&self) -> Option<CacheHint> {
        None
    }
}

impl<T: ToolSet + ?Sized> ToolSet for Arc<T> {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        (**self).tools(scope)
    }

    fn outlines<'a>(&'a self, scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        (**self).outlines(scope)
    }

    fn callable_tools(&self) -> Vec<Tool> {
        (**self).callable_tools()
    }

    fn tools_with_special_calls(&self) -> Vec<Tool> {
        (**self).tools_with_special_calls()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        (**self).call(name, arguments, cx)
    }

    fn check(&self) -> Result<(), BuildError> {
        (**self).check()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        (**self).page_size()
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        (**self).list_cache_hint()
    }
}

/// What calls need to know of tools, whatever the scope.
#[derive(Debug)]
pub(crate) struct ToolFacts {
    /// Output schemas of the tools whose structured content some revisions wrap.
    wrapped_schemas: HashMap<String, Value>,
    /// The tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
    /// The tools whose calls may become tasks.
    task_support: HashMap<String, TaskSupport>,
    /// Whether any tool is called as a task alone.
    requires_tasks: bool,
}

impl ToolFacts {
    pub(crate) fn new(tools: &[Tool]) -> Self {
        let wrapped = tools.iter().filter_map(|tool| {
            let schema = tool.output_schema.as_ref()?;
            let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
            (!is_object).then(|| (tool.name.clone(), schema.clone()))
        });
        let declared = tools.iter().filter_map(|tool| {
            let (parameters, refused) = HeaderParameter::declared_in(&tool.input_schema);
            // The author of the tool sees it.
            for parameter in refused {
                tracing::error!(
                    tool = tool.name,
                    parameter,
                    "clients will refuse this header"
                );
            }
            (!parameters.is_empty()).then(|| (tool.name.clone(), parameters.into()))
        });
        let support = tools.iter().map(|it| (it.name.clone(), it.task_support));
        let may_be_tasks = support.filter(|(_, it)| *it != TaskSupport::Forbidden);
        Self {
            requires_tasks: tools
                .iter()
                .any(|it| it.task_support == TaskSupport::Required),
            task_support: may_be_tasks.collect(),
            wrapped_schemas: wrapped.collect(),
            header_parameters: declared.collect(),
        }
    }

    /// The output schema by which the tool's structured content is wrapped, unless it is an object.
    pub(crate) fn wrapped_schema(&self, tool: &str) -> Option<&Value> {
        self.wrapped_schemas.get(tool)
    }

    /// Whether calls of the tool may become tasks, as far as that matters for one that does not ask to.
    pub(crate) fn task_support(&self, tool: &str, is_asked: bool) -> TaskSupport {
        if !is_asked && !self.requires_tasks {
            // Looking for a name is not free.
            return TaskSupport::Forbidden;
        }
        self.task_support.get(tool).copied().unwrap_or_default()
    }

    pub(crate) fn has_header_parameters(&self) -> bool {
        !self.header_parameters.is_empty()
    }

    pub(crate) fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.header_parameters.get(tool).cloned()
    }
}
