//! Tasks: their storage, their execution, and notification of the clients that wait for them.

mod call;
mod changes;
pub(crate) mod contract;
mod memory;
mod requests;
mod running;
mod serving_guard;
mod store;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, atomic::AtomicUsize},
    time::{Duration, UNIX_EPOCH},
};

use mcp_protocol::{ErrorObject, Features, Task, error::INTERNAL_ERROR, render};
use parking_lot::Mutex;
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

pub(crate) use self::{
    changes::{notification, until_changed},
    requests::{TaskMethod, require_extension},
    running::{RunningTask, TaskOutcome, TaskSwitch},
};
pub use self::{
    memory::InMemoryTaskStore,
    serving_guard::ServingGuard,
    store::{TaskRecord, TaskStore, TaskStoreError},
};
use crate::{
    context::{CallerKey, sign::Clock},
    dispatch::refusal::Cause,
    limits::ServerLimits,
    provide::BoxFuture,
    session::ChangeNotifier,
};

/// Timeout of a store operation.
const STORE_DEADLINE: Duration = Duration::from_secs(5);
/// The pauses between attempts to write the end of a task to a store that fails.
const RETRIES: [Duration; 3] = [
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(5),
];

/// The tasks of a server.
pub(crate) struct Tasks {
    store: Box<dyn TaskStore>,
    clock: Clock,
    limits: ServerLimits,
    /// The tasks that run on this server, by ID.
    running: Mutex<HashMap<String, Arc<RunningTask>>>,
    tracker: TaskTracker,
    /// The number of transports that serve the server.
    serving: AtomicUsize,
    /// Notifies clients of task changes.
    pub(crate) notifier: ChangeNotifier,
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks").finish_non_exhaustive()
    }
}

/// The reason that a call did not become a task. Its message is for the client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error("The server is already running {0} tasks. Try again when one of them has ended.")]
    TooMany(usize),
    #[error("The server is running {0} of your tasks. Wait for one of them, or cancel one.")]
    TooManyOfClient(usize),
    #[error("The task cannot be stored now: {0}.")]
    NotKept(TaskStoreError),
}

impl From<StartError> for ErrorObject {
    fn from(why: StartError) -> Self {
        let cause = match why {
            StartError::TooManyOfClient(_) => Cause::Caller,
            StartError::TooMany(_) | StartError::NotKept(_) => Cause::Server,
        };
        cause.refuse(why.to_string())
    }
}

impl Tasks {
    pub(crate) fn new(
        store: Box<dyn TaskStore>,
        clock: Clock,
        limits: ServerLimits,
        notifier: ChangeNotifier,
    ) -> Self {
        Self {
            store,
            clock,
            limits,
            running: Mutex::default(),
            tracker: TaskTracker::new(),
            serving: AtomicUsize::new(0),
            notifier,
        }
    }

