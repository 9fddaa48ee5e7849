//! Watched resources: what is told, what that costs the node, and what is refused.

use std::{sync::Arc, time::Duration};

use qortal_testnode::{Event, Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Pace, Source, Unwatched, Watcher};
use serde_json::json;
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::yield_now,
    time::{advance, pause, timeout},
};

use crate::Chain;

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";

/// As slow as a test may be.
const PATIENCE: Duration = Duration::from_secs(20);

/// Never polls within a test: what is told, the node has told.
fn patient() -> Pace {
    Pace {
        poll: Duration::from_secs(3_600),
        ..quick()
    }
}

/// Fast enough to see much happen.
fn quick() -> Pace {
    Pace {
        poll: Duration::from_millis(5),
        slow_poll: Duration::from_millis(5),
        rest: Duration::from_millis(1),
        retry: Duration::from_millis(5),
        longest_retry: Duration::from_millis(20),
        ..Pace::default()
    }
}

struct Bench {
    node: TestNode,
    catalog: Arc<Catalog>,
    watcher: Watcher,
    told: UnboundedReceiver<String>,
}

impl Bench {
    /// Over a node without websockets.
    async fn polling() -> Self {
        let bench = Self::new(quick()).await;
        bench.is_back();
        bench
    }

    /// The node shows no fault but that it has no websockets.
    fn is_back(&self) {
        self.node.clear_faults();
        let missing = Fault::Status(404, String::new());
        self.node.fault("/websockets/*", missing);
    }

    async fn new(pace: Pace) -> Self {
        let Chain { node, catalog } = Chain::of(Scenario::recorded()).await;
        let catalog = Arc::new(catalog);
        let (tell, told) = unbounded_channel();
        let tell = move |uri: &str| drop(tell.send(uri.to_owned()));
        Self {
            watcher: Watcher::with_pace(Arc::clone(&catalog), tell, pace),
            node,
            catalog,
            told,
        }
    }

    async fn told(&mut self) -> String {
        let told = timeout(PATIENCE, self.told.recv()).await;
        told.expect("nothing was told").unwrap()
    }

    /// How often the node was asked for paths that begin so.
    fn asked(&self, path: &str) -> usize {
        let journal = self.node.journal();
        journal
            .iter()
            .filter(|it| it.target.starts_with(path))
            .count()
    }

    async fn until_asked(&self, path: &str, times: usize) {
        let asked = async {
            while self.asked(path) < times {
                yield_now().await;
            }
        };
        timeout(PATIENCE, asked).await.expect("it is asked");
    }

    /// Requests and ends of websockets, by method.
    fn sockets(&self, method: &str) -> Vec<String> {
        let journal = self.node.journal();
        let sockets = journal.iter().filter(|it| it.method == method);
        let sockets = sockets.filter_map(|it| it.target.strip_prefix("/websockets"));
        let mut sockets: Vec<_> = sockets.map(str::to_owned).collect();
        sockets.sort();
        sockets
    }

    async fn until_closed(&self, count: usize) {
        let closed = async {
            while self.sockets("CLOSE").len() < count {
                yield_now().await;
            }
        };
        timeout(PATIENCE, closed).await.expect("they are closed");
    }

    async fn stop(self) {
        self.watcher.stop().await;
        self.node.stop().await;
    }
}

/// What changes each resource that can be watched.
fn changes() -> Vec<(&'static str, &'static str, Event)> {
    let at_address = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo".to_owned();
    vec![
        ("node_status", "qortal://node/status", Event::Connections(7)),
        ("chain_tip", "qortal://chain/tip", Event::OtherBlock),
        (
            "account",
            "qortal://account/Alice%20Test",
            Event::Payment {
                to: ALICE.to_owned(),
                units: 1,
            },
        ),
        (
            "trade_offers",
            "qortal://trade/offers/LITECOIN",
            Event::OfferCancelled { at_address },
        ),
        (
            "group_chat",
            "qortal://chat/group/3",
            Event::GroupMessage {
                from: RITA.to_owned(),
                group: 3,
                text: "Hello".to_owned(),
            },
        ),
        (
            "direct_chat",
            "qortal://chat/direct/chloe/rita-trades",
            Event::DirectMessage {
                from: RITA.to_owned(),
                to: CHLOE.to_owned(),
                text: "Hello".to_owned(),
            },
        ),
    ]
}

