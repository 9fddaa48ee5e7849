//! What tells that resources may have changed: one task a topic, whoever needs it.

use std::sync::{Arc, Weak};

use qortal_client::{
    Node, NodeError, NodeErrorKind, Socket,
    api::chat::{ChatRoom, Encoding},
};
use qortal_types::{BlockSignature, Blockchain};
use serde_json::Value;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until, timeout, timeout_at},
};
use tool_schema::Param;

use super::{Shared, Source, lease::Lease};
use crate::{
    catalog::Catalog,
    declare::AccountRef,
    error::ToolError,
    resource::{Signal, Unread, Watchable},
};

/// Something that changes, of which resources are views.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Topic {
    /// The node's own state.
    Status,
    /// The last block, and with it everything on the chain.
    Tip,
    /// The offers of one coin.
    Offers(Blockchain),
    /// The messages of one room.
    Chat(ChatRoom),
    /// Nothing tells of it: time passes.
    Time,
}

impl Topic {
    /// What a resource depends on. Where that cannot be told by its address, it is looked at from time
    /// to time; whether the address is right is decided by the tool that reads it.
    ///
    /// Errors with what is wrong with an account in the address.
    pub(super) async fn of(watchable: &Watchable, catalog: &Catalog) -> Result<Self, Unread> {
        let value = |index: usize| watchable.values.get(index).map_or("", String::as_str);
        Ok(match watchable.signal {
            Signal::Status => Self::Status,
            Signal::Tip => Self::Tip,
            Signal::Time => Self::Time,
            Signal::Offers => match value(0).parse() {
                Ok(blockchain) => Self::Offers(blockchain),
                Err(_) => Self::Time,
            },
            Signal::GroupChat => match value(0).parse() {
                Ok(group) => Self::Chat(ChatRoom::Group(group)),
                Err(_) => Self::Time,
            },
            Signal::DirectChat => direct(catalog, [value(0), value(1)]).await?,
        })
    }
}

async fn direct(catalog: &Catalog, accounts: [&str; 2]) -> Result<Topic, Unread> {
    let [Ok(one), Ok(other)] = accounts.map(|it| AccountRef::read(&Value::from(it))) else {
        return Ok(Topic::Time);
    };
    let accounts = catalog.context("get_chat_messages");
    let accounts = accounts.accounts("involving", vec![one, other]).await;
    let mut addresses: Vec<_> = match accounts {
        Ok(accounts) => accounts.into_iter().map(|it| it.address).collect(),
        // The room is known by names only as long as the node is away.
        Err(ToolError::Node(_)) => return Ok(Topic::Time),
        Err(err) => return Err(err.into()),
    };
    addresses.sort_unstable();
    match addresses.as_slice() {
        [one, other] => Ok(Topic::Chat(ChatRoom::Direct(*one, *other))),
        _ => Ok(Topic::Time),
    }
}

/// Learns of one topic, and counts what may be a change.
pub(super) struct TopicTask {
    pub(super) topic: Topic,
    pub(super) node: Node,
    pub(super) news: watch::Sender<u64>,
    pub(super) lease: Arc<Lease>,
    pub(super) shared: Weak<Shared>,
}

/// How it ended that the node told of a topic.
enum Ended {
    /// There is no way that it could.
    Never,
    /// It would not.
    Refused,
    /// It did, and does no more; whether anything was heard.
    Lost { heard: bool },
}

/// What polling knows from one turn to the next.
struct Polling {
    due: Instant,
    last: Option<BlockSignature>,
    /// What tells of blocks, while that is needed.
    tip: Option<Arc<Source>>,
}

impl TopicTask {
    /// Goes on until it is aborted, or needed for too long: listens to the node where that is possible,
    /// and polls it meanwhile where it is not.
    pub(super) async fn run(self) {
        let pace = self.lease.pace;
        let mut polling = Polling {
            due: Instant::now(),
            last: None,
            tip: None,
        };
        // What has just been read need not be polled at once; only the tip is not known yet.
        if self.topic != Topic::Tip {
            polling.due += pace.poll;
        }
        let mut rest = pace.retry;
        while self.lease.interval().is_some() {
            match self.listen(&mut polling).await {
                Ended::Never => return self.poll(&mut polling).await,
                Ended::Refused => (),
                Ended::Lost { heard } => {
                    if heard {
                        rest = pace.retry;
                    }
                    // Nobody knows what was not heard any more.
                    self.tell();
                }
            }
            let attempt = Instant::now() + rest;
            // An error is the time for another attempt; where polling ended sooner, it is waited for.
            let _ = timeout_at(attempt, self.poll(&mut polling)).await;
            sleep_until(attempt).await;
            rest = rest.saturating_mul(2).min(pace.longest_retry);
        }
    }

