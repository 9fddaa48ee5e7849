//! Tool sets, and the facts about their tools that calls depend on.

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

/// A tool's reply to one call.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a result is values or their text, or an extension's own"
)]
pub enum ToolReply {
    /// A result of values.
    Result(Box<CallToolResult>),
    /// A successful result, already serialized as JSON. It is not parsed again.
    Written(PreserializedResult),
    /// A result of another type, which an extension defines.
    Other {
        /// The value of `resultType`, in revisions that have it.
        result_type: Cow<'static, str>,
        /// The other fields of the result.
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
    /// Returns the tools to list in a list variant, in order. Called when the variant is first used, and again after
    /// [`crate::ChangeNotifier::tools_changed`].
    fn tools(&self, scope: &ListVariant) -> Vec<Tool>;

    /// Returns the tools of [`ToolSet::tools`] without their schemas. Implement this method where clients select their
    /// tools: a new selection is then composed of rendered tools. By default, it returns `None`, and the tools of each
    /// list variant are created and rendered separately.
    #[doc(hidden)]
    fn outlines<'a>(&'a self, _scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        None
    }

    /// Returns every callable tool of all list variants, listed or not. A name stands for the same tool in all of them.
    /// By default, returns the tools of the default list variant. Override it if other variants list more.
    fn tools_in_any_variant(&self) -> Vec<Tool> {
        self.tools(&ListVariant::default())
    }

    /// Returns the tools of [`ToolSet::tools_in_any_variant`] that need special handling in calls: tools with header parameters,
    /// tools with structured content other than an object, and tools with task support. The server searches the
    /// returned tools for these once, before the first call. By default, returns all tools. A set without such tools
    /// can return none to save this work.
    #[doc(hidden)]
    fn tools_with_special_calls(&self) -> Vec<Tool> {
        self.tools_in_any_variant()
    }

    /// Starts a call, or returns `None` if the tool does not exist for this caller. A tool can be called without being
    /// listed.
    ///
    /// Invalid arguments and failures are results with [`CallToolResult::is_error`] set. Dropping the future cancels
    /// the call. A panic in it becomes an internal error of that call only.
    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>>;

    /// Checks the declarations when the server is built. By default, checks the names and schemas of
    /// [`ToolSet::tools_in_any_variant`]. A set whose tests cover this may return `Ok` immediately.
    ///
    /// # Errors
    /// Returns an error for the first tool that clients would reject.
    fn check(&self) -> Result<(), BuildError> {
        build_error::check_tools(&self.tools_in_any_variant())
    }

    /// Returns the number of entries on a page. With `None`, all are on one page, so clients see every tool even if
    /// they read only the first page.
    fn page_size(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Returns the cache lifetime of the list for clients. By default, one hour, or no caching if the list can change.
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

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        (**self).tools_in_any_variant()
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

/// Facts about tools that calls depend on, for all list variants.
#[derive(Debug)]
pub(crate) struct ToolFacts {
    /// Output schemas of the tools whose structured content is wrapped in some revisions.
    wrapped_schemas: HashMap<String, Value>,
    /// Tools with parameters that are repeated in headers.
    header_parameters: HashMap<String, Arc<[HeaderParameter]>>,
    /// Tools whose calls may become tasks.
    task_support: HashMap<String, TaskSupport>,
    /// Whether any tool can be called only as a task.
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
                    "clients will reject this header"
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

    /// Returns the output schema that wraps the tool's structured content, unless that content is an object.
    pub(crate) fn wrapped_schema(&self, tool: &str) -> Option<&Value> {
        self.wrapped_schemas.get(tool)
    }

    /// Returns the task support of the tool, as far as it matters to a call that requests a task or does not.
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
