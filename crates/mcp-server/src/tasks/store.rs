//! The trait for task stores, with its records and errors.

use crate::{context::CallerKey, provide::BoxFuture};

/// A store for tasks, from their creation until they expire. [`InMemoryTaskStore`](crate::InMemoryTaskStore) is a store
/// for a single process.
///
/// Servers depend on the store to keep these promises to their clients:
///
/// - After [`create`](Self::insert) has completed, [`get`](Self::get) finds the task, from every server. Only then does
///   the client receive the task. A store that outlives its server lets clients fetch results after a restart. Running
///   work is lost in a restart. If a server was killed, its tasks stay unchanged until they expire. If a server was
///   asked to stop, its tasks have failed with an error naming the shutdown.
/// - An ended task never changes again. [`update`](Self::update) rejects such a change atomically, so a result and a
///   cancellation cannot both succeed.
/// - A store may delete a task after it has expired, but not before.
///
/// Several servers may share one store. Only the server of a running task can pass answers to it and cancel its work.
/// Clients therefore name the task in the header `Mcp-Name`, and a load balancer can route by it.
///
/// An operation fails after a timeout of five seconds.
pub trait TaskStore: Send + Sync + 'static {
    /// Stores a new task. It counts toward the store's limits for `client`.
    fn insert<'a>(
        &'a self,
        client: &'a CallerKey,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<(), TaskStoreError>>;

    /// Replaces the task with this ID. Returns `false` if it does not exist or has ended.
    fn update(&self, task: TaskRecord) -> BoxFuture<'_, Result<bool, TaskStoreError>>;

    /// Returns the task with this ID, if it exists.
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskStoreError>>;

    /// Returns the first `most` tasks of an owner in the order of their creation. With `after`, the list starts after
    /// the task of this ID.
    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<&'a str>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<TaskRecord>, TaskStoreError>>;
}

/// The stored form of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a store has to keep every member, so that a new one is a breaking change"
)]
pub struct TaskRecord {
    /// The task ID.
    pub id: String,
    /// The owner. Only the owner can see the task. Owners are equal if their strings are. The string has no other
    /// meaning.
    pub owner: String,
    /// The time of this state, in milliseconds since 1970.
    pub at: u64,
    /// The time after which the task may be deleted, in milliseconds since 1970.
    pub expires_at: u64,
    /// Whether the task has ended and can no longer change.
    pub is_ended: bool,
    /// The complete task as JSON, for [`mcp_protocol::Task::read`].
    pub json: String,
}

/// An error of a task store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskStoreError {
    /// The store has no capacity for the task. The message states the limit.
    #[error("{0}")]
    Full(String),
    /// The operation failed. The message is for the log.
    #[error("the task store failed: {0}")]
    Failed(String),
}
