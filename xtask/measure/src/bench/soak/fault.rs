//! What happens to the node.

use std::time::Duration;

use qortal_testnode::{Event, Fault, TestNode};

/// Something that happens to the configured node for a while.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trouble {
    /// After "a node that".
    pub(super) name: &'static str,
    pub(super) lasts: Duration,
    kind: Kind,
    /// Whether another node is asked instead, if there is one.
    pub(super) is_outage: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Every request meets it.
    Fault(fn() -> Fault),
    /// Every answer comes so late.
    Late(Duration),
}

/// Long enough to see what the server makes of it.
const A_WHILE: Duration = Duration::from_secs(4);
/// How late answers are of a node that is slow in everything.
const LATE: Duration = Duration::from_millis(800);
/// How many blocks a node is behind that is passed over.
pub(super) const BEHIND: u32 = 20;

const fn outage(name: &'static str, lasts: Duration, fault: fn() -> Fault) -> Trouble {
    Trouble {
        name,
        lasts,
        kind: Kind::Fault(fault),
        is_outage: true,
    }
}

/// Something for which no other node is asked: the answer is refused, and the node is known to be there.
const fn oddity(name: &'static str, fault: fn() -> Fault) -> Trouble {
    Trouble {
        name,
        lasts: A_WHILE,
        kind: Kind::Fault(fault),
        is_outage: false,
    }
}

pub(super) const ALL: &[Trouble] = &[
    outage("stalls for 1 s", Duration::from_secs(1), || {
        Fault::StallBeforeHeaders
    }),
    outage("stalls for 4 s", A_WHILE, || Fault::StallBeforeHeaders),
    outage("hangs for 12 s", Duration::from_secs(12), || {
        Fault::StallBeforeHeaders
    }),
    outage("hangs in its answers", A_WHILE, || Fault::StallAfterHeaders),
    outage("refuses connections", A_WHILE, || Fault::Refuse),
    outage("resets connections", A_WHILE, || Fault::ResetBeforeResponse),
    outage("breaks off its answers", A_WHILE, || Fault::TruncateBody),
    outage("sends a byte a second", A_WHILE, || Fault::Slow {
        bytes_per_tick: 1,
        tick: Duration::from_secs(1),
    }),
    outage("answers 500", A_WHILE, || Fault::Status(500, String::new())),
    outage("answers 502", A_WHILE, || {
        Fault::Status(502, "<html>Bad Gateway</html>".to_owned())
    }),
    outage("answers 503", A_WHILE, || Fault::Status(503, String::new())),
    outage("answers 504", A_WHILE, || Fault::Status(504, String::new())),
    outage("has to synchronize first", A_WHILE, || {
        let body = r#"{"error":7,"message":"blockchain needs to synchronize first"}"#;
        Fault::Status(503, body.to_owned())
    }),
    Trouble {
        name: "answers 0.8 s late",
        lasts: A_WHILE,
        kind: Kind::Late(LATE),
        is_outage: false,
    },
    oddity("answers with a page", || Fault::NotJson),
    oddity("answers in another shape", || Fault::WrongShape),
    oddity("answers 64 MiB", || Fault::HugeBody),
    oddity("answers without end", || Fault::EndlessBody),
    oddity("answers more than it announced", || Fault::WrongLength),
    oddity("redirects", || {
        Fault::Redirect("http://127.0.0.1:9/".to_owned())
    }),
];

impl Trouble {
    pub(super) fn begin(&self, node: &TestNode) {
        match self.kind {
            Kind::Fault(fault) => node.fault("/*", fault()),
            Kind::Late(latency) => node.latency(latency),
        }
    }

    pub(super) fn end(&self, node: &TestNode) {
        node.latency(Duration::ZERO);
        node.clear_faults();
    }
}

/// Lets the other node get so far ahead that the configured one is passed over.
pub(super) fn get_ahead(other: &TestNode) {
    for _ in 0..BEHIND {
        other.happen(&Event::Block);
    }
}
