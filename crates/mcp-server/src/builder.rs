//! Setting up a server.

use std::{collections::HashMap, fmt, sync::Arc, time::Instant};

use mcp_protocol::{ErrorObject, Object, Revision, ServerInfo};
use serde_json::Value;

use crate::{
    build_error::BuildError,
    change_notifier::ChangeNotifier,
    context::CallContext,
    extensions::Extensions,
    limits::{Admission, Limits},
    list_cache::ListCache,
    notifications::NotificationKinds,
    scope::Scope,
    server::{self, Server},
    sets::{BoxFuture, Completer, PromptSet, ResourceSet, Sets, ToolSet},
    sign::{Signer, SigningKey},
    static_responses::{Declaration, Instructions},
};

/// Sets up a [`Server`].
pub struct Builder {
    declaration: Declaration,
    sets: Sets,
    methods: HashMap<String, MethodHandler>,
    repeated_method: Option<String>,
    scope: Option<ScopeOf>,
    changes: Option<ChangeNotifier>,
    lists_change: bool,
    asks_clients: bool,
    signing_key: Option<SigningKey>,
    legacy_names: bool,
    limits: Limits,
}

/// Determines the scope of a request.
pub(crate) type ScopeOf = Box<dyn Fn(&Extensions) -> Result<Scope, ErrorObject> + Send + Sync>;

