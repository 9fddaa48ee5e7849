//! One conversation over an in-memory pair of pipes.

use std::sync::Arc;

use mcp_protocol::Revision;
use mcp_schema::Conversation;
use mcp_server::Server;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::{request, soon};

/// A stream to a server, shaken hands where the revision has a handshake. Everything heard on it is judged by
/// the schema of its revision.
pub struct Stream {
    revision: Revision,
    conversation: Conversation,
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<std::io::Result<mcp_server::ShutdownReport>>,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

impl Stream {
    pub(crate) async fn open(server: Arc<Server>, revision: Revision) -> Self {
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let served = tokio::spawn(mcp_stdio::serve(
            server,
            read,
            write,
            CancellationToken::new(),
            mcp_stdio::StdioLimits::default(),
        ));
        let (read, input) = tokio::io::split(ours);
        let mut stream = Self {
            revision,
            conversation: Conversation::new(revision),
            input,
            output: BufReader::new(read).lines(),
            served,
        };
        if revision.has_handshake() {
            let params = json!({
                "protocolVersion": revision.name(),
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "0"},
            });
            let opened = stream.ask("initialize", params).await;
            assert_eq!(opened["result"]["protocolVersion"], revision.name());
        }
        stream
    }

    /// Sends one request and waits for the next line.
    pub async fn ask(&mut self, method: &str, params: Value) -> Value {
        let message = request(self.revision, method, params);
        self.say(&message.to_string()).await;
        self.hear()
            .await
            .unwrap_or_else(|| panic!("the stream ended"))
    }

    /// Sends a line.
    pub async fn say(&mut self, line: &str) {
        if let Ok(sent) = serde_json::from_str(line) {
            self.conversation.sent(&sent);
        }
        soon(self.input.write_all(format!("{line}\n").as_bytes()))
            .await
            .unwrap();
    }

    /// The next line; `None` at the end.
    pub async fn hear(&mut self) -> Option<Value> {
        let line = soon(self.output.next_line()).await.unwrap()?;
        let message = serde_json::from_str(&line).unwrap_or_else(|err| panic!("{err}: {line}"));
        let exception = self.conversation.heard(&message);
        // Where nothing has to be said, nothing is said that would need one.
        let is_of_http = exception.is_some_and(|it| it.http_only);
        assert!(!is_of_http, "{exception:?}: {line}");
        Some(message)
    }

    /// Ends the input and returns the remaining messages.
    pub async fn finish(mut self) -> Vec<Value> {
        soon(self.input.shutdown()).await.unwrap();
        let mut said = Vec::new();
        while let Some(line) = self.hear().await {
            said.push(line);
        }
        soon(self.served).await.unwrap().unwrap();
        said
    }
}
