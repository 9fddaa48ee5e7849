//! A stream of events over HTTP, read as it comes.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::soon;

/// A stream of events. Dropping it closes its connection.
#[derive(Debug)]
pub struct Events {
    stream: BufReader<TcpStream>,
    /// What came and is no whole event yet.
    unread: String,
}

impl Events {
    pub(crate) async fn open(address: SocketAddr, method: &str, headers: &str, body: &str) -> Self {
        let mut stream = soon(TcpStream::connect(address)).await.unwrap();
        let head = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {address}\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        soon(stream.write_all(head.as_bytes())).await.unwrap();
        let mut stream = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = soon(stream.read_line(&mut head)).await.unwrap();
            assert!(read > 0, "{head}");
        }
        assert!(head.contains("text/event-stream"), "{head}");
        let unread = String::new();
        Self { stream, unread }
    }

    /// The message of the next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.unread.split_once("\n\n") {
                let data = event.lines().find_map(|it| it.strip_prefix("data: "));
                let message = data.map(|it| serde_json::from_str(it).unwrap());
                self.unread = rest.to_owned();
                if message.is_some() {
                    return message;
                }
                continue;
            }
            let mut size = String::new();
            soon(self.stream.read_line(&mut size)).await.unwrap();
            let size = usize::from_str_radix(size.trim_end(), 16).unwrap();
            // A chunk ends with a line break of its own.
            let mut chunk = vec![0; size + 2];
            soon(self.stream.read_exact(&mut chunk)).await.unwrap();
            if size == 0 {
                return None;
            }
            self.unread
                .push_str(std::str::from_utf8(&chunk[..size]).unwrap());
        }
    }
}
