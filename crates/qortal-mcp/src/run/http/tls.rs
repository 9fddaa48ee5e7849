//! The certificate of the server: read from files at the start, and again when they change.

use std::{
    error::Error,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use mcp_http::Tls;
use rustls::{
    InconsistentKeys, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::{
    config::{ConfigError, secret},
    run::reload::ReadAgain,
};

/// A chain of certificates has a few thousand bytes.
const MOST_BYTES: u64 = 256 << 10;
/// How long a change of the files may go unnoticed.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The files of a certificate and its key.
#[derive(Debug)]
pub(super) struct TlsFiles {
    certificate: PathBuf,
    key: PathBuf,
    current: Tls,
    /// What the files were when they were read last.
    version: Mutex<Version>,
}

/// Tells whether the files have changed.
type Version = [Option<(SystemTime, u64)>; 2];

/// Why a certificate cannot be used. No error shows a key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    #[error(transparent)]
    Unreadable(#[from] ConfigError),
    #[error("{path:?} is no file of certificates: it has more than {MOST_BYTES} bytes")]
    TooLong { path: PathBuf },
    #[error(
        "there is no certificate in {path:?}\nhint: it begins with -----BEGIN CERTIFICATE-----"
    )]
    NoCertificate { path: PathBuf },
    #[error(
        "there is no private key in {path:?}\nhint: it begins with -----BEGIN PRIVATE KEY-----, and has no passphrase"
    )]
    NoKey { path: PathBuf },
    #[error("the key in {path:?} is not the key of the certificate")]
    OtherKey { path: PathBuf },
    #[error("the certificate cannot be used")]
    Unusable(#[source] rustls::Error),
}

impl TlsFiles {
    pub(super) fn read((certificate, key): &(PathBuf, PathBuf)) -> Result<Self, TlsError> {
        let version = version([certificate, key]);
        Ok(Self {
            current: Tls::new(read(certificate, key)?),
            certificate: certificate.clone(),
            key: key.clone(),
            version: Mutex::new(version),
        })
    }

    /// What to serve with.
    pub(super) fn tls(&self) -> Tls {
        self.current.clone()
    }

    /// Looks for changes until `stop`.
    pub(super) async fn run(self: Arc<Self>, stop: &CancellationToken) {
        while stop.run_until_cancelled(sleep(LOOK_AGAIN)).await.is_some() {
            let files = Arc::clone(&self);
            // Files may be slow.
            if let Err(err) = tokio::task::spawn_blocking(move || files.look()).await {
                tracing::error!(%err, "the certificate was not looked at");
            }
        }
    }

    fn look(&self) {
        let found = version([&self.certificate, &self.key]);
        let has_changed = *self.version.lock().unwrap_or_else(PoisonError::into_inner) != found;
        if has_changed {
            self.read_again();
        }
    }
}

impl ReadAgain for TlsFiles {
    fn read_again(&self) {
        let found = version([&self.certificate, &self.key]);
        *self.version.lock().unwrap_or_else(PoisonError::into_inner) = found;
        match read(&self.certificate, &self.key) {
            Ok(config) => {
                self.current.replace(config);
                tracing::info!("the certificate was read again");
            }
            // Of two files that are replaced one after the other, the first does not fit.
            Err(err) => tracing::error!(
                error = &err as &dyn Error,
                "the certificate has become invalid; the earlier one stays"
            ),
        }
    }
}

fn version(paths: [&PathBuf; 2]) -> Version {
    paths.map(|path| {
        let metadata = fs::metadata(path).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    })
}

fn read(certificate: &Path, key: &Path) -> Result<ServerConfig, TlsError> {
    let text = pem("certificate", certificate)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text.as_bytes()).collect();
    let certificates = certificates.ok().filter(|it| !it.is_empty());
    let certificates = certificates.ok_or_else(|| TlsError::NoCertificate {
        path: certificate.to_owned(),
    })?;
    let text = pem("key of the certificate", key)?;
    let private = PrivateKeyDer::from_pem_slice(text.as_bytes());
    let private = private.map_err(|_| TlsError::NoKey {
        path: key.to_owned(),
    })?;
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Unusable)?
        .with_no_client_auth()
        .with_single_cert(certificates, private)
        .map_err(|err| match err {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => TlsError::OtherKey {
                path: key.to_owned(),
            },
            err => TlsError::Unusable(err),
        })
}

fn pem(what: &'static str, path: &Path) -> Result<String, TlsError> {
    let file = match secret::read(what, path, MOST_BYTES) {
        // Bytes that are no text.
        Err(ConfigError::Unreadable { source, .. })
            if source.kind() == io::ErrorKind::InvalidData =>
        {
            return Ok(String::new());
        }
        read => read?,
    };
    file.text.ok_or_else(|| TlsError::TooLong {
        path: path.to_owned(),
    })
}
