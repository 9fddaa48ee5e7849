//! Task that detects changes of one topic, from the node's websocket if it has one for the topic, or else by polling.

use std::sync::{Arc, Weak};

use qortal_client::{Node, NodeError, NodeErrorKind, Socket, api::chat::Encoding};
use qortal_types::BlockSignature;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout, timeout_at},
};

use super::{Inner, TopicHandle, poll_interval::IdleTimer, presences::Presences, topic::Topic};

/// Task that signals the changes of one topic.
pub(super) struct TopicTask {
    pub(super) topic: Topic,
    pub(super) node: Node,
    pub(super) changes: watch::Sender<()>,
    pub(super) idle: Arc<IdleTimer>,
    pub(super) inner: Weak<Inner>,
}

/// The reason that listening to a websocket ended.
enum Listened {
    /// The node or its URL has no websocket for this topic.
    Unsupported,
    /// The connection could not be opened.
    Refused,
    /// The connection was lost, after a message or before the first one.
    Lost { after_message: bool },
}

/// State of polling between two polls.
struct Polling {
    due: Instant,
    last: Option<BlockSignature>,
    /// The topics that this one follows, while it does.
    followed: Vec<Arc<TopicHandle>>,
}

impl TopicTask {
    /// Runs until it is aborted or the topic's subscriptions expire. Listens to the node's websocket, and polls while it has none.
    pub(super) async fn run(self) {
        let policy = self.idle.policy;
        let mut polling = Polling {
            due: Instant::now(),
            last: None,
            followed: Vec::new(),
        };
        // Subscribers have just read their resources, so the first poll can wait. The tip is an exception, since its signature is not known
        // yet.
        if self.topic != Topic::Tip {
            polling.due += policy.interval;
        }
        let mut delay = policy.retry_delay;
        while self.idle.interval().is_some() {
            match self.listen(&mut polling).await {
                Listened::Unsupported => return self.poll(&mut polling).await,
                Listened::Refused => (),
                Listened::Lost { after_message } => {
                    if after_message {
                        delay = policy.retry_delay;
                    }
                    // Changes during the outage were not received.
                    self.signal();
                }
            }
            let retry = Instant::now() + delay;
            // The timeout is expected: it is time to reconnect. If polling ends first, wait for the rest.
            let _ = timeout_at(retry, self.poll(&mut polling)).await;
            sleep_until(retry).await;
            delay = delay.saturating_mul(2).min(policy.max_retry_delay);
        }
    }

    fn signal(&self) {
        self.changes.send_replace(());
    }

    async fn listen(&self, polling: &mut Polling) -> Listened {
        let node = &self.node;
        match &self.topic {
            Topic::Status => self.receive(node.status_socket(), polling).await,
            Topic::Tip => self.receive(node.block_socket(), polling).await,
            Topic::Presences => self.hear_presences(polling).await,
            Topic::Chat(room) => {
                let socket = node.chat_socket(*room, Encoding::Base64);
                self.receive(socket, polling).await
            }
            // The node's websocket omits some offers.
            Topic::Offers | Topic::Time => Listened::Unsupported,
        }
    }

    async fn connect<T>(
        &self,
        connecting: impl Future<Output = Result<Socket<T>, NodeError>>,
    ) -> Result<Socket<T>, Listened> {
        let topic = &self.topic;
        connecting.await.map_err(|err| {
            tracing::debug!(?topic, %err, "no websocket, the node is polled");
            match err.kind() {
                NodeErrorKind::NoSocket | NodeErrorKind::NotInThisVersion { .. } => {
                    Listened::Unsupported
                }
                _ => Listened::Refused,
            }
        })
    }

