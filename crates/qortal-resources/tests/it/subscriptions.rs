//! Subscriptions: their reports, their node requests, and their errors.

pub(crate) mod bench;
mod tasks;

use std::time::Duration;

use futures_util::future::join_all;
use qortal_resources::{PollInterval, Source, SubscribeError, read};
use qortal_testnode::{Event, Fault};
use serde_json::json;
use tokio::{
    task::yield_now,
    time::{advance, pause, sleep, timeout},
};

use self::bench::{Bench, PATIENCE, push_only, quick};

const ALICE: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";
const CHLOE: &str = "QaUpHNhT3Ygx6avRiKobuLdusppR5biXjL";

/// Returns an event that changes each subscribable resource.
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
            "name",
            "qortal://name/Alice%20Test",
            Event::NameOffered {
                name: "Alice Test".to_owned(),
                units: 1,
            },
        ),
        (
            "trade",
            "qortal://trade/AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP",
            Event::OfferCancelled {
                at_address: "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP".to_owned(),
            },
        ),
        (
            "group",
            "qortal://group/6",
            Event::Joined {
                address: CHLOE.to_owned(),
                group: 6,
            },
        ),
        (
            "group_requests",
            "qortal://group/closed-council/requests",
            Event::Joined {
                address: "QSC9jRj3hnuxU9odrP8qbTW1KdJBGngtPq".to_owned(),
                group: 4,
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

async fn updated_once(start: impl AsyncFn() -> Bench) {
    for (_, uri, event) in changes() {
        let mut bench = start().await;
        let subscription = bench.subscriptions.subscribe(uri).await.unwrap();
        // Its update would arrive first.
        let other = "qortal://qdn-status/WEBSITE/victor";
        let other = bench.subscriptions.subscribe(other).await;
        bench.node.apply(&event);
        assert_eq!(bench.update().await, uri);
        bench.node.apply(&event);
        match &event {
            Event::Joined { group, .. } => bench.node.apply(&Event::Joined {
                address: RITA.to_owned(),
                group: *group,
            }),
            Event::NameOffered { name, .. } => bench.node.apply(&Event::NameOffered {
                name: name.clone(),
                units: 2,
            }),
            // The same event has no effect a second time.
            Event::Connections(_) => bench.node.apply(&Event::Connections(8)),
            Event::OfferCancelled { .. } => {
                bench.node.apply(&Event::TradeMoved {
                    at_address: "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP".to_owned(),
                    mode: "REFUNDED".to_owned(),
                });
                bench.node.apply(&Event::Block);
            }
            _ => (),
        }
        assert_eq!(bench.update().await, uri);
        drop((subscription, other));
        assert!(bench.updates.try_recv().is_err(), "{uri}");
        bench.stop().await;
    }
}

#[tokio::test]
async fn each_change_is_reported_once_and_nothing_else_is() {
    updated_once(Bench::polling).await;
    updated_once(|| Bench::new(push_only())).await;
}

#[tokio::test]
async fn subscriptions_to_a_topic_share_one_socket_which_ends_with_the_last() {
    let bench = Bench::new(push_only()).await;
    let mut kept = Vec::new();
    let before = "qortal://chat/direct/chloe/rita-trades";
    for uri in [
        "qortal://chain/tip",
        "qortal://account/victor",
        "qortal://account/Alice%20Test",
        "qortal://trade/offers/LITECOIN",
        "qortal://trade/offers/ltc",
        "qortal://chat/group/3",
        before,
        // The same room in reverse order.
        "qortal://chat/direct/rita-trades/chloe",
        "qortal://node/status",
        "qortal://node/status",
        "qortal://qdn-status/WEBSITE/victor",
    ] {
        kept.push(bench.subscriptions.subscribe(uri).await.unwrap());
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
    /crosschain/tradepresence
    ");
    assert!(bench.sockets("CLOSE").is_empty());
    // Accounts still need the tip.
    drop(kept.remove(0));
    drop(kept.split_off(2));
    bench.until_closed(4).await;
    assert!(!bench.sockets("CLOSE").contains(&"/blocks".to_owned()));
    drop(kept);
    bench.until_closed(5).await;
    assert_eq!(bench.sockets("CLOSE"), bench.sockets("GET"));
    bench.stop().await;
}

/// The node's websocket for trade offers omits events of blocks that the node minted itself, and the presence of sellers.
#[tokio::test]
async fn offers_are_reported_if_the_node_mints_and_when_a_seller_comes() {
    let uri = "qortal://trade/offers/LITECOIN";
    let seller = "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo";
    let moved = |mode: &str| Event::TradeMoved {
        at_address: "AS6SHzPsHgZVGu1Dy9MxShuNzMYebodjTP".to_owned(),
        mode: mode.to_owned(),
    };
    let online = |until| Event::SellerOnline {
        at_address: seller.to_owned(),
        until,
    };
    let mut bench = Bench::new(push_only()).await;
    let _subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    bench.until_asked("/websockets/", 2).await;
    bench.node.apply(&moved("TRADING"));
    bench.node.apply(&Event::OwnBlock);
    assert_eq!(bench.update().await, uri);
    bench.node.apply(&online(1_795_243_500_000));
    assert_eq!(bench.update().await, uri);
    bench.stop().await;
}

#[tokio::test]
async fn a_socket_that_fails_is_polled_for() {
    let faults = [
        Fault::Status(403, String::new()),
        Fault::Redirect("/websockets/blocks".to_owned()),
        Fault::ResetBeforeResponse,
        Fault::StallBeforeHeaders,
        Fault::TruncateBody,
        Fault::NotJson,
        Fault::WrongShape,
    ];
    let polled = faults.iter().flat_map(|fault| {
        changes()
            .into_iter()
            .map(move |(_, uri, event)| async move {
                // A reopened websocket would report it too.
                let mut policy = quick();
                policy.retry_delay = Duration::from_millis(20);
                let mut bench = Bench::new(policy).await;
                bench.node.fault("/websockets/*", fault.clone());
                let subscription = bench.subscriptions.subscribe(uri).await.unwrap();
                bench.until_asked("/websockets/", 1).await;
                bench.node.apply(&event);
                assert_eq!(bench.update().await, uri, "{fault:?}");
                drop(subscription);
                bench.stop().await;
            })
    });
    join_all(polled).await;
}

#[tokio::test]
async fn a_socket_is_opened_again_and_missed_changes_are_reported() {
    let mut bench = Bench::new(push_only()).await;
    let uri = "qortal://node/status";
    bench
        .node
        .fault_times("/websockets/*", Fault::TruncateBody, 2);
    let missing = Fault::Status(404, String::new());
    bench.node.fault_times("/websockets/*", missing, 2);
    let _subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    bench.until_asked("/websockets/admin/status", 2).await;
    bench.node.apply(&Event::Connections(1));
    assert_eq!(bench.update().await, uri);
    bench.until_asked("/websockets/admin/status", 5).await;
    bench.node.apply(&Event::Connections(2));
    assert_eq!(bench.update().await, uri);
    bench.stop().await;
}

#[tokio::test]
async fn resources_without_signal_are_polled() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://qdn-status/WEBSITE/victor";
    let _subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    bench.until_asked("/arbitrary/resource/status/", 5).await;
    assert!(bench.updates.try_recv().is_err(), "nothing has changed");
    let status = json!({"status": "DOWNLOADING", "localChunkCount": 1, "totalChunkCount": 2});
    let status = Fault::Status(200, status.to_string());
    bench.node.fault("/arbitrary/resource/status/*", status);
    assert_eq!(bench.update().await, uri);
    bench.stop().await;
}

#[test]
fn every_subscribable_row_is_tested_here() {
    let rows = Source::all().filter(|it| it.is_subscribable());
    let mut rows: Vec<_> = rows.map(|it| it.name).collect();
    let mut tried: Vec<_> = changes().iter().map(|(name, ..)| *name).collect();
    tried.extend(["qdn_status", "qdn_status_of_identifier"]);
    tried.sort_unstable();
    rows.sort_unstable();
    assert_eq!(rows, tried);
}

#[tokio::test]
async fn what_only_a_block_changes_is_read_after_blocks_alone() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://account/Alice%20Test";
    let _subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    let balance = format!("/addresses/balance/{ALICE}");
    // Once for the subscription, and once for changes before the tip was known.
    bench.until_asked(&balance, 2).await;
    let before = bench.asked(&balance);
    let polled = bench.asked("/blocks/last");
    bench.until_asked("/blocks/last", polled + 5).await;
    assert_eq!(bench.asked(&balance), before);
    // A block that does not change the account is not reported.
    bench.node.apply(&Event::Block);
    bench.until_asked(&balance, before + 1).await;
    bench.node.apply(&Event::Payment {
        to: ALICE.to_owned(),
        units: 1,
    });
    assert_eq!(bench.update().await, uri);
    bench.stop().await;
}

#[tokio::test]
async fn subscriptions_to_one_resource_share_its_reads() {
    let bench = Bench::polling().await;
    let uri = "qortal://chain/tip";
    let mut kept = Vec::new();
    for _ in 0..50 {
        kept.push(bench.subscriptions.subscribe(uri).await.unwrap());
    }
    // Once for the subscription, and twice for the tip: the first block, and changes since.
    assert!(
        bench.asked("/blocks/last") < 10,
        "{:?}",
        bench.node.journal()
    );
    bench.stop().await;
}

#[tokio::test]
async fn without_subscriptions_the_node_is_not_polled() {
    let bench = Bench::polling().await;
    let mut kept = Vec::new();
    for (_, uri, _) in changes() {
        kept.push(bench.subscriptions.subscribe(uri).await.unwrap());
    }
    bench.until_asked("/blocks/last", 3).await;
    drop(kept);
    pause();
    // Requests in flight complete.
    read(&bench.catalog, "qortal://block/200").await.unwrap();
    let before = bench.node.journal().len();
    advance(Duration::from_secs(3_600)).await;
    read(&bench.catalog, "qortal://block/201").await.unwrap();
    assert_eq!(bench.node.journal().len(), before + 1);
    bench.stop().await;
}

#[tokio::test]
async fn changes_are_reported_after_the_node_was_away() {
    let mut bench = Bench::polling().await;
    let uri = "qortal://node/status";
    bench.node.fault("*", Fault::Refuse);
    // A resource that is currently unavailable supports subscriptions.
    let subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    bench.recover();
    assert_eq!(bench.update().await, uri);
    // An outage without a change is not reported.
    bench.node.fault("*", Fault::ResetBeforeResponse);
    let before = bench.asked("/admin/status");
    bench.until_asked("/admin/status", before + 3).await;
    bench.recover();
    let before = bench.asked("/admin/status");
    bench.until_asked("/admin/status", before + 3).await;
    assert!(bench.updates.try_recv().is_err());
    bench.node.fault("*", Fault::ResetBeforeResponse);
    bench.node.apply(&Event::Connections(3));
    bench.recover();
    assert_eq!(bench.update().await, uri);
    drop(subscription);
    bench.stop().await;
}

#[tokio::test]
async fn a_refusal_lists_the_subscribable_templates() {
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
        "qortal://account/no%20such%20name",
        "qortal://trade/offers/gold",
        "qortal://chat/group/three",
        "qortal://chat/group/999",
        "qortal://chat/direct/victor/no%20such%20name",
        "qortal://chat/direct/victor/victor",
        "qortal://qdn-status/website!/victor",
    ] {
        let refused = bench.subscriptions.subscribe(uri).await.unwrap_err();
        assert!(
            matches!(
                refused,
                SubscribeError::NotSubscribable(_) | SubscribeError::Read(_)
            ),
            "{uri}: {refused:?}"
        );
        said.push_str(&format!("{uri}\n  {refused}\n"));
    }
    assert_eq!(bench.sockets("GET").len(), 0, "no task is started for them");
    bench.stop().await;
    insta::with_settings!({
        snapshot_path => "../../snapshots/subscriptions",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("refusals", said);
    });
}

