//! Whether what a conversion sends is accepted, and what it does not send is reported.

use std::collections::BTreeSet;

use mcp_convert::validate::{self, Rejection};
use serde_json::{Map, Value, json};

use crate::{
    cases::{
        model::Check,
        options::{FRAMEWORKS, Options},
        run::{Outcome, everywhere_with},
    },
    random::Random,
};

/// What the target's API refuses of an outcome.
fn refusals(target: &str, outcome: &Outcome, options: &Value) -> Vec<Rejection> {
    let Ok(value) = &outcome.value else {
        return Vec::new();
    };
    let check = Check::new(json!({"options": options}));
    let to = Options(&check).target(target);
    let value = match target {
        "pydantic_ai" => &value["value"],
        "text" => &value["text"],
        _ => value,
    };
    let mut found = validate::result(value, &*to);
    for part in outcome.follow_up.as_array().into_iter().flatten() {
        found.extend(validate::message_part(part, &*to));
    }
    found
}

/// Whether the rule is found, or nothing if there is none.
pub(crate) fn holds(row: &str, rule: &str, found: &[Rejection]) {
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    let is_found = found.iter().any(|it| it.contains(rule));
    assert_eq!(rule.is_empty(), found.is_empty(), "{row}: {found:?}");
    assert!(rule.is_empty() || is_found, "{row}: {found:?}");
}

/// The indices of the blocks that a loss is about.
fn reported(outcome: &Outcome) -> BTreeSet<u64> {
    let losses = outcome.codes.as_array().unwrap().iter();
    losses.filter_map(|it| it.get("index")?.as_u64()).collect()
}

/// Converts a result for every target, and returns for how many it could; panics at what is wrong.
pub(crate) fn check(result: &Value, options: &Map<String, Value>, from: &str) -> usize {
    let family = options.get("family").and_then(Value::as_str).unwrap_or("");
    let mut checked = 0;
    for (target, outcome) in everywhere_with(result, Value::Object(options.clone())) {
        let is_its = match family {
            "gemini2" => target == "gemini",
            "openai" => target == "bedrock",
            _ => !options.contains_key("for") || FRAMEWORKS.contains(&target),
        };
        if !is_its {
            continue;
        }
        let found = refusals(target, &outcome, &Value::Object(options.clone()));
        assert!(
            found.is_empty(),
            "{from}, {target}, {options:?}: {found:?}\n{result}\n{:?}",
            outcome.value
        );
        let Ok(value) = &outcome.value else { continue };
        checked += 1;
        let sent = format!("{value}{}", outcome.follow_up);
        let reported = reported(&outcome);
        let content = result["content"].as_array().into_iter().flatten();
        for (index, block) in (0_u64..).zip(content) {
            // What else a block has, such as `data` beside a resource, is no part of it.
            let bytes = match block["type"].as_str() {
                Some("image" | "audio") => block.get("data"),
                Some("resource") => block.pointer("/resource/blob"),
                _ => None,
            };
            let bytes = bytes.and_then(Value::as_str).unwrap_or("");
            // Only standard Base64 is sent as it came.
            if bytes.len() >= 8 && !sent.contains(bytes) && is_standard(bytes) {
                assert!(
                    reported.contains(&index),
                    "{from}, {target}: block {index} is neither sent nor reported\n{result}\n{value}"
                );
            }
        }
    }
    checked
}

fn is_standard(text: &str) -> bool {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    STANDARD.decode(text).is_ok()
}

/// The options that change what is sent.
pub(crate) fn all_options() -> Vec<Map<String, Value>> {
    [
        json!({}),
        json!({"links": "images"}),
        json!({"family": "gemini2"}),
        json!({"family": "openai"}),
        json!({"for": "anthropic", "links": "images"}),
        json!({"for": "openai_responses"}),
        json!({"for": "openai_chat", "hears": true}),
        json!({"hears": true}),
        json!({"for": "gemini"}),
        json!({"for": "bedrock", "prefer": "structured_only"}),
        json!({"limits": {"bytes": 40, "media_bytes": 10}, "audience": "respect"}),
        json!({"prefer": "structured_only"}),
        json!({"prefer": "content_only"}),
    ]
    .into_iter()
    .map(|mut it| {
        it["preset"] = "rich".into();
        it.as_object().unwrap().clone()
    })
    .collect()
}

/// A result with whatever a server may send in it.
pub(crate) fn generated(random: &mut Random) -> Value {
    let mut result = random.result_json();
    let resource =
        json!({"uri": random.text(), "blob": random.text(), "mimeType": random.mime_type()});
    let media = json!({"type": random.of(&["image", "audio"]), "data": random.text(), "mimeType": random.mime_type()});
    if let Some(content) = result.get_mut("content").and_then(Value::as_array_mut) {
        content.push(json!({"type": "resource", "resource": resource}));
        content.push(media);
    }
    result
}
