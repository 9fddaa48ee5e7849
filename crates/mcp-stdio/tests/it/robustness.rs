//! Invalid input, tools that panic, and clients that cancel.

use serde_json::{Value, json};

use crate::{Talk, call, initialize, modern, request};

#[tokio::test]
async fn r020_r025_r082_invalid_lines_get_an_error_where_one_exists_and_reading_continues() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: [(&[u8], i64); 12] = [
        (b"{", -32700),
        (b"nonsense", -32700),
        (b"\xff\xfe{}", -32700),
        (deep.as_bytes(), -32700),
        (b"{}{}", -32700),
        (b"42", -32600),
        (b"\"text\"", -32600),
        (b"null", -32600),
        (b"[]", -32600),
        (b"{}", -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"1.0","method":"ping"}"#, -32600),
    ];
    for (revision, answered) in [
        ("2024-11-05", false),
        ("2025-03-26", false),
        ("2025-06-18", false),
        ("2025-11-25", true),
    ] {
        let mut talk = Talk::opened(revision).await;
        for (line, code) in cases {
            talk.send(line).await;
            if answered {
                let answer = talk.hear().await.unwrap();
                assert_eq!(answer["error"]["code"], code, "{}", line.escape_ascii());
                assert_eq!(answer.get("id"), None, "{}", line.escape_ascii());
            }
        }
        let answer = talk.ask(&request("after", "ping", json!({}))).await;
        assert_eq!(answer["id"], "after");
        talk.finish().await;
    }
}

#[tokio::test]
async fn r020_r028_errors_have_the_id_of_the_request_where_it_could_be_read() {
    let mut talk = Talk::opened("2025-06-18").await;
    for line in [
        r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#,
        r#"{"id":7,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":1}"#,
        r#"{"jsonrpc":"2.0","id":7}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}"#,
    ] {
        talk.send(line.as_bytes()).await;
        let answer = talk.hear().await.unwrap();
        assert_eq!(answer["error"]["code"], -32600, "{line}");
        assert_eq!(answer["id"], 7, "{line}");
    }
    talk.finish().await;
}

/// What JavaScript sends for half of a surrogate pair, and numbers that a double cannot hold.
#[tokio::test]
async fn r020_r025_a_request_that_is_not_json_is_answered_in_every_revision() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut talk = Talk::opened(revision).await;
        for params in [r#"{"a":"\ud83d"}"#, r#"{"a":1e999}"#, "{", "{\"a\":\"\t\"}"] {
            let call =
                format!(r#"{{"method":"tools/call","params":{params},"jsonrpc":"2.0","id":7}}"#);
            let id_first = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"x","params":{params}}}"#);
            let lines = match params {
                // It is part of what follows, up to where the line ends.
                "{" => vec![id_first],
                _ => vec![call, id_first],
            };
            for line in lines {
                talk.send(line.as_bytes()).await;
                let answer = talk.hear().await.unwrap();
                assert_eq!(answer["error"]["code"], -32700, "{line}");
                assert_eq!(answer["id"], 7, "{line}");
            }
        }
        let answer = talk.ask(&request(1.0, "ping", json!({}))).await;
        assert_eq!(answer["id"], 1, "an integer, however it is written");
        talk.finish().await;
    }
}

#[tokio::test]
async fn r021_ids_are_returned_unchanged() {
    let mut talk = Talk::opened("2025-06-18").await;
    for id in [
        json!(1),
        json!("1"),
        json!(-7),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(""),
        json!("quote\" and \u{7f} and ☃"),
    ] {
        assert_eq!(
            talk.ask(&request(id.clone(), "ping", json!({}))).await["id"],
            id
        );
    }
    talk.finish().await;
}

#[tokio::test]
async fn a_line_that_is_too_long_is_skipped() {
    let limits = mcp_stdio::StdioLimits::default().with_line_bytes(1000);
    let mut talk = Talk::start(limits);
    let text = "x".repeat(50_000);
    for (line, id) in [
        (text.clone(), Value::Null),
        (
            request(7, "ping", json!({"text": text})).to_string(),
            7.into(),
        ),
    ] {
        talk.send(line.as_bytes()).await;
        let answer = talk.hear().await.unwrap();
        assert_eq!(answer["error"]["code"], -32600);
        assert_eq!(answer.get("id").unwrap_or(&Value::Null), &id);
    }
    let answer = talk.ask(&request(1, "ping", json!({}))).await;
    assert_eq!(answer["result"], json!({}));
    talk.finish().await;
}

