//! Tools that report progress and write logs, and a list of tools that changes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{CallToolResult, LogLevel, Object, Tool};
use mcp_server::{
    BoxFuture, BuildError, CallContext, ChangeNotifier, Scope, ToolOutcome, ToolReply, ToolRouter,
    ToolSet,
};
use tokio::time::sleep;

use crate::{asking, asking_handshake, content, tool::tool, view};

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
        let has_more = Arc::new(AtomicBool::new(false));
        let tools = triggers(tools, changes, &has_more, has_more_prompts);
        let hidden = tool("test_dynamic_tool", "Is not always there.");
        Self {
            tools: tools.with(hidden, |_| async { CallToolResult::text("here") }),
            has_more,
        }
    }
}

impl ToolSet for Tools {
    fn tools(&self, scope: &Scope) -> Vec<Tool> {
        let mut tools = self.tools.tools(scope);
        if !self.has_more.load(Ordering::Relaxed) {
            tools.retain(|it| it.name != "test_dynamic_tool");
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
        .with_context(
            tool("test_tool_with_progress", "Says how far it is."),
            |_, cx| Box::pin(with_progress(cx)),
        )
        .with_context(tool("test_tool_with_logging", "Writes a log."), |_, cx| {
            Box::pin(with_logging(cx))
        })
        .with_context(
            tool(
                "test_logging_tool",
                "Writes a log, if its client wants one.",
            ),
            |_, cx| Box::pin(with_logging(cx)),
        )
        .with_context(
            tool(
                "test_reconnection",
                "Lets its client go, and answers when it is back.",
            ),
            |_, cx| Box::pin(with_reconnection(cx)),
        )
}

async fn with_progress(cx: &CallContext) -> ToolOutcome {
    cx.progress(0.0, Some(100.0), Some("begun"));
    sleep(STEP).await;
    cx.progress(50.0, Some(100.0), Some("halfway"));
    sleep(STEP).await;
    cx.progress(100.0, Some(100.0), Some("done"));
    Ok(CallToolResult::text("The tool has run to its end."))
}

async fn with_logging(cx: &CallContext) -> ToolOutcome {
    let log = |text: &str| cx.log(LogLevel::Info, Some("everything"), text);
    log("Tool execution started");
    sleep(STEP).await;
    log("Tool processing data");
    sleep(STEP).await;
    log("Tool execution completed");
    Ok(CallToolResult::text("The tool has written its log."))
}

async fn with_reconnection(cx: &CallContext) -> ToolOutcome {
    cx.release_stream(AWAY).await;
    sleep(STEP).await;
    Ok(CallToolResult::text("The client has come back."))
}

fn triggers(
    tools: ToolRouter,
    changes: &ChangeNotifier,
    has_more: &Arc<AtomicBool>,
    has_more_prompts: &Arc<AtomicBool>,
) -> ToolRouter {
    let (on_tools, on_prompts) = (changes.clone(), changes.clone());
    let on_resource = changes.clone();
    let (has_more, has_more_prompts) = (Arc::clone(has_more), Arc::clone(has_more_prompts));
    tools
        .with(
            tool("test_trigger_tool_change", "Shows or hides a tool."),
            move |_| {
                has_more.fetch_not(Ordering::Relaxed);
                on_tools.tools_changed();
                async { CallToolResult::text("The list of tools has changed.") }
            },
        )
        .with(
            tool("test_trigger_prompt_change", "Shows or hides a prompt."),
            move |_| {
                has_more_prompts.fetch_not(Ordering::Relaxed);
                on_prompts.prompts_changed();
                async { CallToolResult::text("The list of prompts has changed.") }
            },
        )
        .with(
            tool(
                "test_trigger_resource_update",
                "Changes what a resource holds.",
            ),
            move |_| {
                on_resource.resource_updated("test://watched-resource");
                async { CallToolResult::text("The resource has changed.") }
            },
        )
}
