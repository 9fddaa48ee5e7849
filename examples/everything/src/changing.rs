//! Tools that report progress and write logs, and a list of tools that changes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{LogLevel, Object, Tool};
use mcp_server::{
    BoxFuture, BuildError, CallContext, ChangeNotifier, ListVariant, ToolReply, ToolRouter,
    ToolSet, tool_schema::NoParams,
};
use tokio::time::sleep;

use crate::{
    asking, asking_handshake, content,
    tasks::{self, may_be_task},
    tool::Pure,
    view,
};

/// How long a step of a tool takes.
const STEP: Duration = Duration::from_millis(50);
/// How long a client stays away that was let go.
const AWAY: Duration = Duration::from_millis(100);

/// A router with one tool that comes and goes.
pub(crate) struct Tools {
    tools: ToolRouter,
    has_more: Arc<AtomicBool>,
}

impl Tools {
    /// All tools; `changes` is notified when one is added.
    pub(crate) fn new(changes: &ChangeNotifier, has_more_prompts: &Arc<AtomicBool>) -> Self {
        let tools = slow(ToolRouter::new());
        let tools = view::add_to(content::add_to(tools));
        let tools = asking::add_to(tools);
        let tools = asking_handshake::add_to(tools);
        let tools = tasks::add_to(tools);
        let has_more = Arc::new(AtomicBool::new(false));
        let triggers = Triggers {
            changes: changes.clone(),
            has_more: Arc::clone(&has_more),
            has_more_prompts: Arc::clone(has_more_prompts),
        };
        let tools =
            tools
                .merge(triggers.tools())
                .pure(MORE, "Is not always there.", async || "here");
        Self { tools, has_more }
    }
}

/// The tool that comes and goes.
const MORE: &str = "test_dynamic_tool";

impl ToolSet for Tools {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        let mut tools = self.tools.tools(scope);
        if !self.has_more.load(Ordering::Relaxed) {
            tools.retain(|it| it.name != MORE);
        }
        tools
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        self.tools.call(name, arguments, cx)
    }

    fn check(&self) -> Result<(), BuildError> {
        self.tools.check()
    }
}

fn slow(tools: ToolRouter) -> ToolRouter {
    tools
        .pure(
            "test_tool_with_progress",
            "Says how far it is.",
            with_progress,
        )
        .map_last_tool(may_be_task)
        .pure("test_tool_with_logging", "Writes a log.", with_logging)
        .map_last_tool(may_be_task)
        .pure(
            "test_logging_tool",
            "Writes a log, if its client wants one.",
            with_logging,
        )
        .pure(
            "test_reconnection",
            "Lets its client go, and answers when it is back.",
            with_reconnection,
        )
}

async fn with_progress(_: NoParams, cx: &CallContext) -> &'static str {
    cx.progress(0.0, Some(100.0), Some("begun"));
    sleep(STEP).await;
    cx.progress(50.0, Some(100.0), Some("halfway"));
    sleep(STEP).await;
    cx.progress(100.0, Some(100.0), Some("done"));
    "The tool has run to its end."
}

async fn with_logging(_: NoParams, cx: &CallContext) -> &'static str {
    let log = |text: &str| cx.log(LogLevel::Info, Some("everything"), text);
    log("Tool execution started");
    sleep(STEP).await;
    log("Tool processing data");
    sleep(STEP).await;
    log("Tool execution completed");
    "The tool has written its log."
}

async fn with_reconnection(_: NoParams, cx: &CallContext) -> &'static str {
    cx.release_stream(AWAY).await;
    sleep(STEP).await;
    "The client has come back."
}

/// What changes when its tools are called.
struct Triggers {
    changes: ChangeNotifier,
    has_more: Arc<AtomicBool>,
    has_more_prompts: Arc<AtomicBool>,
}

impl Triggers {
    fn tools(self) -> ToolRouter<Self> {
        ToolRouter::with_state(Arc::new(self))
            .pure(
                "test_trigger_tool_change",
                "Shows or hides a tool.",
                Self::change_tools,
            )
            .pure(
                "test_trigger_prompt_change",
                "Shows or hides a prompt.",
                Self::change_prompts,
            )
            .pure(
                "test_trigger_resource_update",
                "Changes what a resource holds.",
                Self::update_resource,
            )
    }

    async fn change_tools(&self, _: NoParams) -> &'static str {
        self.has_more.fetch_not(Ordering::Relaxed);
        self.changes.tools_changed();
        "The list of tools has changed."
    }

    async fn change_prompts(&self, _: NoParams) -> &'static str {
        self.has_more_prompts.fetch_not(Ordering::Relaxed);
        self.changes.prompts_changed();
        "The list of prompts has changed."
    }

    async fn update_resource(&self, _: NoParams) -> &'static str {
        self.changes.resource_updated("test://watched-resource");
        "The resource has changed."
    }
}
