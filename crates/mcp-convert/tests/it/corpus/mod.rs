//! `compat` against what the vendors' own converters make of the corpus. A difference is a row of
//! `corpus/differences.json`, with its reason, or a failure.

pub(crate) mod vendors;

use std::collections::BTreeSet;

use mcp_protocol::{CallToolResult, Revision, read::ToolResultReadOptions};
use serde_json::Value;

use self::vendors::read;
pub(crate) use self::vendors::{VENDORS, added, differences, documented, inputs, rows};

#[test]
fn every_difference_to_a_vendor_has_its_reason() {
    let inputs = inputs();
    let mut failures = Vec::new();
    for (name, file) in VENDORS {
        let vendor = read(file);
        if vendor.get("target").is_none() {
            let reason = vendor["without_preset"].as_str();
            assert!(reason.is_some_and(|it| !it.is_empty()), "{name}");
            continue;
        }
        let found = differences(&vendor, &inputs);
        let documented = documented(name);
        // rig compares a text with the JSON it would print itself: where members are sorted, so does it.
        let of_order = |it: &str| *name == "rig" && is_out_of_order(&inputs[it]);
        for (input, difference) in &found {
            if !documented.contains_key(input) && !of_order(input) {
                failures.push(format!("{name}, {input}:\n    {difference}"));
            }
        }
        for input in documented.keys() {
            if !found.contains_key(input) && !of_order(input) {
                failures.push(format!(
                    "{name}, {input}: is documented as a difference and is none"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Whether a text is the structured value but for the order of its members, which this build does not keep.
fn is_out_of_order(input: &Value) -> bool {
    let Some(structured) = input.get("structuredContent").map(Value::to_string) else {
        return false;
    };
    let blocks = input["content"].as_array().into_iter().flatten();
    let mut texts = blocks.filter_map(|it| it.get("text")?.as_str());
    texts.any(|it| {
        let read = serde_json::from_str::<Value>(it).map(|it| it.to_string());
        it != structured && it.len() == structured.len() && read.is_ok_and(|it| it == structured)
    })
}

#[test]
fn inputs_are_printed_as_they_were_read_or_refused() {
    let file = read(include_str!("../../../corpus/inputs.json"));
    let mut refused = BTreeSet::new();
    for (name, it) in file["inputs"].as_object().unwrap() {
        let input = &it["result"];
        let strict = ToolResultReadOptions::default()
            .strict()
            .with_features(Revision::V2025_11_25.features());
        if it["valid"] == true {
            assert!(
                CallToolResult::read(input.clone(), strict).is_ok(),
                "{name}"
            );
        }
        match CallToolResult::read(input.clone(), ToolResultReadOptions::default()) {
            Ok(parsed) => assert_eq!(parsed.to_value(), *input, "{name}"),
            Err(_) => {
                refused.insert(name.as_str());
            }
        }
    }
    let expected = BTreeSet::from([
        "content_null",
        "content_string",
        "iserror_1",
        "iserror_string",
        "not_object",
        "toolResult",
    ]);
    assert_eq!(refused, expected);
}
