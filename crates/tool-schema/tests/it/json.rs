//! Types by serde and schemars: what is published is what is enforced.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_schema::{Json, NoMarker, Output, OutputDetail, OutputRecord, Params};

/// Where.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Place {
    /// Degrees north.
    #[schemars(range(min = -90, max = 90))]
    latitude: f64,
    #[schemars(length(min = 1, max = 10))]
    label: Option<String>,
    kind: Kind,
    inner: Option<Box<Place>>,
    #[serde(default)]
    tags: Vec<String>,
    extent: Option<Extent2>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Where many live.
    City,
    /// Where few live.
    Hamlet,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is")]
enum Extent2 {
    Circle { radius: u32 },
    Line { length: u64 },
}

fn read(arguments: Value) -> Result<(Json<Place>, Vec<String>), String> {
    let mut arguments = arguments.as_object().cloned().unwrap();
    <Json<Place>>::from_arguments(&mut arguments).map_err(|error| error.to_string())
}

#[test]
fn its_schema_has_the_keywords_that_hosts_understand() {
    let schema = <Json<Place> as Params>::input_schema();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema).unwrap());
    let schema = <Json<Place> as OutputRecord>::output_schema();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema).unwrap());
}

#[test]
fn what_is_plainly_meant_is_read_and_noted() {
    let (place, notes) = read(json!({
        "latitude": "59.9", "kind": "City", "label": null, "tags": "a", "extent": {"is": "Circle", "radius": 1},
    }))
    .unwrap();
    assert!(matches!(place.kind, Kind::City) && place.label.is_none());
    assert_eq!(place.tags, ["a"]);
    insta::assert_snapshot!(notes.join("\n"));
}

#[test]
fn all_that_is_wrong_is_said() {
    let refused = read(json!({
        "latitude": 91, "label": "", "tags": [1.5e300, []], "labl": 1,
        "extent": {"is": "Square", "radius": 1},
    }));
    insta::assert_snapshot!(refused.unwrap_err().replace(". `", ".\n`"));
}

#[test]
fn the_schema_and_the_reader_accept_the_same() {
    let schema = <Json<Place> as Params>::input_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (name, value) in [
        ("label", json!("x")),
        ("label", json!("12345678901")),
        ("kind", json!("town")),
        ("extent", json!({"is": "Line", "length": 1})),
        ("extent", json!({"is": "Line", "length": -1})),
        ("other", json!(1)),
        ("tags", json!(["a", "b"])),
    ] {
        let mut arguments = json!({"latitude": 1, "kind": "city"});
        arguments[name] = value;
        assert_eq!(
            validator.is_valid(&arguments),
            read(arguments.clone()).is_ok(),
            "{arguments}"
        );
    }
}

#[test]
fn an_answer_has_no_null() {
    let inner = Place {
        latitude: 1.5,
        label: None,
        kind: Kind::Hamlet,
        inner: None,
        tags: Vec::new(),
        extent: Some(Extent2::Line { length: 3 }),
    };
    let place = Place {
        inner: Some(Box::new(inner)),
        latitude: 2.0,
        kind: Kind::City,
        label: None,
        tags: vec![],
        extent: None,
    };
    let (json, notes) = Json(place).to_json(OutputDetail::Full);
    assert_eq!(notes.into_sentences(), [""; 0]);
    assert_eq!(
        json,
        r#"{"latitude":2.0,"kind":"city","inner":{"latitude":1.5,"kind":"hamlet","tags":[],"extent":{"is":"Line","length":3}},"tags":[]}"#
    );
    let schema = <Json<Place> as OutputRecord>::output_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(&json).unwrap()));
}

#[test]
fn an_answer_without_its_nulls_keeps_its_schema() {
    #[derive(Serialize, JsonSchema)]
    struct Report {
        any: Option<Value>,
        nothing: (),
        parts: Vec<Part>,
    }
    #[derive(Serialize, JsonSchema)]
    struct Part {
        any: Value,
    }
    let report = Report {
        any: None,
        nothing: (),
        parts: vec![Part { any: Value::Null }],
    };
    let (json, _) = Json(report).to_json(OutputDetail::Full);
    assert_eq!(json, r#"{"parts":[{}]}"#);
    let schema = <Json<Report> as OutputRecord>::output_schema();
    assert_eq!(schema["required"], json!(["parts"]));
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(
        validator.is_valid(&serde_json::from_str(&json).unwrap()),
        "{schema}"
    );
}

#[test]
fn an_answer_that_is_no_object_is_a_member() {
    let numbers = Json(vec![1_u8, 2]);
    assert_eq!(numbers.to_json(OutputDetail::Full).0, r#"{"result":[1,2]}"#);
    let schema = <Json<Vec<u8>> as OutputRecord>::output_schema();
    assert_eq!(schema["properties"]["result"]["type"], "array");
    assert_eq!(
        <Json<Vec<u8>> as Output<NoMarker>>::schema()["type"],
        "array"
    );
}
