//! Building a server.

pub(crate) mod build_error;

use std::{fmt, sync::Arc, time::SystemTime};

use mcp_protocol::{
    ErrorObject, Method, Object, ServerInfo,
    ui::{self, View},
};
use serde_json::{Value, json};

pub use self::build_error::BuildError;
use crate::{
    context::{
        CallContext, Extensions, Scope, SigningKey,
        sign::{Clock, Signer},
    },
    dispatch::{
        RequestObserver, Server,
        declaration::{Declaration, Instructions},
        lists::ListCache,
        observer::Observers,
    },
    limits::{Admission, Limits, MemoryBudget},
    provide::{BoxFuture, Completer, PromptSet, ResourceSet, Sets, ToolSet},
    session::{ChangeNotifier, notifications::NotificationKinds},
    skills::{self, SkillFolder},
    tasks::{TaskStore, Tasks},
};

/// Builds a [`Server`].
pub struct Builder {
    declaration: Declaration,
    sets: Sets,
    methods: Vec<(String, MethodHandler)>,
    scope: Option<ScopeOf>,
    changes: Option<ChangeNotifier>,
    lists_change: bool,
    tools_change: bool,
    asks_clients: bool,
    signing_key: Option<SigningKey>,
    clock: Clock,
    tasks: Option<Box<dyn TaskStore>>,
    legacy_names: bool,
    limits: Limits,
    memory: MemoryBudget,
    observers: Observers,
}

/// Determines the scope of a request.
pub(crate) type ScopeOf = Box<dyn Fn(&Extensions) -> Result<Scope, ErrorObject> + Send + Sync>;

/// Answers the requests of one method of the host.
pub(crate) type MethodHandler = Box<
    dyn for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, Result<Object, ErrorObject>>
        + Send
        + Sync,
>;

