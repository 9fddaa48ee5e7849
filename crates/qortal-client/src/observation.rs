//! What was seen while requests were answered, beside the answers.

use std::sync::Arc;

use parking_lot::Mutex;
use qortal_types::Timestamp;

use crate::Endpoint;

/// A circumstance of an answer that its reader should know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Observation {
    /// Another node than the configured one answered.
    OtherNode {
        /// Its URL.
        url: Arc<str>,
        /// Whether it is one of the user's own nodes, and not a public one.
        is_own: bool,
        /// Why it was asked.
        reason: FallbackReason,
    },
    /// The configured node answered although it is behind others, because none of those could be asked.
    OwnNodeBehind {
        /// By how many blocks.
        blocks: u32,
    },
    /// The other node that answered is behind others, too, none of which could be asked.
    OtherNodeBehind {
        /// By how many blocks.
        blocks: u32,
    },
    /// The configured node did not tell the network's time, so that of the latest block was taken for now.
    TimeOfBlock {
        /// The time.
        time: Timestamp,
    },
    /// Rows of a list were left out, because they are not what the endpoint sends.
    OddRows {
        /// The endpoint of the list.
        endpoint: Endpoint,
        /// How many rows.
        rows: usize,
    },
    /// The end of a list was left out, because it has more rows than are read.
    TooManyRows {
        /// The endpoint of the list.
        endpoint: Endpoint,
        /// How many rows were read.
        limit: usize,
    },
}

/// Why another node than the configured one was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FallbackReason {
    /// The configured node does not answer.
    Unavailable,
    /// The configured node takes longer than is usual for the request.
    Late,
    /// The configured node is behind the others.
    Behind {
        /// By how many blocks.
        blocks: u32,
    },
}

/// What was seen while requests were answered, each circumstance once.
///
/// [`Node::observed`](crate::Node::observed) returns a client together with the observations of its requests. Clones share
/// what they collect.
#[derive(Debug, Clone, Default)]
pub struct Observations {
    seen: Arc<Mutex<Vec<Observation>>>,
    gaps: Arc<Mutex<Vec<Gaps>>>,
}

/// A list with rows that were left out: odd ones, and those that vanished between two of the node's queries.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gaps {
    /// How many rows it has without them.
    pub rows: usize,
    /// Their places among all rows, ascending.
    pub places: Vec<usize>,
}

impl Observations {
    /// Returns everything seen so far, oldest first.
    #[must_use]
    pub fn all(&self) -> Vec<Observation> {
        self.seen.lock().clone()
    }

    /// Returns the lists with rows that were left out, in the order they were read.
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
