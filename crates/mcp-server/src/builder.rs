//! Setting up a server.

use std::{fmt, sync::Arc, time::Instant};

use bytes::Bytes;
use mcp_protocol::{CacheHint, Object, Revision, Rules, ServerInfo, render};
use serde_json::{Value, json};

use crate::{
    changes::Changes,
    feed::Offered,
    limits::{Gate, Limits},
    lists::Catalog,
    prompts::{Completer, PromptSet},
    resources::ResourceSet,
    seal::{Key, Sealer},
    server::{Constants, Server},
    toolset::ToolSet,
};

/// What a server can do changes only with a new release of it, and is the same for everyone.
const CONSTANT: CacheHint = CacheHint::public(3_600_000);

/// Sets up a [`Server`].
pub struct Builder {
    server_info: ServerInfo,
    instructions: Option<String>,
    sets: Sets,
    changes: Option<Changes>,
    lists_change: bool,
    sessions: bool,
    logging: bool,
    asks_clients: bool,
    key: Option<Key>,
    older_names: bool,
    limits: Limits,
    gate: Option<Arc<Gate>>,
}

/// What a server offers.
#[derive(Default)]
pub(crate) struct Sets {
    pub(crate) tools: Option<Arc<dyn ToolSet>>,
    pub(crate) resources: Option<Arc<dyn ResourceSet>>,
    pub(crate) prompts: Option<Arc<dyn PromptSet>>,
    pub(crate) completer: Option<Arc<dyn Completer>>,
}

impl Builder {
    pub(crate) fn new(server_info: ServerInfo) -> Self {
        Self {
            server_info,
            instructions: None,
            sets: Sets::default(),
            changes: None,
            lists_change: false,
            sessions: true,
            logging: false,
            asks_clients: false,
            key: None,
            older_names: false,
            limits: Limits::default(),
            gate: None,
        }
    }

    /// The tools it offers.
    #[must_use]
    pub fn tools(self, tools: impl ToolSet) -> Self {
        self.shared_tools(Arc::new(tools))
    }

    /// The tools it offers, shared with other servers.
    #[must_use]
    pub fn shared_tools(mut self, tools: Arc<dyn ToolSet>) -> Self {
        self.sets.tools = Some(tools);
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

    /// What it offers may change, and `changes` is told when it does: its lists, and its resources.
    /// Without it the lists are read once, and no client is promised news of them.
    #[must_use]
    pub fn changes(mut self, changes: &Changes) -> Self {
        self.changes = Some(changes.clone());
        self.lists_change = true;
        self
    }

    /// Its lists stay what they are; only resources are updated, and `changes` is told when one is.
    #[must_use]
    pub fn updates(mut self, changes: &Changes) -> Self {
        self.changes = Some(changes.clone());
        self
    }

    /// Clients of the handshake lifecycle are promised nothing that needs a session: no news, no
    /// logs, no questions. Over HTTP they get none then, so that any replica can take any request.
    #[must_use]
    pub fn without_sessions(mut self) -> Self {
        self.sessions = false;
        self
    }

    /// Its tools write log messages for clients of the handshake lifecycle, with
    /// [`crate::CallContext::log`].
    #[must_use]
    pub fn logging(mut self) -> Self {
        self.logging = true;
        self
    }

    /// Its tools ask clients, with [`crate::CallContext::ask`]; over HTTP, clients of the handshake
    /// lifecycle then get a session.
    #[must_use]
    pub fn asks_clients(mut self) -> Self {
        self.asks_clients = true;
        self
    }

    /// The secret behind cursors and request state, the same for all replicas of a server. By default
    /// each server makes up its own.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }

    /// How to use the server, for models. Hosts cut it at 2 KB.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = Some(instructions.into());
        self
    }

