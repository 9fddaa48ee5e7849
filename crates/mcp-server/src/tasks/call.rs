//! Tool calls that become tasks: immediately if the client requests it, otherwise if the call takes long.

use std::{pin::Pin, sync::Arc, task::Poll};

use futures_util::{pending, poll};
use mcp_protocol::{
    CallToolResult, Capability, ErrorObject, Features, Object, RELATED_TASK, Revision, ServerInfo,
    Task, TaskForm, TaskState, TaskSupport, error::METHOD_NOT_FOUND, render,
};
use serde_json::{Value, json, value::RawValue};
use tokio::time::{Instant, sleep, timeout};
use tracing::Instrument;

use super::{Place, TaskOutcome, TaskSwitch, Tasks};
use crate::{
    context::CallContext,
    dispatch::{
        RequestOutcome, Server, TaskEnd,
        call::{AbandonReason, CallConclusion, answer, catch_panic},
        observer::Observers,
        response::{Replied, too_large},
    },
    provide::ToolReply,
};

/// Size of the text around a task's result, in bytes: its other fields, and the identity of the server.
const AROUND: usize = 8 << 10;

/// The way in which a call may become a task.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TaskRequest {
    /// The client requests a task, with this lifetime in milliseconds.
    Asked(Option<u64>),
    /// The call becomes a task if it takes long.
    IfSlow(TaskSupport),
}

/// The future of a tool call, or `None` for an unknown tool.
type Work = Pin<Box<dyn Future<Output = Option<ToolReply>> + Send>>;

impl Server {
    /// Returns whether a call may become a task. Returns an error if the call must become a task and cannot, or if it
    /// must not and the client requests it.
    pub(crate) fn task_wanted(
        &self,
        name: &str,
        asked: Option<&Value>,
        cx: &CallContext,
        rules: &Features,
    ) -> Result<Option<TaskRequest>, ErrorObject> {
        let is_asked = match rules.tasks {
            TaskForm::Extension => cx.supports(Capability::Tasks),
            _ => asked.is_some(),
        };
        let support = self.with_tool_facts(|facts| facts.task_support(name, is_asked));
        let refuse = |what: &str| {
            let message = format!("Method not found: the tool {name} {what}");
            Err(ErrorObject::new(METHOD_NOT_FOUND, message))
        };
        match (rules.tasks, support) {
            // What the tool needs to be called is as unknown there.
            (TaskForm::Absent, TaskSupport::Required) => {
                refuse("must be called as a task, which this protocol version does not support")
            }
            (TaskForm::Core, TaskSupport::Required) if asked.is_none() => {
                refuse("must be called as a task, add a task to the params")
            }
            (TaskForm::Core, TaskSupport::Optional | TaskSupport::Required) => {
                let ttl =
                    |task: &Value| TaskRequest::Asked(task.get("ttl").and_then(Value::as_u64));
                Ok(asked.map(ttl))
            }
            (TaskForm::Core, _) if asked.is_some() && self.lists_tool(name, cx) => {
                refuse("cannot be called as a task, remove the task from the params")
            }
            (TaskForm::Extension, TaskSupport::Optional | TaskSupport::Required) => {
                if is_asked {
                    Ok(Some(TaskRequest::IfSlow(support)))
                } else if support == TaskSupport::Required {
                    Err(ErrorObject::missing_client_capability(&[Capability::Tasks]))
                } else {
                    Ok(None)
                }
            }
            (_, _) => Ok(None),
        }
    }

    fn lists_tool(&self, name: &str, cx: &CallContext) -> bool {
        self.lists.with(cx.list_variant(), |lists| {
            let mut names = lists.tool_names(&self.sets).iter();
            names.any(|it| it == name)
        })
    }

    /// Calls a tool, and returns a task if one is wanted.
    pub(crate) async fn call_for_task(
        &self,
        tasks: &Arc<Tasks>,
        wanted: TaskRequest,
        arguments: Object,
        cx: CallContext,
        concluding: CallConclusion<'_>,
    ) -> Result<Replied, ErrorObject> {
        let (begun, revision) = (Instant::now(), concluding.revision);
        let promotion = Arc::new(TaskSwitch::default());
        let cx = Arc::new(cx.with_promotion(Arc::clone(&promotion)));
        let set = self
            .sets
            .tools
            .clone()
            .ok_or_else(ErrorObject::opaque_internal)?;
        let (own, name) = (Arc::clone(&cx), concluding.name.to_owned());
        let mut work: Work = Box::pin(async move {
            let call = set.call(&name, arguments, &own)?;
            pending!();
            Some(call.await)
        });
        // What it counts as is known once it has been made, before anything of it runs.
        if let Poll::Ready(unknown) = poll!(&mut work) {
            return self.conclude(&cx, Ok(unknown), concluding);
        }
        if let Err(busy) = self.admit_call(&cx) {
            return self.conclude(&cx, Err(busy), concluding);
        }
        let (ended, ttl_ms) = match wanted {
            TaskRequest::Asked(ttl_ms) => (None, ttl_ms),
            TaskRequest::IfSlow(_) => (self.try_to_answer(&cx, &promotion, &mut work).await, None),
        };
        if let Some(ended) = ended {
            return self.conclude(&cx, ended, concluding);
        }
        let rules = revision.features();
        let place = tasks.begin(
            cx.request_context().owner(rules),
            cx.caller_key(),
            ttl_ms,
            rules,
        );
        let place = match place.await {
            Ok(place) => place,
            // Its client can wait as well.
            Err(why) if matches!(wanted, TaskRequest::IfSlow(TaskSupport::Optional)) => {
                tracing::debug!(%why, tool = concluding.name, "a call did not become a task");
                promotion.settle(TaskOutcome::Waited);
                let ended = self.run_admitted(&cx, work).await;
                return self.conclude(&cx, ended, concluding);
            }
            Err(why) => return Err(why.into()),
        };
        promotion.settle(TaskOutcome::Task(Arc::clone(&place.running)));
        let task = place.running.task();
        if let Some(session) = cx.request_context().session() {
            session.opens_task(&task.id);
        }
        let ending = Ending {
            schema: self.with_tool_facts(|it| it.wrapped_schema(concluding.name).cloned()),
            server: self.server_info().clone(),
            most: self.limits().result_bytes.saturating_sub(AROUND),
            id: task.id.clone(),
            tool: concluding.name.to_owned(),
            begun,
            observers: self.observers.clone(),
            revision,
        };
        let (own, span) = (Arc::clone(tasks), tracing::Span::current());
        let driven = async move { own.drive(place, work, cx, ending).await };
        tasks.tracker.spawn(driven.instrument(span));
        Ok(Replied {
            reply: self.finish(render::create_task_result(&task, rules), rules)?,
            outcome: RequestOutcome::Task,
        })
    }

