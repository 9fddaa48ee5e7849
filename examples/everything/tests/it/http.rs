//! The program on a port of the loopback, and the few parts of HTTP that a client of it needs.

use std::{net::SocketAddr, process::Stdio as Pipe};

use mcp_protocol::Revision;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
};

use crate::client::{Heard, is_request, response_to, soon};

pub(crate) struct Http {
    child: Child,
    address: SocketAddr,
    /// What the headers say.
    pub(crate) revision: Revision,
    session: Option<String>,
    listening: Option<Exchange>,
}

/// One answer, as it comes.
pub(crate) struct Exchange {
    stream: BufReader<TcpStream>,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    /// The part of the body that has been read but not parsed.
    body: Vec<u8>,
    ended: bool,
}

impl Http {
    pub(crate) async fn start(revision: Revision) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_everything-server"))
            .arg("127.0.0.1:0")
            .stdin(Pipe::null())
            .stdout(Pipe::null())
            .stderr(Pipe::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = soon(lines.next_line()).await.unwrap().unwrap();
        let address = line.strip_prefix("listening on http://").unwrap();
        let address = address.strip_suffix("/mcp").unwrap().parse().unwrap();
        Self {
            child,
            address,
            revision,
            session: None,
            listening: None,
        }
    }

    pub(crate) async fn post(&self, message: &Value) -> Exchange {
        let body = message.to_string();
        let mut head = format!("Content-Length: {}\r\n", body.len());
        head += "Content-Type: application/json\r\n";
        if !self.revision.has_handshake()
            && let Some(method) = message["method"].as_str()
        {
            head += &format!("Mcp-Method: {method}\r\n");
            let params = &message["params"];
            let names = ["name", "uri", "taskId"].map(|it| params[it].as_str());
            if let Some(name) = names.into_iter().flatten().next() {
                head += &format!("Mcp-Name: {name}\r\n");
            }
        }
        self.send("POST", &head, body.as_bytes()).await
    }

    async fn send(&self, method: &str, head: &str, body: &[u8]) -> Exchange {
        let mut stream = soon(TcpStream::connect(self.address)).await.unwrap();
        let mut whole = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {}\r\n{head}",
            self.address,
            self.revision.name(),
        );
        if let Some(session) = &self.session {
            whole += &format!("Mcp-Session-Id: {session}\r\n");
        }
        whole += "\r\n";
        soon(stream.write_all(whole.as_bytes())).await.unwrap();
        soon(stream.write_all(body)).await.unwrap();
        Exchange::read(stream).await
    }

    pub(crate) async fn exchange(&mut self, message: &Value) -> Heard {
        let mut exchange = self.post(message).await;
        if let Some(session) = exchange.header("mcp-session-id") {
            self.session = Some(session.to_owned());
        }
        let mut before = Vec::new();
        while let Some(heard) = exchange.message().await {
            if is_request(&heard) {
                let answered = self.post(&response_to(&heard)).await;
                assert_eq!(answered.status, 202);
            } else if heard.get("method").is_none() {
                return Heard {
                    before,
                    response: heard,
                };
            }
            before.push(heard);
        }
        panic!(
            "{} ended without a response after {before:?}",
            exchange.status
        );
    }

    /// Opens a stream, by a request where there is one for it; returns its first message if so.
    pub(crate) async fn listen(&mut self, request: Option<&Value>) -> Value {
        let mut exchange = match request {
            Some(request) => self.post(request).await,
            None => self.send("GET", "", b"").await,
        };
        assert_eq!(exchange.header("content-type"), Some("text/event-stream"));
        assert_eq!(exchange.header("x-accel-buffering"), Some("no"));
        let first = match request {
            Some(_) => exchange.message().await.unwrap(),
            None => Value::Null,
        };
        self.listening = Some(exchange);
        first
    }

    pub(crate) async fn next_notification(&mut self) -> Value {
        let listening = self.listening.as_mut().unwrap();
        listening.message().await.unwrap()
    }

    pub(crate) async fn finish(mut self) {
        self.listening = None;
        self.child.kill().await.unwrap();
    }
}

