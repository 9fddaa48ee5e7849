//! One HTTP exchange, byte by byte.

use std::net::SocketAddr;

use mcp_protocol::Revision;
use mcp_schema::Conversation;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::soon;

/// A response.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The head as it was sent, without the status line, one header a line.
    pub head: String,
    /// The body as it was sent.
    pub text: String,
}

impl Answer {
    /// The body as JSON; null if it is empty.
    #[must_use]
    pub fn json(&self) -> Value {
        if self.text.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.text).unwrap_or_else(|err| panic!("{err}: {}", self.text))
    }
}

pub(crate) fn headers(revision: Revision, method: Option<&str>, name: Option<&str>) -> String {
    let mut headers = format!("MCP-Protocol-Version: {}\r\n", revision.name());
    if let Some(method) = method.filter(|_| !revision.has_handshake()) {
        headers.push_str(&format!("Mcp-Method: {method}\r\n"));
        if let Some(name) = name {
            headers.push_str(&format!("Mcp-Name: {name}\r\n"));
        }
    }
    headers
}

pub(crate) async fn post(address: SocketAddr, revision: Revision, request: &Value) -> Answer {
    let method = request["method"].as_str();
    // A resource is named by its URI (2026-07-28 `basic/transports`, "Request Metadata").
    let params = &request["params"];
    let name = params["name"].as_str().or(params["uri"].as_str());
    let headers = headers(revision, method, name);
    post_bytes(address, revision, &headers, request.to_string().as_bytes()).await
}

/// Sends any body, and judges the answer by the schema of the revision.
pub(crate) async fn post_bytes(
    address: SocketAddr,
    revision: Revision,
    headers: &str,
    body: &[u8],
) -> Answer {
    let answer = exchange(address, "POST", headers, body).await;
    let mut conversation = Conversation::new(revision);
    if let Ok(sent) = serde_json::from_slice(body) {
        conversation.sent(&sent);
    }
    if !answer.text.is_empty() {
        // Invalid messages are among the exceptions of the snapshots.
        let _exception = conversation.heard(&answer.json());
    }
    answer
}

/// Ends the session that the header names.
pub(crate) async fn delete(address: SocketAddr, session: &str) {
    let answer = exchange(address, "DELETE", session, b"").await;
    assert_eq!(answer.status, 204);
}

async fn exchange(address: SocketAddr, method: &str, headers: &str, body: &[u8]) -> Answer {
    let mut stream = soon(TcpStream::connect(address)).await.unwrap();
    let head = format!(
        "{method} /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\n\
         Content-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    soon(stream.write_all(head.as_bytes())).await.unwrap();
    soon(stream.write_all(body)).await.unwrap();
    let mut bytes = Vec::new();
    soon(stream.read_to_end(&mut bytes)).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let (status, head) = head.split_once("\r\n").unwrap_or((head, ""));
    Answer {
        status: status.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.replace("\r\n", "\n"),
        text: body.to_owned(),
    }
}