    /// Returns the current time, in milliseconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        let now = (self.clock)().duration_since(UNIX_EPOCH);
        now.map_or(0, |it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX))
    }

    /// Returns the task with this ID if it runs on this server.
    pub(crate) fn running(&self, id: &str) -> Option<Arc<RunningTask>> {
        self.running.lock().get(id).cloned()
    }

    /// Starts a task. The task is stored before this future completes.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        owner: String,
        client: CallerKey,
        ttl_ms: Option<u64>,
        rules: &'static Features,
    ) -> Result<Place, StartError> {
        let id = random_id().map_err(StartError::NotKept)?;
        let now = self.now();
        let most = ms(self.limits.task_deadline + self.limits.task_retention);
        let ttl_ms = ttl_ms.map_or(most, |it| it.clamp(1, most));
        let interval = ms(self.limits.task_poll_interval);
        let task = Task::new(id.clone(), now, Some(ttl_ms), Some(interval));
        let expires_at = now.saturating_add(ttl_ms);
        let running = Arc::new(RunningTask::new(task, owner, client, expires_at, rules));
        self.reserve(&id, &running)?;
        let tasks = Arc::clone(self);
        let place = Place { tasks, running, id };
        let Place { running, .. } = &place;
        let created = self.store.insert(&running.client, self.record(running));
        within(created).await.map_err(StartError::NotKept)?;
        Ok(place)
    }

    /// Returns the current record of a task.
    fn record(&self, running: &RunningTask) -> TaskRecord {
        let at = self.now();
        running.touch(at);
        let task = running.task();
        TaskRecord {
            owner: running.owner.clone(),
            at,
            expires_at: running.expires_at,
            is_ended: task.is_terminal(),
            json: render::task_json_for_store(&task),
            id: task.id,
        }
    }

    /// Adds a task to the running tasks, within the limits.
    fn reserve(&self, id: &str, new: &Arc<RunningTask>) -> Result<(), StartError> {
        let mut running = self.running.lock();
        let (most, most_own) = (
            self.limits.running_tasks,
            self.limits.running_tasks_per_client,
        );
        if running.len() >= most {
            return Err(StartError::TooMany(most));
        }
        let own = running.values().filter(|it| it.client == new.client);
        if new.client.is_known() && own.count() >= most_own {
            return Err(StartError::TooManyOfClient(most_own));
        }
        running.insert(id.to_owned(), Arc::clone(new));
        Ok(())
    }

    /// Writes the state of a task to the store, and notifies its listeners.
    async fn save(&self, running: &RunningTask) -> Result<bool, TaskStoreError> {
        let record = self.record(running);
        let id = record.id.clone();
        let saved = within(self.store.update(record)).await;
        self.notifier.task_changed(&id);
        saved
    }

    /// Writes the end of a task.
    async fn save_end(&self, running: &RunningTask) {
        for pause in RETRIES.into_iter().map(Some).chain([None]) {
            match self.save(running).await {
                Ok(_) => return,
                Err(TaskStoreError::Full(why)) => {
                    let what = format!("The result cannot be stored: {why}. Ask for less.");
                    running.fail(ErrorObject::new(INTERNAL_ERROR, what));
                }
                Err(error) => tracing::error!(%error, "the end of a task could not be stored"),
            }
            match pause {
                // A server that stops does not wait for its store.
                Some(pause) if !self.tracker.is_closed() => sleep(pause).await,
                Some(_) | None => return,
            }
        }
    }

    /// Writes the cancellation of a task that runs on another server.
    pub(crate) async fn cancel_elsewhere(&self, task: &Task) -> Result<bool, TaskStoreError> {
        let Some(record) = self.get(&task.id).await? else {
            return Ok(false);
        };
        let record = TaskRecord {
            at: self.now(),
            is_ended: task.is_terminal(),
            json: render::task_json_for_store(task),
            ..record
        };
        within(self.store.update(record)).await
    }

    /// Returns the record with this ID.
    pub(crate) async fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let found = within(self.store.get(id)).await?;
        Ok(found.filter(|it| it.expires_at > self.now()))
    }

    /// Returns the first records of an owner, after the one with this ID.
    pub(crate) async fn list(
        &self,
        owner: &str,
        after: Option<&str>,
        most: usize,
    ) -> Result<Vec<TaskRecord>, TaskStoreError> {
        let mut found = within(self.store.list(owner, after, most)).await?;
        found.retain(|it| it.owner == owner && it.expires_at > self.now());
        Ok(found)
    }
}

/// The slot of a running task, released when dropped.
pub(crate) struct Place {
    tasks: Arc<Tasks>,
    id: String,
    pub(crate) running: Arc<RunningTask>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.tasks.running.lock().remove(&self.id);
    }
}

/// Returns the result of a store operation, or an error after the timeout.
async fn within<T>(work: BoxFuture<'_, Result<T, TaskStoreError>>) -> Result<T, TaskStoreError> {
    let late = |_| TaskStoreError::Failed("it did not respond in time".to_owned());
    timeout(STORE_DEADLINE, work).await.map_err(late)?
}

/// Generates an ID of 128 random bits, which a client may use as a name.
fn random_id() -> Result<String, TaskStoreError> {
    let mut bytes = [0; 16];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| TaskStoreError::Failed(error.to_string()))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
