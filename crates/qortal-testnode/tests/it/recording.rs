//! Recorded exchanges: reading them, repeating them, and comparing the responses.

use serde_json::{Map, Value};

use crate::client::{Received, ask};

/// Comparison of the rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// In the recorded order.
    AsRecorded,
    /// By name only: the Core orders the rows by name, and rows with the same name not at all.
    ByNameAlone,
}

/// Returns the exchanges of a fixture, one per line.
pub(crate) fn recordings(fixture: &str) -> Vec<Value> {
    let lines = fixture.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Repeats the request of a recorded exchange.
pub(crate) async fn repeat(url: &str, recorded: &Value) -> Received {
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

/// Returns the first difference between the recorded and the received response, in one line.
pub(crate) fn difference(recorded: &Value, received: &Received, order: Order) -> Option<String> {
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
    let volatile = Volatile::of(recorded);
    if let Some(headers) = recorded["headers"].as_object() {
        for (name, value) in headers {
            if volatile.members.contains(&name.as_str()) {
                continue;
            }
            if value.as_str() != received.header(name) {
                return Some(format!(
                    "header {name} is {:?}, recorded {value}",
                    received.header(name)
                ));
            }
        }
    }
    let framing = recorded["transferEncoding"].as_str();
    // The third set has no headers.
    let is_recorded = framing.is_some() || !recorded["contentLength"].is_null();
    if is_recorded && framing != received.header("transfer-encoding") {
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
        && volatile.members.is_empty()
        && length != came
    {
        return Some(format!("content length {came}, recorded {length}"));
    }
    if volatile.members.contains(&"*") {
        return None;
    }
    let expected = match (recorded["body"].as_str(), recorded["bodyHex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(hex)) => unhex(hex),
        (None, None) => Vec::new(),
    };
    if order == Order::ByNameAlone {
        let (expected, found) = (by_name(&expected), by_name(&received.body));
        return (expected != found).then(|| format!("{found:#?}\n    recorded {expected:#?}"));
    }
    let (expected, found) = (
        volatile.removed_from(&expected),
        volatile.removed_from(&received.body),
    );
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

/// Returns the rows sorted within each name. Names keep their order.
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

/// Parts of a response that may differ between two identical requests.
struct Volatile<'recorded> {
    /// Fields at any depth, and headers. `*` matches everything.
    members: Vec<&'recorded str>,
    /// The order of lists, which is the order of a Java hash table or of a directory.
    order: bool,
    /// The number in the servlet's name in error pages.
    servlet: bool,
}

impl<'recorded> Volatile<'recorded> {
    fn of(recorded: &'recorded Value) -> Self {
        let names = recorded["volatile"].as_array().into_iter().flatten();
        let names = names.map(|name| name.as_str().unwrap());
        // Some are remarks on the entire response.
        let names: Vec<&str> = names.filter(|name| !name.starts_with("counts")).collect();
        Self {
            order: names.iter().any(|name| name.starts_with("order")),
            servlet: names.contains(&"servlet"),
            members: names
                .into_iter()
                .filter(|name| !name.starts_with("order") && *name != "servlet")
                .collect(),
        }
    }

    /// Returns the rest of a body.
    fn removed_from(&self, body: &[u8]) -> Vec<u8> {
        if self.servlet {
            return without_servlet(body);
        }
        let headers_alone = ["content-disposition"];
        let mut members = self.members.clone();
        members.retain(|name| !headers_alone.contains(name));
        if members.is_empty() && !self.order {
            return body.to_vec();
        }
        let mut value: Value = serde_json::from_slice(body).unwrap();
        for member in members {
            assert!(remove(&mut value, member), "{member} is missing");
        }
        if self.order {
            sort(&mut value);
        }
        value.to_string().into_bytes()
    }
}

/// Removes a field from an object and all nested ones. Returns `true` if there was one.
fn remove(value: &mut Value, member: &str) -> bool {
    match value {
        Value::Object(members) => {
            let mut found = members.shift_remove(member).is_some();
            for inside in members.values_mut() {
                found |= remove(inside, member);
            }
            found
        }
        Value::Array(rows) => {
            let removed: Vec<bool> = rows.iter_mut().map(|row| remove(row, member)).collect();
            removed.contains(&true)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Sorts all lists by their JSON text.
fn sort(value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(sort),
        Value::Array(rows) => {
            rows.iter_mut().for_each(sort);
            rows.sort_by_key(Value::to_string);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn without_servlet(body: &[u8]) -> Vec<u8> {
    const NAME: &str = "ServletContainer-";
    let text = String::from_utf8(body.to_vec()).unwrap();
    let (before, after) = text.split_once(NAME).unwrap_or((&text, ""));
    let after = after.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
    format!("{before}{after}").into_bytes()
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
