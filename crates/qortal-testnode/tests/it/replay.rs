//! Every recorded exchange with the real Core classes is repeated; status, headers and body must be the same.

use serde_json::Value;

use qortal_testnode::{Scenario, TestNode};

use crate::{
    client::ask,
    recording::{Order, difference, recordings, repeat},
};

/// Recorded exchanges this node answers differently, and why. The list may only get shorter: an entry that agrees
/// with the recording fails the test as an unlisted difference does.
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

/// Lists whose rows must be the same, in whatever order: the Core orders them by name, and the rows of one name
/// not at all.
const ORDERED_BY_NAME_ALONE: [&str; 2] =
    ["arbitrary/resources", "arbitrary/resources-status-metadata"];

/// All of them, one exchange a line, from Qortal Core 6.1.8 (see `data/README.md`).
const RECORDINGS: &str = include_str!("../fixtures/recordings.jsonl");

/// How many there are, and how many of those were serialized from objects made by hand because they need peers
/// or coin servers. No node serves the paths of the latter; `forms` compares them. Another 17 showed reduced names by
/// another table than the Core's; `second::corrected` has what replaces them.
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

/// Forms that a node without peers and coin servers cannot show, and where a simulated one shows the same form.
/// The others are forms of single rows, or of answers that are empty here; the client's tests read all of them.
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

/// The names of the members in their order, of the first row if it is a list.
fn form(value: &Value) -> Vec<&str> {
    let row = value.get(0).unwrap_or(value);
    row.as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}
