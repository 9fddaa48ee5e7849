//! The test suite of task stores: it accepts the store of this crate, and finds the faults of others.

use mcp_server::{
    BoxFuture, CallerKey, InMemoryTaskStore, TaskRecord, TaskStore, TaskStoreError,
    testing::validate_task_store,
};

/// A broken promise of a store.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    LosesOwner,
    ChangesEnded,
    ListsBackwards,
    ListsAll,
    ForgetsAfter,
}

struct Faulty(InMemoryTaskStore, Fault);

impl TaskStore for Faulty {
    fn insert<'a>(
        &'a self,
        client: &'a CallerKey,
        mut task: TaskRecord,
    ) -> BoxFuture<'a, Result<(), TaskStoreError>> {
        if self.1 == Fault::LosesOwner {
            task.owner.clear();
        }
        self.0.insert(client, task)
    }

    fn update(&self, mut task: TaskRecord) -> BoxFuture<'_, Result<bool, TaskStoreError>> {
        if self.1 == Fault::ChangesEnded {
            task.is_ended = false;
        }
        self.0.update(task)
    }

    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskStoreError>> {
        self.0.get(id)
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<&'a str>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<TaskRecord>, TaskStoreError>> {
        let fault = self.1;
        let after = after.filter(|_| fault != Fault::ForgetsAfter);
        let most = if fault == Fault::ListsAll { 100 } else { most };
        Box::pin(async move {
            let mut listed = self.0.list(owner, after, most).await?;
            if fault == Fault::ListsBackwards {
                listed.reverse();
            }
            Ok(listed)
        })
    }
}

async fn check(fault: Fault) -> String {
    let store = Faulty(InMemoryTaskStore::default(), fault);
    let checked = validate_task_store(&store, "test").await;
    checked.map_or_else(|why| why.to_string(), |()| "kept".to_owned())
}

#[tokio::test]
async fn a_store_is_checked_by_its_promises() {
    for (fault, said) in [
        (Fault::Nothing, "kept"),
        (Fault::LosesOwner, "all members of a task once `create`"),
        (Fault::ChangesEnded, "for a task that has ended"),
        (Fault::ListsBackwards, "in the order of their creation"),
        (Fault::ListsAll, "at most as many"),
        (Fault::ForgetsAfter, "after the one that is named"),
    ] {
        let checked = check(fault).await;
        assert!(checked.contains(said), "{checked}");
    }
}
