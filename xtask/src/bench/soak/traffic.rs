//! Clients that do as they should, while others do not: one keeps its connection, one opens a new one each time.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use crate::bench::soak::target::Target;
use crate::failure::Failure;

/// A good request that takes longer has failed. As long as the shortest timeout of common clients.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a server may take to start.
const START: Duration = Duration::from_secs(20);
/// Between two requests of one client.
const PAUSE: Duration = Duration::from_millis(10);
/// No answer here is near it.
const LONGEST_ANSWER: usize = 4 << 20;

/// What became of good requests.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    pub(super) answered: usize,
    pub(super) failed: usize,
    pub(super) first_failure: Option<String>,
    latencies: Vec<Duration>,
}

impl Traffic {
    /// Waits for the server to listen, and checks its answer.
    pub(super) async fn first_answer(target: &Target, address: SocketAddr) -> Result<(), Failure> {
        let until = Instant::now() + START;
        loop {
            match asked(&mut None, target, address).await {
                Ok(()) => return Ok(()),
                Err(why) if Instant::now() > until => {
                    return Err(Failure::io(target.name)(why));
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Asks and asks.
    pub(super) async fn for_a_while(
        target: &Target,
        address: SocketAddr,
        during: Duration,
    ) -> Self {
        let (mut kept, new) = tokio::join!(
            client(target, address, during, true),
            client(target, address, during, false)
        );
        kept.answered += new.answered;
        kept.failed += new.failed;
        kept.first_failure = kept.first_failure.or(new.first_failure);
        kept.latencies.extend(new.latencies);
        kept.latencies.sort_unstable();
        kept
    }

    /// What so many percent of the answers did not exceed, in milliseconds; 0 without answers.
    pub(super) fn percentile_ms(&self, percent: usize) -> f64 {
        let at = (self.latencies.len() * percent).div_ceil(100).max(1) - 1;
        let latency = self.latencies.get(at).copied().unwrap_or_default();
        latency.as_secs_f64() * 1e3
    }
}

async fn client(target: &Target, address: SocketAddr, during: Duration, keeps: bool) -> Traffic {
    let until = Instant::now() + during;
    let mut traffic = Traffic::default();
    let mut connection = None;
    while Instant::now() < until {
        let begun = Instant::now();
        let mut outcome = timeout(PATIENCE, asked(&mut connection, target, address)).await;
        if keeps && matches!(outcome, Ok(Err(_))) {
            // A connection may be closed between two requests (RFC 9112 §9.5): a client asks again on another.
            connection = None;
            outcome = timeout(PATIENCE, asked(&mut connection, target, address)).await;
        }
        match outcome {
            Ok(Ok(())) => {
                traffic.answered += 1;
                traffic.latencies.push(begun.elapsed());
            }
            Ok(Err(why)) => traffic.fail(&why.to_string()),
            Err(_) => traffic.fail("it took too long"),
        }
        if !keeps {
            connection = None;
        }
        sleep(PAUSE).await;
    }
    traffic
}

impl Traffic {
    fn fail(&mut self, why: &str) {
        self.failed += 1;
        self.first_failure.get_or_insert_with(|| why.to_owned());
    }
}

/// Sends a good request, on a new connection if there is none, and checks its answer.
async fn asked(
    connection: &mut Option<TcpStream>,
    target: &Target,
    address: SocketAddr,
) -> io::Result<()> {
    let stream = match connection {
        Some(stream) => stream,
        None => connection.insert(TcpStream::connect(address).await?),
    };
    stream.write_all(&target.good_request()).await?;
    let (status, body) = answer(stream).await?;
    match status == 200 && body.contains(target.needle) {
        true => Ok(()),
        false => Err(io::Error::other(format!("{status} with {body}"))),
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