    fn tell(&self) {
        self.news
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    async fn listen(&self, polling: &mut Polling) -> Ended {
        let node = &self.node;
        match &self.topic {
            Topic::Status => self.hear(node.status_socket(), polling).await,
            Topic::Tip => self.hear(node.block_socket(), polling).await,
            Topic::Offers(blockchain) => {
                self.hear(node.trade_offer_socket(blockchain), polling)
                    .await
            }
            Topic::Chat(room) => {
                let socket = node.chat_socket(*room, Encoding::Base64);
                self.hear(socket, polling).await
            }
            Topic::Time => Ended::Never,
        }
    }

    /// Whatever the node tells is a reason to look. What it says exactly is not: those who read see more.
    async fn hear<T>(
        &self,
        opening: impl Future<Output = Result<Socket<T>, NodeError>>,
        polling: &mut Polling,
    ) -> Ended {
        let topic = &self.topic;
        let mut socket = match opening.await {
            Ok(socket) => socket,
            Err(err) => {
                tracing::debug!(?topic, %err, "the node does not tell, and is polled");
                return match err.kind() {
                    NodeErrorKind::NoSocket => Ended::Never,
                    _ => Ended::Refused,
                };
            }
        };
        polling.tip = None;
        // What happened before it was open has not been told.
        self.tell();
        let mut heard = false;
        while let Some(interval) = self.lease.interval() {
            match timeout(interval, socket.next()).await {
                Ok(Ok(_)) => {
                    heard = true;
                    self.tell();
                }
                Ok(Err(err)) => {
                    tracing::debug!(?topic, %err, "the node tells no more, and is polled");
                    break;
                }
                // The lease may be over.
                Err(_) => (),
            }
        }
        Ended::Lost { heard }
    }

    /// Asks the node from time to time; returns when that was done for too long.
    async fn poll(&self, polling: &mut Polling) {
        match &self.topic {
            Topic::Status | Topic::Chat(_) | Topic::Time => self.pass_time(polling).await,
            Topic::Tip => self.poll_tip(polling).await,
            Topic::Offers(_) => self.follow_tip(polling).await,
        }
    }

    async fn pass_time(&self, polling: &mut Polling) {
        while let Some(interval) = self.lease.interval() {
            sleep_until(polling.due).await;
            polling.due = Instant::now() + interval;
            self.tell();
        }
    }

    /// A block is told apart by its signature: after a reorganization another has the same height.
    async fn poll_tip(&self, polling: &mut Polling) {
        while let Some(interval) = self.lease.interval() {
            sleep_until(polling.due).await;
            match self.node.last_block().await {
                Ok(block) => {
                    if polling.last.as_ref() != Some(&block.signature) {
                        polling.last = Some(block.signature);
                        self.tell();
                    }
                }
                // Those who read find out by themselves, and what they missed is told by the next block.
                Err(err) => tracing::debug!(%err, "the last block is not known"),
            }
            polling.due = Instant::now() + interval;
        }
    }

    /// What only a block changes is looked at again after each.
    async fn follow_tip(&self, polling: &mut Polling) {
        if polling.tip.is_none() {
            let tip = self.shared.upgrade().map(|it| it.source(Topic::Tip));
            polling.tip = tip.and_then(Result::ok);
        }
        let Some(tip) = &polling.tip else { return };
        let mut news = tip.news.clone();
        while let Some(interval) = self.lease.interval() {
            if interval == self.lease.pace.poll {
                tip.lease.renew();
            }
            match timeout(interval, news.changed()).await {
                Ok(Ok(())) => self.tell(),
                Ok(Err(_)) => break,
                Err(_) => (),
            }
        }
        polling.tip = None;
    }
}
