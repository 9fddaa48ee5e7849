//! Every recorded exchange with the real Core classes is repeated; status, headers and body must be the same.

use serde_json::{Map, Value};

use qortal_testnode::{Scenario, TestNode};

use crate::client::{Received, ask};

/// Recorded exchanges this node answers differently, and why. The list may only get shorter: an entry that agrees
/// with the recording fails the test as an unlisted difference does.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[
    (
        "arbitrary/resources",
        "without a filter the Core gives the resources of one name in no defined order",
    ),
    ("arbitrary/resources-status-metadata", "the same"),
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

/// One exchange a line, from Qortal Core 6.1.8 (see `data/README.md`). Left out: a list of summaries of more than
/// 20 KB, and the forms that were serialised from hand-made objects, because no node serves their paths.
const RECORDINGS: &str = include_str!("../fixtures/recordings.jsonl");

#[tokio::test]
async fn answers_are_those_of_the_recorded_core() {
    let node = TestNode::start(Scenario::recorded()).await.unwrap();
    node.expect_unknown_paths();
    let mut problems = Vec::new();
    let mut ids = Vec::new();
    for line in RECORDINGS.lines() {
        let recorded: Value = serde_json::from_str(line).unwrap();
        let id = recorded["id"].as_str().unwrap().to_owned();
        let received = repeat(node.url(), &recorded).await;
        let known = KNOWN_DIFFERENCES.iter().find(|(known, _)| *known == id);
        match (difference(&recorded, &received), known) {
            (None, None) | (Some(_), Some(_)) => {}
            (Some(difference), None) => problems.push(format!("{id}: {difference}")),
            (None, Some(_)) => problems.push(format!("{id}: agrees now, take it off the list")),
        }
        ids.push(id);
    }
    for (known, _) in KNOWN_DIFFERENCES {
        if !ids.iter().any(|id| id == known) {
            problems.push(format!("{known}: is on the list, but was never recorded"));
        }
    }
    node.stop().await;
    assert!(
        problems.is_empty(),
        "{} of {} exchanges:\n{}",
        problems.len(),
        ids.len(),
        problems.join("\n")
    );
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
