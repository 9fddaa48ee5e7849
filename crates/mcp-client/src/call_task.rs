//! Tool calls that the server answers with a task. The client polls the task, answers its input requests, and cancels
//! it when the caller drops the call (extension Tasks, and 2025-11-25 `basic/utilities/tasks`).

use std::{collections::HashSet, time::Duration};

use mcp_protocol::{ErrorObject, Features, Method, Object, Task, TaskForm, TaskState, error};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{Client, ClientError, input_required::InputRequired, limits::in_time, peer::Peer};

/// Bounds of the time between two polls. The server may set a time within them.
const POLL: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(100)..=Duration::from_secs(60);
/// The time between two polls if the server sets none.
const UNSAID: Duration = Duration::from_secs(2);

/// The task of a call. Dropping it before the task has ended cancels the task.
struct Waited<'a> {
    peer: &'a Peer,
    id: String,
    has_ended: bool,
}

impl Waited<'_> {
    fn params(&self) -> Object {
        Object::from_iter([("taskId".to_owned(), self.id.as_str().into())])
    }
}

impl Drop for Waited<'_> {
    fn drop(&mut self) {
        if self.has_ended || self.peer.ended.is_cancelled() {
            return;
        }
        let (peer, params) = (self.peer.clone(), self.params());
        self.peer.tasks.spawn(async move {
            let limit = peer.config.limits.close_timeout;
            let cancelled = peer
                .request(Method::TasksCancel.as_str(), params, None, limit)
                .await;
            if let Err(why) = cancelled {
                tracing::debug!(%why, "a task was not cancelled");
            }
        });
    }
}

impl Client {
    /// Waits for the task in `created`, the response to a call, and returns the call's result.
    pub(crate) async fn end_of_task(
        &self,
        peer: &Peer,
        created: &Value,
    ) -> Result<Value, ClientError> {
        let task = Task::read(&created.to_string())?;
        let mut waited = Waited {
            peer,
            id: task.id.clone(),
            has_ended: false,
        };
        let after = peer.config.limits.task_timeout;
        let outcome = in_time(
            Method::ToolsCall.as_str(),
            after,
            self.outcome(&waited, task),
        )
        .await;
        waited.has_ended = matches!(outcome, Ok(_) | Err(ClientError::Rpc(_)));
        outcome
    }

    /// Waits for the end of a task and returns its result.
    async fn outcome(&self, waited: &Waited<'_>, task: Task) -> Result<Value, ClientError> {
        let rules = self.revision().features();
        let ended = self.poll(waited, task, rules).await?;
        if rules.tasks == TaskForm::Core {
            // `tasks/result` blocks until the task has ended. The server sends the requests of the task before its
            // response.
            let limit = waited.peer.config.limits.task_timeout;
            let params = waited.params();
            let result = waited
                .peer
                .request(Method::TasksResult.as_str(), params, None, limit);
            return result.await;
        }
        match ended.state {
            TaskState::Completed(result) => Ok(serde_json::from_str(result.get())?),
            TaskState::Failed(why) => Err(ClientError::Rpc(why)),
            _ => {
                let why = "the task of the call was cancelled";
                Err(ClientError::Rpc(ErrorObject::new(
                    error::INTERNAL_ERROR,
                    why,
                )))
            }
        }
    }

    /// Polls a task until it ends, or until it sends its requests on another stream.
    async fn poll(
        &self,
        waited: &Waited<'_>,
        mut task: Task,
        rules: &Features,
    ) -> Result<Task, ClientError> {
        let mut answered = HashSet::new();
        while !task.is_terminal() {
            if rules.tasks == TaskForm::Core && task.status() == "input_required" {
                break;
            }
            if let TaskState::InputRequired(mut requests) = task.state {
                requests.retain(|key, _| answered.insert(key.clone()));
                if !requests.is_empty() {
                    let asked = json!({"resultType": "input_required", "inputRequests": requests});
                    let asked = InputRequired::read(&asked)?;
                    let answers = self.answers(&asked).await?;
                    let mut params = waited.params();
                    params.insert("inputResponses".to_owned(), answers.into());
                    waited
                        .peer
                        .ask(Method::TasksUpdate.as_str(), params)
                        .await?;
                }
            }
            let said = task.poll_interval_ms.map_or(UNSAID, Duration::from_millis);
            sleep(said.clamp(*POLL.start(), *POLL.end())).await;
            let got = waited
                .peer
                .ask(Method::TasksGet.as_str(), waited.params())
                .await?;
            task = Task::read(&got.to_string())?;
        }
        Ok(task)
    }
}
