//! A client that sends arbitrary bytes, so that it can send invalid requests.

use std::{future::Future, net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// No step of these tests takes this long unless it hangs.
const DEADLINE: Duration = Duration::from_secs(20);

/// Waits for a future, and panics if it hangs.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(DEADLINE, future).await.unwrap()
}

pub(crate) struct Client {
    stream: Box<dyn Stream>,
    received: Vec<u8>,
}

/// Plain TCP, or TLS.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// An HTTP response.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status_line: String,
    pub(crate) status: u16,
    /// In the order received, with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(addr: SocketAddr) -> Self {
        Self::on(soon(TcpStream::connect(addr)).await.unwrap())
    }

    pub(crate) fn on(stream: impl Stream + 'static) -> Self {
        Self {
            stream: Box::new(stream),
            received: Vec::new(),
        }
    }

    /// Connects from an address of this machine, of which Linux has many.
    #[cfg(target_os = "linux")]
    pub(crate) async fn connect_from(address: &str, addr: SocketAddr) -> Self {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket
            .bind(SocketAddr::new(address.parse().unwrap(), 0))
            .unwrap();
        Self::on(soon(socket.connect(addr)).await.unwrap())
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        soon(self.stream.write_all(bytes.as_ref())).await.unwrap();
    }

    /// Sends a request and reads its response.
    pub(crate) async fn ask(&mut self, bytes: impl AsRef<[u8]>) -> Answer {
        self.send(bytes).await;
        self.answer().await
    }

    /// Reads the next response, which must have a Content-Length.
    pub(crate) async fn answer(&mut self) -> Answer {
        let head = self.head().await;
        let mut answer = Answer::parse_head(&head);
        let len = match answer.header("content-length") {
            Some(len) => len.parse().unwrap(),
            None if answer.status == 100 || answer.status == 204 => 0,
            None => panic!("no content-length in {answer:?}"),
        };
        while self.received.len() < len {
            assert_ne!(
                self.receive().await,
                0,
                "the body of {answer:?} ended early"
            );
        }
        answer.body = self.received.drain(..len).collect();
        answer
    }

    /// Reads the next response to a HEAD request, whose body is not sent.
    pub(crate) async fn answer_without_body(&mut self) -> Answer {
        let head = self.head().await;
        Answer::parse_head(&head)
    }

    /// Reads up to and including `end`, with the framing of chunks.
    pub(crate) async fn until(&mut self, end: &str) -> String {
        loop {
            let text = String::from_utf8(self.received.clone()).unwrap();
            if let Some(at) = text.find(end) {
                let taken = self.received.drain(..at + end.len()).collect();
                return String::from_utf8(taken).unwrap();
            }
            assert_ne!(self.receive().await, 0, "no {end:?} in {text:?}");
        }
    }

    /// Reads up to the end of the connection, which may be a reset.
    pub(crate) async fn rest(&mut self) -> Vec<u8> {
        let mut rest = std::mem::take(&mut self.received);
        // Keeps what arrived before a reset.
        let _ = soon(self.stream.read_to_end(&mut rest)).await;
        rest
    }

    /// Closes the sending side.
    pub(crate) async fn finish(&mut self) {
        // The server may have ended the connection already.
        let _ = soon(self.stream.shutdown()).await;
    }

    /// Sends as much as the server reads; returns whether it read everything.
    pub(crate) async fn try_send(&mut self, bytes: &[u8]) -> bool {
        soon(self.stream.write_all(bytes)).await.is_ok()
    }

    async fn head(&mut self) -> String {
        loop {
            let end = self.received.windows(4).position(|it| it == b"\r\n\r\n");
            if let Some(end) = end {
                let head = self.received.drain(..end + 4).collect();
                return String::from_utf8(head).unwrap();
            }
            assert_ne!(self.receive().await, 0, "closed without an answer");
        }
    }

    async fn receive(&mut self) -> usize {
        soon(self.stream.read_buf(&mut self.received))
            .await
            .unwrap()
    }
}

impl Answer {
    fn parse_head(head: &str) -> Self {
        let mut lines = head.trim_end().split("\r\n");
        let status_line = lines.next().unwrap();
        let status = status_line.split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_owned(), value.to_owned())
        });
        Self {
            status_line: status_line.to_owned(),
            status,
            headers: headers.collect(),
            body: Vec::new(),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(its_name, _)| its_name == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert_eq!(found.next(), None, "{name} is given more than once");
        value
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The status, and the code of the JSON-RPC error if there is one.
    pub(crate) fn outcome(&self) -> (u16, Option<i64>) {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        (self.status, body["error"]["code"].as_i64())
    }
}
