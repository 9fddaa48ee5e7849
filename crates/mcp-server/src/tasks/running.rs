//! A task that runs on this server: its state and its requests to the client.

use std::{sync::Arc, time::Duration};

use mcp_protocol::{ErrorObject, Features, Object, ServerRequest, Task, TaskState, render};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::context::{AskError, CallerKey};

/// A task that runs on this server.
#[derive(Debug)]
pub(crate) struct RunningTask {
    pub(crate) owner: String,
    pub(crate) client: CallerKey,
    /// The expiry time, in milliseconds since 1970.
    pub(crate) expires_at: u64,
    pub(crate) rules: &'static Features,
    /// Cancelled when the task must stop.
    pub(crate) over: CancellationToken,
    /// Notified when the task has changed, so that the change is stored.
    pub(crate) changed: Notify,
    inner: Mutex<Inner>,
    answered: Notify,
}

#[derive(Debug)]
struct Inner {
    task: Task,
    /// The server requests without an accepted answer.
    questions: Vec<Question>,
    /// Every key that was ever used. No key is used twice.
    keys: Vec<String>,
}

#[derive(Debug)]
struct Question {
    key: String,
    request: ServerRequest,
    /// Whether the request is being sent on a stream of the client.
    is_asked: bool,
    answer: Option<Result<Object, AskError>>,
}

impl RunningTask {
    pub(crate) fn new(
        task: Task,
        owner: String,
        client: CallerKey,
        expires_at: u64,
        rules: &'static Features,
    ) -> Self {
        Self {
            owner,
            client,
            expires_at,
            rules,
            over: CancellationToken::new(),
            changed: Notify::new(),
            inner: Mutex::new(Inner {
                task,
                questions: Vec::new(),
                keys: Vec::new(),
            }),
            answered: Notify::new(),
        }
    }

    /// Returns the current state of the task.
    pub(crate) fn task(&self) -> Task {
        let inner = self.inner.lock();
        let mut task = inner.task.clone();
        let open = inner.questions.iter().filter(|it| it.answer.is_none());
        let open: Vec<_> = open
            .map(|it| (it.key.clone(), it.request.clone()))
            .collect();
        if !task.is_terminal() && !open.is_empty() {
            task.state = TaskState::InputRequired(render::render_input_requests(&open, self.rules));
        }
        task
    }

    /// Sets the time of the last change, unless the task has ended.
    pub(crate) fn touch(&self, now: u64) {
        let mut inner = self.inner.lock();
        if !inner.task.is_terminal() {
            inner.task.set_state(TaskState::Working, now);
        }
    }

    /// Sets the status message.
    pub(crate) fn say(&self, message: &str) {
        self.inner.lock().task.status_message = Some(message.to_owned());
    }

    /// Ends the task. Returns `false` if it has already ended.
    pub(crate) fn end(&self, state: TaskState, now: u64) -> bool {
        let mut inner = self.inner.lock();
        if inner.task.is_terminal() {
            return false;
        }
        inner.task.set_state(state, now);
        inner.task.status_message = None;
        true
    }

    /// Replaces the result of the task with an error, because the store has no capacity for the result.
    pub(crate) fn fail(&self, error: ErrorObject) {
        self.inner.lock().task.state = TaskState::Failed(error);
    }

    /// Waits for the answers to these requests, in their order.
    pub(crate) async fn ask(
        &self,
        requests: Vec<(String, ServerRequest)>,
        deadline: Duration,
    ) -> Result<Vec<Object>, AskError> {
        let asked = self.put(requests);
        self.changed.notify_one();
        let answered = async {
            loop {
                let next = self.answered.notified();
                if let Some(answers) = asked.answers() {
                    return answers;
                }
                next.await;
            }
        };
        let answers = timeout(deadline, answered).await;
        drop(asked);
        self.changed.notify_one();
        answers.unwrap_or(Err(AskError::TimedOut))
    }

