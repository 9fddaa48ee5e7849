//! What 2026-07-28 has as an extension: the server decides, the client polls.

use mcp_protocol::lifecycle::CLIENT_CAPABILITIES;
use serde_json::json;

use super::{EXTENSION, World, id_in, pass, settle};

#[tokio::test(start_paused = true)]
async fn r119_r123_a_call_that_takes_long_becomes_a_task() {
    let world = World::new();
    // As long as no one minds to wait the answer comes at once.
    let call = json!({"name": "slow", "arguments": {"seconds": 4}});
    let answer = world.ask(EXTENSION, "tools/call", call).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    let call = json!({"name": "slow", "arguments": {"seconds": 60}});
    let created = world.ask(EXTENSION, "tools/call", call).await;
    assert_eq!(created["result"]["resultType"], "task");
    let id = id_in(&created);
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["status"], "working");
    // What it says of its progress is the message.
    assert_eq!(got["statusMessage"], "begun");
    pass(60).await;
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["status"], "completed");
    assert_eq!(got["result"]["content"][0]["text"], "60 seconds");
    assert_eq!(got["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn r121_a_client_that_does_not_declare_the_extension_waits() {
    let world = World::new();
    let meta = json!({CLIENT_CAPABILITIES: {"elicitation": {}}});
    let call = json!({"name": "slow", "arguments": {"seconds": 50}, "_meta": meta});
    let answer = world.ask(EXTENSION, "tools/call", call).await;
    assert_eq!(answer["result"]["content"][0]["text"], "50 seconds");
    // Nor does another one that declares it the way of 2025-11-25, or asks for a task.
    let meta = json!({CLIENT_CAPABILITIES: {"tasks": {"requests": {}}}});
    let call = json!({"name": "slow", "arguments": {"seconds": 50}, "task": {}, "_meta": meta});
    let answer = world.ask(EXTENSION, "tools/call", call).await;
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn r123_errors_of_the_protocol_fail_a_task_and_those_of_tools_do_not() {
    let world = World::new();
    for (tool, status, code) in [
        ("fail", "completed", None),
        ("panic", "failed", Some(-32603)),
        ("require", "failed", Some(-32021)),
    ] {
        let id = world.begin(EXTENSION, tool, json!({})).await;
        pass(61).await;
        let got = world.get(EXTENSION, &id).await;
        assert_eq!(got["status"], status, "{tool}");
        assert_eq!(got["error"]["code"].as_i64(), code, "{tool}");
        assert_eq!(got["result"]["isError"] == json!(true), code.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn r124_a_task_asks_and_takes_answers_in_its_own_time() {
    let world = World::new();
    let id = world.begin(EXTENSION, "ask", json!({})).await;
    settle().await;
    let update = |answers| json!({"taskId": id, "inputResponses": answers});
    let answer = |name: &str| json!({"action": "accept", "content": {"name": name}});
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["status"], "input_required");
    assert_eq!(got["inputRequests"]["name"]["method"], "elicitation/create");
    // What was never asked is ignored; what is no answer is refused, and still asked.
    let said = world
        .ask(EXTENSION, "tasks/update", update(json!({"else": 1})))
        .await;
    assert_eq!(said["result"]["resultType"], "complete");
    let wrong = json!({"name": {"action": "accept", "content": {}}});
    let said = world.ask(EXTENSION, "tasks/update", update(wrong)).await;
    assert_eq!(said["error"]["code"], -32602);
    assert_eq!(world.get(EXTENSION, &id).await["status"], "input_required");
    let said = world
        .ask(
            EXTENSION,
            "tasks/update",
            update(json!({"name": answer("a")})),
        )
        .await;
    assert!(said["result"].get("taskId").is_none());
    settle().await;
    // The second question of the same name has a key of its own.
    let got = world.get(EXTENSION, &id).await;
    let keys: Vec<_> = got["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["name-2"]);
    world
        .ask(
            EXTENSION,
            "tasks/update",
            update(json!({"name": answer("x")})),
        )
        .await;
    assert_eq!(world.get(EXTENSION, &id).await["status"], "input_required");
    world
        .ask(
            EXTENSION,
            "tasks/update",
            update(json!({"name-2": answer("b")})),
        )
        .await;
    settle().await;
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["result"]["content"][0]["text"], r#"true: "a""b""#);
    // A client may not know yet that it has ended.
    let late = world
        .ask(EXTENSION, "tasks/update", update(json!({})))
        .await;
    assert_eq!(late["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn r124_two_questions_are_answered_one_after_the_other() {
    let world = World::new();
    let id = world.begin(EXTENSION, "ask_both", json!({})).await;
    settle().await;
    let mut open = vec!["a", "b"];
    while let Some(name) = open.pop() {
        let answer = json!({"action": "accept", "content": {name: name}});
        let update = json!({"taskId": id, "inputResponses": {name: answer}});
        world.ask(EXTENSION, "tasks/update", update).await;
        let got = world.get(EXTENSION, &id).await;
        let asked = got["inputRequests"].as_object();
        let asked = asked.map_or_else(Vec::new, |it| it.keys().collect());
        assert_eq!(asked, open);
        settle().await;
    }
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["result"]["content"][0]["text"], r#""a""b""#);
}

#[tokio::test(start_paused = true)]
async fn a_task_that_nobody_answers_ends() {
    let world = World::new();
    let id = world.begin(EXTENSION, "ask", json!({})).await;
    pass(301).await;
    let got = world.get(EXTENSION, &id).await;
    assert_eq!(got["result"]["isError"], true);
}

#[tokio::test(start_paused = true)]
async fn what_is_asked_before_a_task_begins_is_asked_by_the_call() {
    let world = World::new();
    let call = json!({"name": "ask_first", "arguments": {}});
    let asked = world.ask(EXTENSION, "tools/call", call.clone()).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    let mut call = call;
    call["inputResponses"] = json!({"name": {"action": "accept", "content": {"name": "Ada"}}});
    let created = world.ask(EXTENSION, "tools/call", call).await;
    assert_eq!(created["result"]["resultType"], "task");
    assert!(created["result"].get("requestState").is_none());
    pass(60).await;
    let got = world.get(EXTENSION, &id_in(&created)).await;
    assert_eq!(got["result"]["content"][0]["text"], "\"Ada\"");
}

#[tokio::test(start_paused = true)]
async fn r129_who_listens_to_a_task_is_told_of_its_changes() {
    use mcp_server::{RequestContext, transport::ClientChannel};
    use tokio_util::sync::CancellationToken;
    let world = World::new();
    let id = world.begin(EXTENSION, "slow", json!({"seconds": 60})).await;
    let stopping = CancellationToken::new();
    let (channel, mut outgoing) = ClientChannel::new(stopping.clone());
    let cx = RequestContext::default().with_channel(std::sync::Arc::new(channel));
    let wanted = json!({"notifications": {"taskIds": [id, "no-such-task"]}});
    let listen = world.ask_as(&cx, EXTENSION, "subscriptions/listen", wanted.clone());
    let heard = async {
        let acknowledged = crate::said(outgoing.recv().await.unwrap());
        assert_eq!(
            acknowledged["params"]["notifications"],
            json!({"taskIds": [id]})
        );
        let told = crate::said(outgoing.recv().await.unwrap());
        stopping.cancel();
        told
    };
    let (_, told) = tokio::join!(listen, heard);
    assert_eq!(told["method"], "notifications/tasks");
    let params = &told["params"];
    assert_eq!(params["_meta"]["io.modelcontextprotocol/subscriptionId"], 1);
    assert_eq!(
        (&params["taskId"], &params["status"]),
        (&json!(id), &json!("completed"))
    );
    assert_eq!(params["result"]["content"][0]["text"], "60 seconds");
    // Who does not know tasks cannot listen to them.
    let mut undeclared = wanted;
    undeclared["_meta"] = json!({CLIENT_CAPABILITIES: {}});
    let (channel, _outgoing) = ClientChannel::new(CancellationToken::new());
    let cx = RequestContext::default().with_channel(std::sync::Arc::new(channel));
    let refused = world
        .ask_as(&cx, EXTENSION, "subscriptions/listen", undeclared)
        .await;
    assert_eq!(refused["error"]["code"], -32021);
}
