//! Calls that become tasks, in both forms that tasks have.

mod bounds;
mod core;
mod ends;
mod extension;
mod refusals;
mod wire;

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, UNIX_EPOCH},
};

use mcp_protocol::{
    Capability, Revision, ServerInfo, ServerRequest, TaskSupport, Tool, ToolAnnotations,
    lifecycle::CLIENT_CAPABILITIES,
};
use mcp_server::{
    AskError, AuthInfo, CallContext, Extensions, InMemoryTaskStore, RequestContext, Server,
    ServerBuilder, ServerLimits, TaskStore, ToolRouter, ToolSet,
    tool_schema::{CappedInt, NoParams, params},
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::ask_over;

const CORE: Revision = Revision::V2025_11_25;
const EXTENSION: Revision = Revision::V2026_07_28;
const BOTH: [Revision; 2] = [CORE, EXTENSION];

params! {
    struct SlowParams {
        /// How long it takes.
        seconds: CappedInt<0, 100_000>
    }
}

/// Counts what has not run to its end.
#[derive(Default)]
struct Work {
    dropped: AtomicUsize,
}

struct Unfinished<'a>(&'a Work);

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

impl Work {
    async fn slow(&self, params: SlowParams, cx: &CallContext) -> String {
        let unfinished = Unfinished(self);
        cx.progress(1.0, None, Some("begun"));
        sleep(Duration::from_secs(params.seconds.value().into())).await;
        std::mem::forget(unfinished);
        format!("{} seconds", params.seconds.value())
    }

    async fn fail(&self, _: NoParams) -> Result<String, &'static str> {
        sleep(Duration::from_secs(60)).await;
        Err("It failed.")
    }

    async fn large(&self, _: NoParams) -> String {
        sleep(Duration::from_secs(60)).await;
        "x".repeat(5_000)
    }

    async fn panic(&self, _: NoParams) -> String {
        sleep(Duration::from_secs(60)).await;
        panic!("on purpose")
    }

    async fn ask(&self, _: NoParams, cx: &CallContext) -> Result<String, AskError> {
        let is_task = cx.become_task().await;
        let first = cx.ask("name", question("name")).await?;
        let again = cx.ask("name", question("name")).await?;
        Ok(format!(
            "{is_task}: {}{}",
            first["content"]["name"], again["content"]["name"]
        ))
    }

    async fn ask_both(&self, _: NoParams, cx: &CallContext) -> Result<String, AskError> {
        cx.become_task().await;
        let both = ["a", "b"].map(|it| (it.to_owned(), question(it)));
        let answers = cx.ask_all(both.into()).await?;
        Ok(format!(
            "{}{}",
            answers[0]["content"]["a"], answers[1]["content"]["b"]
        ))
    }

    async fn ask_first(&self, _: NoParams, cx: &CallContext) -> Result<String, AskError> {
        let answer = cx.ask("name", question("name")).await?;
        sleep(Duration::from_secs(60)).await;
        Ok(answer["content"]["name"].to_string())
    }

    async fn require(&self, _: NoParams, cx: &CallContext) -> Result<String, AskError> {
        sleep(Duration::from_secs(60)).await;
        cx.require_capabilities(&[Capability::Sampling])?;
        Ok("required".to_owned())
    }
}

fn question(field: &str) -> ServerRequest {
    let properties = json!({field: {"type": "string"}});
    ServerRequest::elicit("?", json!({"properties": properties, "required": [field]}))
}

fn tools(work: &Arc<Work>) -> ToolRouter<Work> {
    let optional = |it: Tool| it.with_task_support(TaskSupport::Optional);
    let pure = ToolAnnotations::PURE;
    ToolRouter::with_state(Arc::clone(work))
        .tool("slow", "a", pure, Work::slow)
        .map_last_tool(optional)
        .tool("only", "a", pure, Work::slow)
        .map_last_tool(|it| it.with_task_support(TaskSupport::Required))
        .tool("never", "a", pure, Work::slow)
        .tool("fail", "a", pure, Work::fail)
        .map_last_tool(optional)
        .tool("large", "a", pure, Work::large)
        .map_last_tool(optional)
        .tool("panic", "a", pure, Work::panic)
        .map_last_tool(optional)
        .tool("ask", "a", pure, Work::ask)
        .map_last_tool(optional)
        .tool("ask_both", "a", pure, Work::ask_both)
        .map_last_tool(optional)
        .tool("ask_first", "a", pure, Work::ask_first)
        .map_last_tool(optional)
        .tool("require", "a", pure, Work::require)
        .map_last_tool(optional)
}

/// A server on the paused clock, and what its tools have done.
struct World {
    server: Server,
    work: Arc<Work>,
}

impl World {
    fn new() -> Self {
        Self::with(InMemoryTaskStore::default(), ServerLimits::default())
    }

    fn with(store: impl TaskStore, limits: ServerLimits) -> Self {
        Self::built(limits, |it| it.tasks(store))
    }

    fn built(limits: ServerLimits, change: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        Self::of(tools, limits, change)
    }

    /// With another set made of the tools.
    fn of<T: ToolSet>(
        set: impl FnOnce(&Arc<Work>) -> T,
        limits: ServerLimits,
        change: impl FnOnce(ServerBuilder) -> ServerBuilder,
    ) -> Self {
        let work = Arc::new(Work::default());
        let began = Instant::now();
        let builder = Server::builder(ServerInfo::new("test", "1"))
            .tools(set(&work))
            .clock(move || UNIX_EPOCH + began.elapsed())
            .limits(limits);
        let server = change(builder).build().unwrap();
        Self { server, work }
    }

    /// What the server answers to a client that knows tasks.
    async fn ask(&self, revision: Revision, method: &str, params: Value) -> Value {
        self.ask_as(&RequestContext::default(), revision, method, params)
            .await
    }

    async fn ask_as(
        &self,
        cx: &RequestContext,
        revision: Revision,
        method: &str,
        mut params: Value,
    ) -> Value {
        if !revision.has_handshake() && params["_meta"].get(CLIENT_CAPABILITIES).is_none() {
            params["_meta"][CLIENT_CAPABILITIES] =
                json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}});
        }
        ask_over(&self.server, revision, method, params, cx).await
    }

    /// Has a tool called as a task, and returns its id.
    async fn begin(&self, revision: Revision, tool: &str, arguments: Value) -> String {
        let cx = RequestContext::default();
        let created = self.create_as(&cx, revision, tool, arguments).await;
        id_in(&created)
    }

    async fn create_as(
        &self,
        cx: &RequestContext,
        revision: Revision,
        tool: &str,
        arguments: Value,
    ) -> Value {
        let mut params = json!({"name": tool, "arguments": arguments});
        if revision == CORE {
            params["task"] = json!({});
        }
        self.ask_as(cx, revision, "tools/call", params).await
    }

    /// What `tasks/get` says.
    async fn get(&self, revision: Revision, id: &str) -> Value {
        let got = self.ask(revision, "tasks/get", json!({"taskId": id})).await;
        got.get("result").unwrap_or(&got["error"]).clone()
    }
}

/// The id of the task in an answer.
fn id_in(answer: &Value) -> String {
    let result = &answer["result"];
    let id = result["task"]["taskId"].as_str();
    let id = id.or(result["taskId"].as_str());
    id.unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// The context of a request of a user.
fn user(name: &str) -> RequestContext {
    let mut extensions = Extensions::new();
    extensions.insert(AuthInfo::for_subject(name));
    RequestContext::from_extensions(extensions)
}

/// Lets what is ready run.
async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// Lets so many seconds of the paused clock pass.
async fn pass(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
    settle().await;
}
