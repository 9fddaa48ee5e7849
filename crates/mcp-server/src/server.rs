//! One request in, one response out.

use std::{
    any::Any,
    fmt,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use bytes::Bytes;
use mcp_protocol::{
    CallToolResult, ErrorObject, Object, Request, Revision, ServerInfo, Tool,
    render::{self, CacheHint},
};
use serde_json::{Value, json};
use tracing::Instrument;

use crate::{
    limits::{Gate, Limits},
    response::{Reply, Response},
    toolset::{BoxFuture, CallContext, ToolSet, Toolbox},
};

/// Lists and the answer to `server/discover` change only with a new release of the server, and are the
/// same for everyone.
const CONSTANT: CacheHint = CacheHint {
    ttl_ms: 3_600_000,
    public: true,
};

/// A server, ready to answer. Shared by all transports and connections.
pub struct Server {
    server_info: ServerInfo,
    tools: Arc<dyn ToolSet>,
    listed: Vec<Tool>,
    older_names: bool,
    limits: Limits,
    gate: Gate,
    /// Answers that depend on the revision alone, serialised; one row a revision.
    constants: Vec<Constants>,
}

struct Constants {
    opening: Bytes,
    tools_list: Bytes,
    empty: Bytes,
}

/// Sets up a [`Server`].
pub struct Builder {
    server_info: ServerInfo,
    instructions: Option<String>,
    tools: Arc<dyn ToolSet>,
    older_names: bool,
    limits: Limits,
}

impl Builder {
    /// What the server offers.
    #[must_use]
    pub fn tools(self, tools: impl ToolSet) -> Self {
        self.shared_tools(Arc::new(tools))
    }

    /// What the server offers, shared with other servers.
    #[must_use]
    pub fn shared_tools(mut self, tools: Arc<dyn ToolSet>) -> Self {
        self.tools = tools;
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
        self
    }

    /// Also accepts, where there is a handshake, the method names some clients used before the
    /// specification settled: `list_tools`, `call_tool` with `{tool, params}`, and `initialized`.
    #[must_use]
    pub fn older_method_names(mut self) -> Self {
        self.older_names = true;
        self
    }

    /// Reads the tools and serialises everything that no request changes.
    #[must_use]
    pub fn build(self) -> Server {
        let listed = self.tools.tools();
        let constants = Revision::ALL
            .into_iter()
            .map(|revision| self.constants(revision, &listed))
            .collect();
        Server {
            constants,
            listed,
            gate: Gate::new(&self.limits, Instant::now()),
            server_info: self.server_info,
            tools: self.tools,
            older_names: self.older_names,
            limits: self.limits,
        }
    }

    fn constants(&self, revision: Revision, listed: &[Tool]) -> Constants {
        let rules = revision.rules();
        let finish = |result| {
            let result = render::finish_result(result, &self.server_info, rules);
            Bytes::from(Value::Object(result).to_string())
        };
        let mut opening = if revision.has_handshake() {
            object(json!({
                "protocolVersion": rules.name,
                "capabilities": capabilities(),
                "serverInfo": render::server_info(&self.server_info, rules),
            }))
        } else {
            object(json!({
                "supportedVersions": Revision::per_request().map(Revision::name).collect::<Vec<_>>(),
                "capabilities": capabilities(),
            }))
        };
        if let Some(instructions) = &self.instructions {
            opening.insert("instructions".to_owned(), instructions.as_str().into());
        }
        render::cache_hint(&mut opening, CONSTANT, rules);
        let tools = listed.iter().map(|tool| render::tool(tool, rules));
        let mut tools_list = Object::new();
        tools_list.insert("tools".to_owned(), tools.collect());
        render::cache_hint(&mut tools_list, CONSTANT, rules);
        Constants {
            opening: finish(opening),
            tools_list: finish(tools_list),
            empty: finish(Object::new()),
        }
    }
}

/// What the server offers. `listChanged` is stated, and true only if such notifications are sent.
fn capabilities() -> Value {
    json!({"tools": {"listChanged": false}})
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        other => unreachable!("only called with objects, not {other}"),
    }
}

impl Server {
    /// Starts to set up a server.
    #[must_use]
    pub fn builder(server_info: ServerInfo) -> Builder {
        Builder {
            server_info,
            instructions: None,
            tools: Arc::new(Toolbox::new()),
            older_names: false,
            limits: Limits::default(),
        }
    }

    /// The bounds it keeps.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Who is serving.
    #[must_use]
    pub fn server_info(&self) -> &ServerInfo {
        &self.server_info
    }

    /// The tools it lists.
    #[must_use]
    pub fn listed_tools(&self) -> &[Tool] {
        &self.listed
    }

    /// Answers one request, read as one of `revision`; for `initialize` that is the negotiated one.
    ///
    /// # Cancel safety
    /// Dropping the future ends the request and whatever it asked of others; nothing is answered.
    pub async fn handle(&self, revision: Revision, request: Request, cx: &CallContext) -> Response {
        let span = tracing::debug_span!(
            "request",
            method = request.method,
            id = ?request.id,
            revision = revision.name(),
        );
        let Request { id, method, params } = request;
        let reply = self.reply(revision, &method, params, cx).instrument(span);
        Response {
            id: Some(id),
            reply: reply.await.unwrap_or_else(Reply::Error),
        }
    }

