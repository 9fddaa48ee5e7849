//! A call that the server answers with a task: it is polled, answered, and cancelled if no one waits any more (extension Tasks).

use std::{collections::HashSet, time::Duration};

use mcp_protocol::{ErrorObject, Object, Task, TaskState, error, read::InputRequired};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{Client, Error, peer::Peer};

/// How long to wait between two polls: what the server says, within this.
const POLL: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(100)..=Duration::from_secs(60);
/// The same where it says nothing.
const UNSAID: Duration = Duration::from_secs(2);

/// A task of a call; cancelled if it is dropped before it has ended.
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
            let limit = peer.config.limits.close;
            let cancelled = peer.request("tasks/cancel", params, None, limit).await;
            if let Err(why) = cancelled {
                tracing::debug!(%why, "a task was not cancelled");
            }
        });
    }
}

impl Client {
    /// The result of the call that `created` answers with a task.
    pub(crate) async fn end_of_task(&self, peer: &Peer, created: &Value) -> Result<Value, Error> {
        let task = Task::read(&created.to_string())?;
        let mut waited = Waited {
            peer,
            id: task.id.clone(),
            has_ended: false,
        };
        let after = peer.config.limits.task;
        let polled = self.poll(&waited, task);
        let late = |_| Error::TimedOut {
            method: "tools/call".to_owned(),
            after,
        };
        let ended = timeout(after, polled).await.map_err(late)??;
        waited.has_ended = true;
        match ended.state {
            TaskState::Completed(result) => Ok(serde_json::from_str(result.get())?),
            TaskState::Failed(why) => Err(Error::Refused(why)),
            _ => {
                let why = "the task of the call was cancelled";
                Err(Error::Refused(ErrorObject::new(error::INTERNAL_ERROR, why)))
            }
        }
    }

    /// Polls a task until it has ended.
    async fn poll(&self, waited: &Waited<'_>, mut task: Task) -> Result<Task, Error> {
        let limit = waited.peer.config.limits.request;
        let mut answered = HashSet::new();
        while !task.is_ended() {
            if let TaskState::InputRequired(mut requests) = task.state {
                requests.retain(|key, _| answered.insert(key.clone()));
                if !requests.is_empty() {
                    let asked = json!({"resultType": "input_required", "inputRequests": requests});
                    let asked: InputRequired = serde_json::from_value(asked)?;
                    let answers = self.answers(&asked).await?;
                    let mut params = waited.params();
                    params.insert("inputResponses".to_owned(), answers.into());
                    let sent = waited.peer.request("tasks/update", params, None, limit);
                    sent.await?;
                }
            }
            let said = task.poll_interval_ms.map_or(UNSAID, Duration::from_millis);
            sleep(said.clamp(*POLL.start(), *POLL.end())).await;
            let got = waited
                .peer
                .request("tasks/get", waited.params(), None, limit);
            task = Task::read(&got.await?.to_string())?;
        }
        Ok(task)
    }
}
