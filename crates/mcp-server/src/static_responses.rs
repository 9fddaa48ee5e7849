//! The answers that a client asks for first, serialized.

use bytes::Bytes;
use mcp_protocol::{CacheHint, Object, Revision, ServerInfo, render};
use serde_json::{Value, json};

use crate::{notifications::NotificationKinds, scope::Scope, sets::Sets};

/// What a server can do changes only with a new release of it.
const TTL_MS: u64 = 3_600_000;

/// Answers that depend on the revision alone.
pub(crate) struct StaticResponses {
    pub(crate) initialize_result: Bytes,
    pub(crate) empty: Bytes,
}

/// What a server declares of itself.
pub(crate) struct Declaration {
    pub(crate) server_info: ServerInfo,
    pub(crate) instructions: Instructions,
    pub(crate) notification_kinds: NotificationKinds,
    pub(crate) logging: bool,
    /// Clients of the handshake lifecycle may have sessions.
    pub(crate) sessions: bool,
    pub(crate) experimental: Object,
    pub(crate) extensions: Object,
}

/// How to use the server, for models.
pub(crate) enum Instructions {
    None,
    ForEveryone(String),
    PerScope(Box<dyn Fn(&Scope) -> String + Send + Sync>),
}

impl Declaration {
    pub(crate) fn static_responses(&self, sets: &Sets, revision: Revision) -> StaticResponses {
        let rules = revision.rules();
        let empty = render::finish_result(Object::new(), &self.server_info, rules);
        StaticResponses {
            initialize_result: self.initialize_result(sets, revision, &Scope::default()),
            empty: Bytes::from(Value::Object(empty).to_string()),
        }
    }

    /// The result of `initialize`, or of `server/discover` where there is no handshake.
    pub(crate) fn initialize_result(
        &self,
        sets: &Sets,
        revision: Revision,
        scope: &Scope,
    ) -> Bytes {
        let rules = revision.rules();
        let mut result = Object::new();
        let mut put = |name: &str, value: Value| {
            result.insert(name.to_owned(), value);
        };
        if revision.has_handshake() {
            put("protocolVersion", rules.name.into());
            put("capabilities", self.capabilities(sets, revision));
            put("serverInfo", render::server_info(&self.server_info, rules));
        } else {
            let supported: Vec<_> = Revision::per_request().map(Revision::name).collect();
            put("supportedVersions", supported.into());
            put("capabilities", self.capabilities(sets, revision));
        }
        match &self.instructions {
            Instructions::None => (),
            Instructions::ForEveryone(text) => put("instructions", text.as_str().into()),
            Instructions::PerScope(text) => put("instructions", text(scope).into()),
        }
        let hint = match scope.is_shared() {
            true => CacheHint::public(TTL_MS),
            false => CacheHint::private(TTL_MS),
        };
        render::cache_hint(&mut result, hint, rules);
        let result = render::finish_result(result, &self.server_info, rules);
        Bytes::from(Value::Object(result).to_string())
    }

    /// `listChanged` is always there, and true only if such notifications are sent.
    fn capabilities(&self, sets: &Sets, revision: Revision) -> Value {
        let rules = revision.rules();
        let is_notified = !revision.has_handshake() || self.sessions;
        let kinds = match is_notified {
            true => self.notification_kinds,
            false => NotificationKinds::default(),
        };
        let mut capabilities = Object::new();
        let mut declare = |name: &str, value: Value| {
            capabilities.insert(name.to_owned(), value);
        };
        if sets.tools.is_some() {
            declare("tools", json!({"listChanged": kinds.tools}));
        }
        if sets.resources.is_some() {
            let (subscribe, changed) = (kinds.updates, kinds.resources);
            declare(
                "resources",
                json!({"subscribe": subscribe, "listChanged": changed}),
            );
        }
        if sets.prompts.is_some() {
            declare("prompts", json!({"listChanged": kinds.prompts}));
        }
        if sets.completer.is_some() && rules.completions_capability {
            declare("completions", json!({}));
        }
        if self.logging && self.sessions && revision.has_handshake() {
            declare("logging", json!({}));
        }
        if !self.experimental.is_empty() {
            declare("experimental", Value::Object(self.experimental.clone()));
        }
        if !self.extensions.is_empty() && rules.extensions_capability {
            declare("extensions", Value::Object(self.extensions.clone()));
        }
        Value::Object(capabilities)
    }
}
