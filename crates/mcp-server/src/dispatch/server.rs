//! The server, which returns one response for each request.

use std::{collections::HashMap, fmt, num::NonZeroU32, pin::pin, sync::Arc};

use mcp_protocol::{
    ErrorObject, Features, LogLevel, Method, Object, Request, RequestId, Revision, ServerInfo,
    error::INTERNAL_ERROR, render, transport::HeaderParameter,
};
use serde_json::Value;
use tokio::sync::broadcast::Receiver;
use tracing::Instrument;

use crate::{
    builder::{MethodHandler, ScopeOf, ServerBuilder},
    context::{Extensions, ListVariant, RequestContext, sign::Signer},
    dispatch::{
        RequestOutcome, Response, ResponsePayload,
        call::catch_panic,
        declaration::Declaration,
        list_cache::ListCache,
        lists::{List, Lists},
        observer::{Names, Observation, Observers},
        response::{Replied, too_large},
    },
    limits::{Admission, MemoryBudget, ServerLimits, ServerStats, out_of_memory},
    provide::{Sets, ToolFacts},
    session::{
        ChangeNotifier, NotificationStream, Session, change_notifier::Change,
        notifications::Recipient,
    },
    skills,
    tasks::{TaskMethod, Tasks},
};

/// An MCP server, ready to handle requests. All transports and connections share it.
pub struct Server {
    pub(crate) declaration: Declaration,
    pub(crate) sets: Sets,
    pub(crate) methods: HashMap<String, MethodHandler>,
    pub(crate) scope: Option<ScopeOf>,
    pub(crate) lists: ListCache,
    pub(crate) changes: Option<ChangeNotifier>,
    pub(crate) asks_clients: bool,
    pub(crate) legacy_names: bool,
    pub(crate) admission: Admission,
    pub(crate) signer: Signer,
    pub(crate) tasks: Option<Arc<Tasks>>,
    pub(crate) memory: MemoryBudget,
    pub(crate) observers: Observers,
}

impl Server {
    /// Returns a builder for a server with this `serverInfo`.
    #[must_use]
    pub fn builder(server_info: ServerInfo) -> ServerBuilder {
        ServerBuilder::new(server_info)
    }

    /// Returns the limits set by the builder.
    #[must_use]
    pub fn limits(&self) -> &ServerLimits {
        &self.admission.limits
    }

    /// Sets [`ServerLimits::total_calls_per_second`] and [`ServerLimits::calls_per_client`] while the server runs.
    pub fn set_call_rates(&self, all: Option<NonZeroU32>, client: Option<NonZeroU32>) {
        self.admission.set_call_rates(all, client);
    }

    /// Returns the current load and the number of rejected calls.
    #[must_use]
    pub fn stats(&self) -> ServerStats {
        self.admission.load()
    }

    /// Returns the memory budget for messages held by transports.
    #[must_use]
    pub fn memory_budget(&self) -> &MemoryBudget {
        &self.memory
    }

    /// Returns the server's name, version and other information for clients.
    #[must_use]
    pub fn server_info(&self) -> &ServerInfo {
        &self.declaration.server_info
    }

    /// Returns the header parameters of a tool, if it has any. Clients repeat these parameters in HTTP headers.
    #[must_use]
    pub fn header_parameters(&self, tool: &str) -> Option<Arc<[HeaderParameter]>> {
        self.with_tool_facts(|facts| facts.header_parameters(tool))
    }

    /// Returns whether any tool has header parameters.
    #[must_use]
    pub fn has_header_parameters(&self) -> bool {
        self.with_tool_facts(ToolFacts::has_header_parameters)
    }

    /// Returns whether clients of the handshake lifecycle need a session: the server may send them change
    /// notifications, log messages or requests, and sessions are enabled.
    #[must_use]
    pub fn needs_sessions(&self) -> bool {
        let is_used = self.changes.is_some() || self.declaration.logging || self.asks_clients;
        self.declaration.sessions && is_used
    }