#[tokio::test]
async fn subscriptions_are_limited_and_end_with_stop() {
    let bench = Bench::new(PollInterval::default()).await;
    let uri = |n: usize| format!("qortal://qdn-status/WEBSITE/victor/{n}");
    let mut kept = Vec::new();
    for n in 0..256 {
        kept.push(bench.subscriptions.subscribe(&uri(n)).await.unwrap());
    }
    let refused = bench.subscriptions.subscribe(&uri(256)).await;
    assert!(
        matches!(refused, Err(SubscribeError::LimitReached)),
        "{refused:?}"
    );
    // Another subscription to the same resource does not count.
    let again = bench.subscriptions.subscribe(&uri(0)).await;
    assert!(again.is_ok());
    kept.pop();
    assert!(bench.subscriptions.subscribe(&uri(256)).await.is_ok());
    bench.subscriptions.stop().await;
    let refused = bench.subscriptions.subscribe("qortal://node/status").await;
    assert!(
        matches!(refused, Err(SubscribeError::Stopped)),
        "{refused:?}"
    );
    bench.stop().await;
}

/// Uses the test's clock, which only advances while all tasks are idle.
#[tokio::test(start_paused = true)]
async fn a_subscription_that_has_expired_is_started_again_by_the_next() {
    let mut policy = PollInterval::default();
    policy.stop_after = 40 * policy.interval;
    let mut bench = Bench::new(policy).await;
    bench.recover();
    let uri = "qortal://node/status";
    let first = bench.subscriptions.subscribe(uri).await.unwrap();
    // It continues while it is renewed, and so do its updates.
    for connections in 1..4 {
        sleep(policy.stop_after / 2).await;
        let _again = bench.subscriptions.subscribe(uri).await.unwrap();
        bench.node.apply(&Event::Connections(connections));
        assert_eq!(bench.update().await, uri);
    }
    sleep(2 * policy.stop_after).await;
    let asked = bench.asked("/admin/status");
    bench.node.apply(&Event::Connections(4));
    sleep(policy.stop_after).await;
    assert_eq!(bench.asked("/admin/status"), asked, "it has expired");
    bench.updates.try_recv().unwrap_err();
    let again = bench.subscriptions.subscribe(uri).await.unwrap();
    bench.node.apply(&Event::Connections(5));
    assert_eq!(bench.update().await, uri);
    drop((first, again));
    bench.stop().await;
}
