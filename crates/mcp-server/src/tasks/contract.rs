//! A test suite for task stores.

use futures_util::future::join;

use crate::{
    context::{CallerKey, RequestContext},
    tasks::{TaskRecord, TaskStore, TaskStoreError},
};

/// A violated requirement of a trait.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
#[non_exhaustive]
pub struct ContractError(String);

impl From<TaskStoreError> for ContractError {
    fn from(error: TaskStoreError) -> Self {
        Self(format!("an operation failed: {error}"))
    }
}

fn require(is_kept: bool, promise: &str) -> Result<(), ContractError> {
    match is_kept {
        true => Ok(()),
        false => Err(ContractError(format!("broken promise: {promise}"))),
    }
}

/// Checks that a store meets the requirements of [`TaskStore`], with six small tasks. Their IDs begin with `prefix`.
/// The store may contain other tasks.
///
/// ```
/// use mcp_server::{InMemoryTaskStore, testing};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), testing::ContractError> {
/// testing::validate_task_store(&InMemoryTaskStore::default(), "test").await
/// # }
/// ```
///
/// # Errors
/// Returns an error for the first violated requirement or failed operation.
pub async fn validate_task_store(store: &dyn TaskStore, prefix: &str) -> Result<(), ContractError> {
    let client = RequestContext::default().caller_key();
    let record = |name: &str| TaskRecord {
        id: format!("{prefix}-{name}"),
        owner: format!("{prefix}-owner"),
        at: 1_000,
        expires_at: 1_000_000,
        is_ended: false,
        json: format!("{{\"name\":\"{name}\"}}"),
    };
    let ended = |name: &str, json: &str| TaskRecord {
        at: 2_000,
        is_ended: true,
        json: json.to_owned(),
        ..record(name)
    };
    check_changes(
        store,
        &client,
        record("a"),
        ended("a", "1"),
        ended("a", "2"),
    )
    .await?;
    check_race(
        store,
        &client,
        record("b"),
        [ended("b", "1"), ended("b", "2")],
    )
    .await?;
    let other = TaskRecord {
        owner: format!("{prefix}-other"),
        ..record("other")
    };
    store.insert(&client, other).await?;
    for name in ["c", "d", "e"] {
        store.insert(&client, record(name)).await?;
    }
    check_list(store, prefix).await
}

/// Checks that a task is found after its creation, changes, ends, and does not change afterwards.
async fn check_changes(
    store: &dyn TaskStore,
    client: &CallerKey,
    created: TaskRecord,
    ended: TaskRecord,
    late: TaskRecord,
) -> Result<(), ContractError> {
    let found = store.get(&created.id).await?;
    require(
        found.is_none(),
        "`get` returns `None` before a task is created",
    )?;
    let updated = store.update(created.clone()).await?;
    require(
        !updated,
        "`update` returns `false` for a task that does not exist",
    )?;
    let found = store.get(&created.id).await?;
    require(found.is_none(), "`update` creates no task")?;
    store.insert(client, created.clone()).await?;
    let found = store.get(&created.id).await?;
    let is_whole = found.as_ref() == Some(&created);
    require(
        is_whole,
        "`get` returns all members of a task once `create` is ready",
    )?;
    let mut changed = created;
    changed.at += 1;
    changed.expires_at += 1;
    changed.json.push(' ');
    let updated = store.update(changed.clone()).await?;
    require(
        updated,
        "`update` returns `true` for a task that has not ended",
    )?;
    let found = store.get(&changed.id).await?;
    require(
        found == Some(changed),
        "`update` replaces all members of a task",
    )?;
    let updated = store.update(ended.clone()).await?;
    require(updated, "`update` ends a task")?;
    let updated = store.update(late).await?;
    require(
        !updated,
        "`update` returns `false` for a task that has ended",
    )?;
    let found = store.get(&ended.id).await?;
    require(
        found == Some(ended),
        "a task that has ended does not change",
    )
}

/// Checks that of two concurrent ends exactly one succeeds.
async fn check_race(
    store: &dyn TaskStore,
    client: &CallerKey,
    created: TaskRecord,
    [first, second]: [TaskRecord; 2],
) -> Result<(), ContractError> {
    let id = created.id.clone();
    store.insert(client, created).await?;
    let both = join(store.update(first.clone()), store.update(second.clone())).await;
    let (is_first, is_second) = (both.0?, both.1?);
    require(
        is_first != is_second,
        "of two ends of a task at the same time one wins",
    )?;
    let winner = if is_first { first } else { second };
    let found = store.get(&id).await?;
    require(
        found == Some(winner),
        "the end that `update` returns `true` for is the one that is kept",
    )
}

/// Checks that tasks are listed by owner, in the order of their creation.
async fn check_list(store: &dyn TaskStore, prefix: &str) -> Result<(), ContractError> {
    let owner = format!("{prefix}-owner");
    let list = async |after: Option<&str>, most| -> Result<String, ContractError> {
        let after = after.map(|it| format!("{prefix}-{it}"));
        let listed = store.list(&owner, after.as_deref(), most).await?;
        let names = listed.iter().map(|it| it.id.trim_start_matches(prefix));
        Ok(names.collect())
    };
    let all = list(None, 100).await?;
    let in_order = "`list` returns the tasks of one owner in the order of their creation";
    require(all == "-a-b-c-d-e", in_order)?;
    let first = list(None, 2).await?;
    require(
        first == "-a-b",
        "`list` returns at most as many tasks as requested",
    )?;
    let next = list(Some("b"), 2).await?;
    require(
        next == "-c-d",
        "`list` returns the tasks after the one that is named",
    )?;
    let none = list(Some("e"), 2).await?;
    require(
        none.is_empty(),
        "`list` returns nothing after the last task",
    )
}
