//! Where clients connect: a TCP address, or a Unix socket.

use std::{io, time::Duration};

use mcp_server::PeerAddress;
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use crate::config::Config;

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

/// What HTTP is spoken on.
#[cfg(feature = "tls")]
pub(crate) type Stream =
    tokio_util::either::Either<Socket, Box<tokio_rustls::server::TlsStream<Socket>>>;
#[cfg(not(feature = "tls"))]
pub(crate) type Stream = Socket;

/// How a connection begins: with a TLS handshake, or at once.
#[derive(Debug, Clone)]
pub(crate) struct Secure {
    #[cfg(feature = "tls")]
    tls: Option<crate::tls::Tls>,
}

impl Secure {
    #[cfg_attr(
        not(feature = "tls"),
        expect(unused_variables, reason = "there is nothing to configure")
    )]
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            #[cfg(feature = "tls")]
            tls: config.tls.clone(),
        }
    }

    /// Returns the stream to speak HTTP on; `None` if there is no handshake within `patience`.
    #[cfg(feature = "tls")]
    pub(crate) async fn open(self, socket: Socket, patience: Duration) -> Option<Stream> {
        match self.tls {
            None => Some(Stream::Left(socket)),
            Some(tls) => {
                let stream = tls.accept(socket, patience).await?;
                Some(Stream::Right(Box::new(stream)))
            }
        }
    }

    #[cfg(not(feature = "tls"))]
    pub(crate) async fn open(self, socket: Socket, _: Duration) -> Option<Stream> {
        Some(socket)
    }
}

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
