//! What the websockets tell, in the order in which it happened.

use std::collections::VecDeque;

use serde_json::Value;

/// Events that are remembered for sockets that have yet to tell them.
const REMEMBERED: usize = 10_000;

/// Something that a node tells the visitors of a websocket.
#[derive(Debug, Clone)]
pub(crate) enum Announcement {
    /// A status that is not the last one.
    Status(Value),
    /// The summary of a block.
    Block(Value),
    /// Offers for one coin that are in another mode.
    Offers {
        blockchain: &'static str,
        changed: Vec<Value>,
    },
    /// A new or longer presence of a trade bot.
    Presence(Value),
    /// A chat message has come.
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

    /// How many there have been.
    pub(crate) fn count(&self) -> usize {
        self.forgotten + self.remembered.len()
    }

    /// All but the first `count`.
    pub(crate) fn after(&self, count: usize) -> impl Iterator<Item = &Announcement> {
        self.remembered
            .iter()
            .skip(count.saturating_sub(self.forgotten))
    }
}
