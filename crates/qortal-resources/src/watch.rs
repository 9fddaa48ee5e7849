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

/// Maximum time between two checks without a signal of the node. It also detects changes that come with time only, such as a chain that has
/// stopped.
const QUIET: Duration = Duration::from_secs(60);

/// An event of a watch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum WatchEvent {
    /// The watch has started, with this short description of the current state. Every later change is reported.
    Started(String),
    /// The subject has changed.
    Changed(Change),
    /// The node does not respond, for this reason. Changes made in between are reported on recovery.
    Unreachable(String),
    /// The node responds again.
    Recovered,
}

/// A watch that waits for the changes of one subject.
///
/// Each change is reported once. This includes changes in a burst, changes during an outage of the node, and changes whose block was
/// replaced.
///
/// The contents of blocks are read from the last block read, up to 1,000 rows at a time and 240 blocks back after a reorganization. A chat
/// is read from its newest message back to known ones, up to 1,000. A line reports when more was left out. Names, trades, offers, the node
/// and QDN statuses are compared state by state, one block apart. A change that is undone between two checks is not reported.
#[derive(Debug)]
pub struct Watch {
    catalog: Arc<Catalog>,
    subscriptions: Subscriptions,
    policy: PollInterval,
    clock: fn() -> SystemTime,
    subject: Subject,
    begun: Option<(Watched, Wake)>,
    /// Detected changes that are not queued yet.
    changes: Vec<Change>,
    told: VecDeque<WatchEvent>,
    /// The earliest time of the next check.
    next: Instant,
    /// Whether the next check runs without a signal, since the last one failed or was the first.
    is_due: bool,
    is_away: bool,
}

impl Watch {
    /// Creates a watch. It sends no request until the first call of [`next`](Self::next). `clock` returns the time for changes that have no
    /// time on the chain.
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

    /// Waits for the next event. Dropping the future loses no event.
    ///
    /// # Errors
    ///
    /// Before the watch has started, returns an error if the subject does not exist or the node rejects the request. Afterwards it returns
    /// no errors.
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

    /// Queues the events of a check.
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

    /// Returns the event for the node's reachability, as a change if the node is the watched subject.
    fn of_node(&self, what: &'static str, text: &str, otherwise: WatchEvent) -> WatchEvent {
        match (&self.subject, &self.begun) {
            (Subject::Node, Some(_)) => {
                WatchEvent::Changed(self.of_now(Change::new(what, text, &Value::Null)))
            }
            _ => otherwise,
        }
    }

    /// Sets the subject of a change, and the current time if it has none.
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

/// Returns `true` if the node may respond later.
fn is_unavailable(err: &ToolError) -> bool {
    matches!(err, ToolError::Node(err) if err.is_unavailable())
}

/// Returns the description of the error without the suggested next step.
fn first_sentences(err: &ToolError) -> String {
    let text = err.to_string();
    let end = text.find(". Ask ").map_or(text.len(), |it| it + 1);
    text.get(..end).unwrap_or(&text).to_owned()
}
