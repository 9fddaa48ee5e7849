//! Forms, URLs and models: a client is asked only in the ways that it declared, at the revisions that have them.

use mcp_protocol::{CallToolResult, Object, Revision, ServerInfo, ServerRequest, jsonrpc};
use mcp_server::{ChangeNotifier, Server, ToolRouter};
use serde_json::{Value, json};

use crate::{ask, ask_over, handshake, said, session_of, tool};

const URL: &str = "https://example.org/connect?id=1";

fn url(id: &str) -> ServerRequest {
    ServerRequest::elicit_url("Please connect.", URL, id).unwrap()
}

fn form() -> ServerRequest {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    });
    ServerRequest::elicit("Your name?", schema)
}

fn model(member: &str) -> ServerRequest {
    match ServerRequest::sample("Hm?", 5) {
        ServerRequest::Sample(mut params) => {
            params.insert(member.to_owned(), json!([]));
            ServerRequest::Sample(params)
        }
        other => other,
    }
}

fn server(notifier: &ChangeNotifier) -> Server {
    let asking = |tools: ToolRouter, name: &str, question: fn() -> ServerRequest| {
        tools.raw_tool_with_context(tool(name), move |_, cx| {
            Box::pin(async move {
                let answer = cx.ask("q", question()).await?;
                Ok(CallToolResult::text(Value::from(answer).to_string()))
            })
        })
    };
    let tools = ToolRouter::new().raw_tool_with_context(tool("require"), |_, cx| {
        Box::pin(async { Err(cx.url_elicitation_required("q", url("the id"))) })
    });
    let tools = tools.raw_tool_with_context(tool("require-a-form"), |_, cx| {
        Box::pin(async { Err(cx.url_elicitation_required("q", form())) })
    });
    let tools = asking(tools, "form", form);
    let tools = asking(tools, "url", || url("the id"));
    let tools = asking(tools, "model", || ServerRequest::sample("Hm?", 5));
    let tools = asking(tools, "tools", || model("tools"));
    let tools = asking(tools, "choice", || model("toolChoice"));
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .url_elicitation_notifier(notifier)
        .build()
        .unwrap()
}

/// The params of the question that a client with these capabilities is asked; `None` if it is not.
async fn question(
    server: &Server,
    revision: Revision,
    capabilities: &Value,
    tool: &str,
) -> Option<Value> {
    let params = json!({
        "name": tool,
        "_meta": {"io.modelcontextprotocol/clientCapabilities": capabilities},
    });
    if !revision.has_handshake() {
        let answer = ask(server, revision, "tools/call", params).await;
        return answer["result"]["inputRequests"].get("q").cloned();
    }
    let (cx, mut outgoing, session) = session_of(revision, capabilities);
    let asked = async {
        let asked = outgoing.recv().await.map(said)?;
        let id = jsonrpc::RequestId::read(&asked["id"]);
        let outcome = Ok(json!({}));
        session.receive_response(jsonrpc::Response { id, outcome });
        Some(json!({"method": asked["method"], "params": asked["params"]}))
    };
    tokio::select! {
        biased;
        asked = asked => asked,
        _ = ask_over(server, revision, "tools/call", params, &cx) => None,
    }
}

#[tokio::test]
async fn r095_r096_r101_a_client_is_asked_only_in_the_ways_it_declared() {
    let server = server(&ChangeNotifier::new());
    for (declared, kinds) in [
        (json!({}), &[][..]),
        (json!({"elicitation": {}}), &["form"]),
        (json!({"elicitation": {"form": {}}}), &["form"]),
        (json!({"elicitation": {"url": {}}}), &["url"]),
        (
            json!({"elicitation": {"form": {}, "url": {}}}),
            &["form", "url"],
        ),
        (json!({"elicitation": {"later": {}}}), &["form"]),
        (json!({"elicitation": {"url": true}}), &["form"]),
        (json!({"elicitation": true}), &[]),
        (json!({"sampling": {}}), &["model"]),
        (json!({"sampling": {"context": {}}}), &["model"]),
        (
            json!({"sampling": {"tools": {}}}),
            &["model", "tools", "choice"],
        ),
        (json!({"sampling": {"tools": null}}), &["model"]),
        (json!({"roots": {}}), &[]),
    ] {
        for &revision in Revision::ALL {
            let rules = revision.features();
            for kind in ["form", "url", "model", "tools", "choice"] {
                let exists = match kind {
                    "form" => rules.elicitation,
                    "url" => rules.url_elicitation,
                    "model" => true,
                    _ => rules.sampling_tool_results,
                };
                let asked = question(&server, revision, &declared, kind).await;
                let expect = exists && kinds.contains(&kind);
                let shown = format!("{kind} of {declared} at {}", revision.name());
                assert_eq!(asked.is_some(), expect, "{shown}");
            }
        }
    }
}

#[tokio::test]
async fn r105_a_url_is_asked_with_what_its_revision_has() {
    let server = server(&ChangeNotifier::new());
    let declared = json!({"elicitation": {"url": {}}});
    for &revision in Revision::ALL {
        let asked = question(&server, revision, &declared, "url").await;
        let mut params = json!({"mode": "url", "message": "Please connect.", "url": URL});
        if revision.features().elicitation_ids {
            params["elicitationId"] = "the id".into();
        }
        let expect = json!({"method": "elicitation/create", "params": params});
        let exists = revision.features().url_elicitation;
        assert_eq!(asked, exists.then_some(expect), "{}", revision.name());
    }
}

