//! Watching resources: who watches decides what is asked of the node, and how often. One task reads a
//! resource again whoever watches it, one task a topic learns when that is worth it.

mod follow;
mod lease;
mod pace;
mod topic;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use tokio::{
    sync::watch,
    task::{AbortHandle, JoinSet},
};

pub use self::pace::Pace;
use self::{
    follow::{Digest, Follower, digest},
    lease::Lease,
    topic::{Topic, TopicTask},
};
use crate::{catalog::Catalog, resource::Unread};

/// Resources that are watched at once, each counted once however many watch it: what that costs the
/// node is a read each block or poll.
const MOST: usize = 256;

/// Watches resources for whoever asks, and tells when one holds something else. Clones are the same.
///
/// Nothing runs while nobody watches. What runs belongs to the watcher: [`Watcher::stop`] ends it and
/// waits for it.
#[derive(Debug, Clone)]
pub struct Watcher(Arc<Shared>);

/// A resource is watched as long as this is kept.
#[derive(Debug, Clone)]
pub struct Watching(#[expect(dead_code, reason = "it is kept to be dropped")] Arc<Followed>);

/// Why a resource is not watched.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Unwatched {
    /// It can be read at most; these can be watched, as templates.
    NotWatchable(Vec<&'static str>),
    /// It cannot be read either.
    Unread(Unread),
    /// As many others are watched as may be.
    TooMany,
    /// The watcher has stopped.
    Stopped,
}

impl fmt::Display for Unwatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWatchable(forms) => {
                let forms = forms.join(", ");
                write!(f, "this resource cannot be watched, these can: {forms}")
            }
            Self::Unread(err) => err.fmt(f),
            Self::TooMany => write!(f, "{MOST} resources are watched already, try again later"),
            Self::Stopped => f.write_str("the server is stopping"),
        }
    }
}

impl std::error::Error for Unwatched {}

impl From<Unread> for Unwatched {
    fn from(err: Unread) -> Self {
        Self::Unread(err)
    }
}

/// Tells whoever listens that the resource at an address holds something else.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

struct Shared {
    catalog: Arc<Catalog>,
    tell: Tell,
    pace: Pace,
    state: Mutex<State>,
}

/// What is watched now. Those who watch own it; here it is only found.
#[derive(Default)]
struct State {
    resources: HashMap<String, Weak<Followed>>,
    topics: HashMap<Topic, Weak<Source>>,
    tasks: JoinSet<()>,
    is_stopped: bool,
}

/// A resource that somebody watches; nobody when dropped.
struct Followed {
    uri: String,
    lease: Arc<Lease>,
    source: Arc<Source>,
    task: AbortHandle,
    shared: Weak<Shared>,
}

/// A topic that some watched resource needs; none when dropped.
struct Source {
    topic: Topic,
    news: watch::Receiver<u64>,
    lease: Arc<Lease>,
    task: AbortHandle,
    shared: Weak<Shared>,
}