    /// Signals a change when a trade bot comes online or expires, but not when it stays online.
    async fn hear_presences(&self, polling: &mut Polling) -> Listened {
        let mut socket = match self.connect(self.node.trade_presence_socket()).await {
            Ok(socket) => socket,
            Err(listened) => return listened,
        };
        let Some(mut presences) = Presences::new(&self.node).await else {
            return Listened::Refused;
        };
        polling.followed.clear();
        self.signal();
        // The first message lists those that are online already.
        let mut after_message = false;
        while let Some(interval) = self.idle.interval() {
            let expiry = presences.until_next_expiry();
            let wait = expiry.map_or(interval, |it| it.min(interval));
            match timeout(wait, socket.next()).await {
                Ok(Ok(told)) => {
                    if presences.hear(told) && after_message {
                        self.signal();
                    }
                    after_message = true;
                }
                Ok(Err(err)) => {
                    tracing::debug!(%err, "the websocket is lost, the node is polled");
                    break;
                }
                Err(_) => (),
            }
            if presences.forget_expired() {
                self.signal();
            }
        }
        Listened::Lost { after_message }
    }

    /// Signals a change for every message. The contents of messages are ignored and the resources are read again, since the first status
    /// that the node reports may be old.
    async fn receive<T>(
        &self,
        connecting: impl Future<Output = Result<Socket<T>, NodeError>>,
        polling: &mut Polling,
    ) -> Listened {
        let topic = &self.topic;
        let mut socket = match self.connect(connecting).await {
            Ok(socket) => socket,
            Err(listened) => return listened,
        };
        polling.followed.clear();
        // Changes before the connection opened were not received.
        self.signal();
        let mut after_message = false;
        while let Some(interval) = self.idle.interval() {
            match timeout(interval, socket.next()).await {
                Ok(Ok(_)) => {
                    after_message = true;
                    self.signal();
                }
                Ok(Err(err)) => {
                    tracing::debug!(?topic, %err, "the websocket is lost, the node is polled");
                    break;
                }
                // The subscriptions may have expired.
                Err(_) => (),
            }
        }
        Listened::Lost { after_message }
    }

    /// Polls the node. Returns when the subscriptions have expired.
    async fn poll(&self, polling: &mut Polling) {
        match &self.topic {
            Topic::Status | Topic::Chat(_) | Topic::Presences | Topic::Time => {
                self.pass_time(polling).await;
            }
            Topic::Tip => self.poll_tip(polling).await,
            Topic::Offers => self.follow([Topic::Tip, Topic::Presences], polling).await,
        }
    }

    async fn pass_time(&self, polling: &mut Polling) {
        while let Some(interval) = self.idle.interval() {
            sleep_until(polling.due).await;
            polling.due = Instant::now() + interval;
            self.signal();
        }
    }

    /// Polls the last block. Blocks are compared by signature: after a reorganization another block has the same height.
    async fn poll_tip(&self, polling: &mut Polling) {
        while let Some(interval) = self.idle.interval() {
            sleep_until(polling.due).await;
            match self.node.last_block().await {
                Ok(block) => {
                    if polling.last.as_ref() != Some(&block.signature) {
                        polling.last = Some(block.signature);
                        self.signal();
                    }
                }
                // Resource tasks repeat failed reads. The next block signals the changes missed in between.
                Err(err) => tracing::debug!(%err, "the last block is not known"),
            }
            polling.due = Instant::now() + interval;
        }
    }

    /// Signals a change whenever one of two topics changes.
    async fn follow(&self, topics: [Topic; 2], polling: &mut Polling) {
        let Some(inner) = self.inner.upgrade() else {
            return;
        };
        let [Ok(one), Ok(other)] = topics.map(|it| inner.topic(it)) else {
            return;
        };
        drop(inner);
        let mut changes = [one.changes.clone(), other.changes.clone()];
        let idle = [Arc::clone(&one.idle), Arc::clone(&other.idle)];
        polling.followed = vec![one, other];
        while let Some(interval) = self.idle.interval() {
            if interval == self.idle.policy.interval {
                idle.iter().for_each(|it| it.reset());
            }
            let [one, other] = &mut changes;
            let changed = async {
                tokio::select! {
                    biased;
                    changed = one.changed() => changed,
                    changed = other.changed() => changed,
                }
            };
            match timeout(interval, changed).await {
                Ok(Ok(())) => self.signal(),
                Ok(Err(_)) => break,
                Err(_) => (),
            }
        }
        polling.followed.clear();
    }
}
