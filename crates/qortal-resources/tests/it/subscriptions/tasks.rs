//! Tasks of subscriptions: their number and their lifetime.

use std::{sync::Arc, time::Duration};

use futures_util::future::try_join_all;
use qortal_resources::{PollInterval, read};
use qortal_testnode::{Event, Fault};
use serde_json::json;
use tokio::time::sleep;

use super::bench::{Bench, push_only};

const OFFERS: &str = "qortal://trade/offers/LITECOIN";
/// The network's time on the recorded chain.
const NOW: i64 = 1_795_242_209_424;

/// Runs on two threads, where a race between lookup and insertion would start two tasks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn threads_that_subscribe_at_once_share_the_tasks() {
    // Both change with the blocks, and the first one does in this block.
    let [uri, other] = ["qortal://name/chloe", "qortal://name/victor"];
    for _ in 0..20 {
        let bench = Arc::new(Bench::new(push_only()).await);
        let subscribe = |uri: &'static str| {
            let bench = Arc::clone(&bench);
            tokio::spawn(async move { bench.subscriptions.subscribe(uri).await.unwrap() })
        };
        let subscriptions = [uri, other, uri, other].map(subscribe);
        let subscriptions = try_join_all(subscriptions).await.unwrap();
        bench.until_asked("/websockets/", 1).await;
        // A second websocket would be requested before this response.
        for _ in 0..3 {
            read(&bench.catalog, "qortal://chain/tip").await.unwrap();
        }
        assert_eq!(bench.sockets("GET").len(), 1);
        bench.node.apply(&Event::NameOffered {
            name: "chloe".to_owned(),
            units: 700_000_000,
        });
        let mut bench = Arc::into_inner(bench).unwrap();
        assert_eq!(bench.update().await, uri);
        // A second task would read it for the same block.
        for _ in 0..3 {
            read(&bench.catalog, "qortal://chain/tip").await.unwrap();
        }
        bench.updates.try_recv().unwrap_err();
        drop(subscriptions);
        bench.stop().await;
    }
}

/// Uses the test's clock.
#[tokio::test(start_paused = true)]
async fn polling_slows_down_and_ends_unless_it_is_renewed() {
    let bench = Bench::new(PollInterval::default()).await;
    bench.recover();
    let uri = "qortal://node/status";
    let subscription = bench.subscriptions.subscribe(uri).await.unwrap();
    let minute = Duration::from_secs(60);
    // Number of polls in ten minutes, after this many minutes.
    let polls = async |minutes: u32| {
        sleep(minutes * minute).await;
        let before = bench.asked("/admin/status");
        sleep(10 * minute).await;
        bench.asked("/admin/status") - before
    };
    assert!((38..=42).contains(&polls(1).await));
    assert!((38..=42).contains(&polls(8).await));
    assert!((9..=11).contains(&polls(2).await));
    let renewed = bench.subscriptions.subscribe(uri).await.unwrap();
    assert!((38..=42).contains(&polls(1).await));
    assert!((9..=11).contains(&polls(23 * 60).await));
    assert_eq!(polls(60).await, 0);
    let again = bench.subscriptions.subscribe(uri).await.unwrap();
    assert!((38..=42).contains(&polls(1).await));
    drop((subscription, renewed, again));
    bench.stop().await;
}

/// The node does not report that a seller goes offline. The expiry of the presence determines it. Uses the test's clock.
#[tokio::test(start_paused = true)]
async fn sellers_who_come_and_go_are_changes_and_one_who_stays_is_none() {
    let [one, other] = [
        "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo",
        "AYL6YBoHBwybwJ8Uxfv2o6dhHsQgJQJW5K",
    ];
    let mut bench = Bench::new(push_only()).await;
    let _subscription = bench.subscriptions.subscribe(OFFERS).await.unwrap();
    bench.until_asked("/websockets/", 2).await;
    sleep(Duration::from_secs(1)).await;
    while bench.updates.try_recv().is_ok() {}
    // Per second: the reported presence with its expiry, and whether it is a change.
    for (told, is_change) in [
        (Some((one, 6)), true),
        // The presence continues.
        (Some((one, 8)), false),
        (Some((other, 5)), true),
        (None, false),
        // The second presence expires, then the first one.
        (None, true),
        (None, false),
        (None, false),
        (None, true),
        // The presence has expired and returns.
        (Some((one, 8)), false),
        (Some((one, 14)), true),
        (Some((other, 12)), true),
        (None, true),
    ] {
        if let Some((at, seconds)) = told {
            let at_address = at.to_owned();
            let until = NOW + seconds * 1_000;
            let event = Event::SellerOnline { at_address, until };
            bench.node.apply(&event);
        }
        sleep(Duration::from_secs(1)).await;
        assert_eq!(bench.updates.try_recv().is_ok(), is_change, "{told:?}");
    }
    bench.stop().await;
}

/// The network's time determines expiry, and it is ahead of this machine's time.
#[tokio::test(start_paused = true)]
async fn what_is_over_when_it_is_told_is_no_change() {
    let mut bench = Bench::new(push_only()).await;
    let info = json!({
        "currentTimestamp": NOW + 60_000, "uptime": 1, "buildVersion": "qortal-6.1.8", "buildTimestamp": 1,
        "isTestNet": false,
    });
    let info = Fault::Status(200, info.to_string());
    bench.node.fault("/admin/info", info);
    let _subscription = bench.subscriptions.subscribe(OFFERS).await.unwrap();
    bench.until_asked("/websockets/", 2).await;
    sleep(Duration::from_secs(1)).await;
    while bench.updates.try_recv().is_ok() {}
    for (seconds, is_change) in [(30, false), (90, true)] {
        bench.node.apply(&Event::SellerOnline {
            at_address: "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo".to_owned(),
            until: NOW + seconds * 1_000,
        });
        sleep(Duration::from_secs(1)).await;
        assert_eq!(bench.updates.try_recv().is_ok(), is_change, "{seconds}");
    }
    bench.stop().await;
}
