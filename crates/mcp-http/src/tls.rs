//! TLS handshakes, with a certificate that can be replaced while the server runs.

use std::{fmt, sync::Arc, time::Duration};

use parking_lot::RwLock;
use tokio::time::timeout;
use tokio_rustls::{TlsAcceptor, rustls::ServerConfig, server::TlsStream};

use crate::listener::Socket;

/// The TLS configuration of a server. Clones share it.
///
/// ```
/// use std::sync::Arc;
///
/// use rustls::{ServerConfig, crypto::ring};
///
/// fn tls(
///     certificates: Vec<rustls::pki_types::CertificateDer<'static>>,
///     key: rustls::pki_types::PrivateKeyDer<'static>,
/// ) -> Result<mcp_http::Tls, rustls::Error> {
///     let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
///         .with_safe_default_protocol_versions()?
///         .with_no_client_auth()
///         .with_single_cert(certificates, key)?;
///     Ok(mcp_http::Tls::from_config(config))
/// }
/// ```
///
/// An unfinished handshake counts as an open connection, and may take
/// [`HttpLimits::header_timeout`](crate::HttpLimits::header_timeout).
#[derive(Clone)]
pub struct Tls(Arc<RwLock<Arc<ServerConfig>>>);

impl Tls {
    /// Creates a TLS configuration. It negotiates HTTP/1.1 as the protocol.
    #[must_use]
    pub fn from_config(config: ServerConfig) -> Self {
        Self(Arc::new(RwLock::new(http(config))))
    }

    /// Replaces the configuration for new connections. Open ones are unchanged.
    pub fn replace(&self, config: ServerConfig) {
        let Self(current) = self;
        *current.write() = http(config);
    }

    /// Accepts a connection. Returns `None` if the handshake does not complete in time.
    pub(crate) async fn accept(
        &self,
        socket: Socket,
        patience: Duration,
    ) -> Option<TlsStream<Socket>> {
        let acceptor = {
            let Self(current) = self;
            let config = current.read();
            TlsAcceptor::from(Arc::clone(&config))
        };
        match timeout(patience, acceptor.accept(socket)).await {
            Ok(Ok(stream)) => Some(stream),
            // For example a client of plain HTTP, or one that does not trust the certificate.
            Ok(Err(err)) => {
                tracing::debug!(%err, "a TLS handshake failed");
                None
            }
            Err(_) => {
                tracing::debug!(?patience, "a TLS handshake timed out");
                None
            }
        }
    }
}

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

fn http(mut config: ServerConfig) -> Arc<ServerConfig> {
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}
