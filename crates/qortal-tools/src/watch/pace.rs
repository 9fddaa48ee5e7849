//! How often a node is asked for what somebody watches.

use std::time::Duration;

/// How often a node is asked for what somebody watches, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Between two polls of what the node does not tell by itself; 15 seconds, a quarter of the time
    /// between two blocks.
    pub poll: Duration,
    /// The same once a resource was watched for [`slow_after`](Self::slow_after); a minute.
    pub slow_poll: Duration,
    /// When polling slows down; 30 minutes after somebody last began to watch.
    pub slow_after: Duration,
    /// When watching ends; 24 hours after somebody last began to watch.
    pub end_after: Duration,
    /// Between two reads of one resource, however often the node tells of something; 2 seconds.
    pub rest: Duration,
    /// How long an attempt to be told by the node rests after it failed; doubled with each failure up to
    /// [`longest_retry`](Self::longest_retry). 5 seconds.
    pub retry: Duration,
    /// 5 minutes.
    pub longest_retry: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(15),
            slow_poll: Duration::from_secs(60),
            slow_after: Duration::from_secs(30 * 60),
            end_after: Duration::from_secs(24 * 60 * 60),
            rest: Duration::from_secs(2),
            retry: Duration::from_secs(5),
            longest_retry: Duration::from_secs(5 * 60),
        }
    }
}
