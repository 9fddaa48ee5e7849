//! Whether a server over HTTP is healthy, for images that contain no other program to ask with.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

/// A server answers this at once, however busy it is.
const PATIENCE: Duration = Duration::from_secs(3);
/// The status line is all that is read.
const STATUS_LINE: &str = "HTTP/1.1 200 ";

/// Why a server is not healthy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HealthError {
    /// It does not answer at this address.
    #[error("no server answers at {0}")]
    Silent(SocketAddr, #[source] io::Error),
    /// It stops, or something else listens there.
    #[error("the server at {0} is not healthy")]
    Unhealthy(SocketAddr),
}

/// Asks `/health` once, and waits for at most a few seconds. A server that is stopping is not healthy.
///
/// # Errors
/// Fails if it is not, or does not answer.
pub fn ask_health(address: SocketAddr) -> Result<(), HealthError> {
    match status_line(address) {
        Ok(line) if line == STATUS_LINE.as_bytes() => Ok(()),
        Ok(_) => Err(HealthError::Unhealthy(address)),
        Err(err) => Err(HealthError::Silent(address, err)),
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
