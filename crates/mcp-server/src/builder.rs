//! The builder of a server.

mod build;
pub(crate) mod build_error;
mod list_kinds;

use std::{fmt, sync::Arc, time::SystemTime};

use mcp_protocol::{
    ErrorObject, Object, ServerInfo,
    ui::{self, View},
};
use serde_json::{Value, json};

pub use self::{build_error::BuildError, list_kinds::ListKinds};
use crate::{
    context::{CallContext, Extensions, ListVariant, SigningKey, sign::Clock},
    dispatch::{
        RequestObserver,
        declaration::{Declaration, Instructions},
        observer::Observers,
    },
    limits::{MemoryBudget, ServerLimits},
    provide::{BoxFuture, Completer, Joined, Layer, Layers, PromptSet, ResourceSet, Sets, ToolSet},
    session::{ChangeNotifier, notifications::NotificationKinds},
    skills::{self, Skill},
    tasks::TaskStore,
};

/// A builder for a [`Server`](crate::Server).
pub struct ServerBuilder {
    declaration: Declaration,
    sets: Sets,
    methods: Vec<(String, MethodHandler)>,
    scope: Option<ScopeOf>,
    changes: Option<ChangeNotifier>,
    /// Whether another notifier was added that is not a clone of the first.
    has_other_notifier: bool,
    /// The lists that may change.
    list_kinds: ListKinds,
    asks_clients: bool,
    signing_key: Option<SigningKey>,
    clock: Clock,
    tasks: Option<Box<dyn TaskStore>>,
    legacy_names: bool,
    limits: ServerLimits,
    memory: MemoryBudget,
    observers: Observers,
    layers: Layers,
}

/// Determines the list variant of a request.
pub(crate) type ScopeOf =
    Box<dyn Fn(&Extensions) -> Result<ListVariant, ErrorObject> + Send + Sync>;

/// The handler of one custom method.
pub(crate) type MethodHandler = Box<
    dyn for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, Result<Object, ErrorObject>>
        + Send
        + Sync,
>;

impl ServerBuilder {
    pub(crate) fn new(server_info: ServerInfo) -> Self {
        Self {
            declaration: Declaration {
                server_info,
                instructions: Instructions::None,
                notification_kinds: NotificationKinds::default(),
                logging: false,
                sessions: true,
                experimental: Object::new(),
                extensions: Object::new(),
                tasks: false,
                brief_output_schemas: false,
            },
            sets: Sets::default(),
            methods: Vec::new(),
            scope: None,
            changes: None,
            has_other_notifier: false,
            list_kinds: ListKinds::NONE,
            asks_clients: false,
            signing_key: None,
            clock: Arc::new(SystemTime::now),
            tasks: None,
            legacy_names: false,
            limits: ServerLimits::default(),
            memory: MemoryBudget::default(),
            observers: Observers::default(),
            layers: Layers::default(),
        }
    }

    /// Adds a set of tools. Sets are listed in the order of these calls. [`build`](Self::build) returns an error if two
    /// sets have a tool with the same name.
    #[must_use]
    pub fn tools(mut self, tools: impl ToolSet) -> Self {
        let sets = &mut self.sets.tools;
        Joined::<dyn ToolSet>::add(sets, Arc::new(tools), |both| Arc::new(both));
        self
    }

    /// Adds a set of resources. Sets are listed in the order of these calls. [`build`](Self::build) returns an error if
    /// two sets have a resource with the same URI.
    #[must_use]
    pub fn resources(mut self, resources: impl ResourceSet) -> Self {
        let sets = &mut self.sets.resources;
        Joined::<dyn ResourceSet>::add(sets, Arc::new(resources), |both| Arc::new(both));
        self
    }

    /// Adds a set of prompts. Sets are listed in the order of these calls. [`build`](Self::build) returns an error if
    /// two sets have a prompt with the same name.
    #[must_use]
    pub fn prompts(mut self, prompts: impl PromptSet) -> Self {
        let sets = &mut self.sets.prompts;
        Joined::<dyn PromptSet>::add(sets, Arc::new(prompts), |both| Arc::new(both));
        self
    }

