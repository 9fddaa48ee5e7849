//! Signal for callers that check a resource when it may have changed.

use std::{fmt, sync::Arc, time::Duration};

use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{SubscribeError, Subscriptions, TopicHandle, topic::Topic};

/// A subscription to a resource's topic that does not read the resource. It ends when it is dropped.
pub(crate) struct Wake {
    topic: Arc<TopicHandle>,
    changes: watch::Receiver<()>,
}

impl Subscriptions {
    /// Subscribes to the topic of the resource at a URI. A later read misses no later change.
    pub(crate) async fn wake(&self, uri: &str) -> Result<Wake, SubscribeError> {
        let inner = &self.0;
        let topic = inner.topic(Topic::of(uri, &inner.catalog).await?)?;
        let changes = topic.changes.clone();
        Ok(Wake { topic, changes })
    }
}

impl Wake {
    /// Returns when the resource may have changed, after `quiet` at the latest.
    pub(crate) async fn next(&mut self, quiet: Duration) {
        let is_running = self.topic.renew();
        // The timeout is expected.
        match timeout(quiet, self.changes.changed()).await {
            Ok(Err(_)) => sleep(quiet).await,
            _ if !is_running => sleep(quiet).await,
            _ => (),
        }
    }
}

impl fmt::Debug for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wake").field(&self.topic.topic).finish()
    }
}
