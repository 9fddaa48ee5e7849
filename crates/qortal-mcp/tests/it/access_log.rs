//! The access log: a line for each answered request that says who asked for what, and no line that programs cannot read.

use std::{process::Stdio, time::Instant};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStderr},
};

#[cfg(unix)]
use crate::access::{Secrets, TOKEN};
use crate::{http::exchange, program, run, soon, stdio::Talk};

/// The program over HTTP, with what it has written to standard error so far.
pub(crate) struct Logging {
    pub(crate) child: Child,
    errors: ChildStderr,
    pub(crate) log: String,
    address: String,
}

impl Logging {
    pub(crate) async fn start(options: &str) -> Self {
        let line = format!("http --listen 127.0.0.1:0 {options}");
        let mut child = program(&line).stdin(Stdio::null()).spawn().unwrap();
        let errors = child.stderr.take().unwrap();
        let mut logging = Self {
            child,
            errors,
            log: String::new(),
            address: String::new(),
        };
        while logging.address.is_empty() {
            logging.read().await;
            let url = logging.log.split_once("serves MCP at http://");
            if let Some((address, _)) = url.and_then(|(_, rest)| rest.split_once("/mcp")) {
                logging.address = address.to_owned();
            }
        }
        logging
    }

    async fn read(&mut self) {
        let mut some = [0; 4096];
        let read = soon(self.errors.read(&mut some)).await.unwrap();
        assert_ne!(read, 0, "{}", self.log);
        self.log += std::str::from_utf8(&some[..read]).unwrap();
    }

    /// The whole lines about answered requests, once there are so many.
    pub(crate) async fn answered(&mut self, count: usize) -> Vec<String> {
        self.lines(count, |it| it.contains("answered")).await
    }

    /// The whole lines of this kind, once there are so many.
    pub(crate) async fn lines(
        &mut self,
        count: usize,
        is_one: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        loop {
            let whole = self.log.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let lines = whole.lines().filter(|it| is_one(it));
            let lines: Vec<_> = lines.map(str::to_owned).collect();
            if lines.len() >= count {
                return lines;
            }
            self.read().await;
        }
    }

    /// Calls a tool as a client with this agent, under this token and with this id.
    pub(crate) async fn call(&self, name: &str, agent: &str, token: &str) {
        let arguments = match name {
            "get_block_height" => json!({}),
            _ => json!({"address": ARGUMENT}),
        };
        let params = json!({"name": name, "arguments": arguments});
        let body =
            json!({"jsonrpc": "2.0", "id": "7\nid", "method": "tools/call", "params": params})
                .to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nX-Request-ID: asked-by-{agent}\r\n\
             User-Agent: {agent}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        exchange(&self.address, &request).await;
    }
}

/// Each line of a log in JSON.
fn lines(log: &str) -> Vec<Value> {
    let lines = log.lines().map(|line| {
        serde_json::from_str(line).unwrap_or_else(|err| panic!("not JSON: {err}: {line}"))
    });
    lines.collect()
}

/// Whether an answer took so many milliseconds, which are a part of the time since then.
fn is_time(ms: &Value, begun: Instant) -> bool {
    let most = begun.elapsed().as_secs_f64() * 1e3;
    ms.as_f64().is_some_and(|it| 0.0 < it && it < most)
}

/// What clients ask about is their own affair.
const ARGUMENT: &str = "Qsomeone";

const HOSTILE: &str = "no\n2026-01-01 INFO forged\u{1b}[2J\u{202e}";

#[cfg(unix)]
#[tokio::test]
async fn an_access_log_in_json_has_a_pure_line_for_each_request() {
    let tokens = Secrets::new("access-log-tokens", &format!("alice {TOKEN}\n"));
    for option in ["--log-level debug", "--access-log on"] {
        let options = format!(
            "--demo=recorded --log-format json {option} --token-file {}",
            tokens.0.display()
        );
        let mut server = Logging::start(&options).await;
        for (name, outcome, shown) in [
            ("get_balance", "tool error", "get_balance"),
            ("get_block_height", "result", "get_block_height"),
            (
                HOSTILE,
                "error -32602",
                "no\\n2026-01-01 INFO forged\\u{1b}[2J\\u{202e}",
            ),
        ] {
            let before = server
                .log
                .lines()
                .filter(|it| it.contains("answered"))
                .count();
            let begun = Instant::now();
            server.call(name, "agent/1", TOKEN).await;
            let found = server.answered(before + 1).await;
            let entry: Value = serde_json::from_str(found.last().unwrap()).unwrap();
            let fields = &entry["fields"];
            for (field, expected) in [
                ("message", "answered"),
                ("request_id", "asked-by-agent/1"),
                ("method", "tools/call"),
                ("name", shown),
                ("outcome", outcome),
                ("client", "agent/1"),
                ("subject", "alice"),
                ("id", "7\\nid"),
                ("transport", "http"),
            ] {
                assert_eq!(fields[field], expected, "{option}: {field}: {entry}");
            }
            assert!(is_time(&fields["ms"], begun), "{entry}");
            assert_eq!(entry["target"], "qortal_mcp::access");
        }
        crate::terminate(&server.child).await;
        soon(server.errors.read_to_string(&mut server.log))
            .await
            .unwrap();
        lines(&server.log);
        assert!(!server.log.contains(ARGUMENT), "{}", server.log);
        assert!(!server.log.contains(TOKEN), "{}", server.log);
    }
}