    async fn reply(
        &self,
        revision: Revision,
        method: &str,
        params: Option<Object>,
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let constants = self
            .constants
            .get(revision.index())
            .ok_or_else(ErrorObject::internal)?;
        let handshake = revision.has_handshake();
        let older = handshake && self.older_names;
        match method {
            "initialize" if handshake => Ok(Reply::Result(constants.opening.clone())),
            "server/discover" if !handshake => Ok(Reply::Result(constants.opening.clone())),
            "ping" if handshake => Ok(Reply::Result(constants.empty.clone())),
            "initialized" if older => Ok(Reply::Result(constants.empty.clone())),
            "tools/list" => tools_list(constants, params.as_ref()),
            "list_tools" if older => tools_list(constants, params.as_ref()),
            "tools/call" => {
                self.tools_call(revision, params, ["name", "arguments"], cx)
                    .await
            }
            "call_tool" if older => {
                self.tools_call(revision, params, ["tool", "params"], cx)
                    .await
            }
            _ => Err(ErrorObject::method_not_found(method)),
        }
    }

    async fn tools_call(
        &self,
        revision: Revision,
        params: Option<Object>,
        [name_member, arguments_member]: [&str; 2],
        cx: &CallContext,
    ) -> Result<Reply, ErrorObject> {
        let mut params = params.unwrap_or_default();
        let name = match params.remove(name_member) {
            Some(Value::String(name)) => name,
            Some(_) => {
                let what = format_args!("{name_member} must be a string");
                return Err(ErrorObject::invalid_params(what));
            }
            None => {
                let what = format_args!("{name_member} is missing, it names the tool");
                return Err(ErrorObject::invalid_params(what));
            }
        };
        let arguments = match params.remove(arguments_member) {
            None | Some(Value::Null) => Object::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                let what = format_args!("{arguments_member} must be an object");
                return Err(ErrorObject::invalid_params(what));
            }
        };
        tracing::debug!(tool = name, "called");
        let result = self.call(&name, arguments, cx).await?;
        let bytes = self.serialise(result, revision)?;
        let most = self.limits.result_bytes;
        if bytes.len() <= most {
            return Ok(Reply::Result(bytes));
        }
        let size = bytes.len();
        let too_large = CallToolResult::error(format!(
            "The result has {size} bytes, more than the {most} this server sends. Ask for less."
        ));
        self.serialise(too_large, revision).map(Reply::Result)
    }

    fn serialise(&self, result: CallToolResult, revision: Revision) -> Result<Bytes, ErrorObject> {
        let rules = revision.rules();
        let result = render::call_tool_result(result, rules);
        let result = render::finish_result(result, &self.server_info, rules);
        let mut bytes = Vec::with_capacity(512);
        serde_json::to_writer(&mut bytes, &result).map_err(|_| ErrorObject::internal())?;
        Ok(Bytes::from(bytes))
    }

    async fn call(
        &self,
        name: &str,
        arguments: Object,
        cx: &CallContext,
    ) -> Result<CallToolResult, ErrorObject> {
        // The call itself runs inside the guard too: a tool may panic before its first await.
        let call = catch_unwind(AssertUnwindSafe(|| self.tools.call(name, arguments, cx)))
            .map_err(|panic| report_panic(name, panic.as_ref()))?
            .ok_or_else(|| self.unknown_tool(name))?;
        let pass = match self.gate.enter(Instant::now()) {
            Ok(pass) => pass,
            Err(busy) => return Ok(CallToolResult::error(busy.to_string())),
        };
        let deadline = self.limits.call_deadline;
        let outcome = tokio::time::timeout(deadline, caught(call)).await;
        drop(pass);
        match outcome {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(panic)) => Err(report_panic(name, panic.as_ref())),
            Err(_) => Ok(CallToolResult::error(format!(
                "The call took longer than {} seconds and was given up. Ask for less, or try again later.",
                deadline.as_secs()
            ))),
        }
    }

    fn unknown_tool(&self, name: &str) -> ErrorObject {
        let shown: String = name.chars().take(100).collect();
        let nearest = self
            .listed
            .iter()
            .map(|it| (strsim::damerau_levenshtein(&shown, &it.name), &it.name))
            .min();
        let hint = match nearest {
            Some((distance, nearest)) if distance * 3 <= nearest.len() => {
                format!(", did you mean {nearest}?")
            }
            _ => ", tools/list names them all".to_owned(),
        };
        ErrorObject::invalid_params(format_args!("unknown tool {shown}{hint}"))
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("server_info", &self.server_info)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("server_info", &self.server_info)
            .finish_non_exhaustive()
    }
}

/// `tools/list` is one page, so that clients which read only the first see every tool.
fn tools_list(constants: &Constants, params: Option<&Object>) -> Result<Reply, ErrorObject> {
    match params.and_then(|params| params.get("cursor")) {
        None | Some(Value::Null) => Ok(Reply::Result(constants.tools_list.clone())),
        Some(_) => Err(ErrorObject::invalid_params(
            "the cursor is none of this server's, the list has one page",
        )),
    }
}

/// Runs a call to its end or its panic.
async fn caught<T>(mut call: BoxFuture<'_, T>) -> Result<T, Box<dyn Any + Send>> {
    poll_fn(
        move |cx| match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => std::task::Poll::Ready(Err(panic)),
        },
    )
    .await
}

fn report_panic(tool: &str, panic: &(dyn Any + Send)) -> ErrorObject {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    tracing::error!(tool, message, "a tool panicked");
    ErrorObject::internal()
}
