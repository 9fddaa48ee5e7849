//! A task store in the memory of one process.

use std::{collections::HashMap, future::ready};

use parking_lot::Mutex;

use crate::{
    context::CallerKey,
    provide::BoxFuture,
    tasks::{TaskRecord, TaskStore, TaskStoreError},
};

/// Size of a task in addition to its strings, in bytes.
const OVERHEAD: usize = 512;

/// A task store in memory. It limits the number and the size of tasks, per client and in total. To free space for a
/// client, the store removes that client's oldest ended task, and never a task of another client. The tasks are lost
/// when the process ends.
///
/// ```
/// use mcp_server::InMemoryTaskStore;
///
/// let store = InMemoryTaskStore::default().with_tasks(1_000).with_tasks_per_client(20);
/// # drop(store);
/// ```
#[derive(Debug)]
pub struct InMemoryTaskStore {
    tasks: usize,
    tasks_per_client: usize,
    bytes: usize,
    bytes_per_client: usize,
    kept: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug)]
struct Kept {
    /// The sequence number, in the order of creation.
    number: u64,
    client: CallerKey,
    record: TaskRecord,
}

impl Kept {
    fn bytes(&self) -> usize {
        let TaskRecord {
            id, owner, json, ..
        } = &self.record;
        OVERHEAD + id.len() + owner.len() + json.len()
    }
}

impl Default for InMemoryTaskStore {
    fn default() -> Self {
        Self {
            // An hour of a busy server.
            tasks: 4_096,
            tasks_per_client: 256,
            bytes: 64 << 20,
            // A quarter, so that three others have room.
            bytes_per_client: 16 << 20,
            kept: Mutex::default(),
        }
    }
}

impl InMemoryTaskStore {
    mcp_protocol::setters! {
        /// Sets the maximum number of stored tasks. Default: 4096.
        with_tasks(tasks: usize) { tasks = tasks }
        /// Sets the maximum number of stored tasks of one client. Default: 256.
        with_tasks_per_client(tasks: usize) { tasks_per_client = tasks }
        /// Sets the maximum size of all tasks, in bytes. Default: 64 MiB.
        with_bytes(bytes: usize) { bytes = bytes }
        /// Sets the maximum size of one client's tasks, in bytes. Default: 16 MiB.
        with_bytes_per_client(bytes: usize) { bytes_per_client = bytes }
    }

    /// Frees space for `new`, which may replace a stored task.
    fn make_room(
        &self,
        kept: &mut HashMap<String, Kept>,
        new: &Kept,
    ) -> Result<(), TaskStoreError> {
        kept.retain(|_, it| it.record.expires_at > new.record.at);
        loop {
            let others = || kept.values().filter(|it| it.record.id != new.record.id);
            let own = || others().filter(|it| it.client == new.client);
            let count = |all: usize, bytes: usize| (all + 1, bytes + new.bytes());
            let (all, bytes) = count(others().count(), others().map(Kept::bytes).sum());
            let (all_own, own_bytes) = count(own().count(), own().map(Kept::bytes).sum());
            if all <= self.tasks
                && all_own <= self.tasks_per_client
                && bytes <= self.bytes
                && own_bytes <= self.bytes_per_client
            {
                return Ok(());
            }
            let ended = own().filter(|it| it.record.is_ended);
            let oldest = ended.min_by_key(|it| it.number);
            let Some(oldest) = oldest.map(|it| it.record.id.clone()) else {
                return Err(TaskStoreError::Full(format!(
                    "this server stores at most {} tasks with {} bytes for one client, and {} with {} in total",
                    self.tasks_per_client, self.bytes_per_client, self.tasks, self.bytes
                )));
            };
            kept.remove(&oldest);
        }
    }

    fn add(&self, client: &CallerKey, record: TaskRecord) -> Result<(), TaskStoreError> {
        let mut kept = self.kept.lock();
        let last = kept.values().map(|it| it.number).max();
        let new = Kept {
            number: last.map_or(0, |it| it + 1),
            client: client.clone(),
            record,
        };
        self.make_room(&mut kept, &new)?;
        kept.insert(new.record.id.clone(), new);
        Ok(())
    }

    fn replace(&self, record: TaskRecord) -> Result<bool, TaskStoreError> {
        let mut kept = self.kept.lock();
        let Some(old) = kept.get(&record.id).filter(|it| !it.record.is_ended) else {
            return Ok(false);
        };
        let new = Kept {
            number: old.number,
            client: old.client.clone(),
            record,
        };
        self.make_room(&mut kept, &new)?;
        Ok(kept.insert(new.record.id.clone(), new).is_some())
    }
}

impl TaskStore for InMemoryTaskStore {
    fn insert<'a>(
        &'a self,
        client: &'a CallerKey,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<(), TaskStoreError>> {
        Box::pin(ready(self.add(client, task)))
    }

    fn update(&self, task: TaskRecord) -> BoxFuture<'_, Result<bool, TaskStoreError>> {
        Box::pin(ready(self.replace(task)))
    }

    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskStoreError>> {
        let found = self.kept.lock().get(id).map(|it| it.record.clone());
        Box::pin(ready(Ok(found)))
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<&'a str>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<TaskRecord>, TaskStoreError>> {
        let kept = self.kept.lock();
        let after = after.and_then(|id| kept.get(id)).map(|it| it.number);
        let of_owner = |it: &&Kept| it.record.owner == owner && Some(it.number) > after;
        let mut found: Vec<_> = kept.values().filter(of_owner).collect();
        found.sort_unstable_by_key(|it| it.number);
        let found = found.into_iter().take(most);
        let found = found.map(|it| it.record.clone()).collect();
        Box::pin(ready(Ok(found)))
    }
}