    /// Adds a completer for the arguments of prompts and the variables of resource templates. If there are several, the
    /// values come from the first one that returns any.
    #[must_use]
    pub fn completer(mut self, completer: impl Completer) -> Self {
        let sets = &mut self.sets.completer;
        Joined::<dyn Completer>::add(sets, Arc::new(completer), |both| Arc::new(both));
        self
    }

    /// Declares an experimental capability.
    #[must_use]
    pub fn experimental(mut self, name: impl Into<String>, value: Object) -> Self {
        self.declaration
            .experimental
            .insert(name.into(), Value::Object(value));
        self
    }

    /// Declares an extension with its settings, in every revision. The name must have a prefix, like
    /// `io.modelcontextprotocol/ui`.
    #[must_use]
    pub fn extension(mut self, name: impl Into<String>, settings: Object) -> Self {
        self.declaration
            .extensions
            .insert(name.into(), Value::Object(settings));
        self
    }

    /// Sets the function for choosing the list variant of each request from the transport's extensions. Without it,
    /// every request has the default list variant.
    ///
    /// An error of the function becomes the response to the request, over HTTP with status 400.
    ///
    /// ```
    /// use mcp_protocol::{ServerInfo, ToolAnnotations};
    /// use mcp_server::{AuthInfo, ListVariant, Server, ToolRouter};
    ///
    /// let reboot = async || "It reboots.";
    /// let reboot = ToolRouter::new()
    ///     .tool("reboot", "Reboot the machine.", ToolAnnotations::default(), reboot);
    /// let tools = ToolRouter::new().merge_for_variants(|scope| scope.key() == "admin", reboot);
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .tools(tools)
    ///     .list_variant(|extensions| match extensions.get::<AuthInfo>() {
    ///         Some(grant) if grant.scopes.iter().any(|it| it == "admin") => Ok(ListVariant::private("admin")),
    ///         _ => Ok(ListVariant::default()),
    ///     })
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn list_variant(
        mut self,
        scope: impl Fn(&Extensions) -> Result<ListVariant, ErrorObject> + Send + Sync + 'static,
    ) -> Self {
        self.scope = Some(Box::new(scope));
        self
    }

