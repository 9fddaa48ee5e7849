//! The bounds on tasks: how many run, how many and how much is kept, and what happens when the store fails.

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_protocol::{Object, Revision, Tool};
use mcp_server::{
    BoxFuture, CallContext, CallerKey, InMemoryTaskStore, ListVariant, RequestContext,
    ServerLimits, TaskRecord, TaskStore, TaskStoreError, ToolReply, ToolRouter, ToolSet,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{BOTH, CORE, EXTENSION, Work, World, id_in, pass, tools, user};

/// What comes of a call that would be one task too many.
async fn one_more(world: &World, cx: &RequestContext, revision: Revision, tool: &str) -> Value {
    let arguments = json!({"seconds": 10});
    world.create_as(cx, revision, tool, arguments).await
}

#[tokio::test(start_paused = true)]
async fn so_many_tasks_run_at_once_of_one_client_and_in_all() {
    for revision in BOTH {
        let limits = ServerLimits::default()
            .with_running_tasks(3)
            .with_running_tasks_per_client(2);
        let world = World::with(InMemoryTaskStore::default(), limits);
        let [alice, bob, carol] = ["alice", "bob", "carol"].map(user);
        let begin = async |cx| {
            let arguments = json!({"seconds": 900});
            id_in(&world.create_as(cx, revision, "slow", arguments).await);
        };
        begin(&alice).await;
        begin(&alice).await;
        for (cx, others, why, code) in [
            (&alice, None, "running 2 of your tasks", -32600),
            (&carol, Some(&bob), "already running 3 tasks", -32603),
        ] {
            if let Some(other) = others {
                begin(other).await;
            }
            let refused = one_more(&world, cx, revision, "only").await;
            let message = refused["error"]["message"].as_str().unwrap();
            assert!(message.contains(why), "{message}");
            assert_eq!(refused["error"]["code"], code, "{message}");
            // Where the client can wait, it waits.
            let waited = one_more(&world, cx, revision, "slow").await;
            assert_eq!(waited.get("result").is_some(), revision == EXTENSION);
            if revision == EXTENSION {
                assert_eq!(waited["result"]["content"][0]["text"], "10 seconds");
            }
        }
        pass(900).await;
        id_in(&one_more(&world, &carol, revision, "only").await);
    }
}

/// Calls that count as five.
struct Heavy(ToolRouter<Work>);

impl ToolSet for Heavy {
    fn tools(&self, scope: &ListVariant) -> Vec<Tool> {
        self.0.tools(scope)
    }

    fn call<'a>(
        &'a self,
        name: &str,
        arguments: Object,
        cx: &'a CallContext,
    ) -> Option<BoxFuture<'a, ToolReply>> {
        cx.set_rate_weight(5);
        self.0.call(name, arguments, cx)
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_becomes_a_task_counts_as_ever() {
    for revision in BOTH {
        let limits = ServerLimits::default().with_calls_per_client(NonZeroU32::new(10));
        let set = |work: &Arc<_>| Heavy(tools(work));
        let world = World::of(set, limits, |it| it.tasks(InMemoryTaskStore::default()));
        let alice = user("alice");
        let call = json!({"name": "slow", "arguments": {"seconds": 0}, "task": {}});
        let mut codes = Vec::new();
        for _ in 0..3 {
            let said = world.ask_as(&alice, revision, "tools/call", call.clone());
            let result = said.await["result"].clone();
            codes.push(result["isError"] == json!(true));
        }
        assert_eq!(codes, [false, false, true]);
    }
}

fn record(id: &str, at: u64, is_ended: bool, bytes: usize) -> TaskRecord {
    TaskRecord {
        id: id.to_owned(),
        owner: "o".to_owned(),
        at,
        expires_at: 100,
        is_ended,
        json: "x".repeat(bytes),
    }
}

fn client(name: &str) -> CallerKey {
    CallerKey::from_subject_or_address(Some(name), None)
}

/// Has a task kept, for which there is room.
async fn keep(store: &InMemoryTaskStore, client: &CallerKey, task: TaskRecord) {
    store.insert(client, task).await.unwrap();
}

async fn kept(store: &InMemoryTaskStore, ids: &[&str]) -> String {
    let mut found = String::new();
    for id in ids {
        if store.get(id).await.unwrap().is_some() {
            found.push_str(id);
        }
    }
    found
}

#[tokio::test]
async fn memory_keeps_so_many_tasks_of_a_client_and_forgets_its_oldest_that_has_ended() {
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(client);
    let store = InMemoryTaskStore::default()
        .with_tasks(4)
        .with_tasks_per_client(2);
    keep(&store, &alice, record("a", 0, false, 0)).await;
    keep(&store, &alice, record("b", 0, false, 0)).await;
    let full = store.insert(&alice, record("c", 0, false, 0)).await;
    assert!(
        matches!(full, Err(TaskStoreError::Full(_))),
        "both still run"
    );
    assert_eq!(store.update(record("b", 0, true, 0)).await, Ok(true));
    keep(&store, &alice, record("c", 0, false, 0)).await;
    assert_eq!(kept(&store, &["a", "b", "c"]).await, "ac");
    // What another client keeps is not forgotten for it.
    for id in ["d", "e"] {
        keep(&store, &bob, record(id, 0, true, 0)).await;
    }
    let full = store.insert(&carol, record("f", 0, false, 0)).await;
    assert!(matches!(full, Err(TaskStoreError::Full(_))));
    assert_eq!(kept(&store, &["a", "c", "d", "e", "f"]).await, "acde");
    // What has expired makes room.
    keep(&store, &carol, record("f", 100, false, 0)).await;
    assert_eq!(kept(&store, &["a", "c", "d", "e", "f"]).await, "f");
}

#[tokio::test]
async fn memory_keeps_so_many_bytes() {
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(client);
    let store = InMemoryTaskStore::default()
        .with_bytes(5_000)
        .with_bytes_per_client(3_000);
    keep(&store, &alice, record("a", 0, true, 1_000)).await;
    keep(&store, &alice, record("b", 0, false, 0)).await;
    // A result is larger than what was known when the task began.
    assert_eq!(store.update(record("b", 0, true, 1_000)).await, Ok(true));
    assert_eq!(kept(&store, &["a", "b"]).await, "b", "the oldest made room");
    keep(&store, &alice, record("c", 0, false, 0)).await;
    let full = store.update(record("c", 0, true, 3_000)).await;
    assert!(matches!(full, Err(TaskStoreError::Full(_))));
    keep(&store, &bob, record("d", 0, false, 1_500)).await;
    let full = store.insert(&carol, record("e", 0, false, 2_000)).await;
    assert!(
        matches!(full, Err(TaskStoreError::Full(_))),
        "those of others stay"
    );
}

#[tokio::test]
async fn what_has_ended_in_memory_never_changes() {
    let store = InMemoryTaskStore::default();
    let alice = client("alice");
    assert_eq!(store.update(record("a", 0, false, 0)).await, Ok(false));
    keep(&store, &alice, record("a", 0, false, 0)).await;
    assert_eq!(store.update(record("a", 1, true, 1)).await, Ok(true));
    assert_eq!(store.update(record("a", 2, true, 2)).await, Ok(false));
    assert_eq!(store.get("a").await.unwrap().unwrap().at, 1);
}

/// Keeps tasks in memory, unless it is told to fail, or to hang.
struct Failing {
    memory: InMemoryTaskStore,
    fails: Arc<AtomicBool>,
    hangs: bool,
}

impl Failing {
    /// A server with such a store, and what has it fail.
    fn serving(hangs: bool) -> (World, Arc<AtomicBool>) {
        let fails = Arc::new(AtomicBool::new(false));
        let store = Self {
            memory: InMemoryTaskStore::default(),
            fails: Arc::clone(&fails),
            hangs,
        };
        (World::with(store, ServerLimits::default()), fails)
    }

    fn or<'a, T: Send + 'a>(
        &self,
        work: BoxFuture<'a, Result<T, TaskStoreError>>,
    ) -> BoxFuture<'a, Result<T, TaskStoreError>> {
        match (self.fails.load(Ordering::Relaxed), self.hangs) {
            (false, _) => work,
            (true, false) => Box::pin(async { Err(TaskStoreError::Failed("no disk".to_owned())) }),
            (true, true) => Box::pin(std::future::pending()),
        }
    }
}

