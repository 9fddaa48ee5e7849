//! Requests about tasks. A task of another owner is treated like one that does not exist.

use std::sync::Arc;

use mcp_protocol::{
    Capability, ErrorObject, Features, Method, Object, Revision, Task, TaskForm, TaskState,
    error::INTERNAL_ERROR, render,
};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::{RunningTask, TaskStoreError, Tasks, until_changed};
use crate::{
    context::{AskError, RequestContext},
    dispatch::{
        ResponsePayload, Server,
        params::{capabilities, invalid, unknown_cursor},
    },
};

/// Number of tasks on a page of `tasks/list`.
const PAGE: usize = 50;

/// A method for requests about tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskMethod {
    Get,
    Update,
    Cancel,
    Result,
    List,
}

impl TaskMethod {
    const fn as_str(self) -> &'static str {
        let method = match self {
            Self::Get => Method::TasksGet,
            Self::Update => Method::TasksUpdate,
            Self::Cancel => Method::TasksCancel,
            Self::Result => Method::TasksResult,
            Self::List => Method::TasksList,
        };
        method.as_str()
    }

    /// Returns whether a caller can use the method where tasks have this form.
    fn is_in(self, form: TaskForm, cx: &RequestContext) -> bool {
        match form {
            TaskForm::Core => match self {
                Self::Get | Self::Cancel | Self::Result => true,
                Self::List => cx.subject().is_some(),
                Self::Update => false,
            },
            TaskForm::Extension => match self {
                Self::Get | Self::Update | Self::Cancel => true,
                Self::Result | Self::List => false,
            },
            _ => false,
        }
    }
}

impl Server {
    /// Handles a request about tasks.
    pub(crate) async fn tasks(
        &self,
        method: TaskMethod,
        revision: Revision,
        params: Option<Object>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let rules = revision.features();
        let known = self
            .tasks
            .as_ref()
            .filter(|_| method.is_in(rules.tasks, cx));
        let tasks = known.ok_or_else(|| ErrorObject::method_not_found(method.as_str()))?;
        let params = params.unwrap_or_default();
        require_extension(&params, rules)?;
        self.admit(self.admission.take_call(cx, 1, Instant::now()))?;
        let asked = || match params.get("taskId").and_then(Value::as_str) {
            Some(id) => Ok(TaskLookup {
                id,
                owner: cx.owner(rules),
                rules,
            }),
            None => invalid("taskId must be a string"),
        };
        match method {
            TaskMethod::Get => {
                let (task, _) = asked()?.find(tasks).await?;
                let told = render::task(&task, rules);
                let told = render::add_common_fields(told, self.server_info(), rules);
                let json = render::task_with_result(&told, &task, rules);
                Ok(ResponsePayload::Result(json.into()))
            }
            TaskMethod::Update => {
                let asked = asked()?;
                let Some(Value::Object(answers)) = params.get("inputResponses") else {
                    return invalid("inputResponses must be an object");
                };
                match asked.find(tasks).await? {
                    (_, Some(running)) => running.answer(answers)?,
                    (task, None) if task.is_terminal() => (),
                    (_, None) => return Err(is_elsewhere()),
                }
                self.finish(Object::new(), rules)
            }
            TaskMethod::Cancel => self.cancel_task(tasks, &asked()?).await,
            TaskMethod::Result => self.task_result(tasks, &asked()?, cx).await,
            TaskMethod::List => self.list_tasks(tasks, &params, rules, cx).await,
        }
    }

