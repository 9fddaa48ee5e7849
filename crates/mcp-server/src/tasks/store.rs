//! Where tasks are kept: what a store promises, and what it is given.

use crate::{context::ClientIdentity, provide::BoxFuture};

/// Keeps tasks from their beginning until they expire. [`InMemoryTaskStore`](crate::InMemoryTaskStore) is one for a single process.
///
/// What a server promises its clients is what its store promises it:
///
/// - When [`create`](Self::create) is ready, [`get`](Self::get) finds the task, whichever server asks: a client is told of a task only
///   then. A store that outlives its server lets clients fetch results after a restart. Work does not survive one: a task whose server
///   was killed stays as it was until it expires, and one whose server was asked to stop has failed with an error that says so.
/// - An ended task never changes again: [`update`](Self::update) refuses that in one step, so that a result and a cancellation cannot
///   both win.
/// - A store may forget a task once it has expired, and no earlier.
///
/// Several servers may share one store. Only the one that works on a task can hand it answers and drop its work, which is why clients
/// name the task in the header `Mcp-Name`: a load balancer can route by it.
///
/// Each operation has a few seconds; after that it counts as failed.
pub trait TaskStore: Send + Sync + 'static {
    /// Keeps a new task. It counts for `client` in what the store bounds.
    fn create<'a>(
        &'a self,
        client: &'a ClientIdentity,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<(), TaskStoreError>>;

    /// Replaces the task of this id; `false` if there is none, or it has ended.
    fn update(&self, task: TaskRecord) -> BoxFuture<'_, Result<bool, TaskStoreError>>;

    /// The task of this id, if it is there.
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskStoreError>>;

    /// The first `most` tasks of an owner in the order of their creation, or those after the one with the id `after`.
    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<&'a str>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<TaskRecord>, TaskStoreError>>;
}

/// A task as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a store has to keep every member, so that a new one is a breaking change"
)]
pub struct TaskRecord {
    /// What names it.
    pub id: String,
    /// Who may see it. Equal texts are the same owner, and they say nothing else.
    pub owner: String,
    /// When it was so, in milliseconds since 1970.
    pub at: u64,
    /// When it may be forgotten, likewise.
    pub expires_at: u64,
    /// Whether it will not change any more.
    pub is_ended: bool,
    /// Everything about it, which [`mcp_protocol::Task::read`] reads.
    pub json: String,
}

/// Why a store did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskStoreError {
    /// There is no room for this: what it has room for.
    #[error("{0}")]
    Full(String),
    /// It failed: why, for the log.
    #[error("the store of tasks failed: {0}")]
    Failed(String),
}