/// Answers the requests of one method that is not the protocol's.
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
            },
            sets: Sets::default(),
            methods: HashMap::new(),
            repeated_method: None,
            scope: None,
            changes: None,
            lists_change: false,
            asks_clients: false,
            signing_key: None,
            legacy_names: false,
            limits: Limits::default(),
        }
    }

    /// The tools it offers.
    #[must_use]
    pub fn tools(mut self, tools: impl ToolSet) -> Self {
        self.sets.tools = Some(Arc::new(tools));
        self
    }

    /// The resources it offers.
    #[must_use]
    pub fn resources(mut self, resources: impl ResourceSet) -> Self {
        self.sets.resources = Some(Arc::new(resources));
        self
    }

    /// The prompts it offers.
    #[must_use]
    pub fn prompts(mut self, prompts: impl PromptSet) -> Self {
        self.sets.prompts = Some(Arc::new(prompts));
        self
    }

    /// Completes arguments of its prompts and resource templates.
    #[must_use]
    pub fn completer(mut self, completer: impl Completer) -> Self {
        self.sets.completer = Some(Arc::new(completer));
        self
    }

    /// Handles a method that is not the protocol's, in every revision. The handler gets the params, without `_meta`,
    /// and returns the members of the result.
    #[must_use]
    pub fn method<F>(mut self, name: impl Into<String>, handler: F) -> Self
    where
        F: for<'a> Fn(Object, &'a CallContext) -> BoxFuture<'a, Result<Object, ErrorObject>>
            + Send
            + Sync
            + 'static,
    {
        let name = name.into();
        if self
            .methods
            .insert(name.clone(), Box::new(handler))
            .is_some()
        {
            self.repeated_method = Some(name);
        }
        self
    }

    /// Declares an experimental capability.
    #[must_use]
    pub fn experimental(mut self, name: impl Into<String>, value: Object) -> Self {
        let value = Value::Object(value);
        self.declaration.experimental.insert(name.into(), value);
        self
    }

    /// Declares an extension with its settings, in the revisions that have extensions. The name has a prefix, as
    /// `io.modelcontextprotocol/ui` does.
    #[must_use]
    pub fn extension(mut self, name: impl Into<String>, settings: Object) -> Self {
        let settings = Value::Object(settings);
        self.declaration.extensions.insert(name.into(), settings);
        self
    }

    /// Determines the scope of each request from what its transport knows of it: which view of the sets, and which
    /// instructions it gets. Without it every request gets the default scope.
    ///
    /// A request whose scope cannot be determined is answered with the error: over HTTP with status 400.
    #[must_use]
    pub fn scope(
        mut self,
        scope: impl Fn(&Extensions) -> Result<Scope, ErrorObject> + Send + Sync + 'static,
    ) -> Self {
        self.scope = Some(Box::new(scope));
        self
    }

    /// Everything it offers may change, its lists and its resources, and `notifier` knows when it does.
    /// Without it the lists are read once, and clients get no notifications of changes.
    #[must_use]
    pub fn changes(mut self, notifier: &ChangeNotifier) -> Self {
        self.changes = Some(notifier.clone());
        self.lists_change = true;
        self
    }

    /// Its lists never change; only resources are updated, and `notifier` knows when one is.
    #[must_use]
    pub fn updates(mut self, notifier: &ChangeNotifier) -> Self {
        self.changes = Some(notifier.clone());
        self
    }

    /// Clients of the handshake lifecycle get nothing that needs a session: no notifications of changes, no
    /// logs, no questions. Over HTTP there are no sessions then, so that any replica can take any request.
    #[must_use]
    pub fn without_sessions(mut self) -> Self {
        self.declaration.sessions = false;
        self
    }

    /// Its tools write log messages for clients of the handshake lifecycle, with
    /// [`crate::CallContext::log`].
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.declaration.logging = true;
        self
    }

    /// Its tools ask clients, with [`crate::CallContext::ask`]; over HTTP, clients of the handshake
    /// lifecycle then get a session.
    #[must_use]
    pub fn asks_clients(mut self) -> Self {
        self.asks_clients = true;
        self
    }

    /// The secret that cursors and request state are signed with, the same for all replicas of a server. By default
    /// each server makes its own.
    #[must_use]
    pub fn signing_key(mut self, key: SigningKey) -> Self {
        self.signing_key = Some(key);
        self
    }

    /// How to use the server, for models. Hosts cut it at 2 KB.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.declaration.instructions = Instructions::ForEveryone(instructions.into());
        self
    }

    /// How to use what a scope shows of the server; written once for each scope that is used.
    #[must_use]
    pub fn instructions_per_scope(
        mut self,
        instructions: impl Fn(&Scope) -> String + Send + Sync + 'static,
    ) -> Self {
        self.declaration.instructions = Instructions::PerScope(Box::new(instructions));
        self
    }

    /// Bounds on what clients may ask for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Also accepts, where there is a handshake, the method names some clients used before the
    /// specification settled: `list_tools`, `call_tool` with `{tool, params}`, and `initialized`.
    #[must_use]
    pub fn legacy_method_names(mut self) -> Self {
        self.legacy_names = true;
        self
    }

    /// Checks what is declared, and serializes what a client asks for first. The lists follow when the first client
    /// asks for them.
    ///
    /// # Errors
    /// With the first tool, prompt, resource or method that clients would refuse or could not reach.
    pub fn build(mut self) -> Result<Server, BuildError> {
        self.check()?;
        self.declaration.notification_kinds = self.notification_kinds();
        let Self {
            declaration, sets, ..
        } = self;
        let static_responses = Revision::ALL
            .iter()
            .copied()
            .map(|revision| declaration.static_responses(&sets, revision))
            .collect();
        let on_lists = self.changes.as_ref().filter(|_| self.lists_change);
        Ok(Server {
            static_responses,
            lists: ListCache::new(on_lists),
            signer: Signer::new(self.signing_key.or_else(SigningKey::random)),
            admission: Arc::new(Admission::new(&self.limits, Instant::now())),
            declaration,
            sets,
            methods: self.methods,
            scope: self.scope,
            changes: self.changes,
            asks_clients: self.asks_clients,
            legacy_names: self.legacy_names,
            limits: self.limits,
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
        let mut names = self.methods.keys().map(String::as_str);
        let own = names.find(|it| server::METHODS.contains(it));
        match own.or(self.repeated_method.as_deref()) {
            Some(name) => Err(BuildError::Method(name.to_owned())),
            None => Ok(()),
        }
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
            tools: self.lists_change && tools.is_some(),
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
