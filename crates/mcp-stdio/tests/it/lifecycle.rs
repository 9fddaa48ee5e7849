//! The revision of each message.

use serde_json::{Value, json};

use crate::{Talk, call, initialize, modern, request};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test]
async fn r001_a_supported_revision_is_agreed_to() {
    for revision in HANDSHAKE {
        Talk::opened(revision).await.finish().await;
    }
}

#[tokio::test]
async fn r002_r003_any_other_revision_is_answered_with_the_latest_handshake_revision() {
    for asked in ["1999-01-01", "", "2026-07-28", "2025-06-18 "] {
        let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
        let answer = talk.ask(&initialize(asked)).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{asked}");
        talk.finish().await;
    }
}

#[tokio::test]
async fn r006_ping_is_answered_before_initialize() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    let answer = talk.ask(&request(1, "ping", json!({}))).await;
    assert_eq!(answer["result"], json!({}));
    talk.finish().await;
}

#[tokio::test]
async fn r017_both_lifecycles_alternate_on_one_stream() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    let probe = talk.ask(&modern(1, "server/discover", json!({}))).await;
    assert_eq!(
        probe["result"]["supportedVersions"],
        json!(mcp_protocol::Revision::names())
    );
    talk.ask(&initialize("2025-06-18")).await;
    let older = talk.ask(&call(2, "echo")).await;
    assert_eq!(older["result"].get("resultType"), None);
    let newer = talk
        .ask(&modern(3, "tools/call", json!({"name": "echo"})))
        .await;
    assert_eq!(newer["result"]["resultType"], "complete");
    let older = talk.ask(&call(4, "echo")).await;
    assert_eq!(older["result"].get("resultType"), None);
    let unknown = talk.ask(&modern(5, "initialize", json!({}))).await;
    assert_eq!(unknown["error"]["code"], -32601);
    talk.finish().await;
}

#[tokio::test]
async fn r012_r018_only_revisions_without_a_handshake_can_be_named_in_meta() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    for opened in [false, true] {
        for named in HANDSHAKE.into_iter().chain(["1999-01-01", "v999.0.0", ""]) {
            let mut message = modern(1, "tools/list", json!({}));
            message["params"]["_meta"][VERSION] = named.into();
            let answer = talk.ask(&message).await;
            assert_eq!(answer["id"], 1, "{named}");
            assert_eq!(answer["error"]["code"], -32022, "{named}");
            // One that needs a handshake is not offered to be named again.
            let supported = match HANDSHAKE.contains(&named) {
                true => vec!["2026-07-28"],
                false => mcp_protocol::Revision::names(),
            };
            assert_eq!(
                answer["error"]["data"],
                json!({"supported": supported, "requested": named})
            );
        }
        if !opened {
            talk.ask(&initialize("2025-11-25")).await;
        }
    }
    talk.finish().await;
}

#[tokio::test]
async fn r008_r009_a_request_that_names_its_revision_declares_capabilities() {
    for opened in [false, true] {
        let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
        if opened {
            talk.ask(&initialize("2025-11-25")).await;
        }
        // clientInfo is optional.
        let whole = modern("whole", "tools/list", json!({}));
        assert_eq!(talk.ask(&whole).await["result"]["resultType"], "complete");
        for (member, value) in [
            ("io.modelcontextprotocol/clientCapabilities", None),
            (
                "io.modelcontextprotocol/clientCapabilities",
                Some(json!([])),
            ),
            (VERSION, Some(json!(7))),
        ] {
            let mut message = modern("a", "tools/list", json!({}));
            let meta = message["params"]["_meta"].as_object_mut().unwrap();
            match value {
                Some(value) => meta.insert(member.to_owned(), value),
                None => meta.remove(member),
            };
            let answer = talk.ask(&message).await;
            assert_eq!(answer["id"], "a", "{message}");
            assert_eq!(answer["error"]["code"], -32602, "{message}");
        }
        talk.finish().await;
    }
}

