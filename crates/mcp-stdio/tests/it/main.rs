//! Whole conversations over an in-memory pair of pipes.
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on should say so"
)]

mod conversation;
mod lifecycle;
mod robustness;
mod shutdown;

use std::{sync::Arc, time::Duration};

use mcp_protocol::{CallToolResult, ServerInfo, Tool, ToolAnnotations};
use mcp_server::{Server, ShutdownReport, ShutdownToken, ToolRouter};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf},
    sync::Notify,
    task::JoinHandle,
};

/// A server at the other end of two pipes, and the handles that stop it or release its tools.
struct Talk {
    input: Option<WriteHalf<DuplexStream>>,
    output: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<std::io::Result<ShutdownReport>>,
    stop: ShutdownToken,
    /// One permit lets one call of `wait` finish.
    release: Arc<Notify>,
}

fn tool(name: &str) -> Tool {
    Tool::new(
        name,
        "A tool for tests.",
        json!({"type": "object", "properties": {}}),
        ToolAnnotations::PURE,
    )
}

fn server(release: &Arc<Notify>) -> Server {
    let release = Arc::clone(release);
    let tools = ToolRouter::new()
        .raw_tool(tool("echo"), |arguments| async move {
            CallToolResult::structured(arguments.into())
        })
        .raw_tool(tool("wait"), move |_| {
            let release = Arc::clone(&release);
            async move {
                release.notified().await;
                CallToolResult::text("released")
            }
        })
        .raw_tool(tool("panic"), |_| async { panic!("a bug in one tool") });
    Server::builder(ServerInfo::new("test", "0"))
        .tools(tools)
        .legacy_method_names()
        .build()
        .unwrap()
}

impl Talk {
    fn start(limits: mcp_stdio::StdioLimits) -> Self {
        let release = Arc::new(Notify::new());
        let server = server(&release);
        Self::over(server, release, limits)
    }

    fn with(server: Server) -> Self {
        Self::over(server, Arc::default(), mcp_stdio::StdioLimits::default())
    }

    fn over(server: Server, release: Arc<Notify>, limits: mcp_stdio::StdioLimits) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let stop = ShutdownToken::new();
        let served = mcp_stdio::serve(Arc::new(server), read, write, stop.clone(), limits);
        let (read, write) = tokio::io::split(ours);
        Self {
            input: Some(write),
            output: BufReader::new(read).lines(),
            served: tokio::spawn(served),
            stop,
            release,
        }
    }

    async fn opened(revision: &str) -> Self {
        let mut talk = Self::start(mcp_stdio::StdioLimits::default());
        let response = talk.ask(&initialize(revision)).await;
        assert_eq!(response["result"]["protocolVersion"], revision);
        talk
    }

    async fn send(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        soon(input.write_all(line)).await.unwrap();
        soon(input.write_all(b"\n")).await.unwrap();
    }

    async fn say(&mut self, message: &Value) {
        self.send(message.to_string().as_bytes()).await;
    }

    async fn ask(&mut self, message: &Value) -> Value {
        self.say(message).await;
        self.hear().await.unwrap()
    }

    /// The next line the server writes; `None` at the end.
    async fn hear(&mut self) -> Option<Value> {
        let line = soon(self.output.next_line()).await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|err| panic!("{err}: {line}")))
    }

    /// Ends the input and collects the remaining lines; everything is finished.
    async fn finish(self) -> Vec<Value> {
        let (said, ended) = self.end().await;
        assert_eq!(ended.unfinished, 0);
        said
    }

    /// Ends the input and collects the remaining lines.
    async fn end(mut self) -> (Vec<Value>, ShutdownReport) {
        drop(soon(self.input.as_mut().unwrap().shutdown()).await);
        let mut said = Vec::new();
        while let Some(line) = self.hear().await {
            said.push(line);
        }
        (said, soon(self.served).await.unwrap().unwrap())
    }
}

async fn soon<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(20), future)
        .await
        .unwrap_or_else(|_| panic!("nothing happened within 20 seconds"))
}

fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params})
}

fn call(id: impl Into<Value>, tool: &str) -> Value {
    request(id, "tools/call", json!({"name": tool, "arguments": {}}))
}

fn initialize(revision: &str) -> Value {
    let client = json!({"name": "test", "version": "0"});
    request(
        0,
        "initialize",
        json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client}),
    )
}

/// A request that names its revision itself.
fn modern(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    request(id, method, params)
}
