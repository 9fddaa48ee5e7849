//! Listeners for clients: a TCP address, a Unix socket, or any other source of streams.

use std::{fmt, future::pending, io, time::Duration};

use mcp_server::PeerIp;
use socket2::SockRef;
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_util::either::Either;

use crate::{HttpConfig, discard::Discard};

/// Maximum response bytes that the system buffers for a client that does not read them. The system default is several
/// megabytes, which exceeds the needs of a connection and counts toward no memory budget.
const SEND_BUFFER_BYTES: usize = 256 << 10;

/// A listener for clients.
#[derive(Debug)]
#[non_exhaustive]
pub enum Listener {
    /// A TCP socket.
    Tcp(TcpListener),
    /// A Unix socket, whose file permissions determine who may connect. Its clients have no [`PeerIp`]. They count
    /// as one client, or by their tokens.
    #[cfg(unix)]
    Unix(UnixListener),
    /// Streams that are opened elsewhere, each with the address of its client. They may be in memory for a simulation,
    /// or from another program.
    Connections(mpsc::Receiver<(ExternalStream, Option<PeerIp>)>),
}

/// A stream opened elsewhere.
pub struct ExternalStream(Box<dyn Stream>);

pub(crate) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Discard for Box<dyn Stream> {
    fn discard_unsent(&self) {}
}

impl ExternalStream {
    /// Wraps a stream.
    pub fn new(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self(Box::new(stream))
    }
}

impl fmt::Debug for ExternalStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExternalStream")
    }
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
type Other = Either<UnixStream, Box<dyn Stream>>;
#[cfg(not(unix))]
type Other = Box<dyn Stream>;

pub(crate) type Socket = Either<TcpStream, Other>;

/// The stream that carries HTTP.
#[cfg(feature = "tls")]
pub(crate) type Wire = Either<Socket, Box<tokio_rustls::server::TlsStream<Socket>>>;
#[cfg(not(feature = "tls"))]
pub(crate) type Wire = Socket;

/// The start of a connection: with a TLS handshake or without one.
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
    pub(crate) fn new(config: &HttpConfig) -> Self {
        Self {
            #[cfg(feature = "tls")]
            tls: config.tls.clone(),
        }
    }

    /// Returns the stream that carries HTTP. Returns `None` if the handshake does not complete within `patience`.
    #[cfg(feature = "tls")]
    pub(crate) async fn open(self, socket: Socket, patience: Duration) -> Option<Wire> {
        match self.tls {
            None => Some(Wire::Left(socket)),
            Some(tls) => {
                let stream = tls.accept(socket, patience).await?;
                Some(Wire::Right(Box::new(stream)))
            }
        }
    }

    #[cfg(not(feature = "tls"))]
    pub(crate) async fn open(self, socket: Socket, _: Duration) -> Option<Wire> {
        Some(socket)
    }
}

impl Listener {
    /// Limits the send buffer of each client. Accepted sockets inherit the limit.
    pub(crate) fn bound_send_buffers(&self) {
        if let Self::Tcp(listener) = self
            && let Err(err) = SockRef::from(listener).set_send_buffer_size(SEND_BUFFER_BYTES)
        {
            tracing::warn!(%err, "SO_SNDBUF could not be set, the system may buffer megabytes for each client");
        }
    }

    /// Accepts one connection.
    ///
    /// # Cancel safety
    /// This method is cancel safe: no connection is lost.
    pub(crate) async fn accept(&mut self) -> io::Result<(Socket, Option<PeerIp>)> {
        match self {
            Self::Tcp(listener) => {
                let (stream, address) = listener.accept().await?;
                // Responses are written in one piece, so Nagle's algorithm would only delay them.
                if let Err(err) = stream.set_nodelay(true) {
                    tracing::debug!(%err, "TCP_NODELAY could not be set");
                }
                Ok((Socket::Left(stream), Some(PeerIp::new(address.ip()))))
            }
            #[cfg(unix)]
            Self::Unix(listener) => {
                let (stream, _) = listener.accept().await?;
                Ok((Socket::Right(Other::Left(stream)), None))
            }
            Self::Connections(opened) => {
                // The source of streams has ended, and there will be no more.
                let Some((ExternalStream(stream), peer)) = opened.recv().await else {
                    return pending().await;
                };
                #[cfg(unix)]
                let stream = Other::Right(stream);
                Ok((Socket::Right(stream), peer))
            }
        }
    }
}
