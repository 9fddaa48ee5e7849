//! The causes of an unreachable node, determined by error types and never by their text.

use std::{error::Error, fmt, io};

/// The reason for a missing or incomplete HTTP response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The connection was refused, because nothing listens at the address.
    Refused,
    /// The host name has no address.
    Dns,
    /// TLS failed: the certificate is not trusted, or the peer does not support TLS.
    Tls,
    /// The address did not accept a connection in time.
    ConnectTimeout,
    /// There is no route to the address.
    NoRoute,
    /// The connection was reset.
    Reset,
    /// The connection was closed before the response was complete.
    Closed,
    /// The response is not HTTP, or the connection failed in another way.
    Broken,
}

/// A host name has no address.
#[derive(Debug, thiserror::Error)]
#[error("the host name has no address")]
pub(crate) struct Unresolved(#[source] pub(crate) io::Error);

impl Cause {
    /// Looks for the first cause among an error and its sources.
    pub(crate) fn in_chain(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if error.is::<Unresolved>() {
                return Some(Self::Dns);
            }
            if let Some(cause) = error.downcast_ref().and_then(Self::of_io) {
                return Some(cause);
            }
            next = error.source();
        }
        None
    }

    fn of_io(error: &io::Error) -> Option<Self> {
        #[cfg(feature = "tls")]
        if error
            .get_ref()
            .is_some_and(<dyn Error + Send + Sync>::is::<rustls::Error>)
        {
            return Some(Self::Tls);
        }
        // A wrapped error says more than the one around it.
        if let Some(cause) = error.get_ref().and_then(|inner| Self::in_chain(inner)) {
            return Some(cause);
        }
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Some(Self::Refused),
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Some(Self::Reset),
            io::ErrorKind::TimedOut => Some(Self::ConnectTimeout),
            io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::NetworkDown
            | io::ErrorKind::AddrNotAvailable => Some(Self::NoRoute),
            io::ErrorKind::UnexpectedEof => Some(Self::Closed),
            _ => None,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "the connection was refused",
            Self::Dns => "the host name has no address",
            Self::Tls => "no secure connection could be established",
            Self::ConnectTimeout => "the connection was not accepted in time",
            Self::NoRoute => "no route to the address",
            Self::Reset => "the connection was reset",
            Self::Closed => "the connection closed too early",
            Self::Broken => "the connection failed, or the response is not HTTP",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::Cause;

    #[test]
    fn the_kind_of_the_innermost_error_decides() {
        let refused = || io::Error::from(io::ErrorKind::ConnectionRefused);
        for (error, expected) in [
            (refused(), Some(Cause::Refused)),
            (io::Error::other(refused()), Some(Cause::Refused)),
            (
                io::Error::from(io::ErrorKind::UnexpectedEof),
                Some(Cause::Closed),
            ),
            (io::Error::other("connection refused"), None),
        ] {
            assert_eq!(Cause::in_chain(&error), expected, "{error}");
        }
    }

    #[cfg(feature = "tls")]
    #[test]
    fn tls_is_told_apart() {
        let error = io::Error::other(rustls::Error::DecryptError);
        assert_eq!(Cause::in_chain(&error), Some(Cause::Tls));
    }
}
