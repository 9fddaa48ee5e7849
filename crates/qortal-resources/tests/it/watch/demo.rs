//! Tests that the demo changes: within ten minutes a watch of each subject reports a change.

use std::{sync::Arc, time::SystemTime};

use qortal_resources::watch::{Subject, Watch, WatchEvent};
use qortal_testnode::Scenario;
use test_chain::{Chain, PATIENCE};
use tokio::time::timeout;

use crate::subscriptions::bench::quick;

/// 2026-11-22T17:53:20Z.
const NOW: i64 = 1_795_370_000_000;
/// The first offer for Litecoin whose seller is online.
const OFFER: &str = "ATFjX9KFJYWJMeKkMTuDqRhzgdP3ADdGHh";

/// Returns the subjects and their expected changes, each with its block since the start.
fn expected() -> Vec<(Subject, Vec<(u32, &'static str)>)> {
    let text = str::to_owned;
    let resource = Subject::Resource {
        service: text("APP"),
        name: text("tin-robot"),
        identifier: String::new(),
    };
    let offers = Subject::Offers {
        coin: text("LITECOIN"),
        below: None,
    };
    vec![
        (Subject::Tip, vec![(1, "block"), (7, "block")]),
        (Subject::Account(text("rita-trades")), vec![(2, "payment")]),
        (Subject::Account(text("Alice Test")), vec![(4, "payment")]),
        (
            Subject::Trade(text(OFFER)),
            vec![(2, "taken"), (5, "completed")],
        ),
        (offers, vec![(2, "offer_gone"), (6, "offer")]),
        (Subject::Name(text("odd-socks")), vec![(4, "for_sale")]),
        (
            Subject::Group(text("toy-workshop")),
            vec![(3, "join_request")],
        ),
        (
            Subject::Chat(text("open-lounge")),
            vec![(1, "message"), (4, "reaction")],
        ),
        (
            Subject::DirectChat(text("chloe"), text("victor")),
            vec![(5, "message")],
        ),
        (resource, vec![(5, "published"), (6, "ready")]),
        (Subject::Node, vec![(5, "degraded"), (6, "healthy")]),
    ]
}

#[tokio::test]
async fn watch_of_each_subject_reports_a_change_within_ten_minutes_of_the_demo() {
    let Chain { node, catalog } = Chain::of(Scenario::demo(NOW).frozen()).await;
    let catalog = Arc::new(catalog);
    let mut watches = Vec::new();
    for (subject, changes) in expected() {
        let name = subject.name();
        let clock = || SystemTime::UNIX_EPOCH;
        let mut watch = Watch::new(Arc::clone(&catalog), subject, quick(), clock);
        let begun = timeout(PATIENCE, watch.next()).await.unwrap().unwrap();
        assert!(matches!(begun, WatchEvent::Started(_)), "{name}: {begun:?}");
        watches.push((name, watch, changes));
    }
    // Eight blocks take less than ten minutes.
    for block in 1..=8 {
        node.step();
        for (name, watch, changes) in &mut watches {
            for (_, what) in changes.iter().filter(|change| change.0 == block) {
                let reported = async {
                    loop {
                        match watch.next().await.unwrap() {
                            WatchEvent::Changed(change) if change.event == *what => break,
                            WatchEvent::Changed(_) => {}
                            told => panic!("{name}: {told:?}"),
                        }
                    }
                };
                let reported = timeout(PATIENCE, reported).await;
                reported.unwrap_or_else(|_| panic!("{name}: no {what} at block {block}"));
            }
        }
    }
    for (_, watch, _) in watches {
        watch.stop().await;
    }
    node.stop().await;
}