impl Watcher {
    /// Watches resources of `catalog`, and calls `tell` with the address of one that has changed, as
    /// it was given to [`watch`](Self::watch). `tell` must return at once.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self::with_pace(catalog, tell, Pace::default())
    }

    /// The same at another pace.
    #[must_use]
    pub fn with_pace(
        catalog: Arc<Catalog>,
        tell: impl Fn(&str) + Send + Sync + 'static,
        pace: Pace,
    ) -> Self {
        Self(Arc::new(Shared {
            catalog,
            tell: Arc::new(tell),
            pace,
            state: Mutex::default(),
        }))
    }

    /// Watches one resource. Once this returns, everything that changes is told, within the time of
    /// [`Pace`] where the node does not tell it by itself. Whoever watches longer than that allows
    /// asks again: any new watch of a resource renews the others.
    ///
    /// Errors if the resource cannot be watched, if its address says what its tool refuses, and beyond
    /// 256 resources. A node that does not answer is no error: that it is back will be told.
    pub async fn watch(&self, uri: &str) -> Result<Watching, Unwatched> {
        let shared = &self.0;
        if let Some(found) = shared.found(uri) {
            return Ok(Watching(found));
        }
        let watchable = shared.catalog.watchable(uri)?;
        let topic = Topic::of(&watchable, &shared.catalog).await?;
        // Seen from before the read: nothing that changes after it is missed. What is begun only after
        // it, because the address is right, tells once at its beginning.
        let running = shared.running(&topic).map(|source| {
            let mut news = source.news.clone();
            news.mark_unchanged();
            (source, news)
        });
        let digest = digest(shared.catalog.read(uri).await)?;
        let (source, news) = match running {
            Some(running) => running,
            None => {
                let source = shared.source(topic)?;
                let news = source.news.clone();
                (source, news)
            }
        };
        shared.follow(uri, source, news, digest).map(Watching)
    }

    /// Ends everything and waits for it; nothing can be watched any more.
    pub async fn stop(&self) {
        let mut tasks = {
            let mut state = self.0.state();
            state.is_stopped = true;
            std::mem::take(&mut state.tasks)
        };
        tasks.shutdown().await;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held, so what a poisoned lock guards is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is watched already, with its lease renewed.
    fn found(&self, uri: &str) -> Option<Arc<Followed>> {
        let found = self.state().resources.get(uri).and_then(Weak::upgrade);
        // One that was watched for too long is begun anew.
        let found = found.filter(|it| !it.task.is_finished())?;
        found.lease.renew();
        found.source.lease.renew();
        Some(found)
    }

    /// What tells of a topic already, with its lease renewed.
    fn running(&self, topic: &Topic) -> Option<Arc<Source>> {
        let known = self.state().topics.get(topic).and_then(Weak::upgrade);
        let source = known.filter(|it| !it.task.is_finished())?;
        source.lease.renew();
        Some(source)
    }

    /// What tells of a topic; begun if nobody needed it so far.
    fn source(self: &Arc<Self>, topic: Topic) -> Result<Arc<Source>, Unwatched> {
        // Dropped after the lock is released, which the last handle takes.
        let known;
        let mut state = self.state();
        known = state.topics.get(&topic).and_then(Weak::upgrade);
        if let Some(source) = known.as_ref().filter(|it| !it.task.is_finished()) {
            source.lease.renew();
            return Ok(Arc::clone(source));
        }
        let (sender, news) = watch::channel(0);
        let lease = Arc::new(Lease::new(self.pace));
        let task = TopicTask {
            topic: topic.clone(),
            node: self.catalog.node().clone(),
            news: sender,
            lease: Arc::clone(&lease),
            shared: Arc::downgrade(self),
        };
        let source = Arc::new(Source {
            task: state.spawn(task.run())?,
            topic: topic.clone(),
            news,
            lease,
            shared: Arc::downgrade(self),
        });
        state.topics.insert(topic, Arc::downgrade(&source));
        Ok(source)
    }

    fn follow(
        self: &Arc<Self>,
        uri: &str,
        source: Arc<Source>,
        news: watch::Receiver<u64>,
        digest: Option<Digest>,
    ) -> Result<Arc<Followed>, Unwatched> {
        // Dropped after the lock is released, which the last handle takes.
        let known;
        let mut state = self.state();
        // Another may have been started meanwhile.
        known = state.resources.get(uri).and_then(Weak::upgrade);
        if let Some(found) = known.as_ref().filter(|it| !it.task.is_finished()) {
            found.lease.renew();
            found.source.lease.renew();
            return Ok(Arc::clone(found));
        }
        if state.resources.len() >= MOST {
            return Err(Unwatched::TooMany);
        }
        let lease = Arc::new(Lease::new(self.pace));
        let follower = Follower {
            uri: uri.to_owned(),
            catalog: Arc::clone(&self.catalog),
            tell: Arc::clone(&self.tell),
            lease: Arc::clone(&lease),
            digest,
        };
        let followed = Arc::new(Followed {
            task: state.spawn(follower.run(news))?,
            uri: uri.to_owned(),
            lease,
            source,
            shared: Arc::downgrade(self),
        });
        let started = Arc::downgrade(&followed);
        state.resources.insert(uri.to_owned(), started);
        Ok(followed)
    }
}

impl State {
    /// Starts a task of the watcher, and forgets those that have ended.
    fn spawn(
        &mut self,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> Result<AbortHandle, Unwatched> {
        while let Some(ended) = self.tasks.try_join_next() {
            if ended.is_err_and(|err| err.is_panic()) {
                tracing::error!("a panic while a resource was watched");
            }
        }
        match self.is_stopped {
            true => Err(Unwatched::Stopped),
            false => Ok(self.tasks.spawn(task)),
        }
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        self.task.abort();
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let resources = &mut shared.state().resources;
        // Another may have been begun in its place.
        if resources.get(&self.uri).is_some_and(is_over) {
            resources.remove(&self.uri);
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.task.abort();
        let Some(shared) = self.shared.upgrade() else {
            return;
        };
        let topics = &mut shared.state().topics;
        if topics.get(&self.topic).is_some_and(is_over) {
            topics.remove(&self.topic);
        }
    }
}

fn is_over<T>(known: &Weak<T>) -> bool {
    known.strong_count() == 0
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher")
            .field("pace", &self.pace)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Followed")
            .field("uri", &self.uri)
            .field("topic", &self.source.topic)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