    fn put(&self, requests: Vec<(String, ServerRequest)>) -> PendingRequests<'_> {
        let mut inner = self.inner.lock();
        let mut keys = Vec::with_capacity(requests.len());
        for (wanted, request) in requests {
            let numbered = (2..).map(|n| format!("{wanted}-{n}"));
            let mut names = std::iter::once(wanted.clone()).chain(numbered);
            let key = names
                .find(|it| !inner.keys.contains(it))
                .unwrap_or_default();
            inner.keys.push(key.clone());
            keys.push(key.clone());
            inner.questions.push(Question {
                key,
                request,
                is_asked: false,
                answer: None,
            });
        }
        PendingRequests {
            running: self,
            keys,
        }
    }

    /// Accepts answers by their keys, all or none. Answers to unknown keys are ignored.
    pub(crate) fn answer(&self, answers: &Object) -> Result<(), ErrorObject> {
        let mut inner = self.inner.lock();
        let open = |it: &&mut Question| it.answer.is_none();
        let answer_to = |it: &Question| Some((answers.get(&it.key)?.as_object(), it.key.clone()));
        for question in inner.questions.iter_mut().filter(open) {
            if let Some((answer, key)) = answer_to(question)
                && !answer.is_some_and(|it| question.request.is_answered_by(it))
            {
                let what = format!("inputResponses.{key} does not match its request");
                return Err(ErrorObject::invalid_params(what));
            }
        }
        for question in inner.questions.iter_mut().filter(open) {
            let answer = answers.get(&question.key).and_then(Value::as_object);
            question.answer = answer.cloned().map(Ok);
        }
        drop(inner);
        self.answered.notify_waiters();
        self.changed.notify_one();
        Ok(())
    }

    /// Returns the next request to send on a stream of the client. No other stream sends it unless this one fails.
    pub(crate) fn next_question(&self) -> Option<(String, ServerRequest)> {
        let mut inner = self.inner.lock();
        let mut questions = inner.questions.iter_mut();
        let next = questions.find(|it| !it.is_asked && it.answer.is_none())?;
        next.is_asked = true;
        Some((next.key.clone(), next.request.clone()))
    }

    /// Stores the result of a server request.
    pub(crate) fn asked(&self, key: &str, answer: Result<Object, AskError>) {
        let mut inner = self.inner.lock();
        if let Some(question) = inner.questions.iter_mut().find(|it| it.key == key) {
            question.is_asked = false;
            if matches!(answer, Err(AskError::Unreachable)) {
                // The next who comes to fetch the result can be asked.
                return;
            }
            question.answer = Some(answer);
        }
        drop(inner);
        self.answered.notify_waiters();
        self.changed.notify_one();
    }
}

/// The pending requests of a task, withdrawn when dropped.
struct PendingRequests<'a> {
    running: &'a RunningTask,
    keys: Vec<String>,
}

impl PendingRequests<'_> {
    /// Returns the answers once all are available, or the first error.
    fn answers(&self) -> Option<Result<Vec<Object>, AskError>> {
        let inner = self.running.inner.lock();
        let mut own = inner
            .questions
            .iter()
            .filter(|it| self.keys.contains(&it.key));
        let answers = own.by_ref().map(|it| it.answer.clone());
        answers
            .collect::<Option<Vec<_>>>()
            .map(|it| it.into_iter().collect())
    }
}

impl Drop for PendingRequests<'_> {
    fn drop(&mut self) {
        let mut inner = self.running.inner.lock();
        inner.questions.retain(|it| !self.keys.contains(&it.key));
    }
}

/// The switch that determines whether a call becomes a task.
#[derive(Debug, Default)]
pub(crate) struct TaskSwitch {
    /// Notified when the call itself wants to become a task.
    pub(crate) wanted: Notify,
    fate: watch::Sender<TaskOutcome>,
    /// The status message before the call becomes a task.
    said: Mutex<Option<String>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum TaskOutcome {
    #[default]
    Open,
    /// The client waits for the result.
    Waited,
    Task(Arc<RunningTask>),
}

impl TaskSwitch {
    pub(crate) fn settle(&self, fate: TaskOutcome) {
        let said = self.said.lock().take();
        if let (TaskOutcome::Task(running), Some(said)) = (&fate, said) {
            running.say(&said);
        }
        self.fate.send_replace(fate);
    }

    /// Sets the status message of the call.
    pub(crate) fn say(&self, message: &str) {
        match self.task() {
            Some(running) => running.say(message),
            None => *self.said.lock() = Some(message.to_owned()),
        }
    }

    /// Returns the task that the call has become.
    pub(crate) fn task(&self) -> Option<Arc<RunningTask>> {
        match &*self.fate.borrow() {
            TaskOutcome::Task(running) => Some(Arc::clone(running)),
            TaskOutcome::Open | TaskOutcome::Waited => None,
        }
    }

    /// Waits until the call has become a task. Returns `false` if it does not become one.
    pub(crate) async fn become_task(&self) -> bool {
        self.wanted.notify_one();
        let mut fate = self.fate.subscribe();
        let settled = fate.wait_for(|it| !matches!(it, TaskOutcome::Open)).await;
        settled.is_ok_and(|it| matches!(&*it, TaskOutcome::Task(_)))
    }
}
