//! Replay of every recorded exchange with the real Core classes. Status, headers and body must be equal.

use serde_json::Value;

use qortal_testnode::{Scenario, TestNode};

use crate::{
    client::ask,
    recording::{Order, difference, recordings, repeat},
};

/// Recorded exchanges with a different response from this node, and the reasons. The list may only get shorter: an entry that matches its
/// recording fails the test, like an unlisted difference.
const KNOWN_DIFFERENCES: [(&str, &str); 3] = [
    (
        "arbitrary/raw-traversal",
        "this node never reads a file that is not part of the resource",
    ),
    (
        "transactions/search-limit20",
        "the Core orders the transactions of the genesis block differently from query to query",
    ),
    (
        "misc/options",
        "the WADL documents of the Core are not simulated",
    ),
];

/// Lists whose rows may come in any order: the Core orders them by name, and rows with the same name not at all.
const ORDERED_BY_NAME_ALONE: [&str; 2] =
    ["arbitrary/resources", "arbitrary/resources-status-metadata"];

/// All exchanges, one per line, from Qortal Core 6.1.8 (see `data/README.md`).
const RECORDINGS: &str = include_str!("../fixtures/recordings.jsonl");

/// The number of exchanges, and the number of those serialized from handmade objects, which require peers or coin servers. No node serves
/// the paths of the latter, so `forms` compares them. Another 17 showed reduced names of a different table than the Core's.
/// `second::corrected` has their replacements.
const RECORDED: (usize, usize) = (587, 18);

fn exchanges_and_forms() -> (Vec<Value>, Vec<Value>) {
    let rows = recordings(RECORDINGS).into_iter();
    rows.partition(|row| row.get("represents").is_none())
}

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.expect_unknown_paths();
    let (exchanges, hand_made) = exchanges_and_forms();
    let counted = (exchanges.len() + hand_made.len(), hand_made.len());
    assert_eq!(counted, RECORDED);
    let mut problems = Vec::new();
    for recorded in &exchanges {
        let id = recorded["id"].as_str().unwrap();
        let received = repeat(node.url(), recorded).await;
        let known = KNOWN_DIFFERENCES.iter().find(|(known, _)| *known == id);
        let order = if ORDERED_BY_NAME_ALONE.contains(&id) {
            Order::ByNameAlone
        } else {
            Order::AsRecorded
        };
        match (difference(recorded, &received, order), known) {
            (None, None) | (Some(_), Some(_)) => {}
            (Some(difference), None) => problems.push(format!("{id}: {difference}")),
            (None, Some(_)) => problems.push(format!("{id}: agrees now, take it off the list")),
        }
    }
    node.stop().await;
    for id in KNOWN_DIFFERENCES
        .map(|(id, _)| id)
        .into_iter()
        .chain(ORDERED_BY_NAME_ALONE)
    {
        if !exchanges.iter().any(|it| it["id"] == id) {
            problems.push(format!("{id}: is on a list, but was never recorded"));
        }
    }
    assert!(
        problems.is_empty(),
        "{} of {} exchanges:\n{}",
        problems.len(),
        exchanges.len(),
        problems.join("\n")
    );
}

/// Forms that a node without peers and coin servers cannot show, and the paths where a simulated node shows the same form. The others are
/// forms of single rows, or of responses that are empty here. The client's tests read all of them.
const FORMS: [(&str, &str); 4] = [
    ("handmade/peers", "/peers"),
    ("handmade/known", "/peers/known"),
    ("handmade/coinstatus", "/crosschain/ltc/status"),
    (
        "handmade/recent",
        "/assets/trades/recent?assetid=0&otherassetid=3",
    ),
];

#[tokio::test]
async fn forms_are_those_that_the_core_writes() {
    let node = TestNode::start(Scenario::syncing()).await.unwrap();
    node.expect_unknown_paths();
    let (_, hand_made) = exchanges_and_forms();
    for recorded in &hand_made {
        let id = recorded["id"].as_str().unwrap();
        let received = repeat(node.url(), recorded).await;
        assert_eq!(received.status, 404, "{id} is no path of a node");
        let Some((_, target)) = FORMS.iter().find(|(form, _)| *form == id) else {
            continue;
        };
        let body = recorded["body"].as_str().unwrap();
        let written: Value = serde_json::from_str(body).unwrap();
        let headers = [("Accept", "*/*")];
        let received = ask(node.url(), "GET", target, &headers, "").await;
        let shown: Value = serde_json::from_str(&received.text()).unwrap();
        assert_eq!(form(&shown), form(&written), "{target}");
    }
    node.stop().await;
}

/// Returns the names of the fields in order, of the first row if it is a list.
fn form(value: &Value) -> Vec<&str> {
    let row = value.get(0).unwrap_or(value);
    row.as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}