impl Builder {
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
            },
            sets: Sets::default(),
            methods: Vec::new(),
            scope: None,
            changes: None,
            lists_change: false,
            tools_change: false,
            asks_clients: false,
            signing_key: None,
            clock: Arc::new(SystemTime::now),
            tasks: None,
            legacy_names: false,
            limits: Limits::default(),
            memory: MemoryBudget::default(),
            observers: Observers::default(),
        }
    }

    mcp_protocol::setters! {
        /// The tools it offers.
        tools(tools: impl ToolSet) { sets.tools = Some(Arc::new(tools)) }
        /// The resources it offers.
        resources(resources: impl ResourceSet) { sets.resources = Some(Arc::new(resources)) }
        /// The prompts it offers.
        prompts(prompts: impl PromptSet) { sets.prompts = Some(Arc::new(prompts)) }
        /// Completes arguments of its prompts and resource templates.
        completer(completer: impl Completer) { sets.completer = Some(Arc::new(completer)) }
        /// Declares an experimental capability.
        experimental(name: impl Into<String>, value: Object) {
            declaration.experimental.insert(name.into(), Value::Object(value))
        }
        /// Declares an extension with its settings, in every revision. The name has a prefix, as
        /// `io.modelcontextprotocol/ui` does.
        extension(name: impl Into<String>, settings: Object) {
            declaration.extensions.insert(name.into(), Value::Object(settings))
        }
        /// Determines the scope of each request from the extensions that its transport added. Without it every request has
        /// the default scope.
        ///
        /// An error of this function is the response to the request, over HTTP with status 400.
        ///
        /// ```
                /// use mcp_protocol::{ServerInfo, ToolAnnotations};
        /// use mcp_server::{Grant, Scope, Server, ToolRouter};
        ///
                /// let reboot = async || "It reboots.";
        /// let reboot = ToolRouter::new()
        ///     .tool("reboot", "Reboot the machine.", ToolAnnotations::default(), reboot);
        /// let tools = ToolRouter::new().only_for(|scope| scope.key() == "admin", reboot);
        /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        ///     .tools(tools)
        ///     .scope(|extensions| match extensions.get::<Grant>() {
        ///         Some(grant) if grant.scopes.iter().any(|it| it == "admin") => Ok(Scope::private("admin")),
        ///         _ => Ok(Scope::default()),
        ///     })
        ///     .build()?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        scope(scope: impl Fn(&Extensions) -> Result<Scope, ErrorObject> + Send + Sync + 'static) {
            scope = Some(Box::new(scope))
        }
        /// Declares that its resources may change, which `notifier` reports, and its lists never do.
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
        ///     .updates(&notifier)
        ///     .build()?;
        /// // Whenever it has changed:
        /// notifier.resource_updated("status:now");
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        updates(notifier: &ChangeNotifier) { changes = Some(notifier.clone()) }
        /// Declares that its list of tools may change as well as its resources, which the notifier of [`updates`](Self::updates)
        /// reports, and the other lists never do.
        tools_change() { tools_change = true }
        /// Disables what clients of the handshake lifecycle need a session for: notifications of changes, log messages,
        /// questions. Over HTTP any replica can then take any request.
        without_sessions() { declaration.sessions = false }
        /// Declares that its tools send log messages to clients of the handshake lifecycle, with
        /// [`crate::CallContext::log`].
        logging() { declaration.logging = true }
        /// Declares that its tools ask clients, with [`crate::CallContext::ask`]; over HTTP, clients of the handshake
        /// lifecycle then get a session.
        asks_clients() { asks_clients = true }
        /// The clock by which request state and tasks expire; that of the system by default.
        clock(clock: impl Fn() -> SystemTime + Send + Sync + 'static) { clock = Arc::new(clock) }
        /// Where tasks are kept: with one, calls of tools that may be tasks
        /// ([`mcp_protocol::Tool::with_task_support`]) become tasks for clients that fetch results later. Declares the extension Tasks,
        /// and in 2025-11-25 the capability. [`Limits`] bounds the tasks that run, and the store those that are kept.
        ///
        /// ```
        /// use std::time::Duration;
        ///
        /// use mcp_protocol::{ServerInfo, TaskSupport, ToolAnnotations};
        /// use mcp_server::{Limits, MemoryTasks, Server, ToolRouter};
        ///
        /// async fn index() -> &'static str {
        ///     "indexed"
        /// }
        ///
        /// let tools = ToolRouter::new()
        ///     .tool("index", "Index everything.", ToolAnnotations::LOOKUP, index)
        ///     .declaring(|it| it.with_task_support(TaskSupport::Optional));
        /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        ///     .tools(tools)
        ///     .tasks(MemoryTasks::default())
        ///     .limits(Limits::default().with_task_after(Duration::from_secs(2)))
        ///     .build()?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        tasks(store: impl TaskStore) { tasks = Some(Box::new(store)) }
        /// The secret that cursors and request state are signed with, the same for all replicas of a server. By default
        /// each server makes its own.
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
        signing_key(key: SigningKey) { signing_key = Some(key) }
        /// How to use the server, for models. Some hosts truncate it to 2 KB.
        instructions(instructions: impl Into<String>) {
            declaration.instructions = Instructions::ForEveryone(instructions.into())
        }
        /// How to use the server in each scope, for models.
        ///
        /// ```
        /// use mcp_protocol::ServerInfo;
        /// use mcp_server::Server;
        ///
        /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        ///     .instructions_per_scope(|scope| match scope.key() {
        ///         "admin" => "Ask before you reboot anything.".to_owned(),
        ///         _ => "Look things up.".to_owned(),
        ///     })
        ///     .build()?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        instructions_per_scope(instructions: impl Fn(&Scope) -> String + Send + Sync + 'static) {
            declaration.instructions = Instructions::PerScope(Box::new(instructions))
        }
        /// Bounds on what clients may request.
        limits(limits: Limits) { limits = limits }
        /// What messages that are held for clients draw from; 256 MiB by default. Give a clone to all that draws from it.
        memory(memory: MemoryBudget) { memory = memory }
        /// Adds an observer, which is told of each request.
        ///
        /// ```
        /// use mcp_protocol::ServerInfo;
        /// use mcp_server::{AnsweredRequest, Server};
        ///
        /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
        ///     .observer(|request: &AnsweredRequest<'_>| {
        ///         println!("{:?} took {:?}: {:?}", request.method, request.duration, request.outcome);
        ///     })
        ///     .build()?;
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        observer(observer: impl RequestObserver + 'static) { observers.add(Arc::new(observer)) }
        /// Also accepts, where there is a handshake, the method names that some clients used before the specification
        /// settled: `list_tools`, `call_tool` with `{tool, params}`, and `initialized`.
        legacy_method_names() { legacy_names = true }
    }

    /// Adds a view that tools are linked to, and declares the extension for views. It is listed after the resources, in
    /// every scope, and is not part of the set of resources.
    ///
    /// ```
    /// use mcp_protocol::{ServerInfo, ToolAnnotations, ui::View};
    /// use mcp_server::{Server, ToolRouter};
    ///
    /// async fn rates() -> &'static str {
    ///     "1 EUR is 1.08 USD"
    /// }
    ///
    /// let chart = View::new("ui://example/rates.html", "Exchange rates", "<!doctype html><title>Rates</title>");
    /// let tools = ToolRouter::new()
    ///     .tool("rates", "Show exchange rates.", ToolAnnotations::LOOKUP, rates)
    ///     .declaring(|it| it.with_view(&chart));
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

    /// Adds a skill, and declares the extension for skills. Its `SKILL.md` is listed after the resources and views, and its
    /// files are read, in every scope and revision.
    #[doc(alias = "io.modelcontextprotocol/skills")]
    #[doc(alias = "skills/list")]
    #[doc(alias = "skills/get")]
    #[must_use]
    pub fn skill(mut self, skill: SkillFolder) -> Self {
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

    /// Handles a method that the protocol does not have, in every revision. The handler gets the params, without
    /// `_meta`, and returns the members of the result.
    ///
    /// ```
    /// use mcp_protocol::{Object, ServerInfo};
    /// use mcp_server::Server;
    ///
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .method("example/version", |_, _| {
    ///         Box::pin(async { Ok(Object::from_iter([("version".to_owned(), "1.0.0".into())])) })
    ///     })
    ///     .build()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn method<F>(mut self, name: impl Into<String>, handler: F) -> Self
    where
        F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, Result<Object, ErrorObject>>
            + Send
            + Sync
            + 'static,
    {
        self.methods.push((name.into(), Box::new(handler)));
        self
    }

    /// Declares that its lists and resources may change, which `notifier` reports. Without it the lists are read once,
    /// and clients get no notifications of changes.
    ///
    /// ```
    /// use mcp_protocol::ServerInfo;
    /// use mcp_server::{ChangeNotifier, Server, ToolRouter};
    ///
    /// let notifier = ChangeNotifier::new();
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0"))
    ///     .tools(ToolRouter::new())
    ///     .changes(&notifier)
    ///     .build()?;
    /// // Once another tool is there:
    /// notifier.tools_changed();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn changes(mut self, notifier: &ChangeNotifier) -> Self {
        self.changes = Some(notifier.clone());
        self.lists_change = true;
        self
    }

    /// Declares that its tools have users open URLs, with [`crate::CallContext::ask`] or
    /// [`crate::CallContext::require_url`], and that `notifier` reports when a user is done. Without it clients are not
    /// notified of that. Where lists or resources change too, it is the same notifier.
    #[must_use]
    pub fn opens_urls(mut self, notifier: &ChangeNotifier) -> Self {
        self.changes.get_or_insert_with(|| notifier.clone());
        self.asks_clients()
    }

    /// Checks the declarations, and builds the server.
    ///
    /// # Errors
    /// Returns the first tool, prompt, resource or method that clients would refuse or could not reach.
    ///
    /// ```
    /// use mcp_protocol::{ServerInfo, ToolAnnotations};
    /// use mcp_server::{Server, ToolRouter};
    ///
    /// async fn now() -> &'static str {
    ///     "12:00"
    /// }
    ///
    /// let tools = ToolRouter::new().tool("what time?", "The time.", ToolAnnotations::LOOKUP, now);
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0")).tools(tools);
    /// assert!(server.build().is_err(), "clients refuse such a name");
    /// ```
    pub fn build(mut self) -> Result<Server, BuildError> {
        self.check()?;
        self.declaration.notification_kinds = self.notification_kinds();
        self.declaration.tasks = self.tasks.is_some();
        let may_change = self.lists_change || self.tools_change;
        let notifier = self.changes.as_ref().filter(|_| may_change);
        Ok(Server {
            lists: ListCache::new(notifier),
            tasks: self.tasks.map(|store| {
                let clock = Arc::clone(&self.clock);
                let notifier = self.changes.clone().unwrap_or_default();
                Arc::new(Tasks::new(store, clock, self.limits, notifier))
            }),
            signer: Signer::new(self.signing_key.or_else(SigningKey::random), self.clock),
            admission: Admission::new(&self.limits),
            declaration: self.declaration,
            sets: self.sets,
            methods: self.methods.into_iter().collect(),
            scope: self.scope,
            changes: self.changes,
            asks_clients: self.asks_clients,
            legacy_names: self.legacy_names,
            memory: self.memory,
            observers: self.observers,
        })
    }

    fn check(&self) -> Result<(), BuildError> {
        let Sets {
            tools,
            resources,
            prompts,
            ..
        } = &self.sets;
        tools.as_deref().map_or(Ok(()), ToolSet::check)?;
        resources.as_deref().map_or(Ok(()), ResourceSet::check)?;
        prompts.as_deref().map_or(Ok(()), PromptSet::check)?;
        build_error::check_views(&self.sets.views)?;
        skills::check(&self.sets.skills)?;
        let names = self.methods.iter().map(|(name, _)| name.as_str());
        let names = Method::ALL
            .iter()
            .map(|method| method.as_str())
            .chain(names);
        build_error::unique(names, BuildError::Method)
    }

    fn notification_kinds(&self) -> NotificationKinds {
        if self.changes.is_none() {
            return NotificationKinds::default();
        }
        let Sets {
            tools,
            resources,
            prompts,
            ..
        } = &self.sets;
        NotificationKinds {
            tools: (self.lists_change || self.tools_change) && tools.is_some(),
            prompts: self.lists_change && prompts.is_some(),
            resources: self.lists_change && resources.is_some(),
            updates: resources.as_ref().is_some_and(|it| it.can_subscribe()),
        }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("server_info", &self.declaration.server_info)
            .finish_non_exhaustive()
    }
}