#[tokio::test]
async fn an_access_log_in_plain_text_keeps_what_strangers_write_in_one_line() {
    let mut server = Logging::start("--demo=recorded --access-log on").await;
    server.call(HOSTILE, "agent/1", "none").await;
    server.call("get_block_height", "agent/2", "none").await;
    let found = server.answered(2).await;
    assert!(
        !server.log.contains("\n2026-01-01 INFO forged"),
        "{}",
        server.log
    );
    assert!(
        !server.log.contains(['\u{1b}', '\u{202e}']),
        "{}",
        server.log
    );
    assert!(!server.log.contains(ARGUMENT), "{}", server.log);
    let last = found.last().unwrap();
    for part in [
        "request_id=\"asked-by-agent/2\"",
        "name=\"get_block_height\"",
        "outcome=\"result\"",
        "client=\"agent/2\"",
    ] {
        assert!(last.contains(part), "{part}: {last}");
    }
    drop(server.child);
}

#[tokio::test]
async fn requests_are_not_logged_unless_the_level_or_the_setting_says_so() {
    for (options, is_logged) in [
        ("", false),
        ("--log-level debug --access-log off", false),
        ("--log-level debug", true),
        ("--access-log on", true),
        ("--access-log on --log-level error", true),
    ] {
        let mut talk = Talk::of(
            program(&format!("--demo=recorded {options}"))
                .spawn()
                .unwrap(),
        );
        talk.initialize().await;
        drop(talk.input.take());
        let ended = crate::ended(talk.child).await;
        let found = ended.errors.contains(" answered ");
        assert_eq!(found, is_logged, "{options}: {}", ended.errors);
    }
}

#[tokio::test]
async fn requests_of_a_stream_are_logged_with_the_client_of_its_handshake() {
    let begun = Instant::now();
    let mut child = program("--demo=recorded --log-format json --access-log on")
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let info = json!({"name": "tester", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "other", "version": "2"}
    });
    for message in [
        json!({"id": "hello", "method": "initialize", "params": hello}),
        json!({"method": "notifications/initialized"}),
        json!({"id": "list", "method": "tools/list"}),
        json!({"id": "call", "method": "tools/call", "params": {"name": "get_balance"}}),
        json!({"id": "read", "method": "resources/read", "params": {"uri": "qortal://docs/fees"}}),
        json!({"id": "none", "method": "none"}),
        json!({"id": "modern", "method": "tools/list", "params": {"_meta": meta}}),
    ] {
        let mut message = message;
        message["jsonrpc"] = "2.0".into();
        let message = format!("{message}\n");
        soon(input.write_all(message.as_bytes())).await.unwrap();
    }
    drop(input);
    let ended = crate::ended(child).await;
    let lines = lines(&ended.errors);
    for (id, method, name, outcome, client) in [
        ("hello", "initialize", None, "result", "tester"),
        ("list", "tools/list", None, "result", "tester"),
        (
            "call",
            "tools/call",
            Some("get_balance"),
            "tool error",
            "tester",
        ),
        ("read", "resources/read", None, "result", "tester"),
        ("none", "unknown", None, "error -32601", "tester"),
        ("modern", "tools/list", None, "result", "other"),
    ] {
        let answered = lines.iter().find(|it| it["fields"]["id"] == id);
        let answered = answered.unwrap_or_else(|| panic!("{id}: {}", ended.errors));
        let fields = &answered["fields"];
        assert_eq!(fields["message"], "answered", "{answered}");
        assert_eq!(fields["method"], method, "{answered}");
        assert_eq!(fields["name"].as_str(), name, "{answered}");
        assert_eq!(fields["outcome"], outcome, "{answered}");
        assert_eq!(fields["client"], client, "{answered}");
        assert_eq!(fields["transport"], "stdio", "{answered}");
        assert!(is_time(&fields["ms"], begun), "{answered}");
    }
    assert!(
        !ended.errors.contains("qortal://docs/fees"),
        "{}",
        ended.errors
    );
}

#[tokio::test]
async fn what_keeps_the_server_from_starting_is_json_too_where_the_log_is() {
    for (line, code, text) in [
        (
            "http --log-format json --nonsense",
            2,
            "unexpected argument",
        ),
        (
            "http --log-format json --log-level error --listen 0.0.0.0:0",
            2,
            "no access tokens",
        ),
        (
            "http --log-format json --config /none/of/these.toml",
            2,
            "cannot read",
        ),
        ("http --log-format=json --node ftp://127.0.0.1", 2, "http"),
    ] {
        let ended = run(line).await;
        assert_eq!(ended.code, Some(code), "{line}: {}", ended.errors);
        let lines = lines(&ended.errors);
        let said = lines.iter().any(|it| {
            let message = it["fields"]["message"].as_str();
            it["level"] == "ERROR" && message.is_some_and(|it| it.contains(text))
        });
        assert!(said, "{line}: {}", ended.errors);
        assert_eq!(ended.output, "", "{line}");
    }
}
