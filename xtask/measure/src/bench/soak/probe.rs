//! What clients ask that do as they should.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::bench::soak::server::call;
use xtask::failure::Failure;

/// A question that takes longer has failed.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// How long a server may take to start.
const START: Duration = Duration::from_secs(20);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);
/// No answer here is near it.
const LONGEST_ANSWER: usize = 4 << 20;

/// A question, and how its answer is known to be good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// What it asks for.
    pub(super) name: &'static str,
    /// The request with this number.
    request: fn(usize) -> Vec<u8>,
    /// What stands in each good answer.
    needle: &'static str,
}

const GOOD: &str = "\"isError\":false";

pub(super) const QUICK: Probe = Probe {
    name: "quick tool",
    request: |number| {
        let arguments = format!(r#"{{"height":{}}}"#, number % 400 + 2);
        call("get_block_by_height", &arguments)
    },
    needle: GOOD,
};

pub(super) const OFFLINE: Probe = Probe {
    name: "tool without a node",
    request: |_| {
        let arguments = r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#;
        call("validate_address", arguments)
    },
    needle: GOOD,
};

/// Of the server with sessions.
pub(super) const TEXT: Probe = Probe {
    name: "test_simple_text",
    request: |_| call("test_simple_text", "{}"),
    needle: "simple text",
};

impl Probe {
    /// Asks, on a new connection if there is none, and checks the answer.
    pub(super) async fn ask(
        &self,
        connection: &mut Option<TcpStream>,
        address: SocketAddr,
        number: usize,
    ) -> io::Result<()> {
        let stream = match connection {
            Some(stream) => stream,
            None => connection.insert(TcpStream::connect(address).await?),
        };
        stream.write_all(&(self.request)(number)).await?;
        let (status, body) = answer(stream).await?;
        match status == 200 && body.contains(self.needle) {
            true => Ok(()),
            false => Err(io::Error::other(format!("{status} with {body}"))),
        }
    }

    /// Waits for the server to listen, and checks its answer.
    pub(super) async fn first_answer(&self, address: SocketAddr) -> Result<(), Failure> {
        let begun = Instant::now();
        loop {
            let asked = timeout(PATIENCE, self.ask(&mut None, address, 0)).await;
            match asked.unwrap_or_else(|late| Err(late.into())) {
                Ok(()) => return Ok(()),
                Err(why) if begun.elapsed() > START => return Err(Failure::io(self.name)(why)),
                Err(_) => sleep(PAUSE).await,
            }
        }
    }
}

/// The status and the body of the next answer on a connection.
pub(super) async fn answer(stream: &mut TcpStream) -> io::Result<(u16, String)> {
    let mut bytes = Vec::new();
    loop {
        if let Some((status, body)) = whole(&bytes) {
            return Ok((status, body.to_owned()));
        }
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > LONGEST_ANSWER {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The status and the body, once they are there.
fn whole(bytes: &[u8]) -> Option<(u16, &str)> {
    let text = str::from_utf8(bytes).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let length = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length = length.map_or(Some(0), |(_, value)| value.parse().ok())?;
    Some((status, body.get(..length)?))
}