#[tokio::test]
async fn a_byte_order_mark_is_skipped_before_the_first_line_only() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
    let marked = |message: &Value| format!("\u{feff}{message}").into_bytes();
    talk.send(&marked(&initialize("2025-11-25"))).await;
    let answer = talk.hear().await.unwrap();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    talk.send(&marked(&request(1, "ping", json!({})))).await;
    assert_eq!(talk.hear().await.unwrap()["error"]["code"], -32700);
    let answer = talk.ask(&request(2, "ping", json!({}))).await;
    assert_eq!(answer["result"], json!({}));
    talk.finish().await;
}

#[tokio::test]
async fn requests_run_concurrently() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call("slow", "wait")).await;
    let answer = talk.ask(&call("quick", "echo")).await;
    assert_eq!(answer["id"], "quick");
    talk.release.notify_one();
    assert_eq!(talk.hear().await.unwrap()["id"], "slow");
    talk.finish().await;
}

#[tokio::test]
async fn r084_a_cancelled_request_is_not_answered() {
    for revision in [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28",
    ] {
        let mut talk = Talk::start(mcp_stdio::StdioLimits::default());
        let wait = |id: Value| match revision {
            "2026-07-28" => modern(id, "tools/call", json!({"name": "wait"})),
            _ => call(id, "wait"),
        };
        talk.ask(&initialize(revision)).await;
        talk.say(&wait(json!("1"))).await;
        talk.say(&wait(json!(1))).await;
        for id in [json!("1"), json!(99), Value::Null] {
            let cancel = json!({"requestId": id});
            talk.say(
                &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel}),
            )
            .await;
        }
        talk.ask(&request(2, "ping", json!({}))).await;
        talk.release.notify_waiters();
        talk.release.notify_one();
        assert_eq!(talk.hear().await.unwrap()["id"], json!(1), "{revision}");
        assert_eq!(talk.finish().await, Vec::<Value>::new(), "{revision}");
    }
}

#[tokio::test]
async fn a_large_result_arrives_whole() {
    let mut talk = Talk::opened("2025-11-25").await;
    // More than the pipe holds, in one line.
    let text = "ä\n".repeat(200_000);
    let params = json!({"name": "echo", "arguments": {"text": text}});
    let answer = talk.ask(&request(1, "tools/call", params)).await;
    assert_eq!(answer["result"]["structuredContent"]["text"], text);
    talk.finish().await;
}

#[tokio::test]
async fn r080_a_panic_in_a_tool_is_an_internal_error_of_that_call_alone() {
    let mut talk = Talk::opened("2025-06-18").await;
    talk.say(&call("slow", "wait")).await;
    let answer = talk.ask(&call("bad", "panic")).await;
    assert_eq!(answer["id"], "bad");
    assert_eq!(
        answer["error"],
        json!({"code": -32603, "message": "Internal error"})
    );
    talk.release.notify_one();
    assert_eq!(talk.hear().await.unwrap()["id"], "slow");
    talk.finish().await;
}

#[tokio::test]
async fn an_unexpected_response_is_ignored() {
    let mut talk = Talk::opened("2025-06-18").await;
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#,
    ] {
        talk.send(line.as_bytes()).await;
    }
    assert_eq!(talk.finish().await, Vec::<Value>::new());
}

#[tokio::test]
async fn nothing_is_read_while_as_many_requests_as_allowed_are_in_flight() {
    let mut talk = Talk::start(mcp_stdio::StdioLimits::default().with_requests_in_flight(2));
    talk.ask(&initialize("2025-06-18")).await;
    let lines = [
        request(0, "ping", json!({})),
        call(1, "wait"),
        call(2, "wait"),
        request(3, "ping", json!({})),
    ];
    let lines = lines.map(|it| it.to_string()).join("\n");
    talk.send(lines.as_bytes()).await;
    // It is written once no other line can be read.
    assert_eq!(talk.hear().await.unwrap()["id"], 0);
    talk.release.notify_one();
    for id in [1, 3] {
        assert_eq!(talk.hear().await.unwrap()["id"], id);
    }
    talk.release.notify_one();
    assert_eq!(talk.hear().await.unwrap()["id"], 2);
    talk.finish().await;
}
