//! Where clients connect: a TCP address, or a Unix socket.

use std::io;

use mcp_server::PeerAddress;
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

/// Where clients connect.
#[derive(Debug)]
#[non_exhaustive]
pub enum Listener {
    /// At an address.
    Tcp(TcpListener),
    /// At a path of the file system, whose permissions decide who may connect. Its clients have no
    /// [`PeerAddress`]: they count as one, or by their tokens.
    #[cfg(unix)]
    Unix(UnixListener),
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self::Tcp(listener)
    }
}

#[cfg(unix)]
impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Self {
        Self::Unix(listener)
    }
}

#[cfg(unix)]
pub(crate) type Socket = tokio_util::either::Either<TcpStream, UnixStream>;
#[cfg(not(unix))]
pub(crate) type Socket = TcpStream;

impl Listener {
    /// Accepts one connection.
    ///
    /// # Cancel safety
    /// Cancel safe: no connection is lost.
    pub(crate) async fn accept(&self) -> io::Result<(Socket, Option<PeerAddress>)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                // Responses are written whole; Nagle's algorithm would only delay them.
                if let Err(err) = stream.set_nodelay(true) {
                    tracing::debug!(%err, "TCP_NODELAY could not be set");
                }
                #[cfg(unix)]
                let stream = Socket::Left(stream);
                Ok((stream, Some(PeerAddress::new(address.ip()))))
            }
            #[cfg(unix)]
            Self::Unix(listener) => {
                let (stream, _) = listener.accept().await?;
                Ok((Socket::Right(stream), None))
            }
        }
    }
}
