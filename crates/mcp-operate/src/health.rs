//! A health check over HTTP, for container images without another HTTP client.

use std::{io, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::ListenAddr;

/// Time for the whole check. A server answers at once, however busy it is, and a TLS handshake takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);
/// The start of a good response, which is all that is read.
const STATUS_LINE: &str = "HTTP/1.1 200 ";
/// The start of the record by which a server rejects what is not TLS (RFC 8446, sections 5.1 and 6).
const TLS_ALERT: [u8; 2] = [21, 3];
const REQUEST: &str = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/// An error of a health check.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HealthError {
    /// No server responds at this address.
    #[error("no server responds at {0}")]
    Silent(ListenAddr, #[source] io::Error),
    /// The server is stopping, or another program listens at this address.
    #[error("the server at {0} is not healthy")]
    Unhealthy(ListenAddr),
}

/// Sends one request to `/health` and waits up to three seconds for the response. A stopping server is not healthy.
///
/// # Errors
/// Returns an error if the server is unhealthy or does not respond.
pub async fn check_health(address: &ListenAddr) -> Result<(), HealthError> {
    check(address, false).await
}

/// Sends one request to `/health` over TLS and waits up to three seconds for the response.
///
/// The certificate is not verified: the request holds no secret, and a certificate that clients reject has its own alert.
///
/// # Errors
/// Returns an error if the server is unhealthy or does not respond.
#[cfg(feature = "tls")]
pub async fn check_health_tls_unverified(address: &ListenAddr) -> Result<(), HealthError> {
    check(address, true).await
}

async fn check(address: &ListenAddr, is_tls: bool) -> Result<(), HealthError> {
    let line = timeout(PATIENCE, status_line(address, is_tls)).await;
    match line.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(line) if line == STATUS_LINE.as_bytes() => Ok(()),
        Ok(_) => Err(HealthError::Unhealthy(address.clone())),
        Err(err) => Err(HealthError::Silent(address.clone(), err)),
    }
}

async fn status_line(address: &ListenAddr, is_tls: bool) -> io::Result<[u8; STATUS_LINE.len()]> {
    match address {
        ListenAddr::Tcp(address) => {
            let stream = TcpStream::connect(address).await?;
            secured(stream, is_tls).await
        }
        #[cfg(unix)]
        ListenAddr::Unix(path) => {
            let stream = tokio::net::UnixStream::connect(path).await?;
            secured(stream, is_tls).await
        }
        #[cfg(not(unix))]
        ListenAddr::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}

#[cfg(feature = "tls")]
async fn secured<S>(stream: S, is_tls: bool) -> io::Result<[u8; STATUS_LINE.len()]>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if is_tls {
        ask(tls::connect(stream).await?).await
    } else {
        ask(stream).await
    }
}

#[cfg(not(feature = "tls"))]
async fn secured<S>(stream: S, _: bool) -> io::Result<[u8; STATUS_LINE.len()]>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    ask(stream).await
}

/// Returns the start of the response, as long as that of a good one.
async fn ask<S>(mut stream: S) -> io::Result<[u8; STATUS_LINE.len()]>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(REQUEST.as_bytes()).await?;
    stream.flush().await?;
    let mut line = [0; STATUS_LINE.len()];
    let mut rest = line.as_mut_slice();
    while !rest.is_empty() {
        let read = stream.read(rest).await?;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, closed(&line)));
        }
        rest = rest.split_at_mut(read).1;
    }
    Ok(line)
}

/// Returns why a server closed the connection after these bytes.
fn closed(line: &[u8]) -> &'static str {
    if line.starts_with(&TLS_ALERT) {
        "the server uses TLS, check https://ADDR:PORT"
    } else {
        "the server closed the connection without a response"
    }
}

#[cfg(feature = "tls")]
mod tls {
    //! A handshake with this machine's own server, whatever its certificate is.

    use std::{io, net::Ipv4Addr, sync::Arc};

    use rustls::{
        ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
        client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        crypto::{
            CryptoProvider, ring, verify_tls12_signature as verify12,
            verify_tls13_signature as verify13,
        },
        pki_types::{CertificateDer, ServerName, UnixTime},
    };
    use tokio::io::{AsyncRead, AsyncWrite};
    use tokio_rustls::{TlsConnector, client::TlsStream};

    pub(super) async fn connect<S>(stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
            .with_no_client_auth();
        let name = ServerName::from(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST));
        TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await
    }

    #[derive(Debug)]
    struct AnyCertificate(Arc<CryptoProvider>);

    impl ServerCertVerifier for AnyCertificate {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }

        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let known = &self.0.signature_verification_algorithms;
            verify12(message, certificate, signed, known)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let known = &self.0.signature_verification_algorithms;
            verify13(message, certificate, signed, known)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.signature_verification_algorithms.supported_schemes()
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::{io::BufReader, net::TcpListener};

    use super::*;

    /// Checks a server that reads a request and sends these bytes.
    async fn checked(response: &'static str) -> Result<(), HealthError> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = ListenAddr::Tcp(listener.local_addr().unwrap());
        let server = async {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = BufReader::new(stream);
            let mut request = [0; REQUEST.len()];
            stream.read_exact(&mut request).await.unwrap();
            stream.write_all(response.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
            request
        };
        let (result, request) = tokio::join!(check_health(&address), server);
        assert_eq!(request, REQUEST.as_bytes());
        result
    }

    #[tokio::test]
    async fn only_status_200_is_healthy() {
        assert!(checked("HTTP/1.1 200 OK\r\n\r\n").await.is_ok());
        for response in [
            "HTTP/1.1 503 Service Unavailable\r\n\r\n",
            "HTTP/1.1 2000 OK\r\n\r\n",
            "SSH-2.0-OpenSSH_10.0\r\n",
        ] {
            let error = checked(response).await.unwrap_err();
            assert!(matches!(error, HealthError::Unhealthy(_)), "{response}");
        }
        let error = checked("HTTP/1.1 ").await.unwrap_err();
        assert!(matches!(error, HealthError::Silent(..)), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn server_that_sends_nothing_is_silent() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = ListenAddr::Tcp(listener.local_addr().unwrap());
        let error = check_health(&address).await.unwrap_err();
        assert!(matches!(error, HealthError::Silent(..)), "{error}");
    }
}
