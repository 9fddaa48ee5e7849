//! Numbers, texts, lists, maps, objects in objects, and kinds of objects.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tool_schema::{
    BoundedString, BoundedVec, OutputDetail, OutputRecord, Params, choice, params, record,
};

params! {
    struct Place {
        /// The name.
        name: String,
        /// Degrees north.
        latitude: f32,
        /// What it is called elsewhere.
        aliases: Vec<BoundedString<1, 5>>,
    }
}

choice! {
    /// When.
    enum When by kind {
        /// At once.
        Now = "now",
        /// At a time.
        At = "at" {
            /// The time in ms.
            time: i64,
        },
        /// Again and again.
        Every = "every" {
            /// How many ms pass.
            time: u32,
            /// How often.
            times: u8 = 3,
        },
    }
}

params! {
    struct TripParams {
        /// Where it goes, in order.
        stops: BoundedVec<Place, 3>,
        /// When it starts.
        start: When = When::Every { time: 5, times: 1 },
        /// Distances by name.
        distances: BTreeMap<String, u16> = BTreeMap::new(),
        /// Where it begins.
        home: Option<Place>,
        /// The number of it.
        id: Option<u64>,
        /// Below or above zero.
        level: i8 = -1,
    }
}

fn read(arguments: Value) -> Result<(TripParams, Vec<String>), String> {
    let mut arguments = arguments.as_object().cloned().unwrap();
    TripParams::from_arguments(&mut arguments).map_err(|error| error.to_string())
}

fn stop() -> Value {
    json!({"name": "Oslo", "latitude": 59.9, "aliases": []})
}

#[test]
fn all_parts_are_read() {
    let (params, notes) = read(json!({
        "stops": [stop(), {"name": "Rome", "latitude": "41.9", "aliases": ["Roma"]}],
        "start": {"kind": "AT", "time": "1700000000000"},
        "distances": {"a": 1, "b": "2"},
        "home": "{\"name\": \"Bonn\", \"latitude\": 50.7, \"aliases\": \"Bonna\"}",
        "id": "18446744073709551615",
    }))
    .unwrap();
    assert_eq!(params.stops.len(), 2);
    assert_eq!(params.stops[1].aliases[0].to_uppercase(), "ROMA");
    assert_eq!(params.stops[1].latitude, 41.9);
    assert!(matches!(
        params.start,
        When::At {
            time: 1_700_000_000_000
        }
    ));
    assert_eq!(params.distances["b"], 2);
    assert_eq!(params.home.unwrap().aliases[0].as_str(), "Bonna");
    assert_eq!((params.id, params.level), (Some(u64::MAX), -1));
    insta::assert_snapshot!(notes.join("\n"));
}

#[test]
fn all_that_is_wrong_is_said_with_its_place() {
    let refused = read(json!({
        "stops": [{"name": 7.5e300, "latitude": 1e300, "aliases": ["", "abcdef"], "latitudes": 1}, {}],
        "start": {"kind": "every", "time": -1, "times": 256, "tim": 1},
        "distances": {"a": 70000},
        "home": [1],
        "id": 9007199254740993_u64,
        "level": 128,
    }))
    .unwrap_err();
    insta::assert_snapshot!(refused.replace(". `", ".\n`"));
}

/// Many models fill in every parameter of a call.
#[test]
fn empty_value_of_an_optional_parameter_is_read_as_absent() {
    for (name, sent) in [
        ("start", json!("")),
        ("distances", json!("")),
        ("home", json!("")),
        ("home", json!("null")),
        ("home", json!([])),
        ("home", json!(0)),
        ("id", json!(" ")),
        ("level", json!("")),
    ] {
        let (trip, notes) = read(json!({"stops": [stop()], name: sent})).unwrap();
        let (default, _) = read(json!({"stops": [stop()]})).unwrap();
        assert_eq!(format!("{trip:?}"), format!("{default:?}"), "{name} {sent}");
        assert_eq!(
            notes,
            [format!("{name} was sent as {sent} and read as absent.")]
        );
    }
    let (_, notes) = read(json!({"stops": [stop()], "goal": ""})).unwrap();
    assert_eq!(
        notes,
        ["goal was ignored: it is not a parameter of this tool, and empty."]
    );
    // These can be meant.
    for (name, sent) in [
        ("distances", json!({})),
        ("id", json!(0)),
        ("level", json!(0)),
    ] {
        let (_, notes) = read(json!({"stops": [stop()], name: sent})).unwrap();
        assert!(notes.is_empty(), "{name} {sent}: {notes:?}");
    }
    // A required parameter has no other value, a blank among others is not empty, and an unknown number can be meant.
    for (name, sent) in [
        ("stops", json!("")),
        ("start", json!({})),
        ("home", json!({"name": ""})),
        ("level", json!("x")),
        ("goal", json!(0)),
    ] {
        let mut arguments = json!({"stops": [stop()]});
        arguments[name] = sent;
        read(arguments).unwrap_err();
    }
}

#[test]
fn a_kind_has_to_be_one_of_the_words() {
    for (start, said) in [
        (
            json!({}),
            "`start.kind` is required. Expected one of now, at, every.",
        ),
        (
            json!({"kind": "late"}),
            "`start.kind` is \"late\". Expected one of now, at, every.",
        ),
        (json!(1), "`start` is 1. Expected an object."),
        (
            json!({"kind": "now", "time": 1}),
            "`start.time` does not belong to kind now. Expected nothing but kind.",
        ),
    ] {
        let refused = read(json!({"stops": [stop()], "start": start})).unwrap_err();
        assert!(refused.ends_with(said), "{refused}");
    }
}