    /// Bounds on what clients may ask for.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self.gate = None;
        self
    }

    /// The bounds of another server, which both keep together: one more view of the same thing does
    /// not allow a client to ask more of it.
    #[must_use]
    pub fn limits_of(mut self, server: &Server) -> Self {
        self.limits = server.limits;
        self.gate = Some(Arc::clone(&server.gate));
        self
    }

    /// Also accepts, where there is a handshake, the method names some clients used before the
    /// specification settled: `list_tools`, `call_tool` with `{tool, params}`, and `initialized`.
    #[must_use]
    pub fn older_method_names(mut self) -> Self {
        self.older_names = true;
        self
    }

    /// Serializes what a client asks for first. The lists follow when the first client wants them.
    #[must_use]
    pub fn build(self) -> Server {
        let constants = Revision::ALL
            .iter()
            .copied()
            .map(|revision| self.constants(revision))
            .collect();
        let sealer = Sealer::new(self.key.clone().or_else(Key::random));
        let on_lists = self.changes.as_ref().filter(|_| self.lists_change);
        Server {
            offered: self.offered(),
            constants,
            catalog: Catalog::new(on_lists),
            sealer,
            gate: self
                .gate
                .unwrap_or_else(|| Arc::new(Gate::new(&self.limits, Instant::now()))),
            sessions: self.sessions,
            server_info: self.server_info,
            sets: self.sets,
            changes: self.changes,
            logging: self.logging,
            asks_clients: self.asks_clients,
            older_names: self.older_names,
            limits: self.limits,
        }
    }

    fn offered(&self) -> Offered {
        if self.changes.is_none() {
            return Offered::default();
        }
        let Sets {
            tools,
            resources,
            prompts,
            ..
        } = &self.sets;
        Offered {
            tools: self.lists_change && tools.is_some(),
            prompts: self.lists_change && prompts.is_some(),
            resources: self.lists_change && resources.is_some(),
            updates: resources.as_ref().is_some_and(|it| it.can_be_watched()),
        }
    }

    /// `listChanged` is stated, and true only if such notifications are sent.
    fn capabilities(&self, revision: Revision) -> Value {
        let in_reach = !revision.has_handshake() || self.sessions;
        let offered = match in_reach {
            true => self.offered(),
            false => Offered::default(),
        };
        let mut capabilities = Object::new();
        let mut declare = |name: &str, what: Value| {
            capabilities.insert(name.to_owned(), what);
        };
        if self.sets.tools.is_some() {
            declare("tools", json!({"listChanged": offered.tools}));
        }
        if self.sets.resources.is_some() {
            let (watch, change) = (offered.updates, offered.resources);
            declare(
                "resources",
                json!({"subscribe": watch, "listChanged": change}),
            );
        }
        if self.sets.prompts.is_some() {
            declare("prompts", json!({"listChanged": offered.prompts}));
        }
        if self.sets.completer.is_some() && revision.rules().completions_capability {
            declare("completions", json!({}));
        }
        if self.logging && self.sessions && revision.has_handshake() {
            declare("logging", json!({}));
        }
        Value::Object(capabilities)
    }

    fn constants(&self, revision: Revision) -> Constants {
        let rules = revision.rules();
        let finish = |result| {
            let result = render::finish_result(result, &self.server_info, rules);
            Bytes::from(Value::Object(result).to_string())
        };
        Constants {
            opening: finish(self.opening(revision, rules)),
            empty: finish(Object::new()),
        }
    }

    fn opening(&self, revision: Revision, rules: &Rules) -> Object {
        let mut opening = Object::new();
        let mut put = |name: &str, value: Value| {
            opening.insert(name.to_owned(), value);
        };
        if revision.has_handshake() {
            put("protocolVersion", rules.name.into());
            put("capabilities", self.capabilities(revision));
            put("serverInfo", render::server_info(&self.server_info, rules));
        } else {
            let supported: Vec<_> = Revision::per_request().map(Revision::name).collect();
            put("supportedVersions", supported.into());
            put("capabilities", self.capabilities(revision));
        }
        if let Some(instructions) = &self.instructions {
            put("instructions", instructions.as_str().into());
        }
        render::cache_hint(&mut opening, CONSTANT, rules);
        opening
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("server_info", &self.server_info)
            .finish_non_exhaustive()
    }
}
