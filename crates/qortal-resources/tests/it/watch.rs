//! Watches: each change is reported once, regardless of outages of the node.

mod account;
mod answers;
mod demo;
mod lists;

use std::{collections::HashSet, pin::pin, sync::Arc, time::SystemTime};

use qortal_resources::watch::{Change, Subject, Watch, WatchEvent};
use qortal_testnode::{Event, Fault, Scenario, TestNode};
use serde_json::Value;
use test_chain::{Chain, PATIENCE};
use tokio::{task::yield_now, time::timeout};

use crate::subscriptions::bench::{push_only, quick};

const BOB: &str = "QixPbJUwsaHsVEofJdozU9zgVqkK6aYhrK";
const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
/// An offer for Litecoin, at 0.00011000.
const OFFER: &str = "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP";

struct Bench {
    node: TestNode,
    name: String,
    watch: Watch,
}

impl Bench {
    /// Creates a bench with a node that has no websockets.
    async fn new(subject: Subject) -> Self {
        let Chain { node, catalog } = Chain::of(Scenario::recorded()).await;
        let missing = Fault::Status(404, String::new());
        node.fault("/websockets/*", missing);
        let catalog = Arc::new(catalog);
        let name = subject.name();
        let watch = Watch::new(catalog, subject, quick(), || SystemTime::UNIX_EPOCH);
        Self { node, name, watch }
    }

    /// Creates a bench with a started watch. Returns it with the initial state.
    async fn begun(subject: Subject) -> (Self, String) {
        let mut bench = Self::new(subject).await;
        match bench.next().await {
            WatchEvent::Started(state) => (bench, state),
            told => panic!("{told:?}"),
        }
    }

    async fn next(&mut self) -> WatchEvent {
        let told = timeout(PATIENCE, self.watch.next()).await;
        told.unwrap_or_else(|_| panic!("{}: nothing is told", self.name))
            .unwrap()
    }

    async fn change(&mut self) -> Change {
        match self.next().await {
            WatchEvent::Changed(change) => change,
            told => panic!("{told:?}"),
        }
    }

    /// Expects `count` payments, each of a new transaction.
    async fn payments(&mut self, count: usize, told: &mut HashSet<String>) {
        let before = told.len();
        for _ in 0..count {
            let change = self.change().await;
            assert_eq!(change.event, "payment");
            let signature = change.data["signature"].as_str().unwrap();
            assert!(told.insert(signature.to_owned()), "twice: {}", change.text);
        }
        assert_eq!(told.len(), before + count);
    }

    /// Expects changes with these event types and prefixes, after a block that triggers a check.
    async fn tells(&mut self, expected: &[(&str, &str)]) {
        self.apply(&[Event::Block]);
        for (what, begins) in expected {
            let change = self.change().await;
            assert_eq!(change.event, *what, "{}", change.text);
            assert!(change.text.starts_with(begins), "{}", change.text);
        }
    }

    /// Expects no change from a check, which requests this path.
    async fn tells_nothing(&mut self, path: &str) {
        let Self { node, name, watch } = self;
        let count = || {
            let journal = node.journal();
            let asked = journal.iter().filter(|it| it.target.starts_with(path));
            asked.count()
        };
        let mut next = pin!(watch.next());
        // The second check begins after the first one has ended.
        for _ in 0..2 {
            let before = count();
            node.apply(&Event::Block);
            let asked = async {
                while count() == before {
                    yield_now().await;
                }
            };
            let looked = async {
                tokio::select! {
                    told = &mut next => panic!("{name}: {told:?}"),
                    () = asked => (),
                }
            };
            let looked = timeout(PATIENCE, looked).await;
            looked.unwrap_or_else(|_| panic!("{name}: it does not look"));
        }
    }

    /// Sets the node's response from now on.
    fn says(&self, path: &str, body: &Value) {
        let said = Fault::Status(200, body.to_string());
        self.node.fault(path, said);
    }

    fn apply(&self, events: &[Event]) {
        for event in events {
            self.node.apply(event);
        }
    }

    async fn stop(self) {
        self.watch.stop().await;
        self.node.stop().await;
    }
}

/// Returns a signature with this last character.
fn signature(last: char) -> String {
    format!("{}{last}", "1".repeat(63))
}

fn account(name: &str) -> Subject {
    Subject::Account(name.to_owned())
}

fn payments(count: u32) -> Event {
    let to = BOB.to_owned();
    Event::Payments {
        to,
        units: 1,
        count,
    }
}

