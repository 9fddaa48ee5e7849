//! Layers: code that runs around tool calls, resource reads and prompts.

use std::{fmt, num::NonZeroUsize, sync::Arc};

use mcp_protocol::{
    CacheHint, CallToolResult, GetPromptResult, Object, Prompt, ReadResourceResult, Resource,
    ResourceTemplate, Tool,
};

use crate::{
    builder::BuildError,
    context::{CallContext, ListVariant},
    provide::{
        BoxFuture, LazyTool, PromptError, PromptSet, ReadResourceError, ResourceSet, Sets,
        SubscribeError, ToolReply, ToolSet, router::Async2,
    },
    session::SubscriptionGuard,
};

/// Code that runs around every tool call, resource read and prompt. Add a layer with
/// [`ServerBuilder::layer`](crate::ServerBuilder::layer).
///
/// A layer can reject a call, return a cached reply, measure the call, run it in a span, or change its reply. Any async
/// function of this form is a layer:
///
/// ```
/// use std::time::Instant;
///
/// use mcp_protocol::{ServerInfo, ToolAnnotations};
/// use mcp_server::{Call, LayerReply, Next, Server, ToolRouter};
///
/// async fn guard(call: Call<'_>, next: Next<'_>) -> LayerReply {
///     if call.name == "reset" && call.cx.auth().is_none() {
///         return call.reject("Sign in first.");
///     }
///     let begun = Instant::now();
///     let reply = next.run().await;
///     println!("{} took {:?}, failed: {}", call.name, begun.elapsed(), reply.is_error());
///     reply
/// }
///
/// let tools = ToolRouter::new()
///     .tool("reset", "Reset it.", ToolAnnotations::default(), async || "done");
/// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
///     .tools(tools)
///     .layer(guard)
///     .build()?;
/// # Ok::<(), mcp_server::BuildError>(())
/// ```
///
/// A layer with state implements the trait:
///
/// ```
/// use std::{collections::HashMap, sync::Mutex};
///
/// use mcp_server::{Call, CallKind, LayerReply, Layer, Next};
///
/// /// Keeps the results of tools.
/// #[derive(Default)]
/// struct Cache(Mutex<HashMap<String, LayerReply>>);
///
/// impl Layer for Cache {
///     async fn call(&self, call: Call<'_>, next: Next<'_>) -> LayerReply {
///         if call.kind != CallKind::Tool {
///             return next.run().await;
///         }
///         let key = format!("{} {:?}", call.name, call.arguments);
///         if let Some(reply) = self.0.lock().unwrap().get(&key) {
///             return reply.clone();
///         }
///         let reply = next.run().await;
///         if !reply.is_error() {
///             self.0.lock().unwrap().insert(key, reply.clone());
///         }
///         reply
///     }
/// }
/// ```
///
/// The run time of a layer counts toward the limits of its call. Views and skills are constant and are served without
/// layers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layer",
    note = "a layer is `async fn(Call<'_>, Next<'_>) -> LayerReply`, whose future is `Send`, or a type that implements `Layer`"
)]
pub trait Layer: Send + Sync + 'static {
    /// Handles a call. Returns the reply of [`Next::run`] or another one.
    fn call(&self, call: Call<'_>, next: Next<'_>) -> impl Future<Output = LayerReply> + Send;
}

impl<F> Layer for F
where
    F: for<'a> Async2<Call<'a>, Next<'a>, Out = LayerReply> + Send + Sync + 'static,
{
    async fn call(&self, call: Call<'_>, next: Next<'_>) -> LayerReply {
        self(call, next).await
    }
}

/// A type-erased layer.
trait AnyLayer: Send + Sync {
    fn run<'a>(&'a self, call: Call<'a>, next: Next<'a>) -> BoxFuture<'a, LayerReply>;
}

impl<L: Layer> AnyLayer for L {
    fn run<'a>(&'a self, call: Call<'a>, next: Next<'a>) -> BoxFuture<'a, LayerReply> {
        Box::pin(self.call(call, next))
    }
}

/// The kind of a call wrapped by a [`Layer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallKind {
    /// `tools/call`.
    Tool,
    /// `resources/read`.
    Resource,
    /// `prompts/get`.
    Prompt,
}

/// A call wrapped by a [`Layer`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The kind of the call.
    pub kind: CallKind,
    /// The name of the tool or prompt, or the URI of the resource.
    pub name: &'a str,
    /// The arguments as the client sent them. Their types are unchecked. Resources have no arguments.
    pub arguments: &'a Object,
    /// The context of the call: the caller, and the transport's facts about the request.
    pub cx: &'a CallContext,
}

impl Call<'_> {
    /// Returns a reply that rejects the call: a tool failure, or an error of the resource or prompt. The client
    /// receives the message.
    #[must_use]
    pub fn reject(&self, message: impl Into<String>) -> LayerReply {
        match self.kind {
            CallKind::Tool => LayerReply::Tool(CallToolResult::error(message).into()),
            CallKind::Resource => {
                LayerReply::Resource(Err(ReadResourceError::Failed(message.into())))
            }
            CallKind::Prompt => LayerReply::Prompt(Err(PromptError::Failed(message.into()))),
        }
    }
}