async fn told_once(start: impl AsyncFn() -> Bench) {
    for (_, uri, event) in changes() {
        let mut bench = start().await;
        let watching = bench.watcher.watch(uri).await.unwrap();
        // It would be told first.
        let other = bench
            .watcher
            .watch("qortal://qdn-status/WEBSITE/victor")
            .await;
        bench.node.happen(&event);
        assert_eq!(bench.told().await, uri);
        bench.node.happen(&event);
        match &event {
            // Nothing is another by that.
            Event::Connections(_) => bench.node.happen(&Event::Connections(8)),
            Event::OfferCancelled { .. } => {
                bench.node.happen(&Event::OfferCancelled {
                    at_address: "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP".to_owned(),
                });
            }
            _ => (),
        }
        assert_eq!(bench.told().await, uri);
        drop((watching, other));
        assert!(bench.told.try_recv().is_err(), "{uri}");
        bench.stop().await;
    }
}

#[tokio::test]
async fn what_changes_is_told_once_and_nothing_else_is() {
    told_once(Bench::polling).await;
    told_once(|| Bench::new(patient())).await;
}

#[tokio::test]
async fn one_socket_serves_all_who_watch_a_topic_and_ends_with_the_last() {
    let bench = Bench::new(patient()).await;
    let mut watching = Vec::new();
    let before = "qortal://chat/direct/chloe/rita-trades";
    for uri in [
        "qortal://chain/tip",
        "qortal://account/victor",
        "qortal://account/Alice%20Test",
        "qortal://trade/offers/LITECOIN",
        "qortal://trade/offers/ltc",
        "qortal://chat/group/3",
        before,
        // The same room, the other way round.
        "qortal://chat/direct/rita-trades/chloe",
        "qortal://node/status",
        "qortal://node/status",
        "qortal://qdn-status/WEBSITE/victor",
    ] {
        watching.push(bench.watcher.watch(uri).await.unwrap());
    }
    let opened = async {
        while bench.sockets("GET").len() < 5 {
            yield_now().await;
        }
    };
    timeout(PATIENCE, opened).await.expect("they are opened");
    insta::assert_snapshot!(bench.sockets("GET").join("\n"), @r"
    /admin/status
    /blocks
    /chat/messages?involving=QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL&involving=QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ&encoding=BASE64&limit=1&reverse=true
    /chat/messages?txGroupId=3&encoding=BASE64&limit=1&reverse=true
    /crosschain/tradeoffers?foreignBlockchain=LITECOIN&excludeInitialData=true
    ");
    assert!(bench.sockets("CLOSE").is_empty());
    // The tip is still needed for accounts.
    drop(watching.remove(0));
    drop(watching.split_off(2));
    bench.until_closed(4).await;
    assert!(!bench.sockets("CLOSE").contains(&"/blocks".to_owned()));
    drop(watching);
    bench.until_closed(5).await;
    assert_eq!(bench.sockets("CLOSE"), bench.sockets("GET"));
    bench.stop().await;
}

#[tokio::test]
async fn a_socket_that_fails_is_polled_for() {
    for fault in [
        Fault::Status(403, String::new()),
        Fault::Redirect("/websockets/blocks".to_owned()),
        Fault::ResetBeforeResponse,
        Fault::StallBeforeHeaders,
        Fault::TruncateBody,
        Fault::NotJson,
        Fault::WrongShape,
    ] {
        for (_, uri, event) in changes() {
            // Sockets are tried again, which would tell it too.
            let mut bench = Bench::new(Pace {
                retry: Duration::from_millis(20),
                ..quick()
            })
            .await;
            bench.node.fault("/websockets/*", fault.clone());
            let watching = bench.watcher.watch(uri).await.unwrap();
            bench.until_asked("/websockets/", 1).await;
            bench.node.happen(&event);
            assert_eq!(bench.told().await, uri, "{fault:?}");
            drop(watching);
            bench.stop().await;
        }
    }
}

#[tokio::test]
async fn a_socket_is_opened_again_and_what_was_missed_is_told() {
    let mut bench = Bench::new(patient()).await;
    let uri = "qortal://node/status";
    bench
        .node
        .fault_times("/websockets/*", Fault::TruncateBody, 2);
    let missing = Fault::Status(404, String::new());
    bench.node.fault_times("/websockets/*", missing, 2);
    let _watching = bench.watcher.watch(uri).await.unwrap();
    bench.until_asked("/websockets/admin/status", 2).await;
    bench.node.happen(&Event::Connections(1));
    assert_eq!(bench.told().await, uri);
    bench.until_asked("/websockets/admin/status", 5).await;
    bench.node.happen(&Event::Connections(2));
    assert_eq!(bench.told().await, uri);
    bench.stop().await;
}

#[tokio::test]
async fn what_nothing_tells_of_is_looked_at_from_time_to_time() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://qdn-status/WEBSITE/victor";
    let _watching = bench.watcher.watch(uri).await.unwrap();
    bench.until_asked("/arbitrary/resource/status/", 5).await;
    assert!(bench.told.try_recv().is_err(), "nothing has changed");
    let status = json!({"status": "DOWNLOADING", "localChunkCount": 1, "totalChunkCount": 2});
    let status = Fault::Status(200, status.to_string());
    bench.node.fault("/arbitrary/resource/status/*", status);
    assert_eq!(bench.told().await, uri);
    bench.stop().await;
}

