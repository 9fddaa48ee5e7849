//! How tasks end: cancelled, expired, stopped; and who may see them.

use std::sync::{Arc, Mutex, atomic::Ordering};

use mcp_protocol::Revision;
use mcp_server::{
    Extensions, InMemoryTaskStore, ListVariant, RequestContext, RequestEnd, RequestObserver,
    RequestOutcome, ServerLimits, TaskEnd,
};
use serde_json::json;

use super::{BOTH, CORE, EXTENSION, World, id_in, pass, settle, user};

#[tokio::test(start_paused = true)]
async fn r126_cancelling_drops_the_work() {
    for revision in BOTH {
        let world = World::new();
        let id = world
            .begin(revision, "slow", json!({"seconds": 1_000}))
            .await;
        settle().await;
        let asked = json!({"taskId": id});
        let said = world.ask(revision, "tasks/cancel", asked.clone()).await;
        let status = said["result"].get("status");
        assert_eq!(status.is_some(), revision == CORE);
        assert_eq!(world.get(revision, &id).await["status"], "cancelled");
        settle().await;
        assert_eq!(world.work.dropped.load(Ordering::Relaxed), 1);
        // What has ended stays so.
        pass(1_001).await;
        let again = world.ask(revision, "tasks/cancel", asked).await;
        match revision {
            CORE => assert_eq!(again["error"]["code"], -32602),
            _ => assert_eq!(again["result"], said["result"]),
        }
        assert_eq!(world.get(revision, &id).await["status"], "cancelled");
    }
    let world = World::new();
    let id = world.begin(CORE, "slow", json!({"seconds": 1_000})).await;
    let asked = json!({"taskId": id});
    let result = world.ask(CORE, "tasks/result", asked.clone());
    let cancel = async {
        settle().await;
        world.ask(CORE, "tasks/cancel", asked.clone()).await
    };
    let (result, _) = tokio::join!(result, cancel);
    assert_eq!(result["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn r128_a_task_is_there_until_it_expires() {
    for revision in BOTH {
        let world = World::new();
        let id = world.begin(revision, "slow", json!({"seconds": 60})).await;
        pass(3_590).await;
        assert_eq!(world.get(revision, &id).await["status"], "completed");
        pass(20).await;
        assert_eq!(world.get(revision, &id).await["code"], -32602);
    }
}

/// What is not done within its time is a failure of the tool, which can be fetched as long as any result.
#[tokio::test(start_paused = true)]
async fn a_task_has_a_deadline() {
    let world = World::new();
    let id = world
        .begin(EXTENSION, "slow", json!({"seconds": 100_000}))
        .await;
    pass(1_801).await;
    let got = world.get(EXTENSION, &id).await;
    let text = got["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("The call took longer than 1800 seconds"),
        "{text}"
    );
    // One that expires earlier is not worked on any longer.
    let call = json!({"name": "slow", "arguments": {"seconds": 1_000}, "task": {"ttl": 5_000}});
    let created = world.ask(CORE, "tools/call", call).await;
    pass(6).await;
    assert_eq!(world.work.dropped.load(Ordering::Relaxed), 2);
    assert_eq!(world.get(CORE, &id_in(&created)).await["code"], -32602);
}

/// The caller of `user`, who sees another part of the server.
fn in_scope(user: &str, key: &'static str) -> RequestContext {
    let mut extensions = Extensions::new();
    extensions.insert(mcp_server::AuthInfo::for_subject(user));
    extensions.insert(key);
    RequestContext::from_extensions(extensions)
}

#[tokio::test(start_paused = true)]
async fn r120_a_task_of_someone_else_is_unknown() {
    let world = World::built(ServerLimits::default(), |it| {
        it.tasks(InMemoryTaskStore::default()).list_variant(|it| {
            Ok(ListVariant::private(
                *it.get::<&'static str>().unwrap_or(&""),
            ))
        })
    });
    for (revision, other) in [(CORE, EXTENSION), (EXTENSION, CORE)] {
        let (alice, bob) = (in_scope("alice", "a"), in_scope("bob", "a"));
        let arguments = json!({"seconds": 1_000});
        let created = world.create_as(&alice, revision, "slow", arguments).await;
        let id = id_in(&created);
        let asked = json!({"taskId": id, "inputResponses": {}});
        let never = json!({"taskId": "never", "inputResponses": {}});
        let methods: &[&str] = match revision {
            CORE => &["tasks/get", "tasks/cancel", "tasks/result"],
            _ => &["tasks/get", "tasks/cancel", "tasks/update"],
        };
        for (who, cx) in [
            ("another user", &bob),
            ("no one", &user("")),
            ("another scope", &in_scope("alice", "b")),
            ("no token", &RequestContext::default()),
        ] {
            for method in methods {
                let refused = world.ask_as(cx, revision, method, asked.clone()).await;
                let unknown = world.ask_as(cx, revision, method, never.clone()).await;
                assert_eq!(refused, unknown, "{who} {method}");
                assert_eq!(refused["error"]["code"], -32602);
            }
        }
        let cx = in_scope("alice", "a");
        let elsewhere = world.ask_as(&cx, other, "tasks/get", asked.clone()).await;
        assert_eq!(elsewhere["error"]["code"], -32602);
        let own = world
            .ask_as(&cx, revision, "tasks/get", asked.clone())
            .await;
        assert_eq!(own["result"]["status"], "working");
        if revision == CORE {
            let listed = world.ask_as(&bob, CORE, "tasks/list", json!({})).await;
            assert_eq!(listed["result"]["tasks"], json!([]));
        }
        // The same once it has ended and is only in the store.
        world
            .ask_as(&cx, revision, "tasks/cancel", asked.clone())
            .await;
        settle().await;
        let refused = world.ask_as(&bob, revision, "tasks/get", asked).await;
        assert_eq!(refused["error"]["code"], -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn ids_cannot_be_guessed() {
    let world = World::new();
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(world.begin(CORE, "slow", json!({"seconds": 0})).await);
        settle().await;
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 50);
    let is_hex = |it: &String| it.len() == 32 && it.bytes().all(|it| it.is_ascii_hexdigit());
    assert!(ids.iter().all(is_hex));
    // No byte is the same in all: 128 bits are random.
    for at in 0..32 {
        let first = ids[0].as_bytes()[at];
        assert!(ids.iter().any(|it| it.as_bytes()[at] != first), "{at}");
    }
}

#[tokio::test(start_paused = true)]
async fn when_the_server_stops_its_tasks_have_failed() {
    for revision in BOTH {
        let world = World::new();
        let [first, second] = [
            world.server.register_transport(),
            world.server.register_transport(),
        ];
        let done = world.begin(revision, "slow", json!({"seconds": 10})).await;
        pass(11).await;
        let ids = [
            world
                .begin(revision, "slow", json!({"seconds": 1_000}))
                .await,
            world
                .begin(revision, "slow", json!({"seconds": 2_000}))
                .await,
        ];
        settle().await;
        // The other transport still serves it.
        assert_eq!(first.shutdown().await, 0);
        assert_eq!(world.work.dropped.load(Ordering::Relaxed), 0);
        assert_eq!(second.shutdown().await, 2);
        assert_eq!(world.work.dropped.load(Ordering::Relaxed), 2);
        for id in ids {
            let got = world.get(revision, &id).await;
            assert_eq!(got["status"], "failed");
            let why = got["statusMessage"].as_str().unwrap();
            assert!(why.starts_with("The server stopped"), "{why}");
        }
        assert_eq!(world.get(revision, &done).await["status"], "completed");
        // Who serves it next has tasks again.
        let third = world.server.register_transport();
        let id = world.begin(revision, "slow", json!({"seconds": 10})).await;
        drop(third);
        settle().await;
        assert_eq!(world.get(revision, &id).await["status"], "failed");
    }
}

/// The revision and the tool of a call, what came of it or its task, and after how many seconds.
type Call = (Revision, String, RequestOutcome, u64);

/// What observers are told.
#[derive(Default)]
struct Told(Mutex<Vec<Call>>);

impl RequestObserver for Told {
    fn on_response(&self, request: &RequestEnd<'_>) {
        if let Some(tool) = request.name {
            let seconds = request.duration.as_secs();
            let told = (request.revision, tool.to_owned(), request.outcome, seconds);
            self.0.lock().unwrap().push(told);
        }
    }

    fn on_task_end(&self, task: &TaskEnd<'_>) {
        let seconds = task.duration.as_secs();
        let told = (task.revision, task.tool.to_owned(), task.outcome, seconds);
        self.0.lock().unwrap().push(told);
    }
}

#[tokio::test(start_paused = true)]
async fn observers_are_told_how_a_task_ended() {
    use RequestOutcome::{Cancelled, Error, Result, Task, ToolError};

    for revision in BOTH {
        // A call is a task at once where its client asks for that, else after 5 seconds.
        let after = if revision == CORE { 0 } else { 5 };
        for (tool, arguments, outcome, seconds) in [
            ("slow", json!({"seconds": 60}), Result, 60),
            ("fail", json!({}), ToolError, 60),
            ("panic", json!({}), Error(-32603), 60),
            ("slow", json!({"seconds": 1_000}), Cancelled, after + 10),
        ] {
            let told = Arc::new(Told::default());
            let world = World::built(ServerLimits::default(), |it| {
                it.tasks(InMemoryTaskStore::default())
                    .observer(Arc::clone(&told))
            });
            let id = world.begin(revision, tool, arguments).await;
            settle().await;
            assert_eq!(told.0.lock().unwrap().len(), 1, "{tool}: not yet");
            if outcome == Cancelled {
                pass(10).await;
                let asked = json!({"taskId": id});
                world.ask(revision, "tasks/cancel", asked).await;
            }
            pass(61).await;
            let told = told.0.lock().unwrap().clone();
            let call = |outcome, seconds| (revision, tool.to_owned(), outcome, seconds);
            // How long an answer takes is not measured by the paused clock.
            assert_eq!(told, [call(Task, 0), call(outcome, seconds)]);
        }
    }
}
