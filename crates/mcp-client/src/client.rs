//! A client of one server.

use std::{fmt, process::Stdio, sync::Arc};

use mcp_protocol::{
    CallToolResult, Completion, GetPromptResult, Method, Object, ReadResourceResult, Reference,
    Revision, ServerInfo, SkillEntry, TaskForm, Tool, error,
    read::{ListItem, Page},
    transport::HeaderParameter,
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
/// Requests can be sent at the same time. Dropping the future of one cancels it. [`Client::close`] ends what the client has started,
/// for all clones, and waits for it. Dropping the last clone ends it without waiting.
#[derive(Clone)]
pub struct Client(Arc<Shared>);

/// The part of a client that its clones share.
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
    /// Starts a program, and speaks with it over its standard input and output. What it writes to standard error goes where the
    /// command says.
    ///
    /// # Errors
    /// [`ClientError::NotConnected`] if the program does not start, [`ClientError::Closed`] if it ends, and what the first request fails with.
    pub async fn spawn(command: &mut Command, config: ClientConfig) -> Result<Self, ClientError> {
        let (input, output) = (Stdio::piped(), Stdio::piped());
        let command = command.stdin(input).stdout(output).kill_on_drop(true);
        let mut child = command.spawn().map_err(not_connected)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ClientError::Closed);
        };
        Self::over(output, input, config, Some(child), None).await
    }

    /// Speaks over a reader and a writer: one message a line.
    ///
    /// # Errors
    /// What the first request fails with.
    pub async fn from_stream(
        input: impl AsyncRead + Unpin + Send + 'static,
        output: impl AsyncWrite + Unpin + Send + 'static,
        config: ClientConfig,
    ) -> Result<Self, ClientError> {
        Self::over(input, output, config, None, None).await
    }

    /// Connects to a server over HTTP by its [`Endpoint`], or with the feature `in-process` to an `&Arc<Server>` of this process.
    ///
    /// # Errors
    /// [`ClientError::NotConnected`] if there is no server, [`ClientError::Status`] if it requires access, and what the first request fails
    /// with.
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
            // Without a handshake a client sends only requests.
            if revision.has_handshake() {
                spawner.spawn(to.say_in_time(text, revision, slot));
            }
        });
        let conversation = Conversation::new(config, say, tasks);
        let link = Link::Http(http);
        Self::open(Peer { conversation, link }, None).await
    }

    /// Speaks over a reader and a writer, with what runs the server in this process.
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
        // If the connection has ended, no one waits for it.
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
        // Dropped, it ends what has been started.
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

    /// The revision that is spoken.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.0.peer.revision()
    }

    /// Who the server is, if it says so.
    #[must_use]
    pub fn server_info(&self) -> Option<&ServerInfo> {
        self.0.opened.server_info.as_ref()
    }

    /// What the server offers.
    #[must_use]
    pub fn capabilities(&self) -> &ServerCapabilities {
        &self.0.opened.capabilities
    }

    /// How to use the server, for models.
    #[must_use]
    pub fn instructions(&self) -> Option<&str> {
        self.0.opened.instructions.as_deref()
    }

    /// Calls a tool. A failure of the tool is a result, whose `is_error` is set.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Object,
    ) -> Result<CallToolResult, ClientError> {
        self.call(name, arguments, None).await
    }

    /// Calls a tool, and hears of its progress. `on_progress` must not block: nothing else is read meanwhile.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub async fn call_tool_with_progress(
        &self,
        name: &str,
        arguments: Object,
        on_progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Result<CallToolResult, ClientError> {
        self.call(name, arguments, Some(Arc::new(on_progress)))
            .await
    }

    /// One page of a list: of [`Tool`], [`Prompt`](mcp_protocol::Prompt), [`Resource`](mcp_protocol::Resource) or
    /// [`ResourceTemplate`](mcp_protocol::ResourceTemplate). The cursor is that of the page before.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub async fn list<T: ListItem>(&self, cursor: Option<&str>) -> Result<Page<T>, ClientError> {
        let params = cursor.map(|it| ("cursor".to_owned(), it.into()));
        let mut result = self
            .request(T::METHOD.as_str(), params.into_iter().collect())
            .await?;
        if T::METHOD == Tool::METHOD && self.repeats_parameters() {
            self.learn_parameters(&mut result, cursor.is_none());
        }
        Ok(serde_json::from_value(result)?)
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub async fn read_resource(&self, uri: &str) -> Result<ReadResourceResult, ClientError> {
        let params = Object::from_iter([("uri".to_owned(), uri.into())]);
        let result = self.request(Method::ResourcesRead.as_str(), params).await?;
        Ok(serde_json::from_value(result)?)
    }

    /// Fills in a prompt.
    ///
    /// # Errors
    /// As [`Client::request`].
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

    /// Returns one skill of the server, by the address of its `SKILL.md`. [`Client::list_all`] lists them as
    /// [`SkillEntry`], and [`Client::read_resource`] reads the files that it names.
    ///
    /// # Errors
    /// As [`Client::request`].
    pub async fn get_skill(&self, uri: &str) -> Result<SkillEntry, ClientError> {
        let params = Object::from_iter([("uri".to_owned(), uri.into())]);
        let mut result = self.request(Method::SkillsGet.as_str(), params).await?;
        let skill = result.get_mut("skill").map(Value::take).unwrap_or_default();
        Ok(serde_json::from_value(skill)?)
    }

    pub(crate) fn limits(&self) -> &ClientLimits {
        &self.0.peer.config.limits
    }

    /// Completes what has been typed of an argument.
    ///
    /// # Errors
    /// As [`Client::request`].
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

    /// Hears of changes. Over HTTP with a handshake it needs a server that keeps sessions.
    ///
    /// # Errors
    /// As [`Client::request`], and [`ClientError::Status`] if the server has no stream for it.
    pub async fn listen(&self, filter: NotificationFilter) -> Result<Subscription, ClientError> {
        Subscription::open(&self.0.peer, filter).await
    }

    /// Sends a request of any method, and returns its result as it came. If the server asks for input first, the
    /// [`ClientHandler`](crate::ClientHandler) gives it, and the request is sent again (2026-07-28 `basic/patterns/mrtr`).
    ///
    /// # Errors
    /// Each of [`ClientError`], but [`ClientError::Url`].
    pub async fn request(&self, method: &str, params: Object) -> Result<Value, ClientError> {
        self.converse(method, params, None).await
    }

    /// Ends the connection of this client and all its clones: the input of the server ends, and what then goes on after
    /// [`ClientLimits::close_timeout`](crate::ClientLimits::close_timeout) is ended by force. Returns when everything that was started has ended.
    /// Requests in flight fail with [`ClientError::Closed`], and so do later ones.
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
            // It may repeat parameters in headers, which only its declaration says.
            Err(ClientError::Rpc(why))
                if why.code == error::HEADER_MISMATCH && self.repeats_parameters() =>
            {
                self.list_all::<Tool>().await?;
                call(&params).await
            }
            // What is called as a task alone is unknown else (2025-11-25 `basic/utilities/tasks`, "Tool-Level Negotiation").
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
            what: "questions before it answers",
            limit: limits.round_trips,
        })
    }

    pub(crate) async fn answers(&self, required: &InputRequired) -> Result<Object, ClientError> {
        if let Some(name) = required.unknown.keys().next() {
            return Err(ClientError::Decode(format!(
                "the question {name} is of an unknown kind"
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

    /// Whether calls repeat parameters in headers: over HTTP without a handshake.
    fn repeats_parameters(&self) -> bool {
        matches!(self.0.peer.link, Link::Http(_)) && !self.revision().has_handshake()
    }

    /// Keeps what calls of the tools in a list repeat in headers, and leaves out the tools whose declarations are against the
    /// rules, as a client has to (2026-07-28 `basic/transports/streamable-http`, "Schema Extension").
    fn learn_parameters(&self, list: &mut Value, is_first: bool) {
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
                    "a tool is left out: its x-mcp-header is against the rules"
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
