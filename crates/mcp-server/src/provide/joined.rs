//! Pairs of sets that act as one. A builder joins several sets into pairs.

use std::{num::NonZeroUsize, sync::Arc};

use mcp_protocol::{
    CacheHint, CompleteRequest, Completion, GetPromptResult, Object, Prompt, ReadResourceResult,
    Resource, ResourceTemplate, Tool,
};

use crate::{
    builder::{BuildError, build_error},
    context::{CallContext, ListVariant},
    provide::{
        BoxFuture, Completer, LazyTool, PromptError, PromptSet, ReadResourceError, ResourceSet,
        SubscribeError, ToolReply, ToolSet,
    },
    session::SubscriptionGuard,
};

/// Two sets that act as one. If both have an entry, the first set's is used. [`BuildError`] reports such duplicates as
/// far as they are known at the start.
pub(crate) struct Joined<T: ?Sized>(Arc<T>, Arc<T>);

impl<T: ?Sized> Joined<T> {
    /// Adds a set to the existing ones.
    pub(crate) fn add(sets: &mut Option<Arc<T>>, set: Arc<T>, join: impl FnOnce(Self) -> Arc<T>) {
        *sets = Some(match sets.take() {
            Some(first) => join(Self(first, set)),
            None => set,
        });
    }
}

/// Returns the smaller of two page sizes.
fn page_size(first: Option<NonZeroUsize>, second: Option<NonZeroUsize>) -> Option<NonZeroUsize> {
    first.into_iter().chain(second).min()
}

/// Returns the shorter time. Shared caches are allowed only if both sets allow them.
fn cache_hint(first: Option<CacheHint>, second: Option<CacheHint>) -> Option<CacheHint> {
    match (first, second) {
        (Some(first), Some(second)) => {
            let ttl_ms = first.ttl_ms.min(second.ttl_ms);
            Some(match first.public && second.public {
                true => CacheHint::public(ttl_ms),
                false => CacheHint::private(ttl_ms),
            })
        }
        (first, second) => first.or(second),
    }
}

impl ToolSet for Joined<dyn ToolSet> {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        [self.0.tools(scope), self.1.tools(scope)].concat()
    }

    fn outlines<'a>(&'a self, scope: &'a ListVariant) -> Option<Vec<LazyTool<'a>>> {
        let mut outlines = self.0.outlines(scope)?;
        outlines.extend(self.1.outlines(scope)?);
        Some(outlines)
    }

    fn tools_in_any_variant(&self) -> Vec<Tool> {
        [self.0.tools_in_any_variant(), self.1.tools_in_any_variant()].concat()
    }

    fn tools_with_special_calls(&self) -> Vec<Tool> {
        let mut special = self.0.tools_with_special_calls();
        special.extend(self.1.tools_with_special_calls());
        special
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        let first = self.0.call(name, arguments.clone(), cx);
        first.or_else(|| self.1.call(name, arguments, cx))
    }

    fn check(&self) -> Result<(), BuildError> {
        self.0.check()?;
        self.1.check()?;
        let tools = self.tools_in_any_variant();
        let names = tools.iter().map(|it| &*it.name);
        build_error::unique(names, BuildError::DuplicateTool)
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        page_size(self.0.page_size(), self.1.page_size())
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        cache_hint(self.0.list_cache_hint(), self.1.list_cache_hint())
    }
}

impl ResourceSet for Joined<dyn ResourceSet> {
    fn resources(&self, scope: &ListVariant) -> Vec<Resource> {
        [self.0.resources(scope), self.1.resources(scope)].concat()
    }

    fn templates(&self, scope: &ListVariant) -> Vec<ResourceTemplate> {
        [self.0.templates(scope), self.1.templates(scope)].concat()
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async move {
            match self.0.read(uri, cx).await {
                Err(ReadResourceError::NotFound) => self.1.read(uri, cx).await,
                read => read,
            }
        })
    }

    fn supports_subscriptions(&self) -> bool {
        self.0.supports_subscriptions() || self.1.supports_subscriptions()
    }

    /// Subscribes the client in both sets, because a set does not report which resources it has. At least one must
    /// accept.
    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        Box::pin(async move {
            let both = match (
                self.0.supports_subscriptions(),
                self.1.supports_subscriptions(),
            ) {
                (true, false) => return self.0.subscribe(uri, cx).await,
                (false, _) => return self.1.subscribe(uri, cx).await,
                (true, true) => (
                    self.0.subscribe(uri, cx).await,
                    self.1.subscribe(uri, cx).await,
                ),
            };
            match both {
                (Ok(first), Ok(second)) => Ok(SubscriptionGuard::holding((first, second))),
                (Ok(guard), Err(_)) | (Err(_), Ok(guard)) => Ok(guard),
                (Err(why), Err(_)) => Err(why),
            }
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        self.0.check()?;
        self.1.check()?;
        let everyone = ListVariant::default();
        build_error::check_resources(&self.resources(&everyone), &self.templates(&everyone))
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        page_size(self.0.page_size(), self.1.page_size())
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        cache_hint(self.0.list_cache_hint(), self.1.list_cache_hint())
    }
}

impl PromptSet for Joined<dyn PromptSet> {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        [self.0.prompts(scope), self.1.prompts(scope)].concat()
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        let first = self.0.get(name, arguments.clone(), cx);
        first.or_else(|| self.1.get(name, arguments, cx))
    }

    fn check(&self) -> Result<(), BuildError> {
        self.0.check()?;
        self.1.check()?;
        build_error::check_prompts(&self.prompts(&ListVariant::default()))
    }

    fn page_size(&self) -> Option<NonZeroUsize> {
        page_size(self.0.page_size(), self.1.page_size())
    }

    fn list_cache_hint(&self) -> Option<CacheHint> {
        cache_hint(self.0.list_cache_hint(), self.1.list_cache_hint())
    }
}

/// Returns the values of the first set that has some.
impl Completer for Joined<dyn Completer> {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move {
            let first = self.0.complete(request, cx).await;
            match first.values.is_empty() {
                true => self.1.complete(request, cx).await,
                false => first,
            }
        })
    }
}