#[test]
fn every_row_that_can_be_watched_is_tried_here() {
    let watched = Source::all().filter(|it| it.can_be_watched());
    let watched: Vec<_> = watched.map(|it| it.name).collect();
    let mut tried: Vec<_> = changes().iter().map(|(name, ..)| *name).collect();
    tried.extend(["qdn_status", "qdn_status_of_identifier"]);
    tried.sort_unstable();
    let mut sorted = watched;
    sorted.sort_unstable();
    assert_eq!(sorted, tried);
}

#[tokio::test]
async fn what_only_a_block_changes_is_read_again_after_a_block_alone() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://account/Alice%20Test";
    let _watching = bench.watcher.watch(uri).await.unwrap();
    let balance = format!("/addresses/balance/{ALICE}");
    // To know what it holds, and once more for what happened before the tip was known.
    bench.until_asked(&balance, 2).await;
    let before = bench.asked(&balance);
    let polled = bench.asked("/blocks/last");
    bench.until_asked("/blocks/last", polled + 5).await;
    assert_eq!(bench.asked(&balance), before);
    // A block that changes nothing is no news.
    bench.node.happen(&Event::Block);
    bench.until_asked(&balance, before + 1).await;
    bench.node.happen(&Event::Payment {
        to: ALICE.to_owned(),
        units: 1,
    });
    assert_eq!(bench.told().await, uri);
    bench.stop().await;
}

#[tokio::test]
async fn those_who_watch_the_same_share_the_work() {
    let bench = Bench::polling().await;
    let uri = "qortal://chain/tip";
    let mut watching = Vec::new();
    for _ in 0..50 {
        watching.push(bench.watcher.watch(uri).await.unwrap());
    }
    // Read once to know what it holds, and twice for the tip: what was first, and what came since.
    assert!(
        bench.asked("/blocks/last") < 10,
        "{:?}",
        bench.node.journal()
    );
    bench.stop().await;
}

#[tokio::test]
async fn nothing_is_asked_when_nobody_watches() {
    let bench = Bench::polling().await;
    let mut watching = Vec::new();
    for (_, uri, _) in changes() {
        watching.push(bench.watcher.watch(uri).await.unwrap());
    }
    bench.until_asked("/blocks/last", 3).await;
    drop(watching);
    pause();
    // What was under way comes to its end.
    bench.catalog.read("qortal://block/200").await.unwrap();
    let before = bench.node.journal().len();
    advance(Duration::from_secs(3_600)).await;
    bench.catalog.read("qortal://block/201").await.unwrap();
    assert_eq!(bench.node.journal().len(), before + 1);
    bench.stop().await;
}

