//! Reads one resource again whenever something may have changed it, and tells when it has.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{Tell, lease::Lease};
use crate::{
    catalog::Catalog,
    error::ToolError,
    resource::{Body, Contents, Unread},
};

/// What a resource holds, told apart from what else it could hold.
pub(super) type Digest = [u8; 32];

/// One resource that is watched.
pub(super) struct Follower {
    pub(super) uri: String,
    pub(super) catalog: Arc<Catalog>,
    pub(super) tell: Tell,
    pub(super) lease: Arc<Lease>,
    /// What it held when the node last said so; `None` if it never has.
    pub(super) digest: Option<Digest>,
}

impl Follower {
    /// Goes on until it is aborted, or watched for too long.
    pub(super) async fn run(mut self, mut news: watch::Receiver<u64>) {
        let mut is_behind = self.digest.is_none();
        while let Some(interval) = self.lease.interval() {
            match timeout(interval, news.changed()).await {
                Ok(Ok(())) => (),
                // Nothing tells of it any more.
                Ok(Err(_)) => sleep(interval).await,
                // The last read failed, and is made up for.
                Err(_) if is_behind => (),
                Err(_) => continue,
            }
            is_behind = !self.look().await;
            sleep(self.lease.pace.rest).await;
        }
        tracing::info!(uri = self.uri, "watched for too long, no longer");
    }

    /// Reads it again; `false` if the node did not answer.
    async fn look(&mut self) -> bool {
        let digest = match digest(self.catalog.read(&self.uri).await) {
            Ok(Some(digest)) => digest,
            Ok(None) => return false,
            // That there is nothing any more is a change too.
            Err(err) => Sha256::digest(err.to_string()).into(),
        };
        if self.digest.replace(digest) != Some(digest) {
            tracing::debug!(uri = self.uri, "a watched resource has changed");
            (self.tell)(&self.uri);
        }
        true
    }
}

/// What was read; `None` if the node did not answer, an error if nothing can be read at this address.
pub(super) fn digest(read: Result<Contents, Unread>) -> Result<Option<Digest>, Unread> {
    match read {
        Ok(contents) => {
            let body = match &contents.body {
                Body::Text(body) | Body::Base64(body) => body,
            };
            Ok(Some(Sha256::digest(body).into()))
        }
        Err(Unread::Tool(ToolError::Node(_))) => Ok(None),
        Err(err) => Err(err),
    }
}
