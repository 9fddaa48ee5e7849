//! A minimal HTTP client that exposes the bytes on the wire: one request per connection.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// A timeout that no response of a local node reaches.
const DEADLINE: Duration = Duration::from_secs(20);

/// A response as received.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends `GET target`, accepting any content type.
pub(crate) async fn get(url: &str, target: &str) -> Received {
    ask(url, "GET", target, &[], "").await
}

/// Sends a request and closes the connection afterwards.
pub(crate) async fn ask(
    url: &str,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Received {
    let bytes = timeout(DEADLINE, async {
        let mut stream = send(url, method, target, headers, body).await;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        bytes
    });
    parse(&bytes.await.unwrap())
}

/// Sends a request and returns the connection.
pub(crate) async fn send(
    url: &str,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> TcpStream {
    let host = url.strip_prefix("http://").unwrap();
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream
        .write_all(format!("{head}\r\n{body}").as_bytes())
        .await
        .unwrap();
    stream
}

fn parse(bytes: &[u8]) -> Received {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
    let (head, body) = bytes.split_at(end + 4);
    let head = String::from_utf8(head.to_vec()).unwrap();
    let mut lines = head.trim_end().split("\r\n");
    let status = lines
        .next()
        .unwrap()
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    let headers = lines.map(|line| line.split_once(':').unwrap());
    let headers = headers
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let mut received = Received {
        status,
        headers,
        body: body.to_vec(),
    };
    if received.header("transfer-encoding") == Some("chunked") && !body.is_empty() {
        received.body = unchunked(body);
    }
    received
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest
            .windows(2)
            .position(|window| window == b"\r\n")
            .unwrap();
        let (size, after) = rest.split_at(end);
        let size = usize::from_str_radix(std::str::from_utf8(size).unwrap(), 16).unwrap();
        let (_, after) = after.split_at(2);
        if size == 0 {
            return body;
        }
        let (chunk, after) = after.split_at(size);
        body.extend_from_slice(chunk);
        (_, rest) = after.split_at(2);
    }
}
