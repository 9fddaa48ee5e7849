//! The failures this project exists to end, each by its name. Every one is looked for in everything the
//! server says: all methods, all tools, good and bad arguments, all revisions, both transports.

use mcp_protocol::Revision;
use qortal_testnode::Fault;
use qortal_tests::{Host, request};
use serde_json::{Value, json};
use test_chain::walk;

struct Said {
    revision: Revision,
    method: &'static str,
    answer: Value,
}

/// Everything worth asking, answered.
async fn everything() -> Vec<Said> {
    let host = Host::start().await;
    let mut asked: Vec<(&'static str, Value)> = vec![
        ("server/discover", json!({})),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("tools/list", json!({"cursor": "x"})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("resources/read", json!({"uri": "qortal://block/469"})),
        ("resources/read", json!({"uri": "file:///etc/passwd"})),
        ("prompts/get", json!({"name": "nothing"})),
        ("nothing", json!({})),
        ("tools/call", json!({})),
        ("tools/call", json!({"name": "nothing"})),
        (
            "tools/call",
            json!({"name": "get_balance", "arguments": []}),
        ),
    ];
    for entry in walk::entries() {
        let example: Value = serde_json::from_str(entry.example).unwrap();
        for arguments in [
            example,
            json!({}),
            json!({"nonsense": [1, null, {"a": "b"}]}),
        ] {
            asked.push((
                "tools/call",
                json!({"name": entry.name, "arguments": arguments}),
            ));
        }
    }
    // Last, since it settles anew what a stream is read as.
    asked.push((
        "initialize",
        json!({"protocolVersion": "1999-01-01", "capabilities": {}}),
    ));
    let mut said = Vec::new();
    for &revision in Revision::ALL {
        let mut stream = host.stdio(revision).await;
        for (method, params) in &asked {
            let over_http = host.http(revision, method, params.clone()).await.json();
            let over_stdio = stream.ask(method, params.clone()).await;
            said.extend([over_http, over_stdio].map(|answer| Said {
                revision,
                method,
                answer,
            }));
        }
        assert!(stream.finish().await.is_empty());
    }
    host.node.fault("/*", Fault::ResetBeforeResponse);
    for entry in walk::entries() {
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let params = json!({"name": entry.name, "arguments": arguments});
        for &revision in Revision::ALL {
            let answer = host
                .http(revision, "tools/call", params.clone())
                .await
                .json();
            said.push(Said {
                revision,
                method: "tools/call",
                answer,
            });
        }
    }
    host.stop().await;
    said
}

#[tokio::test]
async fn r025_r026_r040_r041_messages_that_broke_clients_are_never_sent() {
    let said = everything().await;
    assert!(
        said.len() > 500,
        "there is much to look at, not {}",
        said.len()
    );
    for it in &said {
        an_unknown_content_type(it);
        a_request_id_in_the_body(it);
        a_tool_error_without_is_error(it);
        a_flattened_server_info(it);
        a_bare_array_from_a_list(it);
        a_raw_value_as_result(it);
        an_echoed_unknown_version(it);
        an_array_in_structured_content(it);
        a_null_id(it);
        a_reserved_code(it);
    }
}

fn an_unknown_content_type(said: &Said) {
    let Some(content) = said.answer["result"].get("content") else {
        return;
    };
    let content = content.as_array().unwrap();
    // Links and pictures come beside a text, never instead of it.
    assert_eq!(content[0]["type"], "text", "{content:?}");
    for block in content {
        let says = match block["type"].as_str() {
            Some("text") => "text",
            Some("image") => "data",
            Some("resource_link") if said.revision.features().resource_links => "uri",
            _ => panic!("{block}"),
        };
        assert!(block[says].is_string(), "{block}");
    }
}

fn a_request_id_in_the_body(said: &Said) {
    let text = said.answer.to_string();
    assert!(
        !text.contains("requestId") && !text.contains("request_id"),
        "{text}"
    );
    let members: Vec<_> = said.answer.as_object().unwrap().keys().collect();
    let last = if said.answer.get("error").is_some() {
        "error"
    } else {
        "result"
    };
    assert_eq!(members, ["jsonrpc", "id", last]);
}

fn a_tool_error_without_is_error(said: &Said) {
    let result = &said.answer["result"];
    if said.method != "tools/call" || result.is_null() {
        return;
    }
    let is_error = result["isError"].as_bool().unwrap();
    let structure = result.get("structuredContent");
    assert!(
        !is_error || structure.is_none(),
        "a failure has no structure: {result}"
    );
    let text = result["content"][0]["text"].as_str().unwrap();
    let is_facts = serde_json::from_str::<Value>(text)
        .is_ok_and(|it| it.is_object() && it.get("error").is_none());
    assert_eq!(is_error, !is_facts, "{result}");
}

fn a_flattened_server_info(said: &Said) {
    let text = said.answer.to_string();
    for flattened in [
        "\"serverInfo.name\"",
        "\"serverInfo.version\"",
        "\"capabilities.tools\"",
    ] {
        assert!(!text.contains(flattened), "{text}");
    }
    if said.method == "initialize" && said.revision.has_handshake() {
        assert!(said.answer["result"]["serverInfo"]["name"].is_string());
    }
}

fn a_bare_array_from_a_list(said: &Said) {
    assert!(!said.answer["result"].is_array());
    if said.method == "tools/list" && said.answer.get("error").is_none() {
        assert!(said.answer["result"]["tools"].is_array());
    }
}

fn a_raw_value_as_result(said: &Said) {
    let Some(result) = said.answer.get("result") else {
        return;
    };
    assert!(result.is_object(), "{result}");
    if said.method == "tools/call" {
        assert!(result["content"].is_array(), "{result}");
    }
}

fn an_echoed_unknown_version(said: &Said) {
    if let Some(version) = said.answer["result"].get("protocolVersion") {
        assert_eq!(version, Revision::LATEST_HANDSHAKE.name());
    }
}

fn an_array_in_structured_content(said: &Said) {
    if let Some(structure) = said.answer["result"].get("structuredContent") {
        assert!(structure.is_object(), "{structure}");
        assert!(
            said.revision.features().titles,
            "this revision has no structured content"
        );
    }
}

fn a_null_id(said: &Said) {
    assert!(
        said.answer.get("id").is_none_or(|id| !id.is_null()),
        "{}",
        said.answer
    );
}

/// Without a handshake the specification leaves few codes of those that JSON-RPC reserves for servers
/// (2026-07-28 `basic/index`, "Error Codes").
fn a_reserved_code(said: &Said) {
    let Some(code) = said.answer["error"]["code"].as_i64() else {
        return;
    };
    let mut allowed = vec![-32700, -32600, -32601, -32602, -32603];
    match said.revision.has_handshake() {
        true => allowed.push(said.revision.features().resource_not_found),
        false => allowed.extend([-32020, -32021, -32022]),
    }
    assert!(allowed.contains(&code), "{}", said.answer);
}

#[tokio::test]
async fn r022_a_notification_is_never_answered() {
    let host = Host::start().await;
    for &revision in Revision::ALL {
        let mut stream = host.stdio(revision).await;
        for method in [
            "notifications/initialized",
            "notifications/cancelled",
            "tools/list",
            "nothing",
        ] {
            let mut notification = request(revision, method, json!({}));
            notification.as_object_mut().unwrap().remove("id");
            stream.say(&notification.to_string()).await;
            let answer = host
                .http_body(revision, notification.to_string().as_bytes())
                .await;
            assert_eq!((answer.status, answer.text.as_str()), (202, ""), "{method}");
        }
        assert!(stream.finish().await.is_empty());
    }
    host.stop().await;
}