    /// Returns whether other messages may precede the response to this request. If so, the request needs a
    /// [`crate::transport::ClientChannel`]. `in_session` states whether the request belongs to a session.
    #[must_use]
    pub fn can_stream(&self, request: &Request, in_session: bool) -> bool {
        let has_progress_token = || {
            let meta = request.params.as_ref().and_then(|it| it.get("_meta"));
            meta.is_some_and(|it| it.get("progressToken").is_some())
        };
        let Some(method) = Method::parse(&request.method) else {
            return has_progress_token();
        };
        match method {
            Method::ToolsCall
            | Method::PromptsGet
            | Method::ResourcesRead
            | Method::TasksResult => in_session || has_progress_token(),
            Method::ResourcesSubscribe | Method::ResourcesUnsubscribe | Method::LoggingSetLevel => {
                in_session
            }
            Method::SubscriptionsListen => true,
            Method::Initialize
            | Method::Discover
            | Method::Ping
            | Method::ToolsList
            | Method::PromptsList
            | Method::ResourcesList
            | Method::ResourcesTemplatesList
            | Method::ResourcesDirectoryRead
            | Method::CompletionComplete
            | Method::SkillsList
            | Method::SkillsGet
            | Method::TasksGet
            | Method::TasksUpdate
            | Method::TasksCancel
            | Method::TasksList
            | Method::LegacyInitialized
            | Method::LegacyToolsList
            | Method::LegacyToolsCall => has_progress_token(),
        }
    }

    /// Returns the change notifications for a session, or `None` if nothing ever changes or sessions are disabled.
    #[must_use]
    pub fn notification_stream(&self, session: &Arc<Session>) -> Option<NotificationStream> {
        let changes = self
            .declaration
            .sessions
            .then(|| self.subscribe_to_changes())??;
        let kinds = self.declaration.notification_kinds;
        let recipient = Recipient::Session(Arc::clone(session), kinds);
        let rules = session.revision().features();
        let notifications = NotificationStream::new(changes, recipient);
        Some(notifications.with_tasks(self.tasks.as_ref(), rules))
    }

    /// Returns the changes to lists and resources, which never occur if only tasks change. Returns `None` if nothing
    /// ever changes.
    pub(crate) fn subscribe_to_changes(&self) -> Option<Receiver<Change>> {
        let of_tasks = || self.tasks.as_ref().map(|it| &it.notifier);
        Some(self.changes.as_ref().or_else(of_tasks)?.subscribe())
    }

    /// Creates the context of a request with these `extensions`, in its list variant. Only transports with their own
    /// response to an invalid list variant need this method. Otherwise, [`Server::handle`] determines the list variant.
    ///
    /// # Errors
    /// Returns the error of the function passed to [`ServerBuilder::list_variant`].
    pub fn request_context(&self, extensions: Extensions) -> Result<RequestContext, ErrorObject> {
        let cx = RequestContext::from_extensions(extensions);
        match &self.scope {
            None => Ok(cx),
            Some(scope) => scope(cx.extensions()).map(|scope| cx.in_scope(scope)),
        }
    }

    /// Handles one request of this revision. For `initialize`, `revision` is the negotiated one.
    ///
    /// ```
    /// use mcp_protocol::{
    ///     Revision, ServerInfo,
    ///     jsonrpc::{self, MessageOrBatch, Message},
    /// };
    /// use mcp_server::{RequestContext, Server};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder(ServerInfo::new("example", "1.0.0")).build()?;
    /// let line = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    /// let Ok(MessageOrBatch::Single(Message::Request(request))) = jsonrpc::parse(line) else {
    ///     return Err("this is a request".into());
    /// };
    /// let response = server.handle(Revision::V2025_11_25, request, &RequestContext::default()).await;
    /// assert_eq!(response.to_vec(), br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cancel safety
    /// Dropping the future cancels the request and everything it has started.
    #[doc(alias = "initialize")]
    #[doc(alias = "server/discover")]
    #[doc(alias = "ping")]
    pub async fn handle(
        &self,
        revision: Revision,
        request: Request,
        cx: &RequestContext,
    ) -> Response {
        let span = tracing::debug_span!(
            "request",
            method = request.method,
            id = shown(&request.id),
            revision = revision.name(),
        );
        let Request { id, method, params } = request;
        let observation = self.observe(revision, &method, params.as_ref(), cx);
        let replied = {
            let extended = observation.as_ref().and_then(Observation::context);
            let cx = extended.unwrap_or(cx);
            let replied = self.dispatch(revision, &id, &method, params, cx);
            // By reference: each adapter would copy the whole future.
            catch_panic(pin!(replied)).instrument(span).await
        };
        let replied = replied.and_then(|replied| self.within_limit(replied));
        if let Some(observation) = observation {
            let outcome = match &replied {
                Ok(replied) => replied.outcome,
                Err(error) => RequestOutcome::Error(error.code),
            };
            observation.end(&id, outcome, cx);
        }
        Response {
            id: Some(id),
            reply: replied.map_or_else(ResponsePayload::Error, |replied| replied.reply),
        }
    }

