//! Limits on text, beyond the cases: many lines, every budget.

use mcp_convert::{Anthropic, CallRef, ConvertOptions, OutputLimits, Truncation, convert};
use serde_json::{Value, json};

use crate::cases::run::everywhere_with;

/// What is left of the texts.
fn limited(texts: &[&str], limits: OutputLimits) -> Vec<String> {
    let content: Vec<_> = texts
        .iter()
        .map(|it| json!({"type": "text", "text": it}))
        .collect();
    let result = json!({"content": content});
    let policy = ConvertOptions::default().with_limits(limits);
    let call = CallRef::new("t1", "f");
    let converted = convert(&result, call, &Anthropic::default(), &policy).unwrap();
    let block = converted.output.to_value();
    // Nothing is left of an empty text.
    let texts = block["content"].as_array().into_iter().flatten();
    texts
        .map(|it| it["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_text_never_exceeds_its_budget_but_for_the_marker() {
    let text = "aé🙂\n".repeat(40);
    let marker = format!("[… {} bytes omitted …]", text.len()).len();
    for cut in [Truncation::Middle, Truncation::Head, Truncation::JsonAware] {
        for budget in 0..text.len() + 2 {
            let limits = OutputLimits::bytes(budget).with_cut_position(cut);
            let left = limited(&[&text], limits).concat();
            assert!(left.len() <= budget.max(marker), "{cut:?} {budget}: {left}");
            assert_eq!(left == text, budget >= text.len());
        }
    }
}

#[test]
fn characters_are_counted_as_such() {
    let left = limited(&[&"é".repeat(100)], OutputLimits::chars(60)).concat();
    assert_eq!(left.chars().count(), 60);
}

#[test]
fn several_texts_share_one_budget() {
    for budget in 0..400 {
        let texts = ["a".repeat(50), "b".repeat(120), "c".repeat(90)];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let left = limited(&texts, OutputLimits::bytes(budget));
        let total: usize = left.iter().map(String::len).sum();
        assert!(total <= budget.max(80), "{budget}: {left:?}");
    }
}

/// The bytes of everything that a model could read in an output: all strings but Base64, what the target itself
/// writes, and what it keeps for programs.
fn readable(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(readable).sum(),
        Value::Object(members) => {
            let read = members.iter().filter(|(name, value)| match name.as_str() {
                "audio" | "data" | "bytes" | "base64" | "file_data" | "image" | "image_url" => {
                    !value.is_string()
                }
                "artifact" | "block_type" | "structuredContent" | "type" => false,
                _ => true,
            });
            read.map(|(_, value)| readable(value)).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

#[test]
fn nothing_from_a_server_gets_past_a_limit() {
    const LIMIT: usize = 1_000;
    // Markers, names of files, types, ids.
    const MARGIN: usize = 700;
    let long = "x".repeat(100_000);
    let many = |block: Value, count: usize| json!({"content": vec![block; count]});
    let resource = |members: Value| json!({"type": "resource", "resource": members});
    let rows = [
        many(
            json!({"type": "resource_link", "uri": long, "name": long, "description": long}),
            1,
        ),
        many(
            json!({"type": "resource_link", "uri": format!("https://{long}"), "name": "n", "title": long}),
            1,
        ),
        many(
            json!({"type": "resource_link", "uri": "https://x.test/i.png", "name": "n", "mimeType": "image/png"}),
            1_000,
        ),
        many(json!({"type": long}), 1),
        many(json!({"type": "video"}), 2_000),
        many(json!({"type": "text", "text": ""}), 2_000),
        many(json!({"type": "text", "text": "x"}), 2_000),
        many(
            json!({"type": "image", "data": "aGk=", "mimeType": format!("image/{long}")}),
            1,
        ),
        many(
            json!({"type": "image", "data": "<>", "mimeType": format!("image/{long}")}),
            1,
        ),
        many(
            json!({"type": "audio", "data": "aGk=", "mimeType": long}),
            1,
        ),
        many(
            resource(
                json!({"uri": format!("file:///{long}"), "mimeType": "application/pdf", "blob": "aGk="}),
            ),
            1,
        ),
        many(
            resource(json!({"uri": long, "mimeType": long, "blob": "aGk="})),
            1,
        ),
        many(
            resource(json!({"uri": format!("file:///{long}"), "text": "x"})),
            1,
        ),
        json!({"content": [], "structuredContent": {"result": long}}),
        json!({"content": [{"type": "text", "text": long}], "isError": true}),
        json!({"content": [{"type": "video"}], "isError": true, "structuredContent": {"a": long}}),
    ];
    for (number, result) in rows.iter().enumerate() {
        for more in [json!({}), json!({"links": "images"})] {
            let mut options = more;
            options["preset"] = "rich".into();
            options["limits"] = json!({"bytes": LIMIT});
            for (target, outcome) in everywhere_with(result, options.clone()) {
                let value = outcome.value.unwrap();
                let read = readable(&value) + readable(&outcome.follow_up);
                assert!(
                    read <= LIMIT + MARGIN,
                    "row {number}, {target}, {options}: {read} bytes"
                );
                let losses = outcome.losses.as_array().unwrap();
                let is_short = number == 5;
                assert!(
                    read < LIMIT / 2 || is_short || !losses.is_empty(),
                    "row {number}, {target}: nothing is reported"
                );
            }
        }
    }
}