/// JavaScript holds whole numbers exactly up to 2^53 - 1 (`Number.MAX_SAFE_INTEGER`), so hosts may have rounded larger ones.
#[test]
fn integer_parameter_rejects_json_numbers_from_2_to_the_53() {
    params! {
        struct Heights {
            /// A whole number.
            height: i64,
        }
    }
    for (height, expected) in [
        (
            json!(9_007_199_254_740_991_i64),
            Some(9_007_199_254_740_991),
        ),
        (json!(9_007_199_254_740_992_i64), None),
        (
            json!(-9_007_199_254_740_991_i64),
            Some(-9_007_199_254_740_991),
        ),
        (json!(-9_007_199_254_740_992_i64), None),
        (json!("9007199254740992"), Some(9_007_199_254_740_992)),
    ] {
        let arguments = json!({"height": height});
        let read = Heights::from_arguments(&mut arguments.as_object().cloned().unwrap());
        assert_eq!(read.ok().map(|(read, _)| read.height), expected, "{height}");
    }
}

#[test]
fn text_parameter_rejects_control_characters_of_both_sets() {
    for (alias, is_accepted) in [
        ("\u{1f}", false),
        ("\u{7f}", false),
        ("\u{85}", false),
        ("\u{9f}", false),
        ("\u{a0}", true),
    ] {
        let place = json!({"name": "Oslo", "latitude": 59.9, "aliases": [alias]});
        let read = read(json!({"stops": [place]}));
        assert_eq!(read.is_ok(), is_accepted, "{alias:?}: {read:?}");
    }
}

#[test]
fn a_long_list_is_not_read_to_its_end() {
    params! {
        struct Numbers {
            /// Numbers.
            numbers: Vec<u8>,
        }
    }
    let many = json!({"numbers": vec![-1; 1000]});
    let refused = Numbers::from_arguments(&mut many.as_object().cloned().unwrap()).unwrap_err();
    assert_eq!(refused.problems.len(), 20);
}

#[test]
fn an_empty_list_is_accepted_where_it_may_be_empty() {
    params! {
        struct Lists {
            /// One at least.
            #[name("theSome")]
            some: BoundedVec<u8, 2>,
            /// Any.
            any: BoundedVec<u8, 2, 0>,
        }
    }
    let read = |some: Value| {
        let arguments = json!({"theSome": some, "any": []});
        Lists::from_arguments(&mut arguments.as_object().cloned().unwrap())
    };
    let (lists, _) = read(json!([1])).unwrap();
    assert!(lists.any.is_empty());
    assert_eq!((&lists.some).into_iter().chain(&lists.any).count(), 1);
    assert_eq!(lists.some.into_iter().collect::<Vec<_>>(), [1]);
    let refused = read(json!([])).unwrap_err().to_string();
    assert!(
        refused.ends_with("`theSome` has 0 values. Expected a list of 1 to 2 values."),
        "{refused}"
    );
    let schema = Lists::input_schema();
    assert_eq!(schema["properties"]["theSome"]["minItems"], 1);
    assert_eq!(schema["properties"]["any"].get("minItems"), None);
}

#[test]
fn the_schema_is_that_of_all_parts() {
    let schema = TripParams::input_schema();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema).unwrap());
    let validator = jsonschema::validator_for(&schema).unwrap();
    // What the schema accepts is read, and what is read without a note it accepts.
    for start in [
        json!({"kind": "now"}),
        json!({"kind": "every", "time": 1, "times": 255}),
        json!({"kind": "never"}),
        json!({"kind": "at", "other": 1}),
        json!({"kind": "at", "time": 9_007_199_254_740_991_i64}),
        json!([]),
    ] {
        let arguments = json!({"stops": [stop()], "start": start, "id": 0, "level": -128});
        assert_eq!(
            validator.is_valid(&arguments),
            read(arguments).is_ok_and(|(_, notes)| notes.is_empty()),
            "{start}"
        );
    }
}

record! {
    struct Measured {
        /// Of 8 bits.
        small: u8,
        /// Of 32 bits.
        lowest: i32,
        /// A number.
        mean: f32,
        /// How many.
        count: usize,
        /// By city.
        cities: BTreeMap<String, Vec<City>>,
        /// Where it is from.
        #[name("$source")]
        source: Option<String>,
    }
}

record! {
    struct City {
        /// Its name.
        name: String
    }
}

#[test]
fn an_answer_holds_numbers_and_maps_of_any_kind() {
    let city = City {
        name: "Oslo".to_owned(),
    };
    let measured = Measured {
        small: 1,
        lowest: -40,
        mean: 0.1,
        count: 2,
        cities: BTreeMap::from([("no".to_owned(), vec![city])]),
        source: Some("x".to_owned()),
    };
    let (json, _) = measured.to_json(OutputDetail::Full);
    assert_eq!(
        json,
        r#"{"small":1,"lowest":-40,"mean":0.1,"count":2,"cities":{"no":[{"name":"Oslo"}]},"$source":"x"}"#
    );
    let schema = Measured::output_schema();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(&json).unwrap()));
    assert_eq!(
        schema["properties"]["cities"]["additionalProperties"]["type"],
        "array"
    );
}
