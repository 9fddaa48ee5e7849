//! A server certificate, read from files at startup and again when they change.

mod expiry;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use mcp_http::Tls;
use parking_lot::Mutex;
use rustls::{
    InconsistentKeys, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
};

use crate::{
    FileSnapshot, FileWatcher, ReloadOutcome,
    secret::{OperatorFileError, OperatorFileKind},
};

/// A chain of certificates has a few thousand bytes.
const MOST_BYTES: u64 = 256 << 10;
const CERTIFICATE: OperatorFileKind = OperatorFileKind::non_secret("certificate", MOST_BYTES);
const KEY: OperatorFileKind = OperatorFileKind::secret("key of the certificate", MOST_BYTES);

/// The PEM files of a certificate and its key.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    tls: Tls,
    file: FileWatcher,
    expires: Arc<Mutex<Option<SystemTime>>>,
}

/// An error loading a certificate. It never shows a key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read, or its mode is wrong.
    #[error(transparent)]
    File(#[from] OperatorFileError),
    /// A file does not hold a certificate or a key.
    #[error("{0}")]
    Unusable(String),
    /// The certificate is invalid for another reason.
    #[error("the certificate cannot be used")]
    Invalid(#[source] rustls::Error),
}

impl TlsFiles {
    /// Reads the files.
    ///
    /// # Errors
    /// Returns an error if they are not a certificate and its key.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let files = [certificate, key].map(Path::to_owned);
        let seen = FileSnapshot::now(files.to_vec());
        let (config, expires) = read(&files)?;
        let (tls, expires) = (Tls::from_config(config), Arc::new(Mutex::new(expires)));
        let (current, end) = (tls.clone(), Arc::clone(&expires));
        let file = seen.into_watcher(
            "certificate",
            "the previous one stays in effect",
            move || {
                let (config, expires) = read(&files)?;
                current.replace(config);
                *end.lock() = expires;
                tracing::info!("the certificate was reloaded");
                Ok::<_, TlsError>(ReloadOutcome::Now)
            },
        );
        Ok(Self { tls, file, expires })
    }

    /// Returns the TLS configuration for a server.
    #[must_use]
    pub fn tls(&self) -> Tls {
        self.tls.clone()
    }

    /// Returns the earliest expiry of the certificates in the chain, or `None` if none can be read.
    #[must_use]
    pub fn expires_at(&self) -> Option<SystemTime> {
        *self.expires.lock()
    }

    /// Returns the watcher of the files, to [poll for changes](FileWatcher::run) or to reload them immediately.
    #[must_use]
    pub fn watcher(&self) -> &FileWatcher {
        &self.file
    }
}

/// Reads the certificate and its key, and the time at which the first of the chain expires.
fn read([certificate, key]: &[PathBuf; 2]) -> Result<(ServerConfig, Option<SystemTime>), TlsError> {
    let text = pem(CERTIFICATE, certificate)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(text.as_bytes()).collect();
    let certificates = certificates.ok().filter(|it| !it.is_empty());
    let certificates = certificates.ok_or_else(|| {
        let hint = "hint: a certificate begins with -----BEGIN CERTIFICATE-----";
        TlsError::Unusable(format!(
            "there is no certificate in {certificate:?}\n{hint}"
        ))
    })?;
    let text = pem(KEY, key)?;
    let private = PrivateKeyDer::from_pem_slice(text.as_bytes());
    let private = private.map_err(|_| {
        let hint = "hint: a key begins with -----BEGIN PRIVATE KEY----- and has no passphrase";
        TlsError::Unusable(format!("there is no private key in {key:?}\n{hint}"))
    })?;
    let expires = certificates.iter().filter_map(|it| expiry::expiry(it));
    let expires = expires.min();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Invalid)?
        .with_no_client_auth()
        .with_single_cert(certificates, private)
        .map_err(|err| match err {
            rustls::Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                TlsError::Unusable(format!("the key in {key:?} does not match the certificate"))
            }
            err => TlsError::Invalid(err),
        })?;
    Ok((config, expires))
}

fn pem(kind: OperatorFileKind, path: &Path) -> Result<String, TlsError> {
    let file = match kind.read(path) {
        // Bytes that are no text.
        Err(OperatorFileError::Unreadable(err)) if err.kind() == io::ErrorKind::InvalidData => {
            return Ok(String::new());
        }
        read => read?,
    };
    if let Some(warning) = file.warning {
        tracing::warn!("{warning}");
    }
    Ok(file.text)
}
