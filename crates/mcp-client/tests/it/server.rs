//! A server that does everything a client can ask for, on either transport.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_client::{
    Client, ClientConfig, ClientError, ClientHandler, Endpoint, NotificationBody,
    ServerNotification,
    mcp_protocol::{
        CallToolResult, Capability, CompleteRequest, Completion, ContentBlock, ErrorObject,
        GetPromptResult, Object, Prompt, ReadResourceResult, Resource, Revision, ServerInfo,
        ServerRequest, TaskSupport, Tool, ToolAnnotations,
    },
};
use mcp_server::{
    BoxFuture, CallContext, ChangeNotifier, Completer, InMemoryTaskStore, ListKinds, ListVariant,
    PromptError, PromptSet, ReadResourceError, ResourceSet, Server, Skill, ToolHandlerResult,
    ToolRouter,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

pub(crate) const URI: &str = "test://a";
/// The text of a skill.
const SKILL: &str = "---\nname: sums\ndescription: Add numbers.\n---\nAdd them.";

/// What is on the other side, and what it counts.
pub(crate) struct Served {
    pub(crate) changes: ChangeNotifier,
    /// Calls of `wait` that run.
    pub(crate) waiting: Arc<AtomicUsize>,
    pub(crate) server: Arc<Server>,
    stop: CancellationToken,
}

struct Resources;
struct Prompts;
struct Completions;

impl ResourceSet for Resources {
    fn resources(&self, _: &ListVariant) -> Vec<Resource> {
        vec![Resource::new(URI, "a", "A text.")]
    }

    fn read<'a>(
        &'a self,
        uri: &'a str,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<ReadResourceResult, ReadResourceError>> {
        Box::pin(async move {
            let text = || ReadResourceResult::text(uri, "text/plain", "some text");
            (uri == URI).then(text).ok_or(ReadResourceError::NotFound)
        })
    }

    fn supports_subscriptions(&self) -> bool {
        true
    }
}

impl PromptSet for Prompts {
    fn prompts(&self, _: &ListVariant) -> Vec<Prompt> {
        vec![Prompt::new("hello", "Says hello.")]
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
        _: Object,
        _: &'a CallContext,
    ) -> Option<BoxFuture<'a, Result<GetPromptResult, PromptError>>> {
        (name == "hello").then(|| -> BoxFuture<'a, _> {
            Box::pin(async {
                Ok(GetPromptResult::user_messages([ContentBlock::text(
                    "hello",
                )]))
            })
        })
    }
}

impl Completer for Completions {
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Completion> {
        Box::pin(async move { Completion::new(vec![format!("{}!", request.value)]) })
    }
}

/// Counts what runs.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn greet(cx: &CallContext) -> ToolHandlerResult {
    let form =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let ask = ServerRequest::elicit("What is your name?", form);
    let answer = cx.ask("name", ask).await?;
    let name = answer["content"]["name"].as_str().unwrap_or_default();
    Ok(CallToolResult::text(format!("Hello, {name}!")))
}

/// Asks once it is a task, and again.
async fn confirm(cx: &CallContext) -> ToolHandlerResult {
    let is_task = cx.become_task().await;
    let first = greet(cx).await?;
    greet(cx).await?;
    Ok(first.with_block(ContentBlock::text(is_task.to_string())))
}

fn may_be_task(tool: Tool) -> Tool {
    tool.with_task_support(TaskSupport::Optional)
}

fn is_task(tool: Tool) -> Tool {
    tool.with_task_support(TaskSupport::Required)
}

async fn wait(running: Running) -> CallToolResult {
    std::future::pending::<()>().await;
    drop(running);
    CallToolResult::text("never")
}

async fn count(cx: &CallContext) -> ToolHandlerResult {
    for step in 1..=3 {
        cx.progress(f64::from(step), Some(3.0), None);
    }
    Ok(CallToolResult::text("three"))
}

