//! The server's own declaration in the result of `initialize` or `server/discover`.

use mcp_protocol::{
    CacheHint, Object, Revision, ServerInfo, TASKS_EXTENSION, TaskForm, lifecycle::SERVER_INFO,
    render,
};
use serde_json::{Value, json};

use crate::{
    context::ListVariant, dispatch::ResultBytes, provide::Sets,
    session::notifications::NotificationKinds,
};

/// Cache lifetime of the declaration, which changes only with a new release of the server.
const TTL_MS: u64 = 3_600_000;

/// A server's declaration of its identity and capabilities.
pub(crate) struct Declaration {
    pub(crate) server_info: ServerInfo,
    pub(crate) instructions: Instructions,
    pub(crate) notification_kinds: NotificationKinds,
    pub(crate) logging: bool,
    /// Whether clients of the handshake lifecycle may have sessions.
    pub(crate) sessions: bool,
    pub(crate) experimental: Object,
    pub(crate) extensions: Object,
    /// Whether calls can become tasks.
    pub(crate) tasks: bool,
    /// Whether output schemas omit descriptions.
    pub(crate) brief_output_schemas: bool,
}

/// Instructions for models on how to use the server.
pub(crate) enum Instructions {
    None,
    ForEveryone(String),
    PerScope(Box<dyn Fn(&ListVariant) -> String + Send + Sync>),
}

impl Declaration {
    /// Creates the result of `initialize`, or of `server/discover` in revisions without a handshake.
    pub(crate) fn initialize_result(
        &self,
        sets: &Sets,
        revision: Revision,
        scope: &ListVariant,
        lists_tasks: bool,
    ) -> ResultBytes {
        let rules = revision.features();
        let mut result = Object::new();
        let mut put = |name: &str, value: Value| {
            result.insert(name.to_owned(), value);
        };
        if revision.has_handshake() {
            put("protocolVersion", rules.name.into());
        } else {
            // Those with a handshake, too: the server has both eras (2026-07-28 `basic/versioning`, "Terminology").
            put("supportedVersions", Revision::names().into());
        }
        put(
            "capabilities",
            self.capabilities(sets, revision, lists_tasks),
        );
        if revision.has_handshake() {
            put("serverInfo", render::server_info(&self.server_info, rules));
        }
        match &self.instructions {
            Instructions::None => (),
            Instructions::ForEveryone(text) => put("instructions", text.as_str().into()),
            Instructions::PerScope(text) => put("instructions", text(scope).into()),
        }
        let hint = if scope.is_shared() {
            CacheHint::public(TTL_MS)
        } else {
            CacheHint::private(TTL_MS)
        };
        render::cache_hint(&mut result, hint, rules);
        let mut result = render::add_common_fields(result, &self.server_info, rules);
        if let Some(Value::Object(meta)) = result.get_mut("_meta") {
            // Other results leave out the icons.
            let server = render::server_info(&self.server_info, rules);
            meta.insert(SERVER_INFO.to_owned(), server);
        }
        ResultBytes::from(Value::Object(result).to_string())
    }

    /// Returns the capabilities. `listChanged` is always present, and is true only if such notifications are sent.
    fn capabilities(&self, sets: &Sets, revision: Revision, lists_tasks: bool) -> Value {
        let rules = revision.features();
        let kinds = if revision.has_handshake() && !self.sessions {
            NotificationKinds::default()
        } else {
            self.notification_kinds
        };
        let mut capabilities = Object::new();
        let mut declare = |name: &str, value: Value| {
            capabilities.insert(name.to_owned(), value);
        };
        if sets.tools.is_some() {
            declare("tools", json!({"listChanged": kinds.tools}));
        }
        if sets.has_resources() {
            let value = json!({"subscribe": kinds.updates, "listChanged": kinds.resources});
            declare("resources", value);
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
        let mut extensions = self.extensions.clone();
        match rules.tasks {
            TaskForm::Core if self.tasks => {
                let mut tasks = json!({"cancel": {}, "requests": {"tools": {"call": {}}}});
                if lists_tasks && let Some(tasks) = tasks.as_object_mut() {
                    tasks.insert("list".to_owned(), json!({}));
                }
                declare("tasks", tasks);
            }
            TaskForm::Extension if self.tasks => {
                extensions.insert(TASKS_EXTENSION.to_owned(), json!({}));
            }
            _ => (),
        }
        // Hosts of views look for theirs in every revision (`apps.mdx`, "Client<>Server Capability Negotiation").
        if !extensions.is_empty() {
            declare("extensions", Value::Object(extensions));
        }
        Value::Object(capabilities)
    }
}
