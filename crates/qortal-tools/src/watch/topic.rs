//! What tells that resources may have changed: one task a topic, whoever needs it.

use std::sync::{Arc, Weak};

use qortal_client::{Node, api::chat::ChatRoom};
use qortal_types::{BlockSignature, Blockchain};
use serde_json::Value;
use tokio::{sync::watch, time::sleep};

use super::{Shared, lease::Lease};
use crate::{
    catalogue::Catalogue,
    declare::{AccountRef, Param},
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
    pub(super) async fn of(watchable: &Watchable, catalogue: &Catalogue) -> Result<Self, Unread> {
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
            Signal::DirectChat => direct(catalogue, [value(0), value(1)]).await?,
        })
    }
}

async fn direct(catalogue: &Catalogue, accounts: [&str; 2]) -> Result<Topic, Unread> {
    let [Ok(one), Ok(other)] = accounts.map(|it| AccountRef::read(&Value::from(it))) else {
        return Ok(Topic::Time);
    };
    let accounts = catalogue.context("get_chat_messages");
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

impl TopicTask {
    /// Goes on until it is aborted, or needed for too long.
    pub(super) async fn run(self) {
        self.poll().await;
    }

    async fn poll(&self) {
        match &self.topic {
            Topic::Status | Topic::Chat(_) | Topic::Time => self.pass_time().await,
            Topic::Tip => self.poll_tip().await,
            Topic::Offers(_) => self.follow_tip().await,
        }
    }

    fn tell(&self) {
        self.news
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    async fn pass_time(&self) {
        while let Some(interval) = self.lease.interval() {
            sleep(interval).await;
            self.tell();
        }
    }

    /// A block is told apart by its signature: after a reorganisation another has the same height.
    async fn poll_tip(&self) {
        let mut last: Option<BlockSignature> = None;
        while let Some(interval) = self.lease.interval() {
            match self.node.last_block().await {
                Ok(block) => {
                    if last.as_ref() != Some(&block.signature) {
                        last = Some(block.signature);
                        self.tell();
                    }
                }
                // Those who read find out by themselves, and what they missed is told by the next block.
                Err(err) => tracing::debug!(%err, "the last block is not known"),
            }
            sleep(interval).await;
        }
    }

    /// What only a block changes is looked at again after each.
    async fn follow_tip(&self) {
        let Some(Ok(tip)) = self.shared.upgrade().map(|it| it.source(Topic::Tip)) else {
            return;
        };
        let mut news = tip.news.clone();
        while self.lease.interval().is_some() && news.changed().await.is_ok() {
            tip.lease.renew();
            self.tell();
        }
    }
}
