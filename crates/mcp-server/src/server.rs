//! One request in, one response out.

use std::{collections::HashMap, fmt, sync::Arc};

use bytes::Bytes;
use mcp_protocol::{
    ErrorObject, LogLevel, Object, Request, RequestId, Revision, Rules, ServerInfo, render,
};
use serde_json::Value;
use tracing::Instrument;

use crate::{
    builder::{Builder, MethodHandler, ScopeOf},
    change_notifier::ChangeNotifier,
    context::CallContext,
    extensions::Extensions,
    header_parameter::HeaderParameter,
    limits::{Admission, Limits},
    list_cache::{ListCache, ToolFacts},
    lists::{List, ListSource},
    notifications::{Notifications, Recipient},
    response::{Reply, Response},
    run::{Ended, catch_panic},
    scope::Scope,
    session::Session,
    sets::Sets,
    sign::Signer,
    static_responses::{Declaration, Instructions, StaticResponses},
};

/// The methods of the protocol, which a host cannot handle itself.
pub(crate) const METHODS: &[&str] = &[
    "initialize",
    "server/discover",
    "ping",
    "initialized",
    "tools/list",
    "list_tools",
    "tools/call",
    "call_tool",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "completion/complete",
    "logging/setLevel",
    "subscriptions/listen",
];

/// A server, ready to answer. Shared by all transports and connections.
pub struct Server {
    pub(crate) declaration: Declaration,
    pub(crate) sets: Sets,
    pub(crate) methods: HashMap<String, MethodHandler>,
    pub(crate) scope: Option<ScopeOf>,
    pub(crate) lists: ListCache,
    pub(crate) changes: Option<ChangeNotifier>,
    pub(crate) asks_clients: bool,
    pub(crate) legacy_names: bool,
    pub(crate) limits: Limits,
    pub(crate) admission: Arc<Admission>,
    pub(crate) signer: Signer,
    /// One row a revision.
    pub(crate) static_responses: Vec<StaticResponses>,
}

impl Server {
    /// Starts to set up a server.
    #[must_use]
    pub fn builder(server_info: ServerInfo) -> Builder {
        Builder::new(server_info)
    }

    /// Its limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Its name and version, and what else it tells clients about itself.
    #[must_use]
    pub fn server_info(&self) -> &ServerInfo {
        &self.declaration.server_info
    }

