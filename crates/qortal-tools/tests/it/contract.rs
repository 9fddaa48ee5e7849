//! What every published tool keeps to, so that no host drops it. The traps are those that real hosts fell into.

use std::collections::HashSet;

use jsonschema::validator_for;
use qortal_testnode::Scenario;
use qortal_tools::{Catalog, Entry, Surface};
use serde_json::{Value, json};

use crate::{Chain, walk};

/// The keywords that every host understands; anything else makes one of them drop the tool, or all tools.
const INPUT_KEYWORDS: [&str; 12] = [
    "type",
    "description",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "items",
    "minItems",
    "maxItems",
    "default",
    "pattern",
];

fn violations(entry: &Entry) -> Vec<String> {
    let mut found = Vec::new();
    let mut rule = |kept: bool, what: &str| {
        if !kept {
            found.push(format!("{}: {what}", entry.name));
        }
    };
    let name = entry.name;
    rule(
        (1..=40).contains(&name.len()),
        "a name of at most 40 characters",
    );
    rule(
        name.bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
        "a name in snake_case",
    );
    let description = entry.description;
    rule(
        description.is_ascii() && !description.contains(';'),
        "an ASCII description without semicolons",
    );
    rule(
        description.ends_with('.') && description.len() <= 200,
        "a description of at most 200 characters that ends",
    );
    let schema = entry.input_schema();
    let root: Vec<_> = schema
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    rule(
        root == ["type", "properties", "required", "additionalProperties"],
        "a closed object at the root",
    );
    rule(
        schema["type"] == "object" && schema["additionalProperties"] == false,
        "a closed object at the root",
    );
    for (parameter, schema) in schema["properties"].as_object().unwrap() {
        let mut rule = |kept: bool, what: &str| rule(kept, &format!("{parameter}: {what}"));
        rule(
            parameter
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'),
            "snake_case",
        );
        let doc = schema["description"].as_str().unwrap_or_default();
        rule(
            doc.is_ascii() && doc.ends_with('.'),
            "an ASCII description that ends",
        );
        subschema(schema, &mut rule);
    }
    let output = entry.output_schema();
    rule(
        output["type"] == "object" && output["properties"].is_object(),
        "an object as answer",
    );
    for required in output["required"].as_array().into_iter().flatten() {
        rule(
            output["properties"]
                .get(required.as_str().unwrap())
                .is_some(),
            "required members that exist",
        );
    }
    rule(
        validator_for(&schema).is_ok() && validator_for(&output).is_ok(),
        "schemas that compile",
    );
    found
}

fn subschema(schema: &Value, rule: &mut impl FnMut(bool, &str)) {
    let Some(object) = schema.as_object() else {
        rule(false, "an object as schema, not a truth value");
        return;
    };
    for keyword in object.keys() {
        rule(
            INPUT_KEYWORDS.contains(&keyword.as_str()),
            &format!("no keyword {keyword}"),
        );
    }
    let kind = object.get("type").and_then(Value::as_str);
    rule(kind.is_some(), "one type");
    rule(
        (kind == Some("array")) == object.contains_key("items"),
        "items for arrays alone",
    );
    for bound in ["minimum", "maximum"] {
        let exact = object
            .get(bound)
            .is_none_or(|it| it.as_i64().is_some_and(|it| it.abs() <= 1 << 53));
        rule(exact, "bounds that JavaScript holds exactly");
    }
    if let Some(words) = object.get("enum").and_then(Value::as_array) {
        rule(
            words.iter().all(Value::is_string),
            "words in an enumeration",
        );
    }
    if let Some(items) = object.get("items") {
        subschema(items, rule);
    }
}