    /// Returns the reply of a call that completes quickly, or `None` if the call must become a task.
    async fn try_to_answer(
        &self,
        cx: &CallContext,
        promotion: &TaskSwitch,
        work: &mut Work,
    ) -> Option<Result<Option<ToolReply>, AbandonReason>> {
        if let Poll::Ready(done) = poll!(work.as_mut()) {
            return Some(Ok(done));
        }
        let _permit = match self.admit(self.admission.permit(cx.request_context())) {
            Ok(permit) => permit,
            Err(busy) => return Some(Err(busy)),
        };
        tokio::select! {
            biased;
            done = work.as_mut() => return Some(Ok(done)),
            () = promotion.wanted.notified() => (),
            () = sleep(self.limits().task_after) => (),
        }
        if !cx.has_asked() {
            return None;
        }
        // Its answer is the questions, whatever it still does.
        promotion.settle(TaskOutcome::Waited);
        let deadline = self.limits().call_deadline;
        let done = timeout(deadline, work.as_mut()).await;
        Some(done.map_err(|_| AbandonReason::TooLong(deadline)))
    }
}

/// The inputs for creating the result of a task.
struct Ending {
    id: String,
    tool: String,
    begun: Instant,
    observers: Observers,
    schema: Option<Value>,
    server: ServerInfo,
    revision: Revision,
    /// Maximum size of its JSON, in bytes.
    most: usize,
}

impl Tasks {
    /// Runs a task to its end.
    async fn drive(&self, place: Place, work: Work, cx: Arc<CallContext>, ending: Ending) {
        let running = &place.running;
        let left = running.expires_at.saturating_sub(self.now());
        let left = std::time::Duration::from_millis(left);
        let deadline = self.limits.task_deadline.min(left);
        let work = catch_panic(async {
            let late = |_| AbandonReason::TooLong(deadline);
            ending.state(timeout(deadline, work).await.map_err(late), &cx)
        });
        let changes = async {
            loop {
                running.changed.notified().await;
                if let Err(error) = self.save(running).await {
                    tracing::warn!(%error, "a change of a task could not be stored");
                }
            }
        };
        let state = tokio::select! {
            biased;
            () = running.over.cancelled() => None,
            state = work => Some(state),
            () = changes => None,
        };
        if let Some(state) = state {
            running.end(state.unwrap_or_else(TaskState::Failed), self.now());
        }
        running.over.cancel();
        self.save_end(running).await;
        ending.tell(&running.task(), &cx);
    }
}

impl Ending {
    /// Reports the end of the task to the observers.
    fn tell(&self, task: &Task, cx: &CallContext) {
        let outcome = match &task.state {
            TaskState::Failed(error) => RequestOutcome::Error(error.code),
            TaskState::Cancelled => RequestOutcome::Cancelled,
            _ if task.is_tool_error() => RequestOutcome::ToolError,
            _ => RequestOutcome::Result,
        };
        self.observers.on_task_end(&TaskEnd {
            revision: self.revision,
            id: &self.id,
            tool: &self.tool,
            outcome,
            duration: self.begun.elapsed(),
            extensions: cx.extensions(),
        });
    }

    /// Returns the final state of a task, given the reply of its call.
    fn state(
        &self,
        ended: Result<Option<ToolReply>, AbandonReason>,
        cx: &CallContext,
    ) -> Result<TaskState, ErrorObject> {
        if let Some(round_trip) = cx.take_round_trip() {
            round_trip.check(self.revision.features())?;
        }
        let reply = match ended {
            Ok(reply) => reply.ok_or_else(ErrorObject::opaque_internal)?,
            Err(why) => CallToolResult::error(why.to_string()).into(),
        };
        let mut json = self.json(reply)?;
        if json.len() > self.most {
            let what = CallToolResult::error(too_large(json.len(), self.most));
            json = self.json(what.into())?;
        }
        let result = RawValue::from_string(json).map_err(|_| ErrorObject::opaque_internal())?;
        Ok(TaskState::Completed(result))
    }

    fn json(&self, reply: ToolReply) -> Result<String, ErrorObject> {
        let rules = self.revision.features();
        let reply = match rules.tasks {
            // The result says by itself what it belongs to ("Associating Task-Related Messages").
            TaskForm::Core => {
                let mut result = CallToolResult::from(reply);
                let task = json!({"taskId": self.id});
                result.meta.insert(RELATED_TASK.to_owned(), task);
                result.into()
            }
            _ => reply,
        };
        let bytes = answer(reply, self.schema.as_ref(), &self.server, rules)?;
        String::from_utf8(bytes).map_err(|_| ErrorObject::opaque_internal())
    }
}