#[test]
fn r105_only_a_valid_url_can_be_opened() {
    for (url, is_valid) in [
        ("https://example.org", true),
        ("http://127.0.0.1:8000/a?b=c#d", true),
        ("https://", false),
        ("https:///path", false),
        ("https://?x", false),
        ("example.org", false),
        ("javascript:alert(1)", false),
        ("https://example.org/a b", false),
        ("https://example.org/\u{e4}", false),
        ("", false),
    ] {
        let request = ServerRequest::elicit_url("?", url, "1");
        assert_eq!(request.is_some(), is_valid, "{url}");
    }
}

#[tokio::test]
async fn r105_r107_a_required_url_is_an_error_where_there_is_one_and_a_question_elsewhere() {
    let server = server(&ChangeNotifier::new());
    let declared = json!({"elicitation": {"url": {}}});
    for &revision in Revision::ALL {
        let (cx, mut outgoing, _) = session_of(revision, &declared);
        let answers = json!({"q": {"action": "accept"}});
        let params = json!({
            "name": "require",
            // That the user has agreed does not mean that the user is done.
            "inputResponses": answers,
            "_meta": {"io.modelcontextprotocol/clientCapabilities": declared},
        });
        let answer = ask_over(&server, revision, "tools/call", params, &cx).await;
        assert!(outgoing.try_recv().is_err());
        let rules = revision.features();
        if rules.elicitation_ids {
            assert_eq!(answer["error"]["code"], -32042);
            let elicitations = &answer["error"]["data"]["elicitations"];
            let expect = json!([{
                "mode": "url",
                "message": "Please connect.",
                "url": URL,
                "elicitationId": "the id",
            }]);
            assert_eq!(elicitations, &expect);
        } else if rules.url_elicitation {
            assert_eq!(answer["result"]["inputRequests"]["q"]["params"]["url"], URL);
        } else {
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("does not support elicitation.url"), "{text}");
        }
    }
    // A client that did not declare it is told so, and so is a tool that requires something else.
    let revision = Revision::V2025_11_25;
    for (declared, tool, why) in [
        (json!({}), "require", "does not support elicitation.url"),
        (declared, "require-a-form", "does not match the request"),
    ] {
        let (cx, _outgoing, _) = session_of(revision, &declared);
        let answer = ask_over(&server, revision, "tools/call", json!({"name": tool}), &cx).await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(why), "{text}");
    }
}

#[tokio::test]
async fn r106_only_the_client_that_was_asked_is_notified_that_its_user_is_done() {
    let notifier = ChangeNotifier::new();
    let server = server(&notifier);
    let revision = Revision::V2025_11_25;
    let declared = json!({"elicitation": {"url": {}}});
    let (cx, _outgoing, asked) = session_of(revision, &declared);
    let (_, _outgoing, other) = session_of(revision, &declared);
    let answer = ask_over(
        &server,
        revision,
        "tools/call",
        json!({"name": "require"}),
        &cx,
    )
    .await;
    assert_eq!(answer["error"]["code"], -32042);
    let mut its = server.notification_stream(&asked).unwrap();
    let mut others = server.notification_stream(&other).unwrap();
    // Once for each time that it was asked; what it was not asked is not its business.
    for id in ["another id", "the id", "the id"] {
        notifier.elicitation_completed(id);
    }
    drop((server, notifier));
    let notification: Value = serde_json::from_slice(&its.next().await.unwrap()).unwrap();
    let expect = json!({
        "jsonrpc": "2.0",
        "method": "notifications/elicitation/complete",
        "params": {"elicitationId": "the id"},
    });
    assert_eq!(notification, expect);
    assert_eq!(its.next().await, None);
    assert_eq!(others.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn r097_r102_an_accepted_form_has_the_fields_that_were_asked_for() {
    let server = server(&ChangeNotifier::new());
    let declared = json!({"elicitation": {}});
    for (result, is_answer) in [
        (
            json!({"action": "accept", "content": {"name": "Ada"}}),
            true,
        ),
        (
            json!({"action": "accept", "content": {"name": "Ada", "more": 1}}),
            true,
        ),
        (json!({"action": "decline"}), true),
        (json!({"action": "cancel", "content": null}), true),
        (json!({"action": "accept"}), false),
        (json!({"action": "accept", "content": {}}), false),
        (json!({"action": "accept", "content": {"name": 7}}), false),
        (
            json!({"action": "accept", "content": {"nope": [1, 2]}}),
            false,
        ),
        (
            json!({"action": "agree", "content": {"name": "Ada"}}),
            false,
        ),
    ] {
        for revision in handshake().filter(|it| it.features().elicitation) {
            let (cx, mut outgoing, session) = session_of(revision, &declared);
            let call = json!({"name": "form"});
            let called = ask_over(&server, revision, "tools/call", call, &cx);
            let answered = async {
                let asked = said(outgoing.recv().await.unwrap());
                let id = jsonrpc::RequestId::read(&asked["id"]);
                let outcome = Ok(result.clone());
                session.receive_response(jsonrpc::Response { id, outcome });
            };
            let (called, ()) = tokio::join!(called, answered);
            let is_error = called["result"]["isError"] == true;
            assert_eq!(is_error, !is_answer, "{result}: {called}");
        }
        let mut params = Object::new();
        params.insert("name".to_owned(), "form".into());
        params.insert(
            "inputResponses".to_owned(),
            json!({"q": result, "unknown": 1}),
        );
        let called = ask(&server, Revision::V2026_07_28, "tools/call", params.into()).await;
        let again = called["result"]["resultType"] == "input_required";
        assert_eq!(again, !is_answer, "{result}: {called}");
    }
}
