//! Waits for changes of an account, a trade, a chat and the like, for programs without MCP.
//!
//! ```
//! use std::{sync::Arc, time::SystemTime};
//!
//! use qortal_client::{Node, NodeConfig};
//! use qortal_resources::{
//!     PollInterval,
//!     watch::{Subject, WatchEvent, Watch},
//! };
//! use qortal_testnode::{Event, Scenario, TestNode};
//! use qortal_tools::{Catalog, Selection};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let simulated = TestNode::start_lenient(Scenario::recorded()).await?;
//! let node = Node::new(NodeConfig::new(simulated.url()))?;
//! let catalog = Arc::new(Catalog::new(node, &Selection::default())?);
//! let mut watch = Watch::new(catalog, Subject::Tip, PollInterval::default(), SystemTime::now);
//! assert_eq!(watch.next().await?, WatchEvent::Started("block 468 is the last".to_owned()));
//!
//! simulated.apply(&Event::Block);
//! if let WatchEvent::Changed(change) = watch.next().await? {
//!     assert_eq!(change.event, "block");
//! }
//! watch.stop().await;
//! simulated.stop().await;
//! # Ok(())
//! # }
//! ```

mod account;
mod answer;
mod blocks;
mod change;
mod chat;
mod feed;
mod group;
mod offers;
mod reader;
mod subject;

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

use qortal_tools::{Catalog, ToolError};
use qortal_types::Timestamp;
use serde_json::Value;
use tokio::time::{Duration, Instant, sleep_until};

pub use self::{change::Change, subject::Subject};
use self::{reader::Reader, subject::Watched};
use crate::{
    PollInterval,
    subscriptions::{Subscriptions, Wake},
};

/// The longest time between two looks without a signal of the node: also what only time changes is noticed, such as a chain
/// that has stopped.
const QUIET: Duration = Duration::from_secs(60);

/// What a watch tells.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WatchEvent {
    /// It begins with this state, in a few words: every later change is told.
    Started(String),
    /// Something has changed.
    Changed(Change),
    /// The node does not answer, for this reason. What happens meanwhile is told when it does again.
    Unreachable(String),
    /// The node answers again.
    Recovered,
}

/// Waits for the changes of one subject.
///
/// Each is told once: also those of a burst, those that happened while the node did not answer, and those whose block another
/// one has replaced. What is in blocks is read from the last one that was read, up to 1,000 rows at a time and 240 blocks
/// back after a reorganization; the chat from its newest message back to known ones, up to 1,000. A line tells when more was
/// left out. Of a name, a trade, the offers, the node and a QDN status two states are compared: what came and went between two
/// looks, which are a block apart, is not told.
#[derive(Debug)]
pub struct Watch {
    catalog: Arc<Catalog>,
    subscriptions: Subscriptions,
    policy: PollInterval,
    clock: fn() -> SystemTime,
    subject: Subject,
    begun: Option<(Watched, Wake)>,
    /// What was found and is not told yet.
    changes: Vec<Change>,
    told: VecDeque<WatchEvent>,
    /// The time from which on it may look again.
    next: Instant,
    /// Whether the next look does not wait for a signal: the last one failed, or was the first.
    is_due: bool,
    is_away: bool,
}

impl Watch {
    /// Asks nothing yet: the first call of [`next`](Self::next) begins. `clock` tells the time of changes for which the chain
    /// has none.
    #[must_use]
    pub fn new(
        catalog: Arc<Catalog>,
        subject: Subject,
        policy: PollInterval,
        clock: fn() -> SystemTime,
    ) -> Self {
        Self {
            subscriptions: Subscriptions::with_policy(Arc::clone(&catalog), |_| (), policy),
            catalog,
            policy,
            clock,
            subject,
            begun: None,
            changes: Vec::new(),
            told: VecDeque::new(),
            next: Instant::now(),
            is_due: true,
            is_away: false,
        }
    }

