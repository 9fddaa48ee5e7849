//! The client.

use std::{fmt, process::Stdio, sync::Arc};

use mcp_protocol::{
    CallToolResult, Completion, GetPromptResult, Method, Object, ReadResourceResult, Reference,
    Revision, ServerInfo, SkillEntry, TaskForm, Tool, error, transport::HeaderParameter,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    process::{Child, Command},
    time::timeout,
};

use crate::{
    ClientConfig, ClientError, ClientLimits, Endpoint, NotificationFilter, Progress,
    ServerCapabilities, Subscription,
    capabilities::ServerOffer,
    conversation::{Conversation, OnProgress, Say},
    handler::BoxFuture,
    http::Http,
    input_required::InputRequired,
    lines::{self, Writer},
    open,
    peer::{Link, Peer},
    process::ServerProcess,
    target::ConnectTarget,
    tasks::Tasks,
};

/// A client of one server. Clones share its connection.
///
/// Several requests can be in flight at the same time. Dropping the future of a request cancels the request. [`Client::close`] closes the
/// connection for all clones and waits for everything that the client has started. Dropping the last clone ends it without waiting.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

struct Shared {
    peer: Peer,
    child: Option<ServerProcess>,
    opened: ServerOffer,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.peer.end(|| ClientError::Closed);
        self.peer.tasks.abort();
    }
}