/// The reply to a call.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_enums,
    reason = "it has the kinds of calls that there are layers for"
)]
pub enum LayerReply {
    /// The reply of a tool.
    Tool(ToolReply),
    /// The contents of a resource.
    Resource(Result<ReadResourceResult, ReadResourceError>),
    /// The messages of a prompt.
    Prompt(Result<GetPromptResult, PromptError>),
}

impl LayerReply {
    /// Returns whether the call failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self {
            Self::Tool(ToolReply::Result(result)) => result.is_error,
            Self::Tool(ToolReply::Written(_) | ToolReply::Other { .. }) => false,
            Self::Resource(read) => read.is_err(),
            Self::Prompt(rendered) => rendered.is_err(),
        }
    }
}

/// The remaining layers and the handler of the call.
pub struct Next<'a> {
    layers: &'a [Arc<dyn AnyLayer>],
    call: Call<'a>,
    work: BoxFuture<'a, LayerReply>,
}

impl<'a> Next<'a> {
    /// Runs the rest of the call. If `Next` is dropped instead, the call does not run.
    pub async fn run(self) -> LayerReply {
        self.start().await
    }

    fn start(self) -> BoxFuture<'a, LayerReply> {
        match self.layers.split_first() {
            None => self.work,
            Some((first, layers)) => first.run(self.call, Self { layers, ..self }),
        }
    }
}

impl fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

/// The layers of a server, outermost first.
#[derive(Clone, Default)]
pub(crate) struct Layers(Vec<Arc<dyn AnyLayer>>);

impl Layers {
    pub(crate) fn add(&mut self, layer: impl Layer) {
        self.0.push(Arc::new(layer));
    }

    /// Wraps the sets in the layers.
    pub(crate) fn around(self, sets: &mut Sets) {
        if self.0.is_empty() {
            return;
        }
        sets.tools = sets.tools.take().map(|it| self.layered(it) as _);
        sets.resources = sets.resources.take().map(|it| self.layered(it) as _);
        sets.prompts = sets.prompts.take().map(|it| self.layered(it) as _);
    }

    fn layered<T: ?Sized>(&self, set: Arc<T>) -> Arc<Layered<T>> {
        let layers = self.clone();
        Arc::new(Layered { set, layers })
    }
}

/// A set whose calls run inside layers.
struct Layered<T: ?Sized> {
    layers: Layers,
    set: Arc<T>,
}

impl<T: ?Sized> Layered<T> {
    fn run<'a>(
        &'a self,
        kind: CallKind,
        name: String,
        arguments: Object,
        cx: &'a CallContext,
        work: BoxFuture<'a, LayerReply>,
    ) -> BoxFuture<'a, LayerReply>
    where
        T: Sync + Send,
    {
        Box::pin(async move {
            let call = Call {
                kind,
                name: &name,
                arguments: &arguments,
                cx,
            };
            let layers = &self.layers.0;
            Next { layers, call, work }.run().await
        })
    }
}

impl ToolSet for Layered<dyn ToolSet> {
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
        let work = self.set.call(name, arguments.clone(), cx)?;
        let work = Box::pin(async move { LayerReply::Tool(work.await) });
        let name = name.to_owned();
        let reply = self.run(CallKind::Tool, name, arguments, cx, work);
        Some(Box::pin(async move {
            match reply.await {
                LayerReply::Tool(reply) => reply,
                other => {
                    report(&other);
                    CallToolResult::error(WRONG_KIND).into()
                }
            }
        }))
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

impl ResourceSet for Layered<dyn ResourceSet> {
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
        let work = self.set.read(uri, cx);
        let work = Box::pin(async move { LayerReply::Resource(work.await) });
        let none = Object::new();
        let reply = self.run(CallKind::Resource, uri.to_owned(), none, cx, work);
        Box::pin(async move {
            match reply.await {
                LayerReply::Resource(read) => read,
                other => {
                    report(&other);
                    Err(ReadResourceError::Failed(WRONG_KIND.to_owned()))
                }
            }
        })
    }

    fn supports_subscriptions(&self) -> bool {
        self.set.supports_subscriptions()
    }

    fn subscribe<'a>(
        &'a self,
        uri: &'a str,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<SubscriptionGuard, SubscribeError>> {
        self.set.subscribe(uri, cx)
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

impl PromptSet for Layered<dyn PromptSet> {
    fn prompts(&self, scope: &ListVariant) -> Vec<Prompt> {
        self.set.prompts(scope)
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        let work = self.set.get(name, arguments.clone(), cx)?;
        let work = Box::pin(async move { LayerReply::Prompt(work.await) });
        let reply = self.run(CallKind::Prompt, name.to_owned(), arguments, cx, work);
        Some(Box::pin(async move {
            match reply.await {
                LayerReply::Prompt(rendered) => rendered,
                other => {
                    report(&other);
                    Err(PromptError::Failed(WRONG_KIND.to_owned()))
                }
            }
        }))
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

/// The message for a failure whose cause is logged.
const WRONG_KIND: &str = "Internal error.";

fn report(reply: &LayerReply) {
    tracing::error!(?reply, "a layer returned the reply of another kind of call");
}
