//! Discarding unsent bytes when a connection is closed.

use std::time::Duration;

use socket2::SockRef;
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio_util::either::Either;

/// A stream whose unsent bytes can be discarded.
pub(crate) trait Discard {
    /// Makes the system discard unsent bytes when the stream is closed, instead of keeping them until the peer reads
    /// them.
    fn discard_unsent(&self);
}

impl Discard for TcpStream {
    fn discard_unsent(&self) {
        if let Err(err) = SockRef::from(self).set_linger(Some(Duration::ZERO)) {
            tracing::debug!(%err, "SO_LINGER could not be set");
        }
    }
}

/// Does nothing: the bytes count toward the server's memory and are freed with it.
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