impl TaskStore for Failing {
    fn insert<'a>(
        &'a self,
        client: &'a CallerKey,
        task: TaskRecord,
    ) -> BoxFuture<'a, Result<(), TaskStoreError>> {
        self.or(self.memory.insert(client, task))
    }

    fn update(&self, task: TaskRecord) -> BoxFuture<'_, Result<bool, TaskStoreError>> {
        self.or(self.memory.update(task))
    }

    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<TaskRecord>, TaskStoreError>> {
        self.or(self.memory.get(id))
    }

    fn list<'a>(
        &'a self,
        owner: &'a str,
        after: Option<&'a str>,
        most: usize,
    ) -> BoxFuture<'a, Result<Vec<TaskRecord>, TaskStoreError>> {
        self.or(self.memory.list(owner, after, most))
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_costs_no_more_than_the_task() {
    for (revision, hangs) in [(CORE, false), (EXTENSION, false), (EXTENSION, true)] {
        let (world, fails) = Failing::serving(hangs);
        fails.store(true, Ordering::Relaxed);
        let cx = RequestContext::default();
        // A call that need not be a task is answered without one.
        let answer = one_more(&world, &cx, revision, "slow").await;
        match revision {
            EXTENSION => assert_eq!(answer["result"]["content"][0]["text"], "10 seconds"),
            _ => assert_eq!(answer["error"]["code"], -32603),
        }
        let refused = one_more(&world, &cx, revision, "only").await;
        assert_eq!(refused["error"]["code"], -32603);
        let get = world.get(revision, "0123").await;
        assert_eq!(get["code"], -32603);
        // What runs is told as it is, and its end is written once the store is back.
        fails.store(false, Ordering::Relaxed);
        let id = id_in(&one_more(&world, &cx, revision, "slow").await);
        fails.store(true, Ordering::Relaxed);
        assert_eq!(world.get(revision, &id).await["status"], "working");
        pass(10).await;
        assert_eq!(world.get(revision, &id).await["status"], "completed");
        fails.store(false, Ordering::Relaxed);
        pass(10).await;
        assert_eq!(world.get(revision, &id).await["status"], "completed");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_does_not_wait_long_for_its_store() {
    let (world, fails) = Failing::serving(true);
    let serving = world.server.register_transport();
    world.begin(CORE, "slow", json!({"seconds": 900})).await;
    fails.store(true, Ordering::Relaxed);
    let before = Instant::now();
    assert_eq!(serving.shutdown().await, 1);
    assert!(before.elapsed() <= Duration::from_secs(5));
}

#[tokio::test(start_paused = true)]
async fn a_result_that_cannot_be_kept_fails_its_task() {
    let store = InMemoryTaskStore::default().with_bytes_per_client(4_000);
    let world = World::with(store, ServerLimits::default());
    let id = world.begin(EXTENSION, "large", json!({})).await;
    pass(61).await;
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["status"], "failed");
    let why = got["error"]["message"].as_str().unwrap();
    assert!(why.starts_with("The result cannot be stored"), "{why}");
    // The result of a tool is bounded like any other.
    let limits = ServerLimits::default().with_result_bytes((8 << 10) + 100);
    let world = World::with(InMemoryTaskStore::default(), limits);
    let id = world.begin(EXTENSION, "slow", json!({"seconds": 10})).await;
    pass(11).await;
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["result"]["isError"], true);
}