#[test]
fn r031_r034_every_tool_keeps_to_the_schemas_that_all_hosts_understand() {
    let found: Vec<_> = Catalog::entries().flat_map(violations).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn r034_names_are_unique() {
    let mut names = HashSet::new();
    assert!(Catalog::entries().all(|it| names.insert(it.name)));
}

#[tokio::test]
async fn every_example_is_answered_briefly() {
    for entry in Catalog::entries() {
        let chain = Chain::recorded().await;
        let arguments: Value = serde_json::from_str(entry.example).unwrap();
        let answer = chain.call(entry.name, arguments).await;
        let answer = answer.unwrap_or_else(|err| panic!("{}: {err}", entry.name));
        let bytes = answer.to_string().len();
        assert!(bytes <= 10_000, "{} answers {bytes} bytes", entry.name);
        chain.stop().await;
    }
}

#[tokio::test]
async fn no_tool_panics_or_hangs_on_odd_arguments() {
    let chain = Chain::recorded().await;
    let odd = [
        "null",
        "true",
        "-1",
        "0",
        "1e300",
        "\"\"",
        "\"\\u0000\"",
        "\"../admin/stop\"",
        "[]",
        "[[1]]",
        "{}",
        "\"😀\"",
    ];
    for entry in walk::entries() {
        for parameter in entry.parameters() {
            for value in odd {
                let value: Value = serde_json::from_str(value).unwrap();
                let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
                arguments[parameter.name.as_str()] = value;
                // An answer or a refusal: both are fine, neither is a panic.
                if let Err(message) = chain.call(entry.name, arguments).await {
                    assert!(message.contains(". "), "{}: {message}", entry.name);
                }
            }
        }
    }
    chain.stop().await;
}

/// On a chain that has nothing but its first block, on a node that synchronizes, and on one of a later release.
#[tokio::test]
async fn every_tool_answers_on_every_chain() {
    for scenario in [
        Scenario::empty(),
        Scenario::syncing(),
        Scenario::newer_core(),
        Scenario::odd_rows(),
    ] {
        let chain = Chain::of(scenario).await;
        for entry in walk::entries() {
            let arguments = serde_json::from_str(entry.example).unwrap();
            if let Err(message) = chain.call(entry.name, arguments).await {
                // What the chain has not is no fault of the node.
                let blames_the_node =
                    message.starts_with("Node ") || message.starts_with("Unreadable");
                assert!(!blames_the_node, "{} {scenario:?}: {message}", entry.name);
            }
        }
        chain.stop().await;
    }
}

/// Parameters that change nothing here, and why. The list only shrinks.
const WITHOUT_EFFECT: [(&str, &str); 14] = [
    ("list_peers limit", "the recorded node has no peers"),
    ("list_peers offset", "the same"),
    ("list_hidden_trade_offers limit", "one offer is hidden"),
    ("get_qdn_metadata limit", "the resource has one file"),
    (
        "get_group_invites_by_address limit",
        "there is one invitation",
    ),
    ("get_group_history kinds", "the words of others are tried"),
    (
        "get_chat_messages involving",
        "instead of the group of the example",
    ),
    ("count_chat_messages involving", "the same"),
    (
        "get_chat_activity involving",
        "instead of the group of the example",
    ),
    (
        "get_chat_message_by_signature encoding",
        "of bytes, and the message is text",
    ),
    ("get_active_chats encoding", "the same"),
    ("get_poll limit", "of votes, which only detail full has"),
    ("get_poll offset", "the same"),
    ("call_tool arguments", "those of the tool of the example"),
];

/// What is taken is used: some value of each optional parameter changes the answer, or what the node is asked for.
#[tokio::test]
async fn every_optional_parameter_has_an_effect() {
    let mut idle = Vec::new();
    for entry in walk::entries() {
        let example: Value = serde_json::from_str(entry.example).unwrap();
        let chain = Chain::of(Scenario::odd_rows()).await;
        let seen = async |arguments: Value| {
            let before = chain.node.journal().len();
            let said = chain.call(entry.name, arguments).await;
            let mut asked: Vec<_> = chain.node.journal().split_off(before);
            asked.sort_by(|left, right| left.target.cmp(&right.target));
            (said, asked)
        };
        let plain = seen(example.clone()).await;
        for parameter in entry.parameters().into_iter().filter(|it| !it.required) {
            let schema = &parameter.schema;
            let values = match schema["type"].as_str() {
                Some("boolean") => vec![json!(true), json!(false)],
                Some("integer") => vec![schema["minimum"].clone(), json!(1), json!(2)],
                Some("array") => vec![json!(["REGISTER_NAME"]), json!(["chloe"]), json!([3])],
                _ => match schema.get("enum").and_then(Value::as_array) {
                    Some(words) => words.clone(),
                    None => vec![
                        json!("chloe"),
                        json!("42"),
                        json!("2026-11-21T20:00Z"),
                        json!("2026-11-20T22:00Z"),
                        json!("PAYMENT"),
                        json!("2tiMr5LTpaWCgbRvkPK8TFd7k63DyHJMMFFsz9uBf1ZP"),
                        json!("IMAGE"),
                        json!(
                            "2weRuDKx9euhHrpEwjAj7jg5VTNayK4S2X2muj76yYUxyYJm7QRG3wrzzsSx7thit2q45RA7HqCBVNCTUKnXcfAh"
                        ),
                    ],
                },
            };
            let mut changed = false;
            for value in values {
                let mut arguments = example.clone();
                arguments[parameter.name.as_str()] = value;
                let (said, asked) = seen(arguments).await;
                // A refusal is no effect, unless it is one of the node.
                changed |=
                    (said.is_ok() || !asked.is_empty()) && (&said, &asked) != (&plain.0, &plain.1);
            }
            if !changed {
                idle.push(format!("{} {}", entry.name, parameter.name));
            }
        }
        chain.stop().await;
    }
    let listed = WITHOUT_EFFECT.iter().map(|(it, _)| *it);
    let tried = |it: &&str| walk::tries(it.split(' ').next().unwrap());
    let listed: Vec<_> = listed.filter(tried).collect();
    assert_eq!(idle, listed);
}

/// What is wrong is named, and what would be right.
#[tokio::test]
async fn every_parameter_tells_what_is_wrong_with_it() {
    let chain = Chain::recorded().await;
    for entry in Catalog::entries() {
        for parameter in entry.parameters() {
            let name = parameter.name.as_str();
            // An object fits no parameter but the arguments of another tool.
            let wrong = match parameter.schema["type"].as_str() {
                Some("object") => Value::from(1),
                _ => json!({"an": "object"}),
            };
            let mut arguments: Value = serde_json::from_str(entry.example).unwrap();
            arguments[name] = wrong;
            let said = chain.call(entry.name, arguments.clone()).await.unwrap_err();
            assert!(
                said.contains(&format!("`{name}` ")) && said.contains(" Expected "),
                "{}: {said}",
                entry.name
            );
            arguments.as_object_mut().unwrap().remove(name);
            if parameter.required {
                let said = chain.call(entry.name, arguments).await.unwrap_err();
                assert!(
                    said.starts_with(&format!(
                        "Missing argument. `{name}` is required. Expected "
                    )),
                    "{}: {said}",
                    entry.name
                );
            }
        }
    }
    let journal = chain.node.journal();
    assert!(
        journal.is_empty(),
        "asked before all arguments were read: {journal:#?}"
    );
    chain.stop().await;
}

/// What a surface may cost a model's context, in bytes of names, descriptions and input schemas. The
/// budgets in tokens are in `cargo xtask tokens`; a token has 4.13 bytes here, and these are 4.15 times those.
#[test]
fn every_surface_keeps_its_budget() {
    // The most tools: hosts that take 40 or 60 of all servers take what is listed on the surfaces for them.
    for (surface, budget, most) in [
        (Surface::Dynamic, 6_225, 3),
        (Surface::Core, 16_600, 40),
        (Surface::Standard, 33_200, 60),
        (Surface::Python, 33_200, 60),
        (Surface::Extended, 62_250, usize::MAX),
    ] {
        let listed: Vec<_> = Catalog::entries().filter(|it| surface.lists(it)).collect();
        assert!(
            listed.len() <= most,
            "{} has {}",
            surface.name(),
            listed.len()
        );
        let bytes: usize = listed
            .iter()
            .map(|it| it.name.len() + it.description.len() + it.input_schema().to_string().len())
            .sum();
        assert!(bytes <= budget, "{} has {bytes} bytes", surface.name());
    }
}

/// A host that shows its model a part of a long answer shows its beginning.
#[tokio::test]
async fn warnings_of_text_by_strangers_come_first() {
    let chain = Chain::recorded().await;
    let mut warned = 0;
    for entry in Catalog::entries() {
        let arguments = serde_json::from_str(entry.example).unwrap();
        let answer = chain.call(entry.name, arguments).await.unwrap();
        let notes = answer.get("notes").and_then(Value::as_array);
        let is_warning = |it: &Value| it.as_str().unwrap().starts_with("Written by strangers");
        if notes.is_some_and(|it| it.iter().any(is_warning)) {
            warned += 1;
            let first = answer.as_object().unwrap().keys().next().unwrap();
            assert_eq!(first, "notes", "{}", entry.name);
            assert!(notes.unwrap().is_sorted_by_key(|it| !is_warning(it)));
        }
    }
    assert!(warned > 20, "{warned}");
    chain.stop().await;
}

/// The numbers that `--help` and docs/from-python.md have.
#[test]
fn the_surface_extended_leaves_out_15_tools_of_the_python_server() {
    let python = Catalog::entries().filter(|it| Surface::Python.lists(it));
    let (listed, left_out): (Vec<_>, Vec<_>) = python.partition(|it| Surface::Extended.lists(it));
    // And the three that find, describe and call others.
    assert_eq!((listed.len(), left_out.len()), (36, 15 + 3));
    let all = Catalog::entries().count();
    let full = Catalog::entries().filter(|it| Surface::Extended.lists(it));
    assert_eq!(full.count(), all - 15 - 3);
}