    /// Starts the observation of a request, if there are observers.
    fn observe<'a>(
        &'a self,
        revision: Revision,
        method: &str,
        params: Option<&Object>,
        cx: &RequestContext,
    ) -> Option<Observation<'a>> {
        if !self.observers.listen() {
            return None;
        }
        let known = Method::parse(method);
        let of_host = || {
            self.methods
                .get_key_value(method)
                .map(|(own, _)| own.as_str())
        };
        let name = known.map(Method::as_str).or_else(of_host);
        let names = Names::of(known, params, cx);
        Some(Observation::start(
            &self.observers,
            revision,
            name,
            names,
            params,
            cx,
        ))
    }

    /// Handles a request in its list variant.
    async fn dispatch(
        &self,
        revision: Revision,
        id: &RequestId,
        method: &str,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<Replied, ErrorObject> {
        match &self.scope {
            Some(scope) if !cx.has_scope() => {
                let cx = Box::new(cx.in_scope(scope(cx.extensions())?));
                Box::pin(self.reply(revision, id, method, params, &cx)).await
            }
            Some(_) | None => self.reply(revision, id, method, params, cx).await,
        }
    }

    /// Counts the bytes of a large result until they have been written. A result that is too large becomes an error in
    /// every method except tool calls, which get an error result instead.
    fn within_limit(&self, replied: Replied) -> Result<Replied, ErrorObject> {
        let Replied { reply, outcome } = replied;
        let ResponsePayload::Result(bytes) = reply else {
            return Ok(Replied { reply, outcome });
        };
        let most = self.limits().result_bytes;
        if bytes.len() > most {
            let what = too_large(bytes.len(), most);
            return Err(ErrorObject::new(INTERNAL_ERROR, what));
        }
        let mut held = self.memory.empty_reservation();
        if !held.try_grow_to(bytes.len()) {
            return Err(out_of_memory());
        }
        let reply = ResponsePayload::Result(bytes.map(|bytes| held.attach_to(bytes)));
        Ok(Replied { reply, outcome })
    }

    async fn reply(
        &self,
        revision: Revision,
        id: &RequestId,
        name: &str,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<Replied, ErrorObject> {
        let Some(method) = Method::parse(name) else {
            let reply = Box::pin(self.host_method(revision, name, params, cx)).await;
            return reply.map(Replied::from);
        };
        let handshake = revision.has_handshake();
        let legacy = handshake && self.legacy_names;
        let has_session = handshake && self.declaration.sessions;
        let has_updates = self.declaration.notification_kinds.updates;
        let sets = &self.sets;
        let has_skills = !sets.skills.is_empty();
        let unknown = || ErrorObject::method_not_found(name);
        let list = |list| self.list(list, method, revision, params.as_ref(), cx);
        // Rare requests are boxed, so that frequent ones have a small future to move.
        let reply = match method {
            Method::Initialize if handshake => self.initialize_result(revision, cx),
            Method::Discover if !handshake => self.initialize_result(revision, cx),
            Method::Ping if handshake => self.empty(revision),
            Method::LegacyInitialized if legacy => self.empty(revision),
            Method::ToolsList => list(List::Tools),
            Method::LegacyToolsList if legacy => list(List::Tools),
            Method::PromptsList => list(List::Prompts),
            Method::ResourcesList => list(List::Resources),
            Method::ResourcesTemplatesList => list(List::Templates),
            Method::ToolsCall => {
                let set = sets.tools.as_deref().ok_or_else(unknown)?;
                let fields = ["name", "arguments"];
                return self.tools_call(set, revision, params, fields, cx).await;
            }
            Method::LegacyToolsCall if legacy => {
                let set = sets.tools.as_deref().ok_or_else(unknown)?;
                let fields = ["tool", "params"];
                return self.tools_call(set, revision, params, fields, cx).await;
            }
            Method::PromptsGet => {
                let set = sets.prompts.as_deref().ok_or_else(unknown)?;
                Box::pin(self.prompts_get(set, revision, params, cx)).await
            }
            Method::ResourcesRead => {
                if !sets.has_resources() {
                    return Err(unknown());
                }
                Box::pin(self.resources_read(revision, params, cx)).await
            }
            Method::CompletionComplete => {
                let completer = sets.completer.as_deref().ok_or_else(unknown)?;
                Box::pin(self.complete(completer, revision, params, cx)).await
            }
            Method::ResourcesSubscribe if has_session && has_updates => {
                let set = sets.resources.as_deref().ok_or_else(unknown)?;
                Box::pin(self.subscribe(set, revision, params, cx)).await
            }
            Method::ResourcesUnsubscribe if has_session && has_updates => {
                self.unsubscribe(revision, params, cx)
            }
            Method::LoggingSetLevel if has_session && self.declaration.logging => {
                self.set_level(revision, params.as_ref(), cx)
            }
            Method::SubscriptionsListen if !handshake => {
                if self.changes.is_none() && self.tasks.is_none() {
                    return Err(unknown());
                }
                Box::pin(self.listen(revision, id, params, cx)).await
            }
            Method::SkillsList if has_skills => self.skills_list(revision, params.as_ref()),
            Method::SkillsGet if has_skills => self.skills_get(revision, params),
            Method::ResourcesDirectoryRead if skills::have_directories(&sets.skills) => {
                self.directory_read(revision, params)
            }
            Method::TasksGet => Box::pin(self.tasks(TaskMethod::Get, revision, params, cx)).await,
            Method::TasksUpdate => {
                Box::pin(self.tasks(TaskMethod::Update, revision, params, cx)).await
            }
            Method::TasksCancel => {
                Box::pin(self.tasks(TaskMethod::Cancel, revision, params, cx)).await
            }
            Method::TasksResult => {
                Box::pin(self.tasks(TaskMethod::Result, revision, params, cx)).await
            }
            Method::TasksList => Box::pin(self.tasks(TaskMethod::List, revision, params, cx)).await,
            // The revision or the server does not have it.
            Method::Initialize
            | Method::Discover
            | Method::Ping
            | Method::LegacyInitialized
            | Method::LegacyToolsList
            | Method::LegacyToolsCall
            | Method::ResourcesSubscribe
            | Method::ResourcesUnsubscribe
            | Method::LoggingSetLevel
            | Method::SubscriptionsListen
            | Method::SkillsList
            | Method::SkillsGet
            | Method::ResourcesDirectoryRead => Err(unknown()),
        };
        reply.map(Replied::from)
    }

    /// Handles a custom method, or an unknown one.
    async fn host_method(
        &self,
        revision: Revision,
        method: &str,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let Some(handler) = self.methods.get(method) else {
            return Err(ErrorObject::method_not_found(method));
        };
        let mut params = params.unwrap_or_default();
        let mut arguments = params.clone();
        arguments.retain(|name, _| {
            !matches!(name.as_str(), "_meta" | "requestState" | "inputResponses")
        });
        let target = [method, ""];
        let (cx, binding) = self.call_context(revision, target, &arguments, &mut params, cx)?;
        let ended = self.run(&cx, handler(params, &cx)).await;
        let rules = revision.features();
        match self.input_required(&cx, binding.as_ref(), rules)? {
            Some(input_required) => Ok(input_required),
            None => self.finish(ended??, rules),
        }
    }

    pub(crate) fn empty(&self, revision: Revision) -> Result<ResponsePayload, ErrorObject> {
        self.finish(Object::new(), revision.features())
    }

    /// Sets the log level. Without a session the level is ignored, because such a client gets no log messages.
    fn set_level(
        &self,
        revision: Revision,
        params: Option<&Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
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
        let look = |lists: &Lists| look(lists.tool_facts(&self.sets));
        self.lists.with(ListVariant::EVERYONE, look)
    }

    /// Adds the fields that every result of the revision has.
    pub(crate) fn finish(
        &self,
        result: Object,
        rules: &Features,
    ) -> Result<ResponsePayload, ErrorObject> {
        let result = render::add_common_fields(result, self.server_info(), rules);
        let mut bytes = Vec::with_capacity(512);
        serde_json::to_writer(&mut bytes, &result).map_err(|_| ErrorObject::opaque_internal())?;
        Ok(ResponsePayload::Result(bytes.into()))
    }
}

/// Returns the ID in its serialized form.
fn shown(id: &RequestId) -> String {
    match id {
        RequestId::Integer(number) => number.to_string(),
        RequestId::String(text) => text.clone(),
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("server_info", self.server_info())
            .field("limits", self.limits())
            .finish_non_exhaustive()
    }
}
