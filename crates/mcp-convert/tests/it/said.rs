//! Text and structure that say the same reach a model once, on every target, for the servers that people run.

use serde_json::{Value, json};

use crate::cases::run::{everywhere, rich_everywhere};

fn servers() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("../../corpus/servers.json")).unwrap();
    file["servers"].as_array().unwrap().clone()
}

/// What each target sends of the result to its model.
fn sent(result: &Value) -> Vec<(&'static str, Value)> {
    let mut all = rich_everywhere(result);
    for (_, output) in &mut all {
        // For programs, not for the model.
        if let Some(message) = output.as_object_mut() {
            message.remove("artifact");
            message.remove("structuredContent");
        }
    }
    all
}

#[test]
fn results_of_real_servers_are_said_once() {
    let mut checked = 0;
    for server in servers() {
        let package = &server["package"];
        for (name, result) in server["results"].as_object().unwrap() {
            // What a server has two statements for, both of which are needed.
            let is_summary = name == "summary";
            if result.get("structuredContent").is_none() || is_summary {
                continue;
            }
            let (mut text, mut structure) = (result.clone(), result.clone());
            text.as_object_mut().unwrap().remove("structuredContent");
            structure["content"] = json!([]);
            let (text, structure) = (sent(&text), sent(&structure));
            for (at, (target, both)) in sent(result).into_iter().enumerate() {
                checked += 1;
                assert!(
                    both == text[at].1 || both == structure[at].1,
                    "{package} {name}, {target}: {both}"
                );
                let is_flattened =
                    name == "list_list" && result["content"].as_array().unwrap().len() > 1;
                assert!(
                    !is_flattened || both == structure[at].1,
                    "{package} {name}, {target}: the texts lack the inner lists: {both}"
                );
            }
        }
    }
    assert!(checked > 500, "only {checked} conversions");
}

#[test]
fn what_texts_and_structure_do_not_share_is_all_sent() {
    let text = |it: &str| json!({"type": "text", "text": it});
    for (texts, structured) in [
        (vec!["a"], json!({"result": ["a", "b"]})),
        (vec!["a", "b"], json!({"result": ["a"]})),
        (vec!["b", "a"], json!({"result": ["a", "b"]})),
        (vec!["hello"], json!({"result": "hello", "more": 1})),
        (vec!["hello"], json!({"answer": "hello"})),
        (vec!["1"], json!({"result": "2"})),
        (vec!["{\"a\":1,\"a\":1}"], json!({"a": 1, "b": 1})),
    ] {
        let content: Vec<Value> = texts.iter().map(|it| text(it)).collect();
        let result = json!({"content": content, "structuredContent": structured});
        for (target, outcome) in everywhere(&result, "rich") {
            let value = outcome.value.unwrap();
            let without = json!({"content": content});
            let alone = rich_everywhere(&without)
                .into_iter()
                .find(|(it, _)| *it == target);
            assert_ne!(value, alone.unwrap().1, "{target}: {structured} is missing");
        }
    }
}

/// What a hostile server sends: every text looks like the beginning of the value, or is nearly all
/// of it. The time of the comparison grows with the texts, not with their number times the value.
#[test]
fn many_texts_beside_a_large_value_are_compared_in_one_pass() {
    let value: Value = (0..4_000)
        .map(|it| json!({"n": it, "name": "a registered name"}))
        .collect();
    let value = json!({"offers": value});
    let whole = value.to_string();
    let nearly = format!("{}!", &whole[..whole.len() - 1]);
    for texts in [
        vec!["{"; 4_000],
        vec![nearly.as_str(); 2],
        vec!["{\"offers\": ["; 4_000],
    ] {
        let content: Vec<Value> = texts
            .iter()
            .map(|it| json!({"type": "text", "text": it}))
            .collect();
        let result = json!({"content": content, "structuredContent": value});
        for preset in ["rich", "compat"] {
            for (target, outcome) in everywhere(&result, preset) {
                assert!(outcome.value.is_ok(), "{target}");
            }
        }
    }
}
