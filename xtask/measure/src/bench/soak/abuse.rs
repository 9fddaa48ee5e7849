//! What clients and nodes do that they should not.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use qortal_testnode::{Fault, TestNode};
use tokio::time::sleep;

use crate::bench::soak::visit;

/// Something that clients do, some of them with the help of their node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abuse {
    /// After "clients that".
    pub(super) name: &'static str,
    pub(super) clients: usize,
    /// Runs one connection to its end, and returns how it ended.
    visit: fn(SocketAddr) -> Visit,
    pub(super) node: NodeIs,
    pub(super) costs: Costs,
}

type Visit = Pin<Box<dyn Future<Output = io::Result<String>> + Send>>;

/// What the node does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeIs {
    /// It answers as ever; well-behaved clients ask it, too.
    Well,
    /// It answers this late.
    Late(Duration),
    /// It sends two million empty objects for a list of peers.
    Inventive,
    /// It sends pings on its websockets and reads no answers.
    Pinging,
}

/// What it may cost others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Costs {
    /// Hardly any time: it is no more than requests.
    Little,
    /// Time to open a connection: it fills the queue of those that have not been accepted.
    Connections,
}

/// A rejected client reconnects after this.
const BACK: Duration = Duration::from_millis(500);
/// A node that is slow, but does not fail.
const LATE: NodeIs = NodeIs::Late(Duration::from_secs(2));

/// What is done to the server without sessions.
pub(super) const FOR_ALL: &[Abuse] = &[
    Abuse {
        name: "call as fast as they can",
        clients: 16,
        visit: |address| Box::pin(visit::flooding(address)),
        node: NodeIs::Well,
        costs: Costs::Little,
    },
    Abuse {
        name: "draw pictures",
        clients: 16,
        visit: |address| Box::pin(visit::drawing(address)),
        node: NodeIs::Well,
        costs: Costs::Little,
    },
    Abuse {
        name: "call what takes seconds, and leave",
        clients: 300,
        visit: |address| Box::pin(visit::vanishing(address)),
        node: LATE,
        costs: Costs::Little,
    },
    Abuse {
        name: "call what takes seconds, and wait",
        clients: 300,
        visit: |address| Box::pin(visit::waiting(address)),
        node: LATE,
        costs: Costs::Little,
    },
    Abuse {
        name: "send the largest bodies",
        clients: 16,
        visit: |address| Box::pin(visit::large(address)),
        node: NodeIs::Well,
        costs: Costs::Little,
    },
    Abuse {
        name: "withhold the end of the largest bodies",
        clients: 500,
        visit: |address| Box::pin(visit::withheld(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "call with 49,000 values in their metadata",
        clients: 256,
        visit: |address| Box::pin(visit::large_meta(address)),
        node: LATE,
        costs: Costs::Little,
    },
    Abuse {
        name: "call with 49,000 values in an unknown member",
        clients: 256,
        visit: |address| Box::pin(visit::large_call(address)),
        node: LATE,
        costs: Costs::Little,
    },
    Abuse {
        name: "have the peers listed by a node that invents two million",
        clients: 8,
        visit: |address| Box::pin(visit::peers(address)),
        node: NodeIs::Inventive,
        costs: Costs::Little,
    },
    Abuse {
        name: "subscribe to a node that floods websockets with pings",
        clients: 3,
        visit: |address| Box::pin(visit::subscribed_to_node(address)),
        node: NodeIs::Pinging,
        costs: Costs::Little,
    },
    Abuse {
        name: "subscribe and never read",
        clients: 600,
        visit: |address| Box::pin(visit::subscribed(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "never read long answers",
        clients: 600,
        visit: |address| Box::pin(visit::deaf(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "connect and say nothing",
        clients: 3_000,
        visit: |address| Box::pin(visit::silence(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "keep their connections busy",
        clients: 1_200,
        visit: |address| Box::pin(visit::busy(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "send a head byte by byte",
        clients: 1_000,
        visit: |address| Box::pin(visit::slow_head(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "send a body byte by byte",
        clients: 1_000,
        visit: |address| Box::pin(visit::slow_body(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
    Abuse {
        name: "close their side after asking",
        clients: 200,
        visit: |address| Box::pin(visit::half_closed(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
];

/// What is done to the server with sessions.
pub(super) const FOR_SESSIONS: &[Abuse] = &[
    Abuse {
        name: "open sessions and forget them",
        clients: 8,
        visit: |address| Box::pin(visit::forgetful(address)),
        node: NodeIs::Well,
        costs: Costs::Little,
    },
    Abuse {
        name: "open a session and its stream, and never read",
        clients: 600,
        visit: |address| Box::pin(visit::session_stream(address)),
        node: NodeIs::Well,
        costs: Costs::Connections,
    },
];

impl Abuse {
    /// Does it for ever.
    pub(super) async fn visit_again_and_again(self, address: SocketAddr, tally: Tally) {
        loop {
            match (self.visit)(address).await {
                Ok(end) => tally.count(end),
                Err(why) => tally.count(why.kind().to_string()),
            }
            sleep(BACK).await;
        }
    }
}

impl NodeIs {
    /// Makes the node so.
    pub(super) fn make(self, node: &TestNode) {
        match self {
            Self::Well => (),
            Self::Late(latency) => node.latency(latency),
            Self::Inventive => {
                let rows = 2_000_000;
                let body = format!("[{{}}{}]", ",{}".repeat(rows - 1));
                node.fault("/peers", Fault::Status(200, body));
            }
            Self::Pinging => node.fault("/websockets/*", Fault::PingFlood),
        }
    }
}

/// How visits ended, over all clients.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally(Arc<Mutex<BTreeMap<String, usize>>>);

impl Tally {
    fn count(&self, end: String) {
        let mut ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *ends.entry(end).or_default() += 1;
    }

    pub(super) fn shown(&self) -> String {
        let ends = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown: Vec<_> = ends
            .iter()
            .map(|(end, count)| format!("{count} {end}"))
            .collect();
        match shown.is_empty() {
            true => "all stayed".to_owned(),
            false => shown.join(", "),
        }
    }
}
