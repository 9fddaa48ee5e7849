//! Subscriptions to resources. One task per subscribed resource reads it again when it may have changed. One task per topic detects those
//! changes on the node.

mod error;
mod poll_interval;
mod presences;
mod resource_task;
mod topic;
mod topic_task;
mod wake;

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Weak},
};

use parking_lot::Mutex;
use qortal_tools::Catalog;
use tokio::{
    sync::watch,
    task::{AbortHandle, JoinSet},
};

pub(crate) use self::wake::Wake;
use self::{
    error::MAX_RESOURCES,
    poll_interval::IdleTimer,
    resource_task::{Digest, OnUpdate, ResourceTask, digest},
    topic::Topic,
    topic_task::TopicTask,
};
pub use self::{error::SubscribeError, poll_interval::PollInterval};
use crate::read;

/// The subscriptions to resources of one catalog. Clones share them.
///
/// Tasks run only while there are subscribers. [`Subscriptions::stop`] ends the tasks and waits for them.
#[derive(Debug, Clone)]
pub struct Subscriptions(Arc<Inner>);

/// A subscription to one resource. It ends when its last clone is dropped.
#[derive(Debug, Clone)]
pub struct Subscription(#[expect(dead_code, reason = "held for its Drop")] Arc<ResourceHandle>);

struct Inner {
    catalog: Arc<Catalog>,
    on_update: OnUpdate,
    policy: PollInterval,
    state: Mutex<State>,
}

/// The running tasks. Subscribers own the handles, which this table only looks up.
#[derive(Default)]
struct State {
    resources: HashMap<String, Weak<ResourceHandle>>,
    topics: HashMap<Topic, Weak<TopicHandle>>,
    tasks: JoinSet<()>,
    is_stopped: bool,
}

/// A handle that keeps a resource's task running.
struct ResourceHandle {
    uri: String,
    idle: Arc<IdleTimer>,
    topic: Arc<TopicHandle>,
    task: AbortHandle,
    inner: Weak<Inner>,
}

/// A handle that keeps a topic's task running.
struct TopicHandle {
    topic: Topic,
    changes: watch::Receiver<()>,
    idle: Arc<IdleTimer>,
    task: AbortHandle,
    inner: Weak<Inner>,
}

impl Subscriptions {
    /// Creates subscriptions that call `on_update` with the URI of a changed resource, as passed to [`subscribe`](Self::subscribe).
    /// `on_update` must not block.
    #[must_use]
    pub fn new(catalog: Arc<Catalog>, on_update: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self::with_policy(catalog, on_update, PollInterval::default())
    }

    /// Creates subscriptions with a custom poll policy.
    #[must_use]
    pub fn with_policy(
        catalog: Arc<Catalog>,
        on_update: impl Fn(&str) + Send + Sync + 'static,
        policy: PollInterval,
    ) -> Self {
        Self(Arc::new(Inner {
            catalog,
            on_update: Arc::new(on_update),
            policy,
            state: Mutex::default(),
        }))
    }

    /// Subscribes to one resource. Every change after this returns is reported. Changes that the node does not push are reported within the
    /// times of [`PollInterval`]. A subscriber that stays longer than [`stop_after`](PollInterval::stop_after) must subscribe again, which
    /// renews the subscriptions of all subscribers.
    ///
    /// An unreachable node is not an error: the change is reported once the node responds.
    ///
    /// # Errors
    ///
    /// Returns an error if the resource does not support subscriptions, if its tool rejects the URI, if 256 resources are subscribed to
    /// already, or after [`stop`](Self::stop).
    pub async fn subscribe(&self, uri: &str) -> Result<Subscription, SubscribeError> {
        let inner = &self.0;
        if let Some(resource) = inner.running_resource(uri) {
            return Ok(Subscription(resource));
        }
        let topic = Topic::of(uri, &inner.catalog).await?;
        // The topic is subscribed to before the read, so no later change is missed. A topic that starts only after the read, once the URI
        // is known to be valid, signals a change when it starts.
        let running = inner.running_topic(&topic).map(|topic| {
            let mut changes = topic.changes.clone();
            changes.mark_unchanged();
            (topic, changes)
        });
        let digest = digest(read(&inner.catalog, uri).await)?;
        let (topic, changes) = match running {
            Some(running) => running,
            None => {
                let topic = inner.topic(topic)?;
                let changes = topic.changes.clone();
                (topic, changes)
            }
        };
        let resource = inner.resource(uri, topic, changes, digest);
        resource.map(Subscription)
    }

    /// Ends all subscriptions and waits for their tasks. Later subscriptions are rejected.
    pub async fn stop(&self) {
        let mut tasks = {
            let mut state = self.0.state.lock();
            state.is_stopped = true;
            std::mem::take(&mut state.tasks)
        };
        tasks.shutdown().await;
    }
}

impl Inner {
    fn running_resource(&self, uri: &str) -> Option<Arc<ResourceHandle>> {
        let known = self.state.lock().resources.get(uri).and_then(Weak::upgrade);
        known.filter(|it| it.renew())
    }

    fn running_topic(&self, topic: &Topic) -> Option<Arc<TopicHandle>> {
        let known = self.state.lock().topics.get(topic).and_then(Weak::upgrade);
        known.filter(|it| it.renew())
    }

    /// Returns the running task of a topic, or starts one.
    fn topic(self: &Arc<Self>, topic: Topic) -> Result<Arc<TopicHandle>, SubscribeError> {
        // Declared first to be dropped after the guard: dropping the last handle takes the lock.
        let known;
        let mut state = self.state.lock();
        known = state.topics.get(&topic).and_then(Weak::upgrade);
        if let Some(running) = known.as_ref().filter(|it| it.renew()) {
            return Ok(Arc::clone(running));
        }
        let (sender, changes) = watch::channel(());
        let idle = Arc::new(IdleTimer::new(self.policy));
        let task = TopicTask {
            topic: topic.clone(),
            node: self.catalog.node().clone(),
            changes: sender,
            idle: Arc::clone(&idle),
            inner: Arc::downgrade(self),
        };
        let handle = Arc::new(TopicHandle {
            task: state.spawn(task.run())?,
            topic: topic.clone(),
            changes,
            idle,
            inner: Arc::downgrade(self),
        });
        state.topics.insert(topic, Arc::downgrade(&handle));
        Ok(handle)
    }

    /// Returns the running task of a resource, or starts one that waits for `changes`.
    fn resource(
        self: &Arc<Self>,
        uri: &str,
        topic: Arc<TopicHandle>,
        changes: watch::Receiver<()>,
        digest: Option<Digest>,
    ) -> Result<Arc<ResourceHandle>, SubscribeError> {
        // Dropped after the guard, as above.
        let known;
        let mut state = self.state.lock();
        known = state.resources.get(uri).and_then(Weak::upgrade);
        if let Some(running) = known.as_ref().filter(|it| it.renew()) {
            return Ok(Arc::clone(running));
        }
        if state.resources.len() >= MAX_RESOURCES {
            return Err(SubscribeError::LimitReached);
        }
        let idle = Arc::new(IdleTimer::new(self.policy));
        let task = ResourceTask {
            uri: uri.to_owned(),
            catalog: Arc::clone(&self.catalog),
            on_update: Arc::clone(&self.on_update),
            idle: Arc::clone(&idle),
            digest,
        };
        let handle = Arc::new(ResourceHandle {
            task: state.spawn(task.run(changes))?,
            uri: uri.to_owned(),
            idle,
            topic,
            inner: Arc::downgrade(self),
        });
        let started = Arc::downgrade(&handle);
        state.resources.insert(uri.to_owned(), started);
        Ok(handle)
    }
}

impl State {
    /// Starts a task, and removes those that have ended.
    fn spawn(
        &mut self,
        task: impl Future<Output = ()> + Send + 'static,
    ) -> Result<AbortHandle, SubscribeError> {
        while let Some(ended) = self.tasks.try_join_next() {
            if ended.is_err_and(|err| err.is_panic()) {
                tracing::error!("a subscription task panicked");
            }
        }
        if self.is_stopped {
            Err(SubscribeError::Stopped)
        } else {
            Ok(self.tasks.spawn(task))
        }
    }
}

impl ResourceHandle {
    /// Resets the idle timers. Returns `false` if the task has ended.
    fn renew(&self) -> bool {
        self.idle.reset();
        self.topic.idle.reset();
        !self.task.is_finished()
    }
}

impl TopicHandle {
    /// Resets the idle timer. Returns `false` if the task has ended.
    fn renew(&self) -> bool {
        self.idle.reset();
        !self.task.is_finished()
    }
}

impl Drop for ResourceHandle {
    fn drop(&mut self) {
        self.task.abort();
        if let Some(inner) = self.inner.upgrade() {
            remove_dropped(&mut inner.state.lock().resources, &self.uri);
        }
    }
}

impl Drop for TopicHandle {
    fn drop(&mut self) {
        self.task.abort();
        if let Some(inner) = self.inner.upgrade() {
            remove_dropped(&mut inner.state.lock().topics, &self.topic);
        }
    }
}

/// Removes an entry, unless another handle has replaced it.
fn remove_dropped<K: Eq + Hash, T>(handles: &mut HashMap<K, Weak<T>>, key: &K) {
    if handles.get(key).is_some_and(|it| it.strong_count() == 0) {
        handles.remove(key);
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscriptions")
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ResourceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("uri", &self.uri)
            .field("topic", &self.topic.topic)
            .finish_non_exhaustive()
    }
}