    /// The parameters of a tool that clients repeat in HTTP headers, if it has any.
    #[must_use]
    pub fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.with_tool_facts(|facts| facts.header_parameters(tool))
    }

    /// Whether any tool has such parameters.
    #[must_use]
    pub fn has_header_parameters(&self) -> bool {
        self.with_tool_facts(ToolFacts::has_header_parameters)
    }

    /// Whether clients of the handshake lifecycle gain by a session, and may have one: the server notifies
    /// them of changes, writes logs for them, or asks them.
    #[must_use]
    pub fn needs_sessions(&self) -> bool {
        let is_used = self.changes.is_some() || self.declaration.logging || self.asks_clients;
        self.declaration.sessions && is_used
    }

    /// Whether the response to this request may come after other messages, so that it needs a
    /// [`crate::ClientChannel`]; `in_session` if it came in a session.
    #[must_use]
    pub fn can_stream(&self, request: &Request, in_session: bool) -> bool {
        match request.method.as_str() {
            "tools/call" | "prompts/get" | "resources/read" if in_session => true,
            "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel" => in_session,
            "subscriptions/listen" => true,
            _ => {
                let meta = request.params.as_ref().and_then(|it| it.get("_meta"));
                meta.is_some_and(|it| it.get("progressToken").is_some())
            }
        }
    }

    /// The notifications of changes for a session; `None` if nothing ever changes, or there are no sessions.
    #[must_use]
    pub fn notifications(&self, session: &Arc<Session>) -> Option<Notifications> {
        let changes = self.changes.as_ref();
        let changes = changes.filter(|_| self.declaration.sessions)?.subscribe();
        let kinds = self.declaration.notification_kinds;
        let recipient = Recipient::Session(Arc::clone(session), kinds);
        Some(Notifications::new(changes, recipient))
    }

    /// For a transport: the context of a request that came with `extensions`, in its scope. A transport that has an
    /// answer of its own for a scope that cannot be determined begins with this; [`Server::handle`] determines the
    /// scope otherwise.
    ///
    /// # Errors
    /// With what [`Builder::scope`] returned.
    pub fn context(&self, extensions: Extensions) -> Result<CallContext, ErrorObject> {
        let cx = CallContext::new(extensions);
        match &self.scope {
            None => Ok(cx),
            Some(scope) => scope(cx.extensions()).map(|scope| cx.in_scope(scope)),
        }
    }

    /// Answers one request, read as one of `revision`; for `initialize` that is the negotiated one.
    ///
    /// # Cancel safety
    /// Dropping the future ends the request and all it has begun; nothing is answered.
    pub async fn handle(&self, revision: Revision, request: Request, cx: &CallContext) -> Response {
        let span = tracing::debug_span!(
            "request",
            method = request.method,
            id = ?request.id,
            revision = revision.name(),
            subject = tracing::field::Empty,
        );
        let Request { id, method, params } = request;
        let reply = async {
            match &self.scope {
                Some(scope) if !cx.has_scope() => {
                    let cx = Box::new(cx.in_scope(scope(cx.extensions())?));
                    Box::pin(self.reply(revision, &id, &method, params, &cx)).await
                }
                Some(_) | None => self.reply(revision, &id, &method, params, cx).await,
            }
        };
        let reply = catch_panic(reply).instrument(span).await;
        Response {
            id: Some(id),
            reply: reply.unwrap_or_else(Reply::Error),
        }
    }

    async fn reply(
        &self,
        revision: Revision,
        id: &RequestId,
        method: &str,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let handshake = revision.has_handshake();
        let legacy = handshake && self.legacy_names;
        let in_session = handshake && self.declaration.sessions;
        // Rare requests are boxed, so that frequent ones have a small future to move.
        let list = |list| self.list(list, method, revision, params.as_ref(), cx.scope());
        match (method, &self.sets) {
            ("initialize", _) if handshake => self.initialize_result(revision, cx.scope()),
            ("server/discover", _) if !handshake => self.initialize_result(revision, cx.scope()),
            ("ping", _) if handshake => self.empty(revision),
            ("initialized", _) if legacy => self.empty(revision),
            ("tools/list", _) => list(List::Tools),
            ("list_tools", _) if legacy => list(List::Tools),
            ("prompts/list", _) => list(List::Prompts),
            ("resources/list", _) => list(List::Resources),
            ("resources/templates/list", _) => list(List::Templates),
            (
                "tools/call",
                Sets {
                    tools: Some(tools), ..
                },
            ) => {
                let members = ["name", "arguments"];
                self.tools_call(&**tools, revision, params, members, cx)
                    .await
            }
            (
                "call_tool",
                Sets {
                    tools: Some(tools), ..
                },
            ) if legacy => {
                let members = ["tool", "params"];
                self.tools_call(&**tools, revision, params, members, cx)
                    .await
            }
            (
                "prompts/get",
                Sets {
                    prompts: Some(prompts),
                    ..
                },
            ) => Box::pin(self.prompts_get(&**prompts, revision, params, cx)).await,
            (
                "resources/read",
                Sets {
                    resources: Some(resources),
                    ..
                },
            ) => Box::pin(self.resources_read(&**resources, revision, params, cx)).await,
            (
                "completion/complete",
                Sets {
                    completer: Some(completer),
                    ..
                },
            ) => Box::pin(self.complete(&**completer, revision, params, cx)).await,
            (
                "resources/subscribe",
                Sets {
                    resources: Some(resources),
                    ..
                },
            ) if in_session && self.declaration.notification_kinds.updates => {
                Box::pin(self.subscribe(&**resources, revision, params, cx)).await
            }
            ("resources/unsubscribe", _)
                if in_session && self.declaration.notification_kinds.updates =>
            {
                self.unsubscribe(revision, params, cx)
            }
            ("logging/setLevel", _) if in_session && self.declaration.logging => {
                self.set_level(revision, params.as_ref(), cx)
            }
            ("subscriptions/listen", _) if !handshake => match &self.changes {
                Some(changes) => Box::pin(self.listen(changes, revision, id, params, cx)).await,
                None => Err(ErrorObject::method_not_found(method)),
            },
            _ => Box::pin(self.host_method(revision, method, params, cx)).await,
        }
    }

    /// A method that the host handles, if it does.
    async fn host_method(
        &self,
        revision: Revision,
        method: &str,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let Some(handler) = self.methods.get(method) else {
            return Err(ErrorObject::method_not_found(method));
        };
        let mut params = params.unwrap_or_default();
        let cx = self.call_context(revision, &mut params, (method, ""), cx)?;
        let ended = self.run(method, &cx, || Some(handler(params, &cx))).await;
        let rules = revision.rules();
        if let Some(input_required) = self.input_required(cx, (method, ""), rules)? {
            return Ok(input_required);
        }
        match ended {
            Some(Ended::Done(result)) => self.finish(result?, rules),
            Some(Ended::GivenUp(why)) => {
                Err(ErrorObject::new(mcp_protocol::error::INTERNAL_ERROR, why))
            }
            None => Err(ErrorObject::internal()),
        }
    }

    fn initialize_result(&self, revision: Revision, scope: &Scope) -> Result<Reply, ErrorObject> {
        if let Instructions::PerScope(_) = self.declaration.instructions
            && !scope.is_default()
        {
            let result = self.lists.with(scope, |lists| {
                let result = lists.initialize_results.get(revision.index())?;
                let make = || {
                    self.declaration
                        .initialize_result(&self.sets, revision, scope)
                };
                Some(result.get_or_init(make).clone())
            });
            return result.map(Reply::Result).ok_or_else(ErrorObject::internal);
        }
        let responses = self.static_responses.get(revision.index());
        let responses = responses.ok_or_else(ErrorObject::internal)?;
        Ok(Reply::Result(responses.initialize_result.clone()))
    }

    pub(crate) fn empty(&self, revision: Revision) -> Result<Reply, ErrorObject> {
        let responses = self.static_responses.get(revision.index());
        let responses = responses.ok_or_else(ErrorObject::internal)?;
        Ok(Reply::Result(responses.empty.clone()))
    }

    fn list(
        &self,
        list: List,
        method: &str,
        revision: Revision,
        params: Option<&Object>,
        scope: &Scope,
    ) -> Result<Reply, ErrorObject> {
        let source = ListSource {
            sets: &self.sets,
            server_info: self.server_info(),
            signer: &self.signer,
            is_live: self.lists.is_live(),
        };
        let page = self
            .lists
            .with(scope, |lists| lists.page(list, revision, params, &source));
        page.unwrap_or_else(|| Err(ErrorObject::method_not_found(method)))
            .map(Reply::Result)
    }

    /// Without a session there is nothing to remember the level, and nothing is logged.
    fn set_level(
        &self,
        revision: Revision,
        params: Option<&Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let level = params
            .and_then(|it| it.get("level"))
            .and_then(Value::as_str);
        let level = level.and_then(LogLevel::parse).ok_or_else(|| {
            let names: Vec<_> = LogLevel::ALL.iter().map(|it| it.name()).collect();
            ErrorObject::invalid_params(format_args!("level must be one of {}", names.join(", ")))
        })?;
        if let Some(session) = cx.channel().and_then(|it| it.session()) {
            session.set_log_level(level);
        }
        self.empty(revision)
    }

    pub(crate) fn with_tool_facts<T>(&self, look: impl FnOnce(&ToolFacts) -> T) -> T {
        self.lists.with_tool_facts(&self.sets, look)
    }

    /// A result of the revision, complete.
    pub(crate) fn finish(&self, result: Object, rules: &Rules) -> Result<Reply, ErrorObject> {
        self.serialize(result, rules).map(Reply::Result)
    }

    pub(crate) fn serialize(&self, result: Object, rules: &Rules) -> Result<Bytes, ErrorObject> {
        let result = render::finish_result(result, self.server_info(), rules);
        let mut bytes = Vec::with_capacity(512);
        serde_json::to_writer(&mut bytes, &result).map_err(|_| ErrorObject::internal())?;
        Ok(Bytes::from(bytes))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("server_info", self.server_info())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