impl Client {
    /// Starts a program and connects to it over its standard input and output. The command determines the destination of its standard
    /// error.
    ///
    /// # Errors
    /// Returns [`ClientError::NotConnected`] if the program does not start, [`ClientError::Closed`] if it exits, and the error of the first
    /// request.
    pub async fn spawn(command: &mut Command, config: ClientConfig) -> Result<Self, ClientError> {
        let (input, output) = (Stdio::piped(), Stdio::piped());
        let command = command.stdin(input).stdout(output).kill_on_drop(true);
        let mut child = command.spawn().map_err(not_connected)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ClientError::Closed);
        };
        Self::over(output, input, config, Some(child), None).await
    }

    /// Connects over a reader and a writer, with one message per line.
    ///
    /// # Errors
    /// Returns the error of the first request.
    pub async fn from_stream(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
        config: ClientConfig,
    ) -> Result<Self, ClientError> {
        Self::over(input, output, config, None, None).await
    }

    /// Connects to a server over HTTP by its [`Endpoint`]. With the feature `in-process`, it also connects to an `&Arc<Server>` of the same
    /// process.
    ///
    /// # Errors
    /// Returns [`ClientError::NotConnected`] if the server cannot be reached, [`ClientError::Status`] if it requires authorization, and the
    /// error of the first request.
    pub async fn connect(
        target: impl ConnectTarget,
        config: ClientConfig,
    ) -> Result<Self, ClientError> {
        target.open(config).await
    }

    pub(crate) async fn over_http(
        endpoint: Endpoint,
        config: ClientConfig,
    ) -> Result<Self, ClientError> {
        let tasks = Tasks::new().map_err(not_connected)?;
        let http = Arc::new(Http::new(endpoint, config.limits, tasks.clone())?);
        let (to, spawner) = (Arc::clone(&http), tasks.clone());
        let say: Say = Box::new(move |text, revision, slot| {
            // Without a handshake, a client sends only requests.
            if revision.has_handshake() {
                spawner.spawn(to.say_in_time(text, revision, slot));
            }
        });
        let conversation = Conversation::new(config, say, tasks);
        let link = Link::Http(http);
        Self::open(Peer { conversation, link }, None).await
    }

    /// Connects over a reader and a writer, and runs the future `server` in a task of the client.
    pub(crate) async fn over(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
        config: ClientConfig,
        child: Option<Child>,
        server: Option<BoxFuture<'static, ()>>,
    ) -> Result<Self, ClientError> {
        let tasks = Tasks::new().map_err(not_connected)?;
        if let Some(server) = server {
            tasks.spawn(server);
        }
        let (writer, queue) = Writer::new();
        let writer = Arc::new(writer);
        let to = Arc::clone(&writer);
        // If the connection has ended, the message is dropped.
        let say: Say = Box::new(move |text, _, slot| drop(to.send(text, slot)));
        let conversation = Conversation::new(config, say, tasks);
        let tasks = &conversation.tasks;
        tasks.spawn(lines::write(Arc::clone(&conversation), queue, output));
        tasks.spawn(lines::read(Arc::clone(&conversation), input));
        let link = Link::Lines(writer);
        Self::open(Peer { conversation, link }, child).await
    }

    async fn open(peer: Peer, child: Option<Child>) -> Result<Self, ClientError> {
        let child = child.map(|it| ServerProcess::new(it, &peer.tasks));
        // Dropping it ends all tasks that have been started.
        let mut shared = Shared {
            peer,
            child,
            opened: ServerOffer::default(),
        };
        match open::open(&shared.peer).await {
            Ok(opened) => {
                shared.opened = opened;
                Ok(Self(Arc::new(shared)))
            }
            Err(why) => {
                shared.close().await;
                Err(why)
            }
        }
    }

    /// Returns the revision in use.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.0.peer.revision()
    }

    /// Returns the name and version of the server, if it sent them.
    #[must_use]
    pub fn server_info(&self) -> Option<&ServerInfo> {
        self.0.opened.server_info.as_ref()
    }

    /// Returns the capabilities of the server.
    #[must_use]
    pub fn capabilities(&self) -> &ServerCapabilities {
        &self.0.opened.capabilities
    }

    /// Returns the server's instructions for models.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.0.opened.instructions.as_deref()
    }

    /// Calls a tool. A failed tool returns a result with `is_error` set.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Object,
    ) -> Result<CallToolResult, ClientError> {
        self.call(name, arguments, None).await
    }

    /// Calls a tool and passes its progress to `on_progress`. The callback must not block, because the client reads nothing else until it
    /// returns.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn call_tool_with_progress(
        &self,
        name: &str,
        arguments: Object,
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Result<CallToolResult, ClientError> {
        self.call(name, arguments, Some(Arc::new(on_progress)))
            .await
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, ClientError> {
        let params = Object::from_iter([("uri".to_owned(), uri.into())]);
        let result = self.request(Method::ResourcesRead.as_str(), params).await?;
        Ok(serde_json::from_value(result)?)
    }

    /// Renders a prompt with these arguments.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn get_prompt(
        &self,
        name: &str,
        arguments: Object,
    ) -> Result<GetPromptResult, ClientError> {
        let result = self
            .request(Method::PromptsGet.as_str(), named(name, arguments))
            .await?;
        Ok(serde_json::from_value(result)?)
    }

    /// Returns one skill of the server, by the URI of its `SKILL.md`. [`Client::list_all`] lists skills as [`SkillEntry`].
    /// [`Client::read_resource`] reads the files of an entry.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn get_skill(&self, uri: &str) -> Result<SkillEntry, ClientError> {
        let params = Object::from_iter([("uri".to_owned(), uri.into())]);
        let mut result = self.request(Method::SkillsGet.as_str(), params).await?;
        let skill = result.get_mut("skill").map(Value::take).unwrap_or_default();
        Ok(serde_json::from_value(skill)?)
    }

    pub(crate) fn limits(&self) -> &ClientLimits {
        &self.0.peer.config.limits
    }

    /// Returns completions for the partial value of an argument.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn complete(
        &self,
        reference: &Reference,
        argument: &str,
        value: &str,
    ) -> Result<Completion, ClientError> {
        let reference = match reference {
            Reference::Prompt(name) => json!({"type": "ref/prompt", "name": name}),
            Reference::Resource(uri) => json!({"type": "ref/resource", "uri": uri}),
            _ => {
                return Err(ClientError::Decode(
                    "a reference of an unknown kind".to_owned(),
                ));
            }
        };
        let mut params = Object::new();
        params.insert("ref".to_owned(), reference);
        params.insert(
            "argument".to_owned(),
            json!({"name": argument, "value": value}),
        );
        let result = self
            .request(Method::CompletionComplete.as_str(), params)
            .await?;
        Ok(serde_json::from_value(result)?)
    }

    /// Subscribes to changes. Over HTTP with a handshake, this needs a server with sessions.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does, and with [`ClientError::Status`] if the server has no stream for notifications.
    pub async fn listen(&self, filter: NotificationFilter) -> Result<Subscription, ClientError> {
        Subscription::open(&self.0.peer, filter).await
    }

    /// Sends a request with any method and returns its result unchanged. If the server first requires input, the
    /// [`ClientHandler`](crate::ClientHandler) provides it and the client sends the request again (2026-07-28 `basic/patterns/mrtr`).
    ///
    /// # Errors
    /// Returns any [`ClientError`] except [`ClientError::Url`].
    pub async fn request(&self, method: &str, params: Object) -> Result<Value, ClientError> {
        self.converse(method, params, None).await
    }

    /// Closes the connection of this client and all its clones. It closes the server's input, and after
    /// [`ClientLimits::close_timeout`](crate::ClientLimits::close_timeout) it ends by force anything that is still running. It returns when
    /// everything that the client has started has ended. Requests in flight and later requests fail with [`ClientError::Closed`].
    pub async fn close(&self) {
        self.0.close().await;
    }

    pub(crate) async fn call(
        &self,
        name: &str,
        arguments: Object,
        on_progress: Option<OnProgress>,
    ) -> Result<CallToolResult, ClientError> {
        let mut params = named(name, arguments);
        let call = async |params: &Object| {
            let called = self.converse(
                Method::ToolsCall.as_str(),
                params.clone(),
                on_progress.clone(),
            );
            Ok(serde_json::from_value(called.await?)?)
        };
        match call(&params).await {
            // The tool may require parameters in headers. Only its declaration lists them.
            Err(ClientError::Rpc(why))
                if why.code == error::HEADER_MISMATCH && self.repeats_parameters() =>
            {
                self.list_all::<Tool>().await?;
                call(&params).await
            }
            // A tool that requires a task is otherwise unknown (2025-11-25 `basic/utilities/tasks`, "Tool-Level
            // Negotiation").
            Err(ClientError::Rpc(why))
                if why.code == error::METHOD_NOT_FOUND && self.can_ask_for_tasks() =>
            {
                params.insert("task".to_owned(), json!({}));
                call(&params).await
            }
            outcome => outcome,
        }
    }

    fn can_ask_for_tasks(&self) -> bool {
        let form = self.revision().features().tasks;
        self.0.peer.config.has_tasks() && form == TaskForm::Core && self.capabilities().tasks
    }

    async fn converse(
        &self,
        method: &str,
        mut params: Object,
        on_progress: Option<OnProgress>,
    ) -> Result<Value, ClientError> {
        let limits = self.0.peer.config.limits;
        for _ in 0..limits.round_trips.max(1) {
            let sent = params.clone();
            let sent =
                self.0
                    .peer
                    .request(method, sent, on_progress.clone(), limits.request_timeout);
            let result = sent.await?;
            let has_types = self.revision().features().result_type;
            let kind = result.get("resultType").and_then(Value::as_str);
            match kind.filter(|_| has_types) {
                Some("input_required") => (),
                Some("task") if method == Method::ToolsCall.as_str() => {
                    return Box::pin(self.end_of_task(&self.0.peer, &result)).await;
                }
                _ => match result
                    .get("task")
                    .filter(|it| it.is_object() && params.contains_key("task"))
                {
                    Some(task) => return Box::pin(self.end_of_task(&self.0.peer, task)).await,
                    None => return Ok(result),
                },
            }
            let required = InputRequired::read(&result)?;
            let answers = self.answers(&required).await?;
            params.insert("inputResponses".to_owned(), answers.into());
            match required.state {
                Some(state) => params.insert("requestState".to_owned(), state.into()),
                None => params.remove("requestState"),
            };
        }
        Err(ClientError::TooMany {
            what: "input requests before its response",
            limit: limits.round_trips,
        })
    }

    pub(crate) async fn answers(&self, required: &InputRequired) -> Result<Object, ClientError> {
        if let Some(name) = required.unknown.keys().next() {
            return Err(ClientError::Decode(format!(
                "the input request {name} is of an unknown kind"
            )));
        }
        let mut answers = Object::new();
        for (name, question) in &required.requests {
            let answer = self.0.peer.config.handler.ask(question.clone()).await;
            answers.insert(
                name.clone(),
                answer.map_err(ClientError::Disconnected)?.into(),
            );
        }
        Ok(answers)
    }

    /// Returns whether calls repeat parameters in headers: over HTTP without a handshake.
    pub(crate) fn repeats_parameters(&self) -> bool {
        matches!(self.0.peer.link, Link::Http(_)) && !self.revision().has_handshake()
    }

    /// Stores the parameters that calls of the listed tools repeat in headers. Removes tools whose declarations break the rules, as clients
    /// must (2026-07-28 `basic/transports/streamable-http`, "Schema Extension").
    pub(crate) fn learn_parameters(&self, list: &mut Value, is_first: bool) {
        let Some(Value::Array(tools)) = list.get_mut("tools") else {
            return;
        };
        let mut known = self.0.peer.header_parameters.lock();
        if is_first {
            known.clear();
        }
        tools.retain(|tool| {
            let name = tool.get("name").and_then(Value::as_str);
            let (Some(name), Some(schema)) = (name, tool.get("inputSchema")) else {
                return true;
            };
            let (declared, refused) = HeaderParameter::declared_in(schema);
            if !declared.is_empty() {
                known.insert(name.to_owned(), declared);
            }
            if !refused.is_empty() {
                tracing::warn!(
                    name,
                    ?refused,
                    "a tool was omitted: its x-mcp-header is invalid"
                );
            }
            refused.is_empty()
        });
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("revision", &self.revision())
            .field("server", &self.0.opened.server_info)
            .finish_non_exhaustive()
    }
}

impl Shared {
    async fn close(&self) {
        match &self.peer.link {
            Link::Http(http) => http.end_session(self.peer.revision()).await,
            Link::Lines(writer) => {
                writer.close();
                let has_ended = async {
                    self.peer.ended.cancelled().await;
                    if let Some(child) = &self.child {
                        child.ended().await;
                    }
                };
                let has_ended = timeout(self.peer.config.limits.close_timeout, has_ended).await;
                if let (Err(_), Some(child)) = (has_ended, &self.child) {
                    child.kill().await;
                }
            }
        }
        self.peer.end(|| ClientError::Closed);
        self.peer.tasks.end().await;
    }
}

fn named(name: &str, arguments: Object) -> Object {
    let mut params = Object::from_iter([("name".to_owned(), name.into())]);
    if !arguments.is_empty() {
        params.insert("arguments".to_owned(), arguments.into());
    }
    params
}

fn not_connected(why: impl std::error::Error + Send + Sync + 'static) -> ClientError {
    ClientError::NotConnected(Box::new(why))
}
