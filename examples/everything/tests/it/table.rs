//! One table of requests, run at every revision on both transports: the same facts, in the shape and with
//! the codes of each revision.

use mcp_protocol::{Revision, TaskForm};
use serde_json::{Value, json};

use crate::client::{Client, Transport};

/// A request, and what has to come back at a revision.
struct Row {
    name: &'static str,
    method: &'static str,
    params: fn() -> Value,
    expect: fn(Revision) -> Expect,
}

/// What has to come back.
enum Expect {
    /// An error with this code.
    Error(i64),
    /// A result that holds these values at these places; null is absence.
    Result(Vec<(&'static str, Value)>),
}

use Expect::{Error, Result};

fn result(places: &[(&'static str, Value)]) -> Expect {
    Result(places.to_vec())
}

/// -32601 where there is no handshake.
fn handshake(revision: Revision, expect: Expect) -> Expect {
    match revision.has_handshake() {
        true => expect,
        false => Error(-32601),
    }
}

fn is_before(revision: Revision, other: Revision) -> bool {
    revision.index() < other.index()
}

/// What the server supports, in both eras.
const SUPPORTED: [&str; 5] = [
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
];

/// Each on a client of its own, since a handshake settles what follows.
const OPENINGS: &[Row] = &[
    Row {
        name: "R-014 initialize is of the handshake",
        method: "initialize",
        params: || json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
        expect: |it| handshake(it, result(&[("/protocolVersion", json!("2025-06-18"))])),
    },
    Row {
        name: "R-002 an unknown revision is answered with the latest that has a handshake",
        method: "initialize",
        params: || json!({"protocolVersion": "1999-01-01", "capabilities": {}}),
        expect: |it| handshake(it, result(&[("/protocolVersion", json!("2025-11-25"))])),
    },
    Row {
        name: "R-003 so is the one without a handshake",
        method: "initialize",
        params: || json!({"protocolVersion": "2026-07-28", "capabilities": {}}),
        expect: |it| handshake(it, result(&[("/protocolVersion", json!("2025-11-25"))])),
    },
];

const ROWS: &[Row] = &[
    Row {
        name: "R-006 R-014 ping is of the handshake",
        method: "ping",
        params: || json!({}),
        // The whole result.
        expect: |it| handshake(it, result(&[("", json!({}))])),
    },
    Row {
        name: "R-010 R-011 server/discover is of the other lifecycle",
        method: "server/discover",
        params: || json!({}),
        expect: |it| match it.has_handshake() {
            true => Error(-32601),
            false => result(&[
                ("/supportedVersions", json!(SUPPORTED)),
                ("/resultType", json!("complete")),
                ("/ttlMs", json!(3_600_000)),
                ("/cacheScope", json!("public")),
                ("/capabilities/tools/listChanged", json!(true)),
                ("/capabilities/resources/subscribe", json!(true)),
                ("/capabilities/logging", Value::Null),
                (
                    "/_meta/io.modelcontextprotocol~1serverInfo/name",
                    json!("everything-server"),
                ),
            ]),
        },
    },
    Row {
        name: "R-047 an unknown tool",
        method: "tools/call",
        params: || json!({"name": "no_such_tool"}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "R-049 a call without a name",
        method: "tools/call",
        params: || json!({"arguments": {}}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "R-049 a call with arguments that are not an object",
        method: "tools/call",
        params: || json!({"name": "test_simple_text", "arguments": [1]}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "R-051 a call without arguments",
        method: "tools/call",
        params: || json!({"name": "test_simple_text"}),
        expect: |it| {
            let result_type = it.features().result_type.then_some("complete");
            result(&[
                ("/content/0/type", json!("text")),
                ("/isError", json!(false)),
                ("/structuredContent", Value::Null),
                ("/resultType", json!(result_type)),
            ])
        },
    },
    Row {
        name: "R-088 R-122 a task of a tool that never is one",
        method: "tools/call",
        params: || json!({"name": "test_simple_text", "task": {"ttl": 1}}),
        expect: |it| match it.features().tasks {
            TaskForm::Core => Error(-32601),
            _ => result(&[("/isError", json!(false))]),
        },
    },
    Row {
        name: "R-048 bad arguments are a failure of the tool",
        method: "tools/call",
        params: || json!({"name": "squares", "arguments": {"count": -1}}),
        expect: |_| {
            result(&[
                ("/isError", json!(true)),
                ("/structuredContent", Value::Null),
            ])
        },
    },
    Row {
        name: "R-041 R-042 R-044 structured content that is no object",
        method: "tools/call",
        params: || json!({"name": "squares", "arguments": {"count": 3}}),
        expect: |it| {
            let structured = match it.name() {
                "2024-11-05" | "2025-03-26" => Value::Null,
                "2025-06-18" | "2025-11-25" => json!({"result": [0, 1, 4]}),
                _ => json!([0, 1, 4]),
            };
            result(&[
                ("/structuredContent", structured),
                ("/content/0/text", json!("[0,1,4]")),
            ])
        },
    },
    Row {
        name: "R-039 sound where there is sound",
        method: "tools/call",
        params: || json!({"name": "test_audio_content"}),
        expect: |it| {
            let kind = if it.features().audio { "audio" } else { "text" };
            result(&[("/content/0/type", json!(kind))])
        },
    },
    Row {
        name: "a resource",
        method: "resources/read",
        params: || json!({"uri": "test://static-text"}),
        expect: |it| {
            let ttl = it.features().cache_hints.then_some(0);
            result(&[
                ("/contents/0/mimeType", json!("text/plain")),
                ("/contents/0/uri", json!("test://static-text")),
                ("/ttlMs", json!(ttl)),
            ])
        },
    },
    Row {
        name: "a resource of a template",
        method: "resources/read",
        params: || json!({"uri": "test://template/7/data"}),
        expect: |_| result(&[("/contents/0/uri", json!("test://template/7/data"))]),
    },
    Row {
        name: "R-026 a resource that there is not",
        method: "resources/read",
        params: || json!({"uri": "test://none"}),
        expect: |it| match it.has_handshake() {
            true => Error(-32002),
            false => Error(-32602),
        },
    },
    Row {
        name: "a resource without an address",
        method: "resources/read",
        params: || json!({}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "resources, without what came later",
        method: "resources/list",
        params: || json!({}),
        expect: |_| {
            result(&[
                ("/resources/0/uri", json!("test://static-text")),
                ("/nextCursor", Value::Null),
            ])
        },
    },
    Row {
        name: "resource templates",
        method: "resources/templates/list",
        params: || json!({}),
        expect: |_| {
            let place = "/resourceTemplates/0/uriTemplate";
            result(&[(place, json!("test://template/{id}/data"))])
        },
    },
    Row {
        name: "R-038 a cursor of another server",
        method: "resources/list",
        params: || json!({"cursor": "bm90IG91cnM="}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "R-038 an empty cursor is a cursor",
        method: "tools/list",
        params: || json!({"cursor": ""}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "watching a resource",
        method: "resources/subscribe",
        params: || json!({"uri": "test://watched-resource"}),
        expect: |it| handshake(it, result(&[("/contents", Value::Null)])),
    },
    Row {
        name: "no longer watching a resource",
        method: "resources/unsubscribe",
        params: || json!({"uri": "test://watched-resource"}),
        expect: |it| handshake(it, result(&[("/contents", Value::Null)])),
    },
    Row {
        name: "a prompt",
        method: "prompts/get",
        params: || {
            let arguments = json!({"arg1": "a", "arg2": "b"});
            json!({"name": "test_prompt_with_arguments", "arguments": arguments})
        },
        expect: |_| {
            let text = "Prompt with arguments: arg1='a', arg2='b'";
            result(&[
                ("/messages/0/role", json!("user")),
                ("/messages/0/content/text", json!(text)),
            ])
        },
    },
    Row {
        name: "a prompt that there is not",
        method: "prompts/get",
        params: || json!({"name": "none"}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "a prompt without what it needs",
        method: "prompts/get",
        params: || json!({"name": "test_prompt_with_arguments", "arguments": {"arg1": "a"}}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "a prompt with an argument that is no text",
        method: "prompts/get",
        params: || json!({"name": "test_simple_prompt", "arguments": {"a": 1}}),
        expect: |_| Error(-32602),
    },
    Row {
        name: "completion",
        method: "completion/complete",
        params: || {
            let prompt = json!({"type": "ref/prompt", "name": "test_prompt_with_arguments"});
            json!({"ref": prompt, "argument": {"name": "arg1", "value": "par"}})
        },
        expect: |_| {
            result(&[
                ("/completion/values", json!(["paris", "park", "party"])),
                ("/completion/hasMore", json!(false)),
                ("/completion/total", json!(3)),
            ])
        },
    },
    Row {
        name: "completion for a prompt that there is not",
        method: "completion/complete",
        params: || {
            let prompt = json!({"type": "ref/prompt", "name": "none"});
            json!({"ref": prompt, "argument": {"name": "arg1", "value": ""}})
        },
        expect: |_| Error(-32602),
    },
    Row {
        name: "completion for a tool, which no revision has",
        method: "completion/complete",
        params: || {
            let tool = json!({"type": "ref/tool", "name": "squares"});
            json!({"ref": tool, "argument": {"name": "count", "value": ""}})
        },
        expect: |_| Error(-32602),
    },
    Row {
        name: "R-014 R-090 a log level",
        method: "logging/setLevel",
        params: || json!({"level": "warning"}),
        expect: |it| handshake(it, result(&[("/content", Value::Null)])),
    },
    Row {
        name: "a log level that there is not",
        method: "logging/setLevel",
        params: || json!({"level": "loud"}),
        expect: |it| handshake(it, Error(-32602)),
    },
    Row {
        name: "R-014 a method that there is not",
        method: "no/such",
        params: || json!({}),
        expect: |_| Error(-32601),
    },
    Row {
        name: "R-035 R-037 R-046 the list of tools",
        method: "tools/list",
        params: || json!({}),
        expect: |it| {
            let annotated = it.features().tool_annotations.then_some(true);
            let ttl = it.features().cache_hints.then_some(0);
            let scope = it.features().cache_hints.then_some("public");
            result(&[
                ("/cacheScope", json!(scope)),
                ("/tools/0/name", json!("test_tool_with_progress")),
                ("/tools/0/annotations/readOnlyHint", json!(annotated)),
                ("/ttlMs", json!(ttl)),
                ("/nextCursor", Value::Null),
            ])
        },
    },
    Row {
        name: "R-089 listening is of the other lifecycle",
        method: "subscriptions/listen",
        params: || json!({}),
        expect: |it| match it.has_handshake() {
            true => Error(-32601),
            // What to listen for is missing.
            false => Error(-32602),
        },
    },
];

#[tokio::test]
async fn r001_r002_r003_a_handshake_negotiates_a_revision_that_has_one() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            for row in OPENINGS {
                let mut client = Client::open(transport, revision).await;
                let shown = format!("{} at {} on {transport:?}", row.name, revision.name());
                let response = client.request(row.method, (row.params)()).await;
                check(&response, revision, (row.expect)(revision), &shown);
                client.finish().await;
            }
        }
    }
}

#[tokio::test]
async fn r011_r045_r046_r091_every_request_is_answered_alike_at_every_revision_on_both_transports()
{
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            for row in ROWS {
                let shown = format!("{} at {} on {transport:?}", row.name, revision.name());
                let response = client.request(row.method, (row.params)()).await;
                check(&response, revision, (row.expect)(revision), &shown);
            }
            client.finish().await;
        }
    }
}

fn check(response: &Value, revision: Revision, expect: Expect, shown: &str) {
    assert_eq!(response["jsonrpc"], "2.0", "{shown}");
    assert!(response["id"].is_i64(), "{shown}: {response}");
    match expect {
        Error(code) => assert_eq!(response["error"]["code"], code, "{shown}: {response}"),
        Result(places) => {
            let result = response.get("result");
            let result = result.unwrap_or_else(|| panic!("{shown}: {response}"));
            check_envelope(result, revision, shown);
            for (place, value) in places {
                let found = result.pointer(place).unwrap_or(&Value::Null);
                assert_eq!(*found, value, "{shown}: {place} in {result}");
            }
        }
    }
}

#[tokio::test]
async fn r032_a_tool_definition_is_rendered_in_the_terms_of_each_revision() {
    for transport in Transport::BOTH {
        for &revision in Revision::ALL {
            let mut client = Client::open(transport, revision).await;
            let listed = client.request("tools/list", json!({})).await;
            let tools = listed["result"]["tools"].as_array().unwrap();
            let squares = tools.iter().find(|it| it["name"] == "squares").unwrap();
            let root = squares["outputSchema"]["type"].as_str();
            let expect = match () {
                () if is_before(revision, Revision::V2025_06_18) => None,
                () if is_before(revision, Revision::V2026_07_28) => Some("object"),
                () => Some("array"),
            };
            assert_eq!(root, expect, "{}", revision.name());
            client.finish().await;
        }
    }
}

/// What every result of a revision has, and what none of another has.
fn check_envelope(result: &Value, revision: Revision, shown: &str) {
    let rules = revision.features();
    let identity = result.pointer("/_meta/io.modelcontextprotocol~1serverInfo/version");
    for (found, expect) in [
        (result.get("resultType").is_some(), rules.result_type),
        (identity.is_some(), rules.result_type),
    ] {
        assert_eq!(found, expect, "{shown}: {result}");
    }
    for hint in ["ttlMs", "cacheScope"] {
        let is_there = result.get(hint).is_some();
        assert!(rules.cache_hints || !is_there, "{shown}: {result}");
    }
}