    /// Declares that the contents of resources may change. `notifier` reports the changes to subscribed clients. The
    /// lists do not change. If they do, use [`list_changed`](Self::list_changed).
    ///
    /// ```
    /// use mcp_protocol::{Resource, ServerInfo};
    /// use mcp_server::{ChangeNotifier, ResourceRouter, Server};
    ///
    /// async fn status() -> &'static str {
    ///     "green"
    /// }
    ///
    /// let notifier = ChangeNotifier::new();
    /// let resources = ResourceRouter::new()
    ///     .resource(Resource::new("status:now", "status", "The status."), status);
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .resources(resources)
    ///     .resource_updates(&notifier)
    ///     .build()?;
    /// // Whenever it has changed:
    /// notifier.resource_updated("status:now");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn resource_updates(mut self, notifier: &ChangeNotifier) -> Self {
        self.set_notifier(notifier);
        self
    }

    /// Sets the only notifier of the server. Clones of it are accepted.
    fn set_notifier(&mut self, notifier: &ChangeNotifier) {
        let known = self.changes.get_or_insert_with(|| notifier.clone());
        self.has_other_notifier |= !known.is_clone_of(notifier);
    }

    /// Disables everything that needs a session in the handshake lifecycle: change notifications, log messages and
    /// server requests. Over HTTP, any replica can then handle any request.
    #[must_use]
    pub fn without_sessions(mut self) -> Self {
        self.declaration.sessions = false;
        self
    }

    /// Declares that tools send log messages to clients of the handshake lifecycle, with [`crate::CallContext::log`].
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.declaration.logging = true;
        self
    }

    /// Declares that tools send requests to clients, with [`crate::CallContext::ask`]. Over HTTP, clients of the
    /// handshake lifecycle then get a session.
    #[must_use]
    pub fn sends_requests(mut self) -> Self {
        self.asks_clients = true;
        self
    }

    /// Sets the clock for the expiry of request state and tasks. Default: the system clock.
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sets the task store. With a store, calls to tools that support tasks ([`mcp_protocol::Tool::with_task_support`])
    /// become tasks for clients with task support. The server declares the Tasks extension, and in 2025-11-25 the
    /// capability. [`ServerLimits`] limits the running tasks, and the store limits the stored ones.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use mcp_protocol::{ServerInfo, TaskSupport, ToolAnnotations};
    /// use mcp_server::{ServerLimits, InMemoryTaskStore, Server, ToolRouter};
    ///
    /// async fn index() -> &'static str {
    ///     "indexed"
    /// }
    ///
    /// let tools = ToolRouter::new()
    ///     .tool("index", "Index everything.", ToolAnnotations::LOOKUP, index)
    ///     .map_last_tool(|it| it.with_task_support(TaskSupport::Optional));
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .tools(tools)
    ///     .tasks(InMemoryTaskStore::default())
    ///     .limits(ServerLimits::default().with_task_after(Duration::from_secs(2)))
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tasks(mut self, store: impl TaskStore) -> Self {
        self.tasks = Some(Box::new(store));
        self
    }

    /// Sets the key for signing cursors and request state. All replicas of a server need the same key. By default, each
    /// server generates its own.
    ///
    /// ```
    /// use mcp_protocol::ServerInfo;
    /// use mcp_server::{Server, SigningKey};
    ///
    /// // 32 random bytes, the same for all replicas.
    /// let secret = [7; 32];
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .signing_key(SigningKey::new(secret))
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn signing_key(mut self, key: SigningKey) -> Self {
        self.signing_key = Some(key);
        self
    }

    /// Sets the instructions for models. Some hosts truncate them to 2 KB.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.declaration.instructions = Instructions::ForEveryone(instructions.into());
        self
    }

    /// Sets the instructions for models by list variant.
    ///
    /// ```
    /// use mcp_protocol::ServerInfo;
    /// use mcp_server::Server;
    ///
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .instructions_by_variant(|scope| match scope.key() {
    ///         "admin" => "Ask before you reboot anything.".to_owned(),
    ///         _ => "Look things up.".to_owned(),
    ///     })
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn instructions_by_variant(
        mut self,
        instructions: impl Fn(&ListVariant) -> String + Send + Sync + 'static,
    ) -> Self {
        self.declaration.instructions = Instructions::PerScope(Box::new(instructions));
        self
    }

    /// Sets the limits on client requests.
    #[must_use]
    pub fn limits(mut self, limits: ServerLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the memory budget for messages held for clients. Default: 256 MiB. Clones share one budget.
    #[must_use]
    pub fn memory_budget(mut self, memory: MemoryBudget) -> Self {
        self.memory = memory;
        self
    }

    /// Omits the descriptions from the output schemas in lists. By default, each field of a result is described by its doc
    /// comment, which hosts show to models that write code. Omit them to save tokens in long lists.
    #[must_use]
    pub fn brief_output_schemas(mut self) -> Self {
        self.declaration.brief_output_schemas = true;
        self
    }

    /// Adds a layer around every tool call, resource read and prompt. The layer added first is the outermost.
    #[doc(alias = "middleware")]
    #[must_use]
    pub fn layer(mut self, layer: impl Layer) -> Self {
        self.layers.add(layer);
        self
    }

    /// Adds an observer of requests.
    ///
    /// ```
    /// use mcp_protocol::ServerInfo;
    /// use mcp_server::{RequestEnd, Server};
    ///
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .observer(|request: &RequestEnd<'_>| {
    ///         println!("{:?} took {:?}: {:?}", request.method, request.duration, request.outcome);
    ///     })
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn observer(mut self, observer: impl RequestObserver + 'static) -> Self {
        self.observers.add(Arc::new(observer));
        self
    }

    /// Also accepts the method names of some clients older than the specification, in revisions with a handshake:
    /// `list_tools`, `call_tool` with `{tool, params}`, and `initialized`.
    #[doc(hidden)]
    #[must_use]
    pub fn legacy_method_names(mut self) -> Self {
        self.legacy_names = true;
        self
    }

    /// Adds a view that tools can be linked to, and declares the extension for views. The view is listed after the
    /// resources, in every list variant. It is not part of the resource set.
    ///
    /// ```
    /// use mcp_protocol::{ServerInfo, ToolAnnotations, ui::View};
    /// use mcp_server::{Server, ToolRouter};
    ///
    /// async fn rates() -> &'static str {
    ///     "1 EUR is 1.08 USD"
    /// }
    ///
    /// let chart = View::versioned("ui://example/rates.html", "Exchange rates", "<!doctype html><title>Rates</title>");
    /// let tools = ToolRouter::new()
    ///     .tool("rates", "Show exchange rates.", ToolAnnotations::LOOKUP, rates)
    ///     .map_last_tool(|it| it.with_view(&chart));
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .tools(tools)
    ///     .view(chart.clone())
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "io.modelcontextprotocol/ui")]
    #[must_use]
    pub fn view(mut self, view: View) -> Self {
        self.sets.views.push(view);
        let extensions = &mut self.declaration.extensions;
        extensions.entry(ui::EXTENSION).or_insert_with(|| json!({}));
        self
    }

    /// Adds a skill, and declares the extension for skills. In every list variant and revision, its `SKILL.md` is
    /// listed after the resources and views, and clients can read its files.
    #[doc(alias = "io.modelcontextprotocol/skills")]
    #[doc(alias = "skills/list")]
    #[doc(alias = "skills/get")]
    #[must_use]
    pub fn skill(mut self, skill: Skill) -> Self {
        self.sets.skills.push(skill);
        let settings = if skills::have_directories(&self.sets.skills) {
            json!({"directoryRead": true})
        } else {
            json!({})
        };
        let extensions = &mut self.declaration.extensions;
        extensions.insert(skills::EXTENSION.to_owned(), settings);
        self
    }

    /// Adds a handler for a custom method, which the protocol does not define, in every revision. The handler receives
    /// the params without `_meta`, and returns the fields of the result.
    ///
    /// ```
    /// use mcp_protocol::{Object, ServerInfo};
    /// use mcp_server::Server;
    ///
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .custom_method("example/version", |_, _| {
    ///         Box::pin(async { Ok(Object::from_iter([("version".to_owned(), "1.0.0".into())])) })
    ///     })
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn custom_method<F>(mut self, name: impl Into<String>, handler: F) -> Self
    where
        F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, Result<Object, ErrorObject>>
            + Send
            + Sync
            + 'static,
    {
        self.methods.push((name.into(), Box::new(handler)));
        self
    }

    /// Declares that lists of these kinds may change. `notifier` reports the changes to clients. Other lists are read
    /// only once. The same notifier reports changes of resources.
    ///
    /// ```
    /// use mcp_protocol::ServerInfo;
    /// use mcp_server::{ChangeNotifier, ListKinds, Server, ToolRouter};
    ///
    /// let notifier = ChangeNotifier::new();
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .tools(ToolRouter::new())
    ///     .list_changed(&notifier, ListKinds::TOOLS | ListKinds::RESOURCES)
    ///     .build()?;
    /// // When a tool has been added:
    /// notifier.tools_changed();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "notifications/tools/list_changed")]
    #[doc(alias = "notifications/prompts/list_changed")]
    #[doc(alias = "notifications/resources/list_changed")]
    #[must_use]
    pub fn list_changed(mut self, notifier: &ChangeNotifier, kinds: ListKinds) -> Self {
        self.set_notifier(notifier);
        self.list_kinds = self.list_kinds | kinds;
        self
    }

    /// Declares that tools ask users to open URLs, with [`crate::CallContext::ask`] or
    /// [`crate::CallContext::url_elicitation_required`]. `notifier` reports to the client when a user has finished. Without it,
    /// clients receive no such notification. If lists or resources change too, use the same notifier for them.
    #[must_use]
    pub fn url_elicitation_notifier(mut self, notifier: &ChangeNotifier) -> Self {
        self.set_notifier(notifier);
        self.sends_requests()
    }
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder")
            .field("server_info", &self.declaration.server_info)
            .finish_non_exhaustive()
    }
}
