//! The nodes, and what happens to them.

use std::{cell::Cell, time::Duration};

use qortal_testnode::{Event, Fault, Scenario, TestNode};

use crate::{
    plan::Plan,
    trouble::{BEHIND, Kind, Trouble},
};

/// How many connections the first node has, and only that one.
pub(crate) const CONNECTIONS: u32 = 7;
/// What the second one says instead.
const OTHER_CONNECTIONS: u32 = 77;
/// The height of the recorded chain.
const RECORDED: u64 = 468;
/// How far the network's time jumps, in ms.
const JUMP: u32 = 3_600_000;

/// What is answered under a wrong length: not heights, half of whose digits are a height as well.
const CUT: [&str; 4] = ["/names", "/names/*", "/addresses/*", "/blocks/byheight/*"];

/// The hosts of the nodes, in the order in which they are configured.
pub(crate) const HOSTS: [&str; 2] = ["one", "two"];

/// The nodes, the configured one first.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub(crate) all: Vec<Simulated>,
    latency: Duration,
}

/// A node, and how many blocks it has.
#[derive(Debug)]
pub(crate) struct Simulated {
    pub(crate) node: TestNode,
    height: Cell<u64>,
}

impl Simulated {
    fn grow(&self, blocks: u32) {
        (0..blocks).for_each(|_| self.node.apply(&Event::Block));
        self.height.update(|it| it + u64::from(blocks));
    }
}

impl Nodes {
    pub(crate) fn start(plan: &Plan) -> Self {
        let hosts = HOSTS.iter().take(plan.nodes).enumerate();
        let all = hosts.map(|(index, host)| {
            let (scenario, connections) = match index {
                0 => (
                    Scenario::recorded().with_machine_clock(plan.ahead),
                    CONNECTIONS,
                ),
                _ => (Scenario::recorded(), OTHER_CONNECTIONS),
            };
            let node = TestNode::in_memory(host, scenario);
            node.latency(plan.latency);
            node.apply(&Event::Connections(connections));
            let height = Cell::new(RECORDED);
            Simulated { node, height }
        });
        Self {
            all: all.collect(),
            latency: plan.latency,
        }
    }

    pub(crate) fn heights(&self) -> Vec<u64> {
        self.all.iter().map(|it| it.height.get()).collect()
    }

    /// A block that all of them have.
    pub(crate) fn block(&self) {
        self.all.iter().for_each(|it| it.grow(1));
    }

    pub(crate) fn requests(&self) -> Vec<u64> {
        self.all.iter().map(|it| it.node.request_count()).collect()
    }

    pub(crate) async fn stop(self) {
        for simulated in self.all {
            simulated.node.stop().await;
        }
    }

    pub(crate) fn begin(&self, trouble: &Trouble) {
        let Some(Simulated { node, .. }) = self.all.get(trouble.node) else {
            return;
        };
        let all = |fault| node.fault("/*", fault);
        match trouble.kind {
            Kind::Hang | Kind::HangThenBehind => all(Fault::StallBeforeHeaders),
            Kind::HangInAnswers => all(Fault::StallAfterHeaders),
            Kind::Refuse | Kind::Restart => all(Fault::Refuse),
            Kind::Reset => all(Fault::ResetBeforeResponse),
            Kind::HalfAnswers => all(Fault::TruncateBody),
            Kind::Trickle => all(Fault::Slow {
                bytes_per_tick: 1,
                tick: Duration::from_secs(1),
            }),
            Kind::Status(status) => all(Fault::Status(status, String::new())),
            Kind::Synchronizing => {
                let body = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
                all(Fault::Status(503, body.to_owned()));
            }
            Kind::Page => all(Fault::NotJson),
            Kind::Shape => all(Fault::WrongShape),
            Kind::WrongLength => {
                for pattern in CUT {
                    node.fault(pattern, Fault::WrongLength);
                }
            }
            Kind::Redirect => all(Fault::Redirect("http://elsewhere/".to_owned())),
            Kind::Late(latency) => node.latency(latency),
            Kind::Behind => (),
            Kind::SocketsLost(true) => node.fault("/websockets/*", Fault::TruncateBody),
            Kind::SocketsLost(false) => node.fault("/websockets/*", Fault::StallAfterHeaders),
            Kind::Clock => node.apply(&Event::Later(JUMP)),
        }
        if matches!(trouble.kind, Kind::Behind | Kind::HangThenBehind) {
            let others = self.all.iter().enumerate();
            let others = others.filter(|(index, _)| *index != trouble.node);
            others.for_each(|(_, it)| it.grow(BEHIND));
        }
    }

    /// Ends all that happens to nodes.
    pub(crate) fn heal(&self) {
        for Simulated { node, .. } in &self.all {
            node.latency(self.latency);
            node.clear_faults();
        }
    }

    /// Ends it. A node that hung and fell behind stays so until it [catches up](Self::catch_up).
    pub(crate) fn end(&self, trouble: &Trouble) {
        let Some(Simulated { node, .. }) = self.all.get(trouble.node) else {
            return;
        };
        node.latency(self.latency);
        node.clear_faults();
        if trouble.kind == Kind::Behind {
            self.catch_up(trouble);
        }
    }

    pub(crate) fn catch_up(&self, trouble: &Trouble) {
        if let (Some(simulated), true) = (self.all.get(trouble.node), self.all.len() > 1) {
            simulated.grow(BEHIND);
        }
    }
}
