//! Every number of an answer says its unit, or what it counts or names.

use std::{collections::BTreeSet, fs, path::Path};

use qortal_tools::{Catalog, Property};
use serde_json::Value;

/// Units, in the singular and in lower case.
const UNITS: [&str; 14] = [
    "qort",
    "coin",
    "unit",
    "byte",
    "character",
    "block",
    "height",
    "millisecond",
    "second",
    "minute",
    "hour",
    "percent",
    "level",
    "version",
];
/// What descriptions of counts begin with, in the singular: what is counted.
const COUNTED: [&str; 13] = [
    "account",
    "asset",
    "name",
    "offer",
    "peer",
    "piece",
    "request",
    "server",
    "share",
    "trade",
    "transaction",
    "vote",
    "message",
];
/// Other beginnings of descriptions of counts and numbers.
const COUNTS: [&str; 4] = ["How many", "The number", "Its number", "Its port number"];
/// The last words of names of counts and numbers.
const COUNTING: [&str; 8] = [
    "count", "Count", "Id", "Height", "height", "total", "Total", "port",
];

fn says_its_unit(member: &Property) -> bool {
    let doc = member.doc.to_lowercase();
    let words = || {
        let words = doc.split(|c: char| !c.is_alphanumeric());
        words.map(|it| it.strip_suffix('s').unwrap_or(it))
    };
    words().any(|it| UNITS.contains(&it))
        || words().take(2).any(|it| COUNTED.contains(&it))
        || COUNTS.iter().any(|it| member.doc.starts_with(it))
        || COUNTING.iter().any(|it| member.name.ends_with(it))
}

fn is_number(member: &Property) -> bool {
    let schema = &member.schema;
    let kind = schema
        .get("items")
        .map_or_else(|| schema.get("type"), |it| it.get("type"));
    matches!(kind.and_then(Value::as_str), Some("integer" | "number"))
}

/// All members of an answer with their paths, those in lists and objects included.
fn walk<'a>(of: &str, members: &'a [Property], found: &mut Vec<(String, &'a Property)>) {
    for member in members {
        let path = format!("{of}.{}", member.name);
        walk(&path, &member.members, found);
        found.push((path, member));
    }
}

/// The paths of decimal numbers, which are texts, in an answer.
fn decimals(of: &str, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let places = text.split_once('.').map_or("", |(_, places)| places);
            let is_decimal = places.len() == 8 && text.parse::<f64>().is_ok();
            if is_decimal {
                found.insert(of.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|it| decimals(of, it, found)),
        Value::Object(members) => members
            .iter()
            .for_each(|(name, it)| decimals(&format!("{of}.{name}"), it, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// The paths of decimal numbers in all pinned answers of a tool.
fn pinned_decimals(tool: &str) -> BTreeSet<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("snapshots")
        .join(format!("{tool}.snap"));
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut found = BTreeSet::new();
    for case in text.split("\n=== ") {
        // Behind the name and the arguments, and before the questions.
        let answer = case.split("\n---\n").nth(1).unwrap_or_default();
        if let Ok(answer) = serde_json::from_str(answer) {
            decimals("", &answer, &mut found);
        }
    }
    found
}

#[test]
fn every_number_of_an_answer_says_its_unit() {
    let mut silent = Vec::new();
    let mut numbers = 0;
    for entry in Catalog::entries() {
        let members = entry.members();
        let mut found = Vec::new();
        walk("", &members, &mut found);
        let decimals = pinned_decimals(entry.name);
        for (path, member) in found {
            if !is_number(member) && !decimals.contains(&path) {
                continue;
            }
            numbers += 1;
            if !says_its_unit(member) {
                silent.push(format!("{}{path}: {}", entry.name, member.doc));
            }
        }
    }
    assert!(numbers > 300, "{numbers} numbers only");
    assert!(
        silent.is_empty(),
        "The description of a number names its unit ({UNITS:?}), or begins with what it counts ({COUNTED:?} or {COUNTS:?}), \
         unless its name ends with one of {COUNTING:?}. These do not: {silent:#?}"
    );
}
