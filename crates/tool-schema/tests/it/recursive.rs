//! Types that contain themselves: filters, trees, menus.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_schema::{
    DisplayFromStr, Json, JsonWriter, OutputDetail, OutputRecord, Params, choice, params, record,
    remove_descriptions,
};

params! {
    #[derive(PartialEq)]
    struct Filter {
        /// The field.
        field: Option<String>,
        /// All of these.
        all: Option<Vec<Filter>>,
        /// The filters that it is combined with.
        with: Option<Operand>,
    }
}

choice! {
    /// The filters that a filter is combined with.
    #[derive(PartialEq)]
    enum Operand by kind {
        /// Another filter.
        Other = "other" {
            /// The filter.
            filter: Box<Filter>,
        },
        /// Nothing.
        Nothing = "nothing",
    }
}

record! {
    #[derive(Clone, PartialEq)]
    struct Node {
        /// Its name.
        name: String,
        /// Below it.
        children: Vec<Node>,
        /// The nodes that it links to.
        tree: Option<Json<Tree>>,
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Tree {
    /// Its name.
    name: String,
    children: Vec<Tree>,
}

/// Another type of the same name.
mod other {
    tool_schema::params! {
        pub(crate) struct Filter {
            /// The filters of the other kind.
            filters: Vec<super::Filter>,
            /// More of these.
            more: Option<Vec<Filter>>,
        }
    }
}

fn deep(levels: usize) -> Node {
    let leaf = Node {
        name: "x".to_owned(),
        children: vec![],
        tree: None,
    };
    (0..levels).fold(leaf, |inner, _| Node {
        children: vec![inner],
        ..leaf_of()
    })
}

fn leaf_of() -> Node {
    Node {
        name: "x".to_owned(),
        children: vec![],
        tree: None,
    }
}

fn is_valid(schema: &Value, value: &Value) -> bool {
    jsonschema::validator_for(schema).unwrap().is_valid(value)
}

#[test]
fn their_schemas_are_definitions() {
    let schemas = [
        Filter::input_schema(),
        other::Filter::input_schema(),
        Node::output_schema(),
        Json::<Tree>::input_schema(),
        Json::<Tree>::output_schema(),
    ];
    let shown = schemas
        .iter()
        .map(|it| serde_json::to_string_pretty(it).unwrap());
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn what_is_published_is_what_is_read() {
    let schema = Filter::input_schema();
    for (arguments, expected) in [
        (
            json!({"all": [{"field": "a"}, {"all": [{"field": "b", "all": []}]}]}),
            true,
        ),
        (json!({"all": [{"all": [{"fields": "b"}]}]}), false),
        (
            json!({"with": {"kind": "other", "filter": {"field": "a"}}}),
            true,
        ),
        (
            json!({"with": {"kind": "other", "filter": {"field": {}}}}),
            false,
        ),
    ] {
        let mut read = arguments.as_object().cloned().unwrap();
        let is_read = Filter::from_arguments(&mut read).is_ok();
        assert_eq!(
            (is_valid(&schema, &arguments), is_read),
            (expected, expected),
            "{arguments}"
        );
    }
    let mut wrong = json!({"all": [{"all": [{"fields": "b"}]}]})
        .as_object()
        .cloned()
        .unwrap();
    let error = Filter::from_arguments(&mut wrong).unwrap_err().to_string();
    assert_eq!(
        error,
        "Unknown argument. `all[0].all[0].fields` is not a member of this object. Expected field, if that is what you mean."
    );
}

#[test]
fn an_answer_that_is_too_deep_is_cut_and_says_so() {
    let schema = Node::output_schema();
    let (text, notes) = deep(3).to_json(OutputDetail::Full);
    assert!(is_valid(&schema, &serde_json::from_str(&text).unwrap()));
    assert_eq!(notes.into_sentences(), [""; 0]);
    let (object, notes) = deep(10_000).to_object();
    assert_eq!(object["name"], "x");
    let note = format!(
        "Parts that are nested more than {} levels deep are null.",
        JsonWriter::DEEPEST
    );
    assert_eq!(notes.into_sentences(), [note]);
}

#[test]
fn records_are_cloned_and_compared() {
    assert_eq!(deep(2).clone(), deep(2));
    assert_ne!(deep(2), deep(3));
}

#[test]
fn descriptions_are_removed_and_names_are_not() {
    let mut schema = json!({
        "description": "a",
        "properties": {"description": {"type": "string", "description": "b", "enum": ["description"]}},
        "$defs": {"description": {"items": {"description": "c"}}},
    });
    remove_descriptions(&mut schema);
    let expected = json!({
        "properties": {"description": {"type": "string", "enum": ["description"]}},
        "$defs": {"description": {"items": {}}},
    });
    assert_eq!(schema, expected);
}

#[test]
fn large_integers_have_a_note_with_their_digits() {
    record! {
        struct Sums {
            /// A sum.
            sum: i64,
            /// More sums.
            sums: Json<Vec<u64>>,
            /// A small one.
            small: u64,
        }
    }
    let sums = Sums {
        sum: -9_007_199_254_740_993,
        sums: Json(vec![1, u64::MAX]),
        small: 5,
    };
    let (text, notes) = sums.to_json(OutputDetail::Full);
    assert_eq!(
        text,
        r#"{"sum":-9007199254740993,"sums":[1,18446744073709551615],"small":5}"#
    );
    let notes = notes.into_sentences();
    assert_eq!(
        notes,
        [
            "sum is exactly -9007199254740993.",
            "sums[1] is exactly 18446744073709551615."
        ]
    );
}

#[test]
fn types_with_a_text_form_are_parameters_and_members_of_answers() {
    params! {
        struct Lookup {
            /// The order.
            id: DisplayFromStr<uuid::Uuid>,
            /// The addresses.
            addresses: Option<Vec<DisplayFromStr<std::net::IpAddr>>>,
        }
    }
    record! {
        #[derive(PartialEq)]
        struct Found {
            /// The order.
            id: DisplayFromStr<uuid::Uuid>,
        }
    }
    let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
    let mut sent = json!({"id": format!(" {id}"), "addresses": ["::1"]});
    let (lookup, _) = Lookup::from_arguments(sent.as_object_mut().unwrap()).unwrap();
    assert_eq!(lookup.addresses.unwrap()[0].to_string(), "::1");
    let (object, _) = Found { id: lookup.id }.to_object();
    assert_eq!(object["id"], id);
    let mut sent = json!({"id": "7", "addresses": ["::1", 5, "::g"]});
    let error = Lookup::from_arguments(sent.as_object_mut().unwrap()).unwrap_err();
    insta::assert_snapshot!(error.to_string().replace(". `", ".\n`"));
}
