//! Enums with data, by serde and schemars: an error names the place in the variant that is meant, and what would be accepted.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_schema::{Json, Params};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Rect { width: f64, height: f64 },
    Nothing,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
enum External {
    Circle { radius: f64 },
    Word(String),
    Nothing,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Circle { radius: f64 },
    Word(String),
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(f64),
    Text(String),
    Pair { first: u8, second: Shape },
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Flat {
    name: String,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct All {
    shape: Option<Shape>,
    external: Option<External>,
    adjacent: Option<Adjacent>,
    untagged: Option<Untagged>,
    flat: Option<Flat>,
    shapes: Option<Vec<Shape>>,
    tree: Option<Tree>,
    map: Option<HashMap<String, i32>>,
    tuple: Option<(i32, String)>,
    id: Option<uuid::Uuid>,
    large: Option<u64>,
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    port: Option<Port>,
}

/// Refuses what its schema accepts.
#[derive(Debug, Serialize)]
struct Port(u16);

impl<'de> Deserialize<'de> for Port {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

fn read(arguments: &Value) -> String {
    let mut arguments = arguments.as_object().cloned().unwrap();
    match <Json<All>>::from_arguments(&mut arguments) {
        Ok((read, notes)) => format!(
            "{} {notes:?}",
            serde_json::to_string(&read.0).unwrap().replace("null", "-")
        ),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_the_place_in_the_variant_that_is_meant() {
    let calls = [
        json!({"shape": {"kind": "circle"}}),
        json!({"shape": {"kind": "circle", "radius": "2"}}),
        json!({"shape": {"kind": "Circle", "radius": 2}}),
        json!({"shape": {"kind": "circle", "radius": 2, "x": 1}}),
        json!({"shape": {"kind": "circle", "radius": "wide"}}),
        json!({"shape": {"kind": "oval"}}),
        json!({"shape": {}}),
        json!({"shape": {"kind": "rect", "width": 1}}),
        json!({"shape": "circle"}),
        json!({"shape": "{\"kind\":\"nothing\"}"}),
        json!({"shape": null}),
        json!({"external": "Nothing"}),
        json!({"external": "nothing"}),
        json!({"external": "Circle"}),
        json!({"external": {"Circle": {"radius": "1"}}}),
        json!({"external": {"Circle": {}}}),
        json!({"external": {"Oval": {}}}),
        json!({"external": {"Word": 5}}),
        json!({"adjacent": {"t": "Circle", "c": {"radius": true}}}),
        json!({"adjacent": {"t": "Word", "c": {}}}),
        json!({"untagged": "a"}),
        json!({"untagged": true}),
        json!({"untagged": {"first": 300, "second": {"kind": "rect"}}}),
        json!({"flat": {"name": "a", "kind": "circle", "radius": "1"}}),
        json!({"flat": {"kind": "circle"}}),
        json!({"shapes": [{"kind": "circle", "radius": 1}, {"kind": "rect", "width": "1", "height": []}]}),
        json!({"tree": {"name": "a", "children": [{"name": "b", "children": []}]}}),
        json!({"tree": {"name": "a", "children": [{"children": [{"nme": 1}]}]}}),
        json!({"map": {"a": "1"}}),
        json!({"map": {"a": "x"}}),
        json!({"tuple": ["1", "a"]}),
        json!({"tuple": ["a", 1]}),
        json!({"id": "67e55044-10b1-426f-9247-bb680e5fe0c8"}),
        json!({"id": "67e5"}),
        json!({"large": 9_007_199_254_740_993_u64}),
        json!({"large": "18446744073709551615"}),
        json!({"large": -1}),
        json!({"port": "http"}),
    ];
    let said = calls
        .iter()
        .map(|call| format!("{call}\n    {}", read(call)));
    insta::assert_snapshot!(said.collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_schema_and_the_reader_accept_the_same() {
    let schema = <Json<All> as Params>::input_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (arguments, expected) in [
        (
            json!({"tree": {"name": "a", "children": [{"name": "b"}]}}),
            true,
        ),
        (
            json!({"tree": {"name": "a", "children": [{"title": "b"}]}}),
            false,
        ),
        (
            json!({"shape": {"kind": "rect", "width": 1, "height": 2}}),
            true,
        ),
        (json!({"shape": {"kind": "rect", "width": 1}}), false),
        (
            json!({"external": {"Circle": {"radius": 1, "x": 1}}}),
            false,
        ),
        (json!({"large": 9_007_199_254_740_993_u64}), false),
    ] {
        let mut read = arguments.as_object().cloned().unwrap();
        let is_read = <Json<All>>::from_arguments(&mut read).is_ok();
        assert_eq!(
            (validator.is_valid(&arguments), is_read),
            (expected, expected),
            "{arguments}"
        );
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema["$defs"]).unwrap());
}