    async fn cancel_task(
        &self,
        tasks: &Tasks,
        asked: &TaskLookup<'_>,
    ) -> Result<ResponsePayload, ErrorObject> {
        let (mut task, running) = asked.find(tasks).await?;
        let now = tasks.now();
        let is_first = match running {
            _ if task.is_terminal() => false,
            Some(running) => {
                let is_first = running.end(TaskState::Cancelled, now);
                running.over.cancel();
                task = running.task();
                is_first
            }
            None => {
                task.set_state(TaskState::Cancelled, now);
                tasks.cancel_elsewhere(&task).await.map_err(unavailable)?
            }
        };
        let told = render::task(&task, asked.rules);
        match asked.rules.tasks {
            TaskForm::Core if is_first => self.finish(told, asked.rules),
            // "Receivers MUST reject cancellation requests for tasks already in a terminal status" ("Task Cancellation").
            TaskForm::Core => {
                let status = told.get("status").and_then(Value::as_str);
                let status = status.unwrap_or_default();
                invalid(format_args!("the task is already {status}"))
            }
            _ => self.finish(Object::new(), asked.rules),
        }
    }

    /// Handles `tasks/result`: waits for the end of a task, and sends the task's requests to the client on this stream
    /// meanwhile.
    async fn task_result(
        &self,
        tasks: &Arc<Tasks>,
        asked: &TaskLookup<'_>,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let _permit = self.admit(self.admission.permit(cx))?;
        let mut changes = tasks.notifier.subscribe();
        let (_, running) = asked.find(tasks).await?;
        let ended = async {
            loop {
                let (task, _) = asked.find(tasks).await?;
                if task.is_terminal() {
                    return Ok::<_, ErrorObject>(task);
                }
                // Another server may work on it, of which nothing is heard here.
                let interval = self.limits().task_poll_interval;
                _ = timeout(interval, until_changed(&mut changes, asked.id)).await;
            }
        };
        let task = tokio::select! {
            biased;
            () = stopping(cx) => return Err(ErrorObject::server_stopped()),
            task = ended => task?,
            () = self.ask_for_task(tasks, running.as_deref(), asked, cx) => return Err(ErrorObject::opaque_internal()),
        };
        match task.state {
            TaskState::Completed(result) => {
                let json = String::from(Box::<str>::from(result));
                Ok(ResponsePayload::Result(json.into()))
            }
            TaskState::Failed(error) => Err(error),
            _ => invalid("the task was cancelled and has no result"),
        }
    }

    /// Sends the task's requests to the client on the stream of this request, for as long as the future is polled.
    async fn ask_for_task(
        &self,
        tasks: &Arc<Tasks>,
        running: Option<&RunningTask>,
        asked: &TaskLookup<'_>,
        cx: &RequestContext,
    ) {
        let mut changes = tasks.notifier.subscribe();
        let channel = cx.channel();
        let session = channel.and_then(|it| it.session());
        let (Some(running), Some(channel), Some(session)) = (running, channel, session) else {
            return std::future::pending().await;
        };
        let deadline = self.limits().client_deadline;
        loop {
            if let Some((key, request)) = running.next_question() {
                let _open = OpenQuestion { running, key: &key };
                let answer = session.ask(channel, &request, Some(asked.id), deadline);
                let answer = answer.await;
                let is_reached = !matches!(answer, Err(AskError::Unreachable));
                running.asked(&key, answer);
                if is_reached {
                    continue;
                }
            }
            until_changed(&mut changes, asked.id).await;
        }
    }

