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
pub fn check_health(address: SocketAddr) -> Result<(), HealthError> {
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

#[cfg(test)]
mod tests {
    use std::{
        io::{Read, Write},
        net::TcpListener,
        thread,
    };

    use super::{HealthError, check_health};

    /// Asks a server that reads a request and sends these bytes.
    fn ask(response: &'static str) -> Result<(), HealthError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 512];
            let read = stream.read(&mut request).unwrap();
            stream.write_all(response.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        let result = check_health(address);
        let request = server.join().unwrap();
        assert_eq!(request.lines().next(), Some("GET /health HTTP/1.1"));
        result
    }

    #[test]
    fn only_status_200_is_healthy() {
        assert!(ask("HTTP/1.1 200 OK\r\n\r\n").is_ok());
        for response in [
            "HTTP/1.1 503 Service Unavailable\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "SSH-2.0-OpenSSH_10.0\r\n",
        ] {
            let error = ask(response).unwrap_err();
            assert!(matches!(error, HealthError::Unhealthy(_)), "{response}");
        }
        let error = ask("HTTP/1.1 ").unwrap_err();
        assert!(matches!(error, HealthError::Silent(..)), "{error}");
    }
}