#[tokio::test]
async fn a_node_that_was_away_is_made_up_for() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://node/status";
    bench.node.fault("*", Fault::Refuse);
    // What cannot be read yet can be watched.
    let watching = bench.watcher.watch(uri).await.unwrap();
    bench.is_back();
    assert_eq!(bench.told().await, uri);
    // Away and back is no change.
    bench.node.fault("*", Fault::ResetBeforeResponse);
    let before = bench.asked("/admin/status");
    bench.until_asked("/admin/status", before + 3).await;
    bench.is_back();
    let before = bench.asked("/admin/status");
    bench.until_asked("/admin/status", before + 3).await;
    assert!(bench.told.try_recv().is_err());
    bench.node.fault("*", Fault::ResetBeforeResponse);
    bench.node.happen(&Event::Connections(3));
    bench.is_back();
    assert_eq!(bench.told().await, uri);
    drop(watching);
    bench.stop().await;
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_with_what_can() {
    let bench = Bench::polling().await;
    let mut said = String::new();
    for uri in [
        "qortal://block/200",
        "qortal://WEBSITE/victor",
        "qortal://node/status/",
        "qortal://nothing",
        "https://node/status",
        "",
        "qortal://account/%zz",
        "qortal://account/QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9e",
        "qortal://account/nobody%20has%20this",
        "qortal://trade/offers/gold",
        "qortal://chat/group/three",
        "qortal://chat/group/999",
        "qortal://chat/direct/victor/nobody%20has%20this",
        "qortal://chat/direct/victor/victor",
        "qortal://qdn-status/website!/victor",
    ] {
        let refused = bench.watcher.watch(uri).await.unwrap_err();
        assert!(
            matches!(refused, Unwatched::NotWatchable(_) | Unwatched::Unread(_)),
            "{uri}: {refused:?}"
        );
        said.push_str(&format!("{uri}\n  {refused}\n"));
    }
    assert_eq!(bench.sockets("GET").len(), 0, "nothing is begun for them");
    bench.stop().await;
    insta::with_settings!({
        snapshot_path => "../../snapshots/watch",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("refusals", said);
    });
}

#[tokio::test]
async fn only_so_much_is_watched_and_nothing_after_the_end() {
    let bench = Bench::new(Pace::default()).await;
    let uri = |n: usize| format!("qortal://qdn-status/WEBSITE/victor/{n}");
    let mut watching = Vec::new();
    for n in 0..256 {
        watching.push(bench.watcher.watch(&uri(n)).await.unwrap());
    }
    let refused = bench.watcher.watch(&uri(256)).await;
    assert!(matches!(refused, Err(Unwatched::TooMany)), "{refused:?}");
    // Whoever watches the same takes no room.
    let again = bench.watcher.watch(&uri(0)).await;
    assert!(again.is_ok());
    watching.pop();
    assert!(bench.watcher.watch(&uri(256)).await.is_ok());
    bench.watcher.stop().await;
    let refused = bench.watcher.watch("qortal://node/status").await;
    assert!(matches!(refused, Err(Unwatched::Stopped)), "{refused:?}");
    bench.stop().await;
}

#[tokio::test]
async fn a_watch_that_has_ended_is_begun_anew_by_the_next() {
    let mut bench = Bench::new(Pace {
        slow_after: Duration::ZERO,
        end_after: Duration::from_millis(30),
        ..quick()
    })
    .await;
    let uri = "qortal://node/status";
    let first = bench.watcher.watch(uri).await.unwrap();
    let mut count = bench.asked("/admin/status");
    // It goes on while somebody renews it, and is told of whoever did.
    for connections in 1..4 {
        let _again = bench.watcher.watch(uri).await.unwrap();
        bench.node.happen(&Event::Connections(connections));
        bench.until_asked("/admin/status", count + 1).await;
        count = bench.asked("/admin/status");
    }
    assert_eq!(bench.told().await, uri);
    drop(first);
    bench.stop().await;
}
