//! The log: it stops nothing, and programs can read it.

use std::{fs::File, process::Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{http::exchange, program, soon, stdio::Talk};

/// Refused lines, each of which is logged: many times what a pipe holds.
const REFUSED: usize = 5_000;

#[tokio::test]
async fn a_log_that_is_not_read_does_not_stop_the_server() {
    // The pipe stays open, and is not read.
    let mut talk = Talk::of(program("--demo").spawn().unwrap());
    talk.initialize().await;
    for _ in 0..REFUSED {
        talk.send("nonsense").await;
        assert_eq!(talk.receive().await.unwrap()["error"]["code"], -32700);
    }
    let answer = talk.request("ping", json!({})).await;
    assert_eq!(answer["result"], json!({}));
    #[cfg(unix)]
    crate::terminate(&talk.child).await;
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_under_the_log_stops_nothing_and_one_under_the_output_ends_it() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut talk = Talk::of(program("--demo").stderr(full()).spawn().unwrap());
    talk.initialize().await;
    talk.send("nonsense").await;
    assert_eq!(talk.receive().await.unwrap()["error"]["code"], -32700);
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));

    let mut child = program("--demo").stdout(full()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    soon(input.write_all(ping)).await.unwrap();
    let ended = crate::ended(child).await;
    assert_eq!(ended.code, Some(4), "{}", ended.errors);
    assert!(ended.errors.contains("error: "), "{}", ended.errors);
}

/// Each line of a log in JSON.
fn lines(log: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| {
        serde_json::from_str(line).unwrap_or_else(|err| panic!("not JSON: {err}: {line}"))
    });
    lines.collect()
}

#[cfg(unix)]
#[tokio::test]
async fn each_line_of_a_json_log_is_an_object_and_each_request_is_logged() {
    let line = "http --demo --listen 127.0.0.1:0 --log-format json --log-level debug";
    let mut child = program(line).stdin(Stdio::null()).spawn().unwrap();
    let mut errors = child.stderr.take().unwrap();
    let mut log = String::new();
    let address = loop {
        let mut some = [0; 4096];
        let read = soon(errors.read(&mut some)).await.unwrap();
        log += std::str::from_utf8(&some[..read]).unwrap();
        let url = log.split_once("serves MCP at http://");
        if let Some((address, _)) = url.and_then(|(_, rest)| rest.split_once("/mcp")) {
            break address.to_owned();
        }
    };
    for (name, outcome) in [
        ("convert_units", "tool error"),
        ("get_block_height", "result"),
        ("no_such_tool", "error -32602"),
    ] {
        let body =
            json!({"jsonrpc": "2.0", "id": name, "method": "tools/call", "params": {"name": name}})
                .to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nX-Request-ID: id-of-{name}\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        exchange(&address, &request).await;
        let entry = soon(async {
            loop {
                let mut some = [0; 4096];
                let whole = log.rsplit_once('\n').map_or("", |(whole, _)| whole);
                let found = lines(whole).into_iter().find(|it| {
                    it["fields"]["message"] == "answered" && it["span"]["subject"] == name
                });
                if let Some(found) = found {
                    return found;
                }
                let read = errors.read(&mut some).await.unwrap();
                assert_ne!(read, 0, "{log}");
                log += std::str::from_utf8(&some[..read]).unwrap();
            }
        })
        .await;
        let span = &entry["span"];
        assert_eq!(span["method"], "tools/call", "{entry}");
        assert_eq!(span["outcome"], outcome, "{entry}");
        assert_eq!(span["id"], name, "{entry}");
        assert!(entry["fields"]["ms"].is_number(), "{entry}");
        let text = entry.to_string();
        assert!(text.contains(&format!("id-of-{name}")), "{entry}");
    }
    crate::terminate(&child).await;
    soon(errors.read_to_string(&mut log)).await.unwrap();
    lines(&log);
}

#[tokio::test]
async fn each_request_of_a_stream_is_logged_too() {
    let line = "--demo --log-format json --log-level debug";
    let mut child = program(line).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    for message in [
        json!({"id": "hello", "method": "initialize", "params": hello}),
        json!({"method": "notifications/initialized"}),
        json!({"id": "list", "method": "tools/list"}),
        json!({"id": "call", "method": "tools/call", "params": {"name": "get_balance"}}),
        json!({"id": "read", "method": "resources/read", "params": {"uri": "qortal://docs/fees"}}),
        json!({"id": "none", "method": "none"}),
    ] {
        let mut message = message;
        message["jsonrpc"] = "2.0".into();
        let message = format!("{message}\n");
        soon(input.write_all(message.as_bytes())).await.unwrap();
    }
    drop(input);
    let ended = crate::ended(child).await;
    let lines = lines(&ended.errors);
    for (id, method, subject, outcome) in [
        ("hello", "initialize", None, "result"),
        ("list", "tools/list", None, "result"),
        ("call", "tools/call", Some("get_balance"), "tool error"),
        (
            "read",
            "resources/read",
            Some("qortal://docs/fees"),
            "result",
        ),
        ("none", "none", None, "error -32601"),
    ] {
        let answered = lines
            .iter()
            .find(|it| it["fields"]["message"] == "answered" && it["span"]["id"] == id);
        let answered = answered.unwrap_or_else(|| panic!("{id}: {}", ended.errors));
        let span = &answered["span"];
        assert_eq!(span["method"], method, "{answered}");
        assert_eq!(span["subject"].as_str(), subject, "{answered}");
        assert_eq!(span["outcome"], outcome, "{answered}");
        assert!(answered["fields"]["ms"].is_number(), "{answered}");
    }
}
