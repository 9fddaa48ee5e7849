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

use self::Costs::{Connections, Little};
use self::NodeIs::{Inventive, Pinging, Well};

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
#[rustfmt::skip]
pub(super) const FOR_ALL: &[Abuse] = &[
    Abuse::new("call as fast as they can", 16, |to| Box::pin(visit::flooding(to)), Well, Little),
    Abuse::new("choose other tools each time", 16, |to| Box::pin(visit::choosing(to)), Well, Little),
    Abuse::new("draw charts", 16, |to| Box::pin(visit::drawing(to)), Well, Little),
    Abuse::new("call what takes seconds, and leave", 300, |to| Box::pin(visit::vanishing(to)), LATE, Little),
    Abuse::new("call what takes seconds, and wait", 300, |to| Box::pin(visit::waiting(to)), LATE, Little),
    Abuse::new("send the largest bodies", 16, |to| Box::pin(visit::large(to)), Well, Little),
    Abuse::new("withhold the end of the largest bodies", 500, |to| Box::pin(visit::withheld(to)), Well, Connections),
    Abuse::new("call with 49,000 values in their metadata", 256, |to| Box::pin(visit::large_meta(to)), LATE, Little),
    Abuse::new("call with 49,000 values in an unknown member", 256, |to| Box::pin(visit::large_call(to)), LATE, Little),
    Abuse::new("have the peers listed by a node that invents two million", 8, |to| Box::pin(visit::peers(to)), Inventive, Little),
    Abuse::new("subscribe to a node that floods websockets with pings", 3, |to| Box::pin(visit::subscribed_to_node(to)), Pinging, Little),
    Abuse::new("subscribe and never read", 600, |to| Box::pin(visit::subscribed(to)), Well, Connections),
    Abuse::new("never read long answers", 600, |to| Box::pin(visit::deaf(to)), Well, Connections),
    Abuse::new("connect and say nothing", 3_000, |to| Box::pin(visit::silence(to)), Well, Connections),
    Abuse::new("keep their connections busy", 1_200, |to| Box::pin(visit::busy(to)), Well, Connections),
    Abuse::new("send a head byte by byte", 1_000, |to| Box::pin(visit::slow_head(to)), Well, Connections),
    Abuse::new("send a body byte by byte", 1_000, |to| Box::pin(visit::slow_body(to)), Well, Connections),
    Abuse::new("close their side after asking", 200, |to| Box::pin(visit::half_closed(to)), Well, Connections),
];

/// What is done to the server with sessions.
#[rustfmt::skip]
pub(super) const FOR_SESSIONS: &[Abuse] = &[
    Abuse::new("open sessions and forget them", 8, |to| Box::pin(visit::forgetful(to)), Well, Little),
    Abuse::new("open a session and its stream, and never read", 600, |to| Box::pin(visit::session_stream(to)), Well, Connections),
];

impl Abuse {
    const fn new(
        name: &'static str,
        clients: usize,
        visit: fn(SocketAddr) -> Visit,
        node: NodeIs,
        costs: Costs,
    ) -> Self {
        Self {
            name,
            clients,
            visit,
            node,
            costs,
        }
    }

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
