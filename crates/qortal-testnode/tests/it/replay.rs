//! Every recorded exchange with the real Core classes is repeated; status, headers and body must be the same.

use serde_json::{Map, Value};

use qortal_testnode::{Scenario, TestNode};

use crate::client::{Received, ask};

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

/// How many were recorded, and how many of those were serialized from objects made by hand because they need peers
/// or coin servers. No node serves the paths of the latter; `forms` compares them.
const RECORDED: (usize, usize) = (604, 18);

fn recordings() -> (Vec<Value>, Vec<Value>) {
    let lines = RECORDINGS.lines();
    let rows = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.partition(|row| row.get("represents").is_none())
}

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.expect_unknown_paths();
    let (exchanges, hand_made) = recordings();
    let counted = (exchanges.len() + hand_made.len(), hand_made.len());
    assert_eq!(counted, RECORDED);
    let mut problems = Vec::new();
    for recorded in &exchanges {
        let id = recorded["id"].as_str().unwrap();
        let received = repeat(node.url(), recorded).await;
        let known = KNOWN_DIFFERENCES.iter().find(|(known, _)| *known == id);
        match (difference(recorded, &received), known) {
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
    let (_, hand_made) = recordings();
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

async fn repeat(url: &str, recorded: &Value) -> Received {
    let mut target = recorded["path"].as_str().unwrap().to_owned();
    if let Some(query) = recorded["query"].as_str() {
        target = format!("{target}?{query}");
    }
    let empty = Map::new();
    let headers = recorded["requestHeaders"].as_object().unwrap_or(&empty);
    let mut headers: Vec<(&str, &str)> = headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
        .collect();
    if !headers.iter().any(|(name, _)| *name == "Accept") {
        headers.push(("Accept", "*/*"));
    }
    let body = recorded["requestBody"].as_str().unwrap_or_default();
    ask(
        url,
        recorded["method"].as_str().unwrap(),
        &target,
        &headers,
        body,
    )
    .await
}

/// The first difference between what was recorded and what came, in one line.
fn difference(recorded: &Value, received: &Received) -> Option<String> {
    let status = recorded["status"].as_u64().unwrap();
    if status != u64::from(received.status) {
        return Some(format!(
            "status {}, recorded {status}: {}",
            received.status,
            shortened(&received.text())
        ));
    }
    let content_type = recorded["contentType"].as_str();
    if content_type != received.header("content-type") {
        return Some(format!(
            "content type {:?}, recorded {content_type:?}",
            received.header("content-type")
        ));
    }
    if let Some(headers) = recorded["headers"].as_object() {
        for (name, value) in headers {
            if value.as_str() != received.header(name) {
                return Some(format!(
                    "header {name} is {:?}, recorded {value}",
                    received.header(name)
                ));
            }
        }
    }
    let framing = recorded["transferEncoding"].as_str();
    if framing != received.header("transfer-encoding") {
        return Some(format!(
            "transfer encoding {:?}, recorded {framing:?}",
            received.header("transfer-encoding")
        ));
    }
    let lengths = (
        recorded["contentLength"].as_str(),
        received.header("content-length"),
    );
    if let (Some(length), Some(came)) = lengths
        && length != came
    {
        return Some(format!("content length {came}, recorded {length}"));
    }
    let volatile: Vec<&str> = recorded["volatile"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|name| name.as_str().unwrap())
        .collect();
    if volatile.contains(&"*") {
        return None;
    }
    let expected = match (recorded["body"].as_str(), recorded["bodyHex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => unhex(hex),
        (None, None) => Vec::new(),
    };
    let id = recorded["id"].as_str().unwrap();
    if ORDERED_BY_NAME_ALONE.contains(&id) {
        let (expected, found) = (by_name(&expected), by_name(&received.body));
        return (expected != found).then(|| format!("{found:#?}\n    recorded {expected:#?}"));
    }
    let (expected, found) = if volatile.is_empty() {
        (expected, received.body.clone())
    } else {
        (
            without(&expected, &volatile),
            without(&received.body, &volatile),
        )
    };
    if expected == found {
        return None;
    }
    let place = expected
        .iter()
        .zip(&found)
        .take_while(|(left, right)| left == right)
        .count();
    let around = |bytes: &[u8]| {
        let from = place.saturating_sub(60);
        shortened(&String::from_utf8_lossy(
            bytes.get(from..).unwrap_or_default(),
        ))
    };
    Some(format!(
        "body differs at byte {place}\n    came     …{}\n    recorded …{}",
        around(&found),
        around(&expected)
    ))
}

/// The rows sorted within each name, the names as they come.
fn by_name(body: &[u8]) -> Vec<Vec<String>> {
    let rows: Vec<Value> = serde_json::from_slice(body).unwrap();
    let of_one_name = rows.chunk_by(|left, right| left["name"] == right["name"]);
    let sorted = of_one_name.map(|rows| {
        let mut rows: Vec<_> = rows.iter().map(Value::to_string).collect();
        rows.sort();
        rows
    });
    sorted.collect()
}

fn without(body: &[u8], members: &[&str]) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(body).unwrap();
    for member in members {
        assert!(
            value
                .as_object_mut()
                .unwrap()
                .shift_remove(*member)
                .is_some(),
            "{member} is missing"
        );
    }
    value.to_string().into_bytes()
}

fn unhex(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}
