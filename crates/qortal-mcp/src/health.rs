//! `qortal-mcp health`: whether a server over HTTP is healthy, for images that contain no other program to ask with.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use crate::{args::Health, exit::Exit, text};

/// A server answers this at once, however busy it is.
const PATIENCE: Duration = Duration::from_secs(3);
/// The status line is all that is read.
const STATUS_LINE: &str = "HTTP/1.1 200 ";

#[derive(Debug, thiserror::Error)]
enum HealthError {
    #[error("no server answers at {address}")]
    Silent {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    #[error("the server at {address} is not healthy")]
    Unhealthy { address: SocketAddr },
}

/// Asks `/health` once. Success is a server that takes requests; one that is stopping is a failure.
pub(crate) fn ask(health: &Health) -> Exit {
    let address = health.address;
    let silent = |source| HealthError::Silent { address, source };
    match status_line(address).map_err(silent) {
        Ok(line) if line == STATUS_LINE.as_bytes() => Exit::Success,
        Ok(_) => text::print_error(&HealthError::Unhealthy { address }, Exit::Failed),
        Err(err) => text::print_error(&err, Exit::Failed),
    }
}

/// The start of the answer, as long as that of a good one.
fn status_line(address: SocketAddr) -> io::Result<[u8; STATUS_LINE.len()]> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!("GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut line = [0; STATUS_LINE.len()];
    stream.read_exact(&mut line)?;
    Ok(line)
}