#[tokio::test]
async fn r008_r083_a_first_message_without_a_revision_is_an_error_and_the_stream_continues() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    let answer = talk.ask(&call(1, "echo")).await;
    assert_eq!(answer["error"]["code"], -32602);
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("initialize"), "{message}");
    let answer = talk.ask(&initialize("2025-06-18")).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
    talk.finish().await;
}

#[tokio::test]
async fn r083_a_handshake_can_follow_any_first_message() {
    for first in [
        "",
        "nonsense",
        "[]",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#,
        r#"[{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
    ] {
        let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
        talk.send(first.as_bytes()).await;
        talk.say(&initialize("2025-06-18")).await;
        let mut answer = talk.hear().await.unwrap();
        // The first message may have been answered with an error.
        while answer["id"] != 0 {
            assert!(answer["error"]["code"].is_i64(), "{first}: {answer}");
            answer = talk.hear().await.unwrap();
        }
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18", "{first}");
        talk.finish().await;
    }
}

#[tokio::test]
async fn r022_notifications_are_never_answered() {
    let mut talk = Talk::opened("2025-11-25").await;
    for method in [
        "notifications/initialized",
        "initialized",
        "notifications/unknown",
        "tools/call",
    ] {
        talk.say(&json!({"jsonrpc": "2.0", "method": method})).await;
    }
    assert_eq!(talk.finish().await, Vec::<Value>::new());
}

#[tokio::test]
async fn legacy_method_names_work_in_the_handshake_lifecycle() {
    let mut talk = Talk::opened("2025-03-26").await;
    let list = talk.ask(&request(1, "list_tools", json!({}))).await;
    assert_eq!(list["result"]["tools"][0]["name"], "echo");
    let params = json!({"tool": "echo", "params": {"a": 1}});
    let answer = talk.ask(&request(2, "call_tool", params)).await;
    assert_eq!(answer["result"]["content"][0]["text"], r#"{"a":1}"#);
    let refused = talk.ask(&modern(3, "list_tools", json!({}))).await;
    assert_eq!(refused["error"]["code"], -32601);
    talk.finish().await;
}

#[tokio::test]
async fn r005_r023_a_batch_is_answered_with_one_array_at_2025_03_26() {
    let mut talk = Talk::opened("2025-03-26").await;
    talk.say(&json!([
        request(1, "ping", json!({})),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call("two", "echo"),
        {"jsonrpc": "2.0", "id": null, "method": "ping"},
        initialize("2025-03-26"),
    ]))
    .await;
    let answers = talk.hear().await.unwrap();
    let told: Vec<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it.get("id").cloned(), it["error"]["code"].clone()))
        .collect();
    assert_eq!(
        told,
        [
            (Some(json!(1)), Value::Null),
            (Some(json!("two")), Value::Null),
            (None, json!(-32600)),
            (Some(json!(0)), json!(-32600)),
        ]
    );
    talk.say(&json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]))
        .await;
    assert_eq!(talk.finish().await, Vec::<Value>::new());
}

#[tokio::test]
async fn r024_each_request_of_a_batch_is_refused_elsewhere() {
    for revision in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut talk = Talk::opened(revision).await;
        talk.say(&json!([
            request(1, "ping", json!({})),
            request(2, "ping", json!({}))
        ]))
        .await;
        for id in [1, 2] {
            let answer = talk.hear().await.unwrap();
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&json!(id), &json!(-32600))
            );
        }
        talk.finish().await;
    }
}

#[tokio::test]
async fn r024_requests_that_name_their_revision_are_refused_in_a_batch() {
    for opened in ["2025-03-26", "2025-11-25"] {
        let mut talk = Talk::opened(opened).await;
        talk.say(&json!([modern(1, "tools/list", json!({}))])).await;
        let answer = talk.hear().await.unwrap();
        let answer = answer.get(0).unwrap_or(&answer);
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(1), &json!(-32600))
        );
        talk.finish().await;
    }
}
