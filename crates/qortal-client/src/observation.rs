//! Observations made during requests, in addition to the responses.

use std::sync::Arc;

use parking_lot::Mutex;
use qortal_types::Timestamp;

use crate::Endpoint;

/// A circumstance of a response that its reader should know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// A node other than the configured one answered.
    OtherNode {
        /// The URL of the node.
        url: Arc<str>,
        /// Whether the node is one of the user's own nodes rather than a public one.
        is_own: bool,
        /// The reason the node was queried.
        reason: FallbackReason,
    },
    /// The configured node answered although it is behind others, because none of those could be queried.
    OwnNodeBehind {
        /// The number of blocks.
        blocks: u32,
    },
    /// The other node that answered is also behind others, and none of those could be queried.
    OtherNodeBehind {
        /// The number of blocks.
        blocks: u32,
    },
    /// The configured node did not return the network time, so the time of the latest block was used instead.
    TimeOfBlock {
        /// The time.
        time: Timestamp,
    },
    /// Invalid rows of a list were left out.
    OddRows {
        /// The endpoint of the list.
        endpoint: Endpoint,
        /// The number of rows.
        rows: usize,
    },
    /// The end of a list was left out, because the list exceeds the limit.
    TooManyRows {
        /// The endpoint of the list.
        endpoint: Endpoint,
        /// The number of rows that were read.
        limit: usize,
    },
}

/// The reason a node other than the configured one was queried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FallbackReason {
    /// The configured node does not respond.
    Unavailable,
    /// The configured node takes longer than usual for the request.
    Late,
    /// The configured node is behind the others.
    Behind {
        /// The number of blocks.
        blocks: u32,
    },
}

/// The observations of a client's requests, each circumstance once.
///
/// [`Node::observed`](crate::Node::observed) returns a client together with the observations of its requests. Clones share their
/// contents.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    seen: Arc<Mutex<Vec<Observation>>>,
    gaps: Arc<Mutex<Vec<Gaps>>>,
}

/// A list with omitted rows, which were invalid or vanished between two of the node's queries.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gaps {
    /// The number of rows without the omitted ones.
    pub rows: usize,
    /// The positions of the omitted rows among all rows, in ascending order.
    pub places: Vec<usize>,
}

impl Observations {
    /// Returns all observations so far, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<Observation> {
        self.seen.lock().clone()
    }

    /// Returns the lists with omitted rows, in the order they were read.
    #[must_use]
    pub fn gaps(&self) -> Vec<Gaps> {
        self.gaps.lock().clone()
    }

    pub(crate) fn add_gaps(&self, gaps: Gaps) {
        self.gaps.lock().push(gaps);
    }

    /// Adds an observation. Rows of one endpoint are added up, anything else is kept once.
    pub(crate) fn add(&self, observation: Observation) {
        let mut seen = self.seen.lock();
        if let Observation::OddRows { endpoint, rows } = observation {
            let known = seen.iter_mut().find_map(|it| match it {
                Observation::OddRows {
                    endpoint: known,
                    rows,
                } if *known == endpoint => Some(rows),
                _ => None,
            });
            if let Some(known) = known {
                *known += rows;
                return;
            }
        }
        if !seen.contains(&observation) {
            seen.push(observation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Observation, Observations};
    use crate::Endpoint;

    #[test]
    fn rows_add_up_and_the_rest_is_kept_once() {
        let odd = |endpoint, rows| Observation::OddRows { endpoint, rows };
        let long = Observation::TooManyRows {
            endpoint: Endpoint::Peers,
            limit: 5,
        };
        let observations = Observations::default();
        for it in [
            odd(Endpoint::Names, 1),
            long.clone(),
            odd(Endpoint::Peers, 4),
            odd(Endpoint::Names, 2),
            long.clone(),
        ] {
            observations.clone().add(it);
        }
        let expected = [odd(Endpoint::Names, 3), long, odd(Endpoint::Peers, 4)];
        assert_eq!(observations.all(), expected);
    }
}
