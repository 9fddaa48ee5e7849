//! The program on standard input and output.

use std::process::Stdio;

use mcp_protocol::Object;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
};

use crate::{client, ended, program, soon};

pub(crate) struct Talk {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Talk {
    pub(crate) fn start(line: &str) -> Self {
        Self::of(program(line).spawn().unwrap())
    }

    pub(crate) fn of(mut child: Child) -> Self {
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    pub(crate) async fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        soon(input.write_all(format!("{text}\n").as_bytes()))
            .await
            .unwrap();
    }

    pub(crate) async fn receive(&mut self) -> Option<Value> {
        let line = soon(self.output.next_line()).await.unwrap()?;
        Some(
            serde_json::from_str(&line)
                .unwrap_or_else(|err| panic!("not the protocol: {err}: {line}")),
        )
    }

    pub(crate) async fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(
            &json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string(),
        )
        .await;
        self.receive().await.unwrap()
    }

    pub(crate) async fn initialize(&mut self) {
        let client = json!({"name": "test", "version": "0"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let opened = self.request("initialize", params).await;
        assert_eq!(opened["result"]["serverInfo"]["name"], "qortal-mcp");
    }
}

#[tokio::test]
async fn the_configured_rate_holds_here_too() {
    let mut command = program("--demo=recorded");
    let client = client(command.env("QORTAL_MCP_CLIENT_RATE_LIMIT", "1")).await;
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        let result = client.call_tool("get_block_height", Object::new()).await;
        outcomes.push(result.unwrap().is_error);
    }
    assert_eq!(outcomes.first(), Some(&false));
    assert!(outcomes.contains(&true));
}

#[tokio::test]
async fn r080_r081_r082_only_the_protocol_is_on_standard_output_and_end_of_input_ends_the_program()
{
    let mut talk = Talk::start("--demo=recorded --log-level trace");
    talk.initialize().await;
    let answer = talk
        .request("tools/call", json!({"name": "get_block_height"}))
        .await;
    assert_eq!(
        answer["result"]["structuredContent"],
        json!({"height": 468})
    );
    talk.send("nonsense").await;
    assert_eq!(talk.receive().await.unwrap()["error"]["code"], -32700);
    drop(talk.input.take());
    assert_eq!(talk.receive().await, None);
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
    let mut log = String::new();
    talk.child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .await
        .unwrap();
    for line in ["serving on standard input and output", "invalid message"] {
        assert!(log.contains(line), "{log}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn r080_a_signal_ends_it_at_once() {
    let mut talk = Talk::start("--demo");
    talk.initialize().await;
    crate::terminate(&talk.child).await;
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
    assert_eq!(talk.receive().await, None);
}

#[tokio::test]
async fn a_client_that_stops_reading_is_not_a_failure() {
    let mut talk = Talk::start("--demo");
    talk.initialize().await;
    drop(talk.output);
    let mut input = talk.input.take().unwrap();
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    // The process may be gone before everything is written.
    let _ = soon(input.write_all(&ping.repeat(10))).await;
    drop(input);
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
}

#[tokio::test]
async fn the_input_can_be_a_file_or_empty() {
    let ended = ended(program("--demo").stdin(Stdio::null()).spawn().unwrap()).await;
    assert_eq!((ended.code, ended.output.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn r087_the_api_key_is_never_logged() {
    let key = "YTL3yD9Nk272iZ25QbXkEm";
    let mut command = program("--log-level trace --node http://127.0.0.1:9");
    let mut child = command.env("QORTAL_MCP_API_KEY", key).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_node_status"}});
    let open = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}});
    soon(input.write_all(format!("{open}\n{call}\n").as_bytes()))
        .await
        .unwrap();
    drop(input);
    let ended = ended(child).await;
    assert!(
        ended.output.contains("Node unreachable."),
        "{}",
        ended.output
    );
    assert!(!ended.errors.contains(key) && !ended.output.contains(key));
}

/// Here one process answers all that a client asks.
#[tokio::test]
async fn long_calls_may_become_tasks() {
    let client = client(&mut program("--demo=recorded")).await;
    let extensions = &client.capabilities().extensions;
    assert_eq!(extensions["io.modelcontextprotocol/tasks"], json!({}));
}
