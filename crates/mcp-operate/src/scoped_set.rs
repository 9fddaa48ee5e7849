//! A server's sets, restricted to the permissions of their caller.

use std::{fmt, future::ready, num::NonZeroUsize, sync::Arc};

use mcp_protocol::{
    CacheHint, CallToolResult, CompleteRequest, Completion, GetPromptResult, Object, Prompt,
    ReadResourceResult, Reference, Resource, ResourceTemplate, Tool,
};
use mcp_server::{
    AskError, BoxFuture, BuildError, CallContext, Completer, LazyTool, ListVariant, PromptError,
    PromptSet, ReadResourceError, ResourceSet, SubscribeError, SubscriptionGuard, ToolReply,
    ToolSet,
};

use crate::ScopeGrants;

/// Resolves the tool that a request needs permission for.
pub trait ScopedToolResolver: fmt::Debug + Send + Sync {
    /// Returns the tool that a call needs permission for. For a tool that calls others by name, this is the named tool. Returns
    /// `None` for an unknown tool and leaves the call to the set.
    ///
    /// # Errors
    /// Returns an error message if a name in the arguments is invalid.
    fn target_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &Object,
    ) -> Result<Option<&'a str>, String>;

    /// Returns the tool whose result the resource at a URI holds, or `None` if the resource is unknown or open to everyone.
    fn tool_of_resource(&self, uri: &str) -> Option<&str>;

    /// Returns the tool whose results the resources of a template hold, or `None` if they are unknown or open to everyone.
    fn tool_of_template(&self, template: &str) -> Option<&str>;
}

/// A set that serves each caller only the permitted part. Other requests fail with an error that names the missing scope. Over HTTP
/// this is a 403 response with a challenge.
#[derive(Debug)]
pub struct ScopedSet<T> {
    set: T,
    rules: Arc<ScopeGrants>,
    tools: Arc<dyn ScopedToolResolver>,
}

impl<T> ScopedSet<T> {
    /// Creates a set that applies the scope rules to `set`.
    #[must_use]
    pub fn with_grants(
        set: T,
        rules: &Arc<ScopeGrants>,
        tools: &Arc<dyn ScopedToolResolver>,
    ) -> Self {
        Self {
            set,
            rules: Arc::clone(rules),
            tools: Arc::clone(tools),
        }
    }

    /// Fails with the scope that the caller lacks for a tool; `None` is for everything.
    fn check(&self, tool: Option<&str>, cx: &CallContext) -> Result<(), Refused> {
        let permit = self.rules.permissions(cx.auth());
        let is_allowed = match tool {
            Some(tool) => permit.allows_tool(tool),
            None => permit.allows_everything(),
        };
        if is_allowed {
            return Ok(());
        }
        let Some(scope) = self.rules.needed_for(tool) else {
            return Err(Refused::Never);
        };
        cx.require_scopes(&[scope.to_owned()])
            .map_err(Refused::Scope)
    }

    /// The same for what the resource at a URI is the answer of. One that there is not is left to the set.
    fn check_uri(&self, uri: &str, cx: &CallContext) -> Result<(), Refused> {
        match self.tools.tool_of_resource(uri) {
            Some(tool) => self.check(Some(tool), cx),
            None => Ok(()),
        }
    }
}

/// Why a caller does not get something.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    Scope(AskError),
    #[error("no scope of this server allows this")]
    Never,
}

impl From<Refused> for CallToolResult {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Scope(err) => err.into(),
            Refused::Never => Self::error("Not allowed. No scope of this server allows this tool."),
        }
    }
}

impl<T: ToolSet> ToolSet for ScopedSet<T> {
    /// The list variant of a request already excludes tools that its caller may not call.
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        self.set.tools(scope)
    }

    fn outlines<'a>(&'a self, scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        self.set.outlines(scope)
    }

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        self.set.tools_in_any_variant()
    }

    fn tools_with_special_calls(&self) -> Vec<Tool> {
        self.set.tools_with_special_calls()
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        if !self.rules.permissions(cx.auth()).allows_everything() {
            let refused = match self.tools.target_tool(name, &arguments) {
                Ok(None) => None,
                Ok(Some(target)) => self.check(Some(target), cx).err().map(Into::into),
                Err(unknown) => Some(CallToolResult::error(unknown)),
            };
            if let Some(refused) = refused {
                return Some(Box::pin(ready(refused.into())));
            }
        }
        self.set.call(name, arguments, cx)
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        self.set.page_size()
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        self.set.list_cache_hint()
    }
}

impl<T: ResourceSet> ResourceSet for ScopedSet<T> {
    fn resources(&self, scope: &ListVariant) -> Vec<Resource> {
        self.set.resources(scope)
    }

    fn templates(&self, scope: &ListVariant) -> Vec<ResourceTemplate> {
        self.set.templates(scope)
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        match self.check_uri(uri, cx) {
            Ok(()) => self.set.read(uri, cx),
            Err(refused) => Box::pin(ready(Err(ReadResourceError::Invalid(refused.to_string())))),
        }
    }

    fn supports_subscriptions(&self) -> bool {
        self.set.supports_subscriptions()
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        match self.check_uri(uri, cx) {
            Ok(()) => self.set.subscribe(uri, cx),
            Err(refused) => Box::pin(ready(Err(SubscribeError::Refused(refused.to_string())))),
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        self.set.page_size()
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        self.set.list_cache_hint()
    }
}

/// A prompt embeds the results of several tools, so it requires permission for everything.
impl<T: PromptSet> PromptSet for ScopedSet<T> {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        self.set.prompts(scope)
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        match self.check(None, cx) {
            Ok(()) => self.set.get(name, arguments, cx),
            Err(refused) => Some(Box::pin(ready(Err(PromptError::Argument(
                refused.to_string(),
            ))))),
        }
    }

    fn check(&self) -> Result<(), BuildError> {
        self.set.check()
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        self.set.page_size()
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        self.set.list_cache_hint()
    }
}

/// Completion values come from the node. Callers without permission get none.
impl<T: Completer> Completer for ScopedSet<T> {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        let permit = self.rules.permissions(cx.auth());
        let is_allowed = permit.allows_everything()
            || match &request.reference {
                Reference::Resource(template) => {
                    let tool = self.tools.tool_of_template(template);
                    tool.is_some_and(|it| permit.allows_tool(it))
                }
                _ => false,
            };
        if is_allowed {
            self.set.complete(request, cx)
        } else {
            Box::pin(ready(Completion::default()))
        }
    }
}

#[cfg(test)]
mod tests;
