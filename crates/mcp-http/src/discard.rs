//! Closing a connection without the bytes that its peer has not read.

use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio_util::either::Either;

/// A stream whose unsent bytes can be discarded.
pub(crate) trait Discard {
    /// Has the system discard what it holds for the peer when the stream is closed, instead of keeping it until the peer reads it.
    fn discard_unsent(&self);
}

impl Discard for TcpStream {
    fn discard_unsent(&self) {
        if let Err(err) = SockRef::from(self).set_linger(Some(Duration::ZERO)) {
            tracing::debug!(%err, "SO_LINGER could not be set");
        }
    }
}

/// Its bytes are counted with the server's, and end with it.
#[cfg(unix)]
impl Discard for UnixStream {
    fn discard_unsent(&self) {}
}

impl<L: Discard, R: Discard> Discard for Either<L, R> {
    fn discard_unsent(&self) {
        match self {
            Self::Left(stream) => stream.discard_unsent(),
            Self::Right(stream) => stream.discard_unsent(),
        }
    }
}

#[cfg(feature = "tls")]
impl<S: Discard> Discard for Box<tokio_rustls::server::TlsStream<S>> {
    fn discard_unsent(&self) {
        self.get_ref().0.discard_unsent();
    }
}