impl Served {
    pub(crate) fn new() -> Self {
        let (changes, waiting) = (ChangeNotifier::new(), Arc::new(AtomicUsize::new(0)));
        let tool = |name| {
            Tool::new(
                name,
                "For tests.",
                json!({"type": "object"}),
                ToolAnnotations::PURE,
            )
        };
        let repeating = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
        }});
        let repeating = Tool::new("repeat", "For tests.", repeating, ToolAnnotations::PURE);
        let (runs, runs_alone) = (Arc::clone(&waiting), Arc::clone(&waiting));
        let tools = ToolRouter::new()
            .raw_tool(tool("echo"), |arguments| async {
                CallToolResult::structured(arguments.into())
            })
            .raw_tool(tool("fail"), |_| async {
                CallToolResult::error("It failed.")
            })
            .raw_tool(repeating, |arguments| async {
                CallToolResult::structured(arguments.into())
            })
            .raw_tool(may_be_task(tool("wait")), move |_| {
                wait(Running::new(&runs))
            })
            .raw_tool(is_task(tool("wait_alone")), move |_| {
                wait(Running::new(&runs_alone))
            })
            .raw_tool_with_context(tool("count"), |_, cx| Box::pin(count(cx)))
            .raw_tool_with_context(tool("greet"), |_, cx| Box::pin(greet(cx)))
            .raw_tool_with_context(may_be_task(tool("confirm")), |_, cx| Box::pin(confirm(cx)))
            .raw_tool_with_context(is_task(tool("confirm_alone")), |_, cx| {
                Box::pin(confirm(cx))
            });
        let limits = mcp_server::ServerLimits::default().with_task_after(Duration::from_millis(20));
        let limits = limits.with_task_poll_interval(Duration::from_millis(1));
        let server = Server::builder(ServerInfo::new("served", "1.0.0"))
            .tools(tools)
            .resources(Resources)
            .prompts(Prompts)
            .skill(Skill::from_skill_md("sums", SKILL).with_file(
                "more.md",
                "text/markdown",
                "More.",
            ))
            .completer(Completions)
            .list_changed(&changes, ListKinds::ALL)
            .instructions("For tests.")
            .sends_requests()
            .tasks(InMemoryTaskStore::default())
            .limits(limits)
            .build()
            .unwrap();
        Self {
            changes,
            waiting,
            server: Arc::new(server),
            stop: CancellationToken::new(),
        }
    }

    /// A client over streams in memory, and the server at their other end.
    pub(crate) async fn stream(
        &self,
        config: ClientConfig,
    ) -> (Result<Client, ClientError>, JoinHandle<()>) {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let (server, stop) = (Arc::clone(&self.server), self.stop.clone());
        let served = tokio::spawn(async move {
            let limits = mcp_stdio::StdioLimits::default();
            mcp_stdio::serve(server, read, write, stop, limits)
                .await
                .unwrap();
        });
        let (read, write) = tokio::io::split(ours);
        (Client::from_stream(read, write, config).await, served)
    }

    /// A client over HTTP, and the server there.
    pub(crate) async fn http(
        &self,
        config: ClientConfig,
    ) -> (Result<Client, ClientError>, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let (server, stop) = (Arc::clone(&self.server), self.stop.clone());
        let served = tokio::spawn(async move {
            let config = mcp_http::HttpConfig::new(server);
            mcp_http::serve(listener, config, stop).await.unwrap();
        });
        (
            Client::connect(Endpoint::new(&url).unwrap(), config).await,
            served,
        )
    }

    /// Ends the server.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

/// Gives its name, and keeps what it hears.
#[derive(Clone, Default)]
pub(crate) struct Ada(pub(crate) Arc<Mutex<Vec<NotificationBody>>>);

impl ClientHandler for Ada {
    fn capabilities(&self) -> &[Capability] {
        &[Capability::Elicitation, Capability::Roots]
    }

    async fn on_request(&self, request: ServerRequest) -> Result<Object, ErrorObject> {
        match request {
            ServerRequest::Elicit { .. } => {
                let answer = json!({"action": "accept", "content": {"name": "Ada"}});
                Ok(answer.as_object().cloned().unwrap_or_default())
            }
            other => Err(ErrorObject::method_not_found(other.method())),
        }
    }

    fn on_notification(&self, notification: ServerNotification) {
        self.0.lock().unwrap().push(notification.kind);
    }
}

pub(crate) fn config() -> ClientConfig {
    ClientConfig::new("test", "0").with_handler(Ada::default())
}

pub(crate) fn object(value: Value) -> Object {
    value.as_object().cloned().unwrap_or_default()
}

/// Each revision on each transport, with a client of it; and the one that is agreed on if none is asked for.
pub(crate) fn revisions() -> impl Iterator<Item = (bool, Option<Revision>)> {
    let revisions = Revision::ALL.iter().copied().map(Some).chain([None]);
    revisions.flat_map(|it| [(false, it), (true, it)])
}