/// A page of the list has 100 rows.
#[tokio::test]
async fn every_payment_is_told_once_in_bursts_reorganizations_and_while_the_node_is_away() {
    let (mut bench, _) = Bench::begun(account("Bób-Name")).await;
    let mut told = HashSet::new();
    bench.apply(&[payments(1)]);
    bench.payments(1, &mut told).await;
    // More than a page in one block, and more in the next ones.
    bench.apply(&[payments(130), Event::Block, payments(1), payments(104)]);
    bench.payments(235, &mut told).await;
    // The node stops, and many events happen before it starts again.
    bench.node.fault("*", Fault::Refuse);
    assert!(matches!(bench.next().await, WatchEvent::Unreachable(_)));
    bench.apply(&[payments(150), Event::Block, payments(60)]);
    bench.node.clear_faults();
    assert_eq!(bench.next().await, WatchEvent::Recovered);
    bench.payments(210, &mut told).await;
    // The same payments are in another block now, and a new one is in the next.
    bench.apply(&[Event::OtherBlock, payments(1)]);
    bench.payments(1, &mut told).await;
    // An older payment has waited longer for its block.
    bench.apply(&[Event::Confirmed, payments(2)]);
    bench.payments(3, &mut told).await;
    // Five blocks replace four: the payments of the four become unconfirmed, a new one is added, and the others follow.
    bench.apply(&[payments(2), payments(1)]);
    bench.payments(3, &mut told).await;
    bench.apply(&[const { Event::Orphaned }; 4]);
    bench.apply(&[payments(1), Event::Confirmed]);
    bench.apply(&[const { Event::Block }; 3]);
    bench.payments(1, &mut told).await;
    bench.apply(&[payments(1)]);
    bench.payments(1, &mut told).await;
    assert_eq!(told.len(), 1 + 235 + 210 + 1 + 3 + 3 + 1 + 1);
    bench.stop().await;
}

/// Earlier payments are not reported when a reorganization moves them.
#[tokio::test]
async fn what_was_there_at_the_beginning_is_not_told_after_a_reorganization() {
    let mut bench = Bench::new(account("Bób-Name")).await;
    bench.apply(&[payments(2)]);
    assert!(matches!(bench.next().await, WatchEvent::Started(_)));
    bench.apply(&[Event::OtherBlock, Event::Block, payments(1)]);
    assert_eq!(bench.change().await.data["blockHeight"], 471);
    bench.apply(&[payments(1)]);
    assert_eq!(bench.change().await.data["blockHeight"], 472);
    bench.stop().await;
}

#[tokio::test]
async fn what_is_beyond_the_bound_is_said_to_be_left_out() {
    let (mut bench, _) = Bench::begun(account("Bób-Name")).await;
    bench.apply(&[payments(1_050)]);
    let left_out = bench.change().await;
    assert_eq!(left_out.event, "left_out");
    let begins = "More came since block 468 than the 1000 rows that are read at once.";
    assert!(left_out.text.starts_with(begins), "{}", left_out.text);
    bench.payments(1_000, &mut HashSet::new()).await;
    bench.apply(&[payments(1)]);
    bench.payments(1, &mut HashSet::new()).await;
    bench.stop().await;
}

#[tokio::test]
async fn every_message_is_told_once_although_they_come_in_bursts() {
    let (mut bench, _) = Bench::begun(Subject::Chat("open-lounge".to_owned())).await;
    let said = |number: usize| Event::GroupMessage {
        from: RITA.to_owned(),
        group: 3,
        text: number.to_string(),
    };
    let mut expected = 0..380;
    for burst in [1, 130, 249] {
        let numbers: Vec<_> = expected.by_ref().take(burst).collect();
        bench.node.fault("*", Fault::ResetBeforeResponse);
        assert!(matches!(bench.next().await, WatchEvent::Unreachable(_)));
        let events: Vec<_> = numbers.iter().map(|it| said(*it)).collect();
        bench.apply(&events);
        bench.node.clear_faults();
        assert_eq!(bench.next().await, WatchEvent::Recovered);
        for number in numbers {
            let change = bench.change().await;
            assert_eq!(change.text, format!("\"rita-trades\" says: {number}"));
        }
    }
    assert_eq!(expected.next(), None);
    bench.stop().await;
}