impl Exchange {
    async fn read(stream: TcpStream) -> Self {
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        soon(stream.read_line(&mut line)).await.unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        let mut headers = Vec::new();
        loop {
            line.clear();
            soon(stream.read_line(&mut line)).await.unwrap();
            match line.trim_end().split_once(": ") {
                Some((name, value)) => headers.push((name.to_owned(), value.to_owned())),
                None => break,
            }
        }
        Self {
            stream,
            status,
            headers,
            body: Vec::new(),
            ended: false,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(its_name, _)| its_name == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next message: the whole body if it is JSON, else the data of the next event.
    pub(crate) async fn message(&mut self) -> Option<Value> {
        if self.header("content-type") != Some("text/event-stream") {
            while self.receive().await {}
            let body = std::mem::take(&mut self.body);
            return serde_json::from_slice(&body).ok();
        }
        loop {
            if let Some(end) = self.body.windows(2).position(|it| it == b"\n\n") {
                let event: Vec<u8> = self.body.drain(..end + 2).collect();
                let event = String::from_utf8(event).unwrap();
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                match data.filter(|it| !it.is_empty()) {
                    Some(data) => return Some(serde_json::from_str(data).unwrap()),
                    None => continue,
                }
            }
            if !self.receive().await {
                return None;
            }
        }
    }

    /// Reads on; `false` at the end.
    async fn receive(&mut self) -> bool {
        if self.ended {
            return false;
        }
        let known = self.header("content-length").map(|it| it.parse().unwrap());
        let length = match known {
            Some(length) => {
                self.ended = true;
                length
            }
            None => self.chunk_length().await,
        };
        let mut bytes = vec![0; length];
        soon(self.stream.read_exact(&mut bytes)).await.unwrap();
        self.body.append(&mut bytes);
        if known.is_none() {
            let mut line_end = String::new();
            soon(self.stream.read_line(&mut line_end)).await.unwrap();
            self.ended = length == 0;
        }
        length > 0
    }

    async fn chunk_length(&mut self) -> usize {
        let mut line = String::new();
        soon(self.stream.read_line(&mut line)).await.unwrap();
        usize::from_str_radix(line.trim_end(), 16).unwrap_or(0)
    }
}

/// The response of the endpoint to other requests than POST of a message.
#[tokio::test]
async fn r074_a_session_ends_and_is_then_unknown() {
    for revision in Revision::ALL
        .iter()
        .copied()
        .filter(|it| it.has_handshake())
    {
        let mut http = Http::start(revision).await;
        let params = json!({"protocolVersion": revision.name(), "capabilities": {}});
        let initialize =
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
        http.exchange(&initialize).await;
        let session = http.session.clone().unwrap();
        assert!(session.bytes().all(|it| it.is_ascii_graphic()), "{session}");
        let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
        assert_eq!(http.post(&ping).await.status, 200);
        assert_eq!(http.send("DELETE", "", b"").await.status, 204);
        for again in [http.post(&ping).await, http.send("DELETE", "", b"").await] {
            assert_eq!(again.status, 404);
        }
        assert_eq!(http.send("GET", "", b"").await.status, 404);
        http.session = None;
        for method in ["GET", "DELETE"] {
            assert_eq!(http.send(method, "", b"").await.status, 400, "{method}");
        }
        assert_eq!(http.send("PUT", "", b"").await.status, 405);
        // Plain requests need no session.
        assert_eq!(http.post(&ping).await.status, 200);
        http.finish().await;
    }
}

#[tokio::test]
async fn r068_a_request_that_names_its_revision_has_no_session() {
    let mut http = Http::start(Revision::V2026_07_28).await;
    http.session = Some("no such session".to_owned());
    let discover = crate::client::message(http.revision, json!(1), "server/discover", json!({}));
    let answer = http.post(&discover).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("mcp-session-id"), None);
    http.finish().await;
}

#[tokio::test]
async fn r118_a_client_whose_stream_is_released_resumes_for_the_response() {
    let mut http = Http::start(Revision::V2025_11_25).await;
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}});
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    http.exchange(&initialize).await;
    let params = json!({"name": "test_reconnection"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let mut left = http.post(&call).await;
    assert_eq!(left.message().await, None);
    let mut back = http.send("GET", "Last-Event-ID: 1\r\n", b"").await;
    let response = back.message().await.unwrap();
    assert_eq!(response["id"], 2);
    assert_eq!(response["result"]["isError"], false);
    assert_eq!(back.message().await, None);
    http.finish().await;
}
