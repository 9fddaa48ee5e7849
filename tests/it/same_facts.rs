//! the same request returns the same facts in all five revisions on both transports.

use mcp_protocol::Revision;
use qortal_tests::Host;
use serde_json::{Value, json};
use test_chain::walk;

/// What changes between two calls of any kind.
const CLOCKS: [&str; 6] = [
    "clockSkew",
    "currentTimestamp",
    "currentTimestampIso",
    "lastBlockAge",
    "uptime",
    "uptimeText",
];

/// The members that later revisions add; everything else is the same in all of them.
const ADDED: [&str; 8] = [
    "_meta",
    "annotations",
    "cacheScope",
    "outputSchema",
    "resultType",
    "structuredContent",
    "title",
    "ttlMs",
];

/// What an answer is about.
enum About {
    /// A result with this member.
    Result(&'static str),
    /// The result of a tool that failed.
    Failure,
    /// An error with the code of the newest revision.
    Error(i64),
}

use About::{Error, Failure, Result};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

fn requests() -> Vec<(&'static str, Value, About)> {
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    let complete = |reference: Value, name: &str, value: &str| json!({"ref": reference, "argument": {"name": name, "value": value}});
    let prompt = json!({"type": "ref/prompt", "name": "audit_account"});
    let template = json!({"type": "ref/resource", "uri": "qortal://price/{blockchain}"});
    let trade = json!({"at_address": "Aes2JuboJupax6uybgMa2was61y7MRiDJS"});
    vec![
        (
            "tools/call",
            call("get_balance", json!({"address": ALICE})),
            Result("content"),
        ),
        (
            "tools/call",
            call("get_balance", json!({"address": "Qnonsense"})),
            Failure,
        ),
        (
            "tools/call",
            call("get_balance", json!({"address": ALICE, "more": 1})),
            Failure,
        ),
        (
            "tools/call",
            call("get_block_by_height", json!({"height": 469})),
            Failure,
        ),
        ("tools/call", call("no_such_tool", json!({})), Error(-32602)),
        ("tools/call", json!({}), Error(-32602)),
        ("tools/call", call("get_balance", json!([])), Error(-32602)),
        ("tools/list", json!({}), Result("tools")),
        ("tools/list", json!({"cursor": "x"}), Error(-32602)),
        ("resources/list", json!({}), Result("resources")),
        (
            "resources/templates/list",
            json!({}),
            Result("resourceTemplates"),
        ),
        ("prompts/list", json!({}), Result("prompts")),
        (
            "resources/read",
            json!({"uri": "qortal://block/200"}),
            Result("contents"),
        ),
        (
            "resources/read",
            json!({"uri": "qortal://block/469"}),
            Error(-32602),
        ),
        (
            "prompts/get",
            call("explain_trade", trade),
            Result("messages"),
        ),
        ("prompts/get", json!({"name": "none"}), Error(-32602)),
        (
            "completion/complete",
            complete(prompt, "address", "al"),
            Result("completion"),
        ),
        (
            "completion/complete",
            complete(template, "blockchain", "ltc"),
            Result("completion"),
        ),
        ("no/such/method", json!({}), Error(-32601)),
    ]
}

/// The answer is of the kind that was to be expected.
fn check_kind(revision: Revision, answer: &Value, about: &About) {
    let result = &answer["result"];
    let kept = match about {
        Result(member) => {
            result.get(member).is_some() && (*member != "content" || result["isError"] == false)
        }
        Failure => result["isError"] == true && result.get("structuredContent").is_none(),
        Error(code) => match answer["error"]["code"].as_i64() {
            // An unknown resource has its own code after a handshake.
            Some(own) if own == revision.features().resource_not_found => *code == -32602,
            own => own == Some(*code),
        },
    };
    assert!(kept, "{} {answer}", revision.name());
}

/// Checks that `newer` has everything that `older` has, and besides only what later revisions added.
fn check_facts(older: &Value, newer: &Value, place: &str) {
    match (older, newer) {
        (Value::Object(older), Value::Object(newer)) => {
            for (name, value) in older {
                let place = format!("{place}/{name}");
                let value_now = newer.get(name);
                let value_now = value_now.unwrap_or_else(|| panic!("{place} is missing"));
                // The one number that a later revision changed.
                if place != "/error/code" || *value != json!(-32002) {
                    check_facts(value, value_now, &place);
                }
            }
            let added = newer.keys().filter(|it| !older.contains_key(*it));
            let odd: Vec<_> = added.filter(|it| !ADDED.contains(&it.as_str())).collect();
            assert!(odd.is_empty(), "{place} has more: {odd:?}");
        }
        (Value::Array(older), Value::Array(newer)) => {
            assert_eq!(older.len(), newer.len(), "{place}");
            for (n, (older, newer)) in older.iter().zip(newer).enumerate() {
                check_facts(older, newer, &format!("{place}/{n}"));
            }
        }
        _ => assert_eq!(older, newer, "{place}"),
    }
}

#[tokio::test]
async fn r091_every_request_gets_the_same_answer_everywhere() {
    let host = Host::start().await;
    let mut clients = Vec::new();
    for &revision in Revision::ALL {
        clients.push(host.clients(revision).await);
    }
    for (method, params, about) in requests() {
        let mut older: Option<Value> = None;
        for (revision, clients) in Revision::ALL.iter().copied().zip(&mut clients) {
            let [over_http, on_stdio] = clients.ask(method, params.clone()).await;
            assert_eq!(over_http, on_stdio, "{method} at {}", revision.name());
            check_kind(revision, &over_http, &about);
            if let Some(older) = &older {
                check_facts(older, &over_http, "");
            }
            older = Some(over_http);
        }
    }
    for clients in clients {
        clients.finish().await;
    }
    host.stop().await;
}

fn facts(answer: &Value) -> Value {
    let result = &answer["result"];
    assert_eq!(result["isError"], false, "{answer}");
    let text = result["content"][0]["text"].as_str().unwrap();
    let mut facts: Value = serde_json::from_str(text).unwrap();
    if let Some(structured) = result.get("structuredContent") {
        assert_eq!(structured, &facts, "text and structure differ");
    }
    let object = facts.as_object_mut().unwrap();
    object.retain(|key, _| !CLOCKS.contains(&key.as_str()));
    facts
}

#[tokio::test]
async fn r043_r091_every_tool_returns_the_same_everywhere() {
    let host = Host::start().await;
    let mut clients = Vec::new();
    for &revision in Revision::ALL {
        clients.push(host.clients(revision).await);
    }
    for entry in walk::entries() {
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let params = json!({"name": entry.name, "arguments": arguments});
        let mut said = Vec::new();
        for clients in &mut clients {
            let answers = clients.ask("tools/call", params.clone()).await;
            said.extend(answers.iter().map(facts));
        }
        assert!(
            said.iter().all(|it| *it == said[0]),
            "{}: {said:#?}",
            entry.name
        );
    }
    for clients in clients {
        clients.finish().await;
    }
    host.stop().await;
}