/// Returns an event for each subject, the initial state, and the expected change.
fn subjects() -> Vec<(Subject, &'static str, Event, &'static str, &'static str)> {
    let moved = |at: &str, mode: &str| Event::TradeMoved {
        at_address: at.to_owned(),
        mode: mode.to_owned(),
    };
    let offers = |below: Option<&str>| Subject::Offers {
        coin: "LTC".to_owned(),
        below: below.map(|it| it.parse().unwrap()),
    };
    let canceled = Event::OfferCancelled {
        at_address: OFFER.to_owned(),
    };
    let group = |group: &str| Subject::Group(group.to_owned());
    vec![
        (
            account("rita-trades"),
            "level 0, no minting key, block 468 is the last",
            Event::Payments {
                to: RITA.to_owned(),
                units: 150_000_000,
                count: 1,
            },
            "payment",
            "\"Alice Test\" pays 1.50000000 QORT to \"rita-trades\".",
        ),
        (
            Subject::Trade(OFFER.to_owned()),
            "",
            moved(OFFER, "TRADING"),
            "taken",
            "",
        ),
        (offers(None), "", canceled.clone(), "offer_gone", ""),
        (offers(Some("1")), "", canceled, "offer_gone", ""),
        (
            Subject::Name("alice test".to_owned()),
            "owned by QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v, not for sale",
            Event::NameOffered {
                name: "Alice Test".to_owned(),
                units: 700_000_000,
            },
            "for_sale",
            "The name is for sale for 7.00000000 QORT now.",
        ),
        (
            group("closed-council"),
            "members: 3, requests to join: 2",
            Event::Joined {
                address: RITA.to_owned(),
                group: 4,
            },
            "join_request",
            "\"rita-trades\" asks to join the group.",
        ),
        (
            Subject::Chat("3".to_owned()),
            "messages in the last 24 hours: 18",
            Event::GroupReaction {
                from: RITA.to_owned(),
                group: 3,
                text: r#"{"message":"","type":"reaction","content":"👍","contentState":true}"#
                    .to_owned(),
            },
            "reaction",
            "\"rita-trades\" reacts with 👍 to \"Message number 11\"",
        ),
        (
            Subject::DirectChat("chloe".to_owned(), "rita-trades".to_owned()),
            "",
            Event::DirectMessage {
                from: RITA.to_owned(),
                to: "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL".to_owned(),
                text: "Hi\nthere".to_owned(),
            },
            "message",
            "\"rita-trades\" says: Hi\nthere",
        ),
        (
            Subject::Resource {
                service: "IMAGE".to_owned(),
                name: "victor".to_owned(),
                identifier: "new".to_owned(),
            },
            "NOT_PUBLISHED",
            Event::Published {
                service: "IMAGE".to_owned(),
                name: "victor".to_owned(),
                identifier: "new".to_owned(),
            },
            "status",
            "Its status is PUBLISHED",
        ),
        (Subject::Node, "", Event::Later(600_000), "unhealthy", ""),
        (
            Subject::Tip,
            "block 468 is the last",
            Event::OtherBlock,
            "block_replaced",
            "Block 468 by ",
        ),
    ]
}

#[tokio::test]
async fn each_subject_tells_what_happens_to_it() {
    for (subject, begins, event, what, text) in subjects() {
        let name = subject.name();
        let (mut bench, state) = Bench::begun(subject).await;
        assert!(state.starts_with(begins), "{name}: {state}");
        bench.apply(&[event, Event::Block]);
        let change = bench.change().await;
        assert_eq!((change.event, change.subject.as_str()), (what, &*name));
        assert!(change.text.starts_with(text), "{name}: {}", change.text);
        let line = change.line();
        assert!(
            !line.contains('\n') && line.get(19..21) == Some("Z "),
            "{line}"
        );
        let json: Value = serde_json::from_str(&change.json()).unwrap();
        let members: Vec<_> = json.as_object().unwrap().keys().collect();
        assert_eq!(members, ["timestamp", "subject", "event", "text", "data"]);
        bench.stop().await;
    }
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_and_nothing_is_listened_to() {
    for (subject, begins) in [
        (account("no such name"), "Invalid Qortal address."),
        (Subject::Trade("A1".to_owned()), "Invalid"),
        (Subject::Group("999".to_owned()), "Group not found."),
        (Subject::Chat("no such group".to_owned()), "Invalid group."),
        (
            Subject::Offers {
                coin: "gold".to_owned(),
                below: None,
            },
            "Unknown blockchain.",
        ),
    ] {
        let mut bench = Bench::new(subject).await;
        let refused = bench.watch.next().await.unwrap_err().to_string();
        assert!(refused.starts_with(begins), "{refused}");
        let journal = bench.node.journal();
        assert!(!journal.iter().any(|it| it.target.contains("websockets")));
        bench.stop().await;
    }
}

/// Each is reported once, regardless of its duration. A watch of the node reports it as changes.
#[tokio::test]
async fn a_node_that_goes_away_is_told_once_and_so_is_its_return() {
    let mut bench = Bench::new(account("chloe")).await;
    bench.node.fault("*", Fault::Refuse);
    let WatchEvent::Unreachable(why) = bench.next().await else {
        panic!("it answers");
    };
    assert!(why.starts_with("Node unreachable."), "{why}");
    assert!(!why.contains("Ask the user"), "{why}");
    bench.node.clear_faults();
    assert_eq!(bench.next().await, WatchEvent::Recovered);
    assert!(matches!(bench.next().await, WatchEvent::Started(_)));
    bench.stop().await;

    let (mut bench, _) = Bench::begun(Subject::Node).await;
    bench.node.fault("*", Fault::Refuse);
    assert_eq!(bench.change().await.event, "unreachable");
    bench.node.clear_faults();
    assert_eq!(bench.change().await.event, "reachable");
    bench.stop().await;
}

/// Only the node's websocket can trigger a check within the test.
#[tokio::test]
async fn a_push_of_the_node_wakes_it() {
    let Chain { node, catalog } = Chain::recorded().await;
    let clock = || SystemTime::UNIX_EPOCH;
    let watch = Watch::new(Arc::new(catalog), Subject::Tip, push_only(), clock);
    let name = "tip".to_owned();
    let mut bench = Bench { node, name, watch };
    assert!(matches!(bench.next().await, WatchEvent::Started(_)));
    for height in 469..472 {
        bench.apply(&[Event::Block]);
        assert_eq!(bench.change().await.data["height"], height);
    }
    bench.stop().await;
}