    async fn list_tasks(
        &self,
        tasks: &Tasks,
        params: &Object,
        rules: &'static Features,
        cx: &RequestContext,
    ) -> Result<ResponsePayload, ErrorObject> {
        let owner = cx.owner(rules);
        let purpose = format!("tasks/list {owner}");
        let after = match params.get("cursor") {
            None | Some(Value::Null) => None,
            Some(cursor) => {
                let cursor = cursor.as_str();
                let id = cursor.and_then(|it| self.signer.verify(&purpose, it));
                let id = id.and_then(|it| String::from_utf8(it).ok());
                let found = match &id {
                    Some(id) => tasks.get(id).await.map_err(unavailable)?.is_some(),
                    None => false,
                };
                Some(id.filter(|_| found).ok_or_else(unknown_cursor)?)
            }
        };
        let found = tasks.list(&owner, after.as_deref(), PAGE + 1).await;
        let mut found = found.map_err(unavailable)?;
        let has_more = found.len() > PAGE;
        found.truncate(PAGE);
        let last = found.last().filter(|_| has_more);
        let cursor = last.and_then(|it| self.signer.sign(&purpose, it.id.as_bytes()));
        let mut listed = Vec::with_capacity(found.len());
        for record in found {
            let task = match tasks.running(&record.id) {
                Some(running) => running.task(),
                None => Task::read(&record.json).map_err(|_| ErrorObject::opaque_internal())?,
            };
            listed.push(Value::Object(render::task(&task, rules)));
        }
        let mut result = Object::new();
        result.insert("tasks".to_owned(), listed.into());
        if let Some(cursor) = cursor {
            result.insert("nextCursor".to_owned(), cursor.into());
        }
        self.finish(result, rules)
    }
}

/// The lookup of one task.
struct TaskLookup<'a> {
    id: &'a str,
    owner: String,
    rules: &'static Features,
}

impl TaskLookup<'_> {
    async fn find(&self, tasks: &Tasks) -> Result<(Task, Option<Arc<RunningTask>>), ErrorObject> {
        tasks.find(self.id, &self.owner).await?.ok_or_else(|| {
            ErrorObject::invalid_params("unknown or expired task, call the tool again")
        })
    }
}

impl Tasks {
    /// Returns the current state of an owner's task, and its execution if it runs on this server.
    pub(crate) async fn find(
        &self,
        id: &str,
        owner: &str,
    ) -> Result<Option<(Task, Option<Arc<RunningTask>>)>, ErrorObject> {
        if let Some(running) = self.running(id) {
            let is_there = running.owner == owner && running.expires_at > self.now();
            return Ok(is_there.then(|| (running.task(), Some(running))));
        }
        let found = self.get(id).await.map_err(unavailable)?;
        let found = found.filter(|it| it.owner == owner);
        let task = found.map(|it| Task::read(&it.json)).transpose();
        let task = task.map_err(|error| unavailable(TaskStoreError::Failed(error.to_string())))?;
        Ok(task.map(|it| (it, None)))
    }

    /// Returns the stored task of any owner.
    pub(crate) async fn kept(&self, id: &str) -> Option<Task> {
        let record = self.get(id).await.ok()??;
        Task::read(&record.json).ok()
    }
}

/// Returns -32021 unless the client declares the extension, in revisions where tasks are an extension.
pub(crate) fn require_extension(params: &Object, rules: &Features) -> Result<(), ErrorObject> {
    let is_declared = |it| Capability::Tasks.is_declared_in(it, rules);
    if rules.tasks == TaskForm::Core || capabilities(params).is_some_and(is_declared) {
        return Ok(());
    }
    Err(ErrorObject::missing_client_capability(&[Capability::Tasks]))
}

/// Waits until the transport must stop.
async fn stopping(cx: &RequestContext) {
    match cx.channel() {
        Some(channel) => channel.stopping().cancelled().await,
        None => std::future::pending().await,
    }
}

/// A server request that is being sent. If this is dropped, another stream may send it.
struct OpenQuestion<'a> {
    running: &'a RunningTask,
    key: &'a str,
}

impl Drop for OpenQuestion<'_> {
    fn drop(&mut self) {
        self.running.asked(self.key, Err(AskError::Unreachable));
    }
}

fn unavailable(error: TaskStoreError) -> ErrorObject {
    tracing::error!(%error, "tasks cannot be read");
    let message = "The server cannot read its tasks now. Try again in a few seconds.";
    ErrorObject::new(INTERNAL_ERROR, message)
}

fn is_elsewhere() -> ErrorObject {
    let message = "Another server runs this task. Route the request by its Mcp-Name header.";
    ErrorObject::new(INTERNAL_ERROR, message)
}