    /// Waits for what is to be told next. Dropping the future loses nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no such subject, or the node refuses to say, before it has begun. Afterwards it never fails.
    pub async fn next(&mut self) -> Result<WatchEvent, ToolError> {
        loop {
            if let Some(told) = self.told.pop_front() {
                return Ok(told);
            }
            if !self.is_due
                && let Some((_, wake)) = &mut self.begun
            {
                wake.next(QUIET).await;
                self.is_due = true;
            }
            sleep_until(self.next).await;
            let is_first = self.begun.is_none();
            let looked = self.look().await;
            let (wait, is_due) = match &looked {
                Ok(()) => (self.policy.min_read_interval, is_first),
                Err(_) => (self.policy.retry_delay, true),
            };
            self.next = Instant::now() + wait;
            self.is_due = is_due;
            self.tell(looked, is_first)?;
        }
    }

    /// Ends the tasks that listen to the node, and waits for them.
    pub async fn stop(self) {
        self.subscriptions.stop().await;
    }

    async fn look(&mut self) -> Result<(), ToolError> {
        let reader = Reader(&self.catalog);
        if let Some((watched, _)) = &mut self.begun {
            return watched.look(reader, &mut self.changes).await;
        }
        let watched = self.subject.begin(reader).await?;
        let wake = self.subscriptions.wake(&watched.uri).await;
        let wake = wake.map_err(|err| ToolError::Declaration(err.to_string()))?;
        self.begun = Some((watched, wake));
        Ok(())
    }

    /// Queues what a look has found.
    fn tell(&mut self, looked: Result<(), ToolError>, is_first: bool) -> Result<(), ToolError> {
        let mut away = None;
        match looked {
            Ok(()) => {
                if std::mem::take(&mut self.is_away) {
                    let told = self.of_node(
                        "reachable",
                        "The node answers again.",
                        WatchEvent::Recovered,
                    );
                    self.told.push_back(told);
                }
                if let Some((watched, _)) = self.begun.as_ref().filter(|_| is_first) {
                    self.told.push_back(WatchEvent::Started(watched.state()));
                }
            }
            Err(err) if is_first && !is_unavailable(&err) => return Err(err),
            Err(err) => {
                if !std::mem::replace(&mut self.is_away, true) {
                    let why = first_sentences(&err);
                    let text = format!("The node does not answer. {why}");
                    away = Some(self.of_node("unreachable", &text, WatchEvent::Unreachable(why)));
                }
            }
        }
        for change in std::mem::take(&mut self.changes) {
            let change = self.of_now(change);
            self.told.push_back(WatchEvent::Changed(change));
        }
        self.told.extend(away);
        Ok(())
    }

    /// What is told of the node's answers: a change, if that is what is watched.
    fn of_node(&self, what: &'static str, text: &str, otherwise: WatchEvent) -> WatchEvent {
        match (&self.subject, &self.begun) {
            (Subject::Node, Some(_)) => {
                WatchEvent::Changed(self.of_now(Change::new(what, text, &Value::Null)))
            }
            _ => otherwise,
        }
    }

    /// With the subject, and the time if it has none.
    fn of_now(&self, mut change: Change) -> Change {
        change.subject = self.subject.name();
        if change.timestamp.is_empty() {
            let since = (self.clock)().duration_since(UNIX_EPOCH);
            let millis = since.unwrap_or_default().as_millis();
            let now = Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX));
            change.timestamp = now.to_string();
        }
        change
    }
}

/// Whether the node may answer later.
fn is_unavailable(err: &ToolError) -> bool {
    matches!(err, ToolError::Node(err) if err.is_unavailable())
}

/// What is wrong, without what to do about it.
fn first_sentences(err: &ToolError) -> String {
    let text = err.to_string();
    let end = text.find(". Ask ").map_or(text.len(), |it| it + 1);
    text.get(..end).unwrap_or(&text).to_owned()
}
