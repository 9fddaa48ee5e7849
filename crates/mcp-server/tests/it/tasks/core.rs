//! What 2025-11-25 has: the client asks for a task, and fetches its result.

use std::{sync::Arc, time::Duration};

use mcp_server::{
    ChangeNotifier, InMemoryTaskStore, ListKinds, RequestContext, ServerLimits, transport::Session,
};
use serde_json::{Value, json};
use tokio::{sync::mpsc::Receiver, time::sleep};

use super::{CORE, World, id_in, settle, user};
use crate::{said, session};

const RELATED: &str = "io.modelcontextprotocol/related-task";

#[tokio::test(start_paused = true)]
async fn r125_the_result_is_waited_for_and_is_what_the_call_would_have_said() {
    let world = World::new();
    for (tool, status, is_error) in [("slow", "completed", false), ("fail", "failed", true)] {
        let arguments = if is_error {
            json!({})
        } else {
            json!({"seconds": 60})
        };
        let id = world.begin(CORE, tool, arguments).await;
        assert_eq!(world.get(CORE, &id).await["status"], "working");
        let before = tokio::time::Instant::now();
        let answer = world.ask(CORE, "tasks/result", json!({"taskId": id})).await;
        assert!(before.elapsed() >= Duration::from_secs(60));
        assert_eq!(answer["result"]["isError"], is_error);
        assert_eq!(answer["result"]["_meta"][RELATED], json!({"taskId": id}));
        assert_eq!(world.get(CORE, &id).await["status"], status);
        assert!(world.get(CORE, &id).await.get("result").is_none());
    }
    let id = world.begin(CORE, "panic", json!({})).await;
    let answer = world.ask(CORE, "tasks/result", json!({"taskId": id})).await;
    assert_eq!(
        answer["error"],
        json!({"code": -32603, "message": "Internal error"})
    );
    assert_eq!(
        world.get(CORE, &id).await["statusMessage"],
        "Internal error"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_task_is_answered_when_it_has_ended() {
    let world = World::new();
    let call = json!({"name": "slow", "arguments": {"seconds": 50}});
    let answer = world.ask(CORE, "tools/call", call).await;
    assert_eq!(answer["result"]["content"][0]["text"], "50 seconds");
    // And one that ends at once is a task all the same, if its client asks for one.
    let id = world.begin(CORE, "slow", json!({"seconds": 0})).await;
    let answer = world.ask(CORE, "tasks/result", json!({"taskId": id})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "0 seconds");
}

#[tokio::test(start_paused = true)]
async fn r128_the_client_may_ask_for_a_shorter_life() {
    let world = World::new();
    for (asked, lives) in [
        (json!({"ttl": 60_000}), 60_000),
        (json!({"ttl": 999_999_999_999_u64}), 3_600_000),
        (json!({}), 3_600_000),
    ] {
        let call = json!({"name": "slow", "arguments": {"seconds": 0}, "task": asked});
        let created = world.ask(CORE, "tools/call", call).await;
        assert_eq!(created["result"]["task"]["ttl"], lives);
    }
}

/// Answers what the session is asked.
async fn answer(
    outgoing: &mut Receiver<mcp_server::transport::ChannelEvent>,
    session: &Session,
) -> Value {
    let question = said(outgoing.recv().await.unwrap());
    let id = mcp_protocol::RequestId::read(&question["id"]);
    session.receive_response(mcp_protocol::jsonrpc::Response {
        id,
        outcome: Ok(json!({"action": "accept", "content": {"name": "Ada"}})),
    });
    question
}

#[tokio::test(start_paused = true)]
async fn r125_what_a_task_asks_is_asked_while_its_result_is_waited_for() {
    let world = World::new();
    let (cx, mut outgoing, session) = session(CORE);
    let created = world.create_as(&cx, CORE, "ask", json!({})).await;
    let id = id_in(&created);
    settle().await;
    let asked = json!({"taskId": id});
    let got = world.ask(CORE, "tasks/get", asked.clone()).await;
    assert_eq!(got["result"]["status"], "input_required");
    assert!(outgoing.try_recv().is_err());
    let result = world.ask_as(&cx, CORE, "tasks/result", asked);
    let answers = async {
        let first = answer(&mut outgoing, &session).await;
        let second = answer(&mut outgoing, &session).await;
        [first, second]
    };
    let (result, questions) = tokio::join!(result, answers);
    assert_eq!(
        result["result"]["content"][0]["text"],
        r#"true: "Ada""Ada""#
    );
    for question in questions {
        assert_eq!(question["method"], "elicitation/create");
        assert_eq!(question["params"]["_meta"][RELATED], json!({"taskId": id}));
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_was_not_answered_is_asked_by_who_waits_next() {
    let world = World::new();
    let (cx, mut outgoing, session) = session(CORE);
    let created = world.create_as(&cx, CORE, "ask", json!({})).await;
    let asked = json!({"taskId": id_in(&created)});
    {
        let mut result = std::pin::pin!(world.ask_as(&cx, CORE, "tasks/result", asked.clone()));
        tokio::select! {
            _ = &mut result => panic!("nothing was answered"),
            _ = outgoing.recv() => (),
        }
        // For as long as it takes it is asked once.
        tokio::select! {
            _ = &mut result => panic!("nothing was answered"),
            _ = outgoing.recv() => panic!("it is asked twice"),
            () = sleep(Duration::from_secs(20)) => (),
        }
    }
    let result = world.ask_as(&cx, CORE, "tasks/result", asked);
    let answers = async {
        answer(&mut outgoing, &session).await;
        answer(&mut outgoing, &session).await;
    };
    let (result, ()) = tokio::join!(result, answers);
    assert_eq!(result["result"]["isError"], false);
}

#[tokio::test(start_paused = true)]
async fn r127_a_caller_who_is_known_lists_its_tasks() {
    let world = World::new();
    let (alice, bob) = (user("alice"), user("bob"));
    let mut ids = Vec::new();
    for n in 0..60 {
        let created = world
            .create_as(&alice, CORE, "slow", json!({"seconds": n % 2}))
            .await;
        ids.push(id_in(&created));
        sleep(Duration::from_secs(2)).await;
        // A page that is exactly full is the last one.
        if ids.len() == 50 {
            let page = world.ask_as(&alice, CORE, "tasks/list", json!({})).await;
            assert!(page["result"].get("nextCursor").is_none(), "{page}");
        }
    }
    world
        .create_as(&bob, CORE, "slow", json!({"seconds": 0}))
        .await;
    let page = world.ask_as(&alice, CORE, "tasks/list", json!({})).await;
    let of = |page: &Value| -> Vec<String> {
        let listed = page["result"]["tasks"].as_array().unwrap();
        let ids = listed
            .iter()
            .map(|it| it["taskId"].as_str().unwrap().to_owned());
        ids.collect()
    };
    let mut listed = of(&page);
    assert_eq!(listed.len(), 50);
    let cursor = page["result"]["nextCursor"].clone();
    let next = json!({"cursor": cursor});
    let page = world.ask_as(&alice, CORE, "tasks/list", next.clone()).await;
    listed.extend(of(&page));
    assert_eq!(listed, ids);
    assert!(page["result"].get("nextCursor").is_none());
    // Its cursor is nothing to anyone else, nor is one that it made up.
    for (cx, cursor) in [(&bob, next), (&alice, json!({"cursor": "x"}))] {
        let refused = world.ask_as(cx, CORE, "tasks/list", cursor).await;
        assert_eq!(refused["error"]["code"], -32602);
    }
    for (cx, expect) in [
        (
            &alice,
            json!({"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}),
        ),
        (
            &RequestContext::default(),
            json!({"cancel": {}, "requests": {"tools": {"call": {}}}}),
        ),
    ] {
        let said = world.ask_as(cx, CORE, "initialize", json!({})).await;
        assert_eq!(said["result"]["capabilities"]["tasks"], expect);
    }
    let unknown = world.ask(CORE, "tasks/list", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601);
}

#[tokio::test(start_paused = true)]
async fn a_session_is_notified_of_its_tasks() {
    let changes = ChangeNotifier::new();
    let world = World::built(ServerLimits::default(), |it| {
        it.tasks(InMemoryTaskStore::default())
            .list_changed(&changes, ListKinds::ALL)
    });
    for world in [World::new(), world] {
        let (cx, _outgoing, own) = session(CORE);
        let (_, _, other) = session(CORE);
        let mut heard = world.server.notification_stream(&own).unwrap();
        let mut overheard = world.server.notification_stream(&other).unwrap();
        let created = world
            .create_as(&cx, CORE, "slow", json!({"seconds": 60}))
            .await;
        let told = heard.next().await.unwrap();
        let told: Value = serde_json::from_slice(&told).unwrap();
        assert_eq!(told["method"], "notifications/tasks/status");
        assert_eq!(told["params"]["taskId"], id_in(&created));
        assert_eq!(told["params"]["status"], "completed");
        assert!(told["params"].get("_meta").is_none());
        tokio::select! {
            biased;
            _ = overheard.next() => panic!("it is not its task"),
            () = sleep(Duration::from_secs(1)) => (),
        }
    }
    _ = Arc::new(changes);
}
