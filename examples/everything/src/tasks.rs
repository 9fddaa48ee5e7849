//! Tools that take long: for a client that fetches results later each call is a task, for others it is answered when it has ended.

use std::time::Duration;

use mcp_protocol::{Capability, TaskSupport, Tool};
use mcp_server::{
    AskError, CallContext, ToolRouter,
    tool_schema::{BoundedString, CappedInt, NoParams, params},
};
use tokio::time::sleep;

use crate::{
    asking::{Asked, field, form},
    tool::Pure,
};

/// How long a job takes that has nothing to do.
const JOB: Duration = Duration::from_secs(1);

params! {
    struct GreetParams {
        /// Whom to greet.
        name: BoundedString<1, 80>
    }
}

params! {
    struct ComputeParams {
        /// How long it takes.
        seconds: CappedInt<0, 3600>,
        /// What it is called.
        label: Option<BoundedString<1, 80>>
    }
}

params! {
    struct DeleteParams {
        /// What to delete.
        filename: BoundedString<1, 200>
    }
}

/// Adds them.
pub(crate) fn add_to(tools: ToolRouter) -> ToolRouter {
    tools
        .pure("greet", "Greets at once.", async |params: GreetParams| {
            format!("Hello, {}!", params.name)
        })
        .pure("slow_compute", "Takes as long as it is told.", compute)
        .map_last_tool(may_be_task)
        .pure("failing_job", "Fails after a while.", fail)
        .map_last_tool(|it| it.with_task_support(TaskSupport::Required))
        .pure(
            "protocol_error_job",
            "Needs the client's folders.",
            need_roots,
        )
        .map_last_tool(may_be_task)
        .pure("confirm_delete", "Asks before it deletes.", delete)
        .map_last_tool(may_be_task)
        .pure("multi_input", "Asks two things at once.", ask_both)
        .map_last_tool(may_be_task)
        .pure("test_tool_with_task", "Asks, and then works.", ask_and_work)
        .map_last_tool(|it| it.with_task_support(TaskSupport::Required))
}

/// A tool whose calls may be tasks.
pub(crate) fn may_be_task(tool: Tool) -> Tool {
    tool.with_task_support(TaskSupport::Optional)
}

async fn compute(params: ComputeParams, cx: &CallContext) -> String {
    let label = params.label.map_or_else(String::new, |it| it.to_string());
    cx.progress(0.0, None, Some("begun"));
    sleep(Duration::from_secs(u64::from(params.seconds.value()))).await;
    format!("{label} has taken {} seconds.", params.seconds.value())
}

async fn fail() -> Result<String, &'static str> {
    sleep(JOB).await;
    Err("The job failed, as it always does.")
}

/// That the client lacks a capability is an error of the protocol, not of the tool.
async fn need_roots(_: NoParams, cx: &CallContext) -> Asked {
    sleep(JOB).await;
    cx.require_capabilities(&[Capability::Roots])?;
    Ok("The client has folders.".to_owned())
}

/// What is asked once the call is a task is asked while the task waits.
async fn delete(params: DeleteParams, cx: &CallContext) -> Asked {
    cx.become_task().await;
    let question = form(
        &format!("Delete {}?", params.filename),
        "confirm",
        "boolean",
    );
    let answer = cx.ask("confirm", question).await?;
    let is_confirmed = answer
        .get("content")
        .and_then(|it| it.get("confirm")?.as_bool());
    Ok(match is_confirmed {
        Some(true) => format!("{} would be deleted now.", params.filename),
        Some(false) | None => format!("{} stays.", params.filename),
    })
}

async fn ask_both(_: NoParams, cx: &CallContext) -> Asked {
    cx.become_task().await;
    let name = form("What is your name?", "name", "string");
    let confirm = form("Are you sure?", "confirm", "boolean");
    let questions = vec![("name".to_owned(), name), ("confirm".to_owned(), confirm)];
    let answers = cx.ask_all(questions).await?;
    Ok(format!("{} answers have come.", answers.len()))
}

/// What is asked before is part of the first answer.
async fn ask_and_work(_: NoParams, cx: &CallContext) -> Result<String, AskError> {
    let question = form("What is your name?", "name", "string");
    let answer = cx.ask("user_name", question).await?;
    sleep(JOB).await;
    Ok(format!("Worked for {}.", field(&answer, "name")))
}
