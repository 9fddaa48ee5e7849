//! Announcements that the websockets send, in the order of the events.

use std::collections::VecDeque;

use serde_json::Value;

/// Maximum number of events that are stored for sockets that have yet to send them.
const REMEMBERED: usize = 10_000;

/// An event that a node announces on a websocket.
#[derive(Debug, Clone)]
pub(crate) enum Announcement {
    /// A status that differs from the last one.
    Status(Value),
    /// The summary of a block.
    Block(Value),
    /// Offers for one coin whose mode has changed.
    Offers {
        blockchain: &'static str,
        changed: Vec<Value>,
    },
    /// A new or longer presence of a trade bot.
    Presence(Value),
    /// A chat message has arrived.
    Message,
    /// A payment is in a block.
    Payment(Value),
    /// A QDN resource has been published.
    Publication(Value),
}

/// The latest announcements.
#[derive(Debug, Default)]
pub(crate) struct Announcements {
    remembered: VecDeque<Announcement>,
    forgotten: usize,
}

impl Announcements {
    pub(crate) fn add(&mut self, announcement: Announcement) {
        if self.remembered.len() >= REMEMBERED {
            self.remembered.pop_front();
            self.forgotten += 1;
        }
        self.remembered.push_back(announcement);
    }

    /// Returns the number of announcements since the start.
    pub(crate) fn count(&self) -> usize {
        self.forgotten + self.remembered.len()
    }

    /// Returns all announcements except the first `count`.
    pub(crate) fn after(&self, count: usize) -> impl Iterator<Item = &Announcement> {
        self.remembered
            .iter()
            .skip(count.saturating_sub(self.forgotten))
    }
}
