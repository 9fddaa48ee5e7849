//! Task that reads one resource again when its topic changes, and reports different contents.

use std::sync::Arc;

use qortal_tools::{Body, Catalog, ToolError};
use sha2::{Digest as _, Sha256};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::poll_interval::IdleTimer;
use crate::{Contents, ReadResourceError, read};

/// Callback for the URI of a changed resource.
pub(super) type OnUpdate = Arc<dyn Fn(&str) + Send + Sync>;

/// SHA-256 of a resource's contents.
pub(super) type Digest = [u8; 32];

/// One subscribed resource.
pub(super) struct ResourceTask {
    pub(super) uri: String,
    pub(super) catalog: Arc<Catalog>,
    pub(super) on_update: OnUpdate,
    pub(super) idle: Arc<IdleTimer>,
    /// Digest of the last successful read, or `None` before the first one.
    pub(super) digest: Option<Digest>,
}

impl ResourceTask {
    /// Runs until it is aborted or the subscription expires.
    pub(super) async fn run(mut self, mut changes: watch::Receiver<()>) {
        let mut is_stale = self.digest.is_none();
        while let Some(interval) = self.idle.interval() {
            match timeout(interval, changes.changed()).await {
                Ok(Ok(())) => (),
                // The topic's task has ended.
                Ok(Err(_)) => sleep(interval).await,
                // Repeats the last read, which failed.
                Err(_) if is_stale => (),
                Err(_) => continue,
            }
            is_stale = !self.read().await;
            sleep(self.idle.policy.min_read_interval).await;
        }
        tracing::info!(uri = self.uri, "the subscription has expired");
    }

    /// Reads the resource and reports a change. Returns `false` if the node did not respond.
    async fn read(&mut self) -> bool {
        let digest = match digest(read(&self.catalog, &self.uri).await) {
            Ok(Some(digest)) => digest,
            Ok(None) => return false,
            // A resource that no longer exists has changed too.
            Err(err) => Sha256::digest(err.to_string()).into(),
        };
        if self.digest.replace(digest) != Some(digest) {
            tracing::debug!(uri = self.uri, "a subscribed resource has changed");
            (self.on_update)(&self.uri);
        }
        true
    }
}

/// Returns the digest of the contents, `None` if the node did not respond, or an error if the URI is not readable.
pub(super) fn digest(
    read: Result<Contents, ReadResourceError>,
) -> Result<Option<Digest>, ReadResourceError> {
    match read {
        Ok(contents) => {
            let body = match &contents.body {
                Body::Text(body) | Body::Base64(body) => body,
            };
            Ok(Some(Sha256::digest(body).into()))
        }
        Err(ReadResourceError::Tool(ToolError::Node(_))) => Ok(None),
        Err(err) => Err(err),
    }
}
