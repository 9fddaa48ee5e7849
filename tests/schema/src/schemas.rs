//! The schemas of the revisions, and validators for their definitions.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use jsonschema::Validator;
use mcp_protocol::Revision;
use serde_json::{Value, json};

/// README.md states their sources.
static SCHEMAS: LazyLock<[Value; 5]> = LazyLock::new(|| {
    let [second, third, fourth, fifth] = [
        include_str!("../2025-03-26.json"),
        include_str!("../2025-06-18.json"),
        include_str!("../2025-11-25.json"),
        include_str!("../2026-07-28.json"),
    ]
    .map(|text| serde_json::from_str(text).expect("a schema is JSON"));
    [first(&second), second, third, fourth, fifth].map(closed)
});

type Known = HashMap<(usize, &'static str), Arc<Validator>>;

/// Compiled when first used: a test needs few of the definitions.
static VALIDATORS: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

/// The schema of 2024-11-05: the one after it without what that added (2025-03-26 changelog): batches, audio,
/// and annotations of tools.
fn first(second: &Value) -> Value {
    const ADDED: [&str; 3] = [
        "AudioContent",
        "JSONRPCBatchRequest",
        "JSONRPCBatchResponse",
    ];
    let mut schema = second.clone();
    for name in ADDED {
        without(
            &mut schema,
            &json!({"$ref": format!("#/definitions/{name}")}),
        );
        let definitions = schema["definitions"].as_object_mut();
        let gone = definitions.and_then(|them| them.remove(name));
        assert!(gone.is_some(), "2025-03-26 added {name}");
    }
    let tool = schema["definitions"]["Tool"]["properties"].as_object_mut();
    let gone = tool.and_then(|it| it.remove("annotations"));
    assert!(gone.is_some(), "2025-03-26 added annotations");
    schema
}

/// The schema without its tolerance for undefined members, which would hide members of newer revisions in messages of
/// older ones. What the specification leaves open stays so: capabilities, `_meta`,
/// and the params of requests and notifications, which are defined apart from their envelopes.
fn closed(mut schema: Value) -> Value {
    let home = home(&schema);
    let definitions = schema[home].as_object_mut();
    for (name, definition) in definitions.into_iter().flatten() {
        let is_open = name.ends_with("Capabilities")
            || name.contains("Meta")
            // Those of a task are these and more.
            || name == "NotificationParams"
            || definition.pointer("/properties/method").is_some() && !name.starts_with("JSONRPC")
            || definition.get("additionalProperties").is_some();
        if definition.get("properties").is_some() && !is_open {
            definition["additionalProperties"] = json!(false);
        }
    }
    schema
}

/// Removes the reference wherever it is one alternative of several.
fn without(schema: &mut Value, reference: &Value) {
    match schema {
        Value::Array(items) => {
            items.retain(|it| it != reference);
            items.iter_mut().for_each(|it| without(it, reference));
        }
        Value::Object(members) => members.values_mut().for_each(|it| without(it, reference)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

/// The member that holds the definitions: the name changed with the dialect.
fn home(schema: &Value) -> &'static str {
    match schema.get("definitions") {
        Some(_) => "definitions",
        None => "$defs",
    }
}

/// Whether the schema of the revision defines this.
pub(crate) fn defines(revision: Revision, definition: &str) -> bool {
    let schema = &SCHEMAS[revision.index()];
    schema[home(schema)].get(definition).is_some()
}

/// What keeps `value` from being what the revision defines under this name.
pub(crate) fn problems(revision: Revision, definition: &'static str, value: &Value) -> Vec<String> {
    let problem = |it: jsonschema::ValidationError<'_>| {
        format!(
            "{definition} at {}: {it} ({})",
            revision.name(),
            it.instance_path()
        )
    };
    validator(revision, definition)
        .iter_errors(value)
        .map(problem)
        .collect()
}

fn validator(revision: Revision, definition: &'static str) -> Arc<Validator> {
    let mut known = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let validator = known
        .entry((revision.index(), definition))
        .or_insert_with(|| Arc::new(compile(&SCHEMAS[revision.index()], definition)));
    Arc::clone(validator)
}

fn compile(schema: &Value, definition: &str) -> Validator {
    let home = home(schema);
    assert!(schema[home].get(definition).is_some(), "no {definition}");
    let mut schema = schema.clone();
    schema["$ref"] = json!(format!("#/{home}/{definition}"));
    jsonschema::validator_for(&schema).unwrap_or_else(|err| panic!("{definition}: {err}"))
}

#[cfg(test)]
mod tests {
    use mcp_protocol::Revision;
    use serde_json::json;

    use super::{defines, problems};

    #[test]
    fn every_schema_knows_what_its_revision_has() {
        for (definition, since) in [
            ("CallToolResult", 0),
            ("AudioContent", 1),
            ("ResourceLink", 2),
            ("CreateTaskResult", 3),
            ("DiscoverResult", 4),
        ] {
            let first = Revision::ALL.iter().position(|it| defines(*it, definition));
            assert_eq!(first, Some(since), "{definition}");
        }
    }

    #[test]
    fn members_are_of_the_revisions_that_have_them() {
        let schema = json!({"type": "object", "properties": {}});
        for (member, value, since) in [
            ("annotations", json!({}), 1),
            ("title", json!(""), 2),
            ("outputSchema", schema.clone(), 2),
            ("_meta", json!({}), 2),
            ("icons", json!([]), 3),
            ("requestId", json!(1), 5),
        ] {
            let mut tool = json!({"name": "a", "inputSchema": schema});
            tool[member] = value;
            let knows = |it: &Revision| problems(*it, "Tool", &tool).is_empty();
            let first = Revision::ALL.iter().position(knows);
            assert_eq!(first.unwrap_or(Revision::ALL.len()), since, "{member}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for &revision in Revision::ALL {
            let sound = json!({"type": "audio", "data": "", "mimeType": "audio/wav"});
            let mut result = json!({"content": [sound]});
            if revision.features().result_type {
                result["resultType"] = json!("complete");
            }
            let found = problems(revision, "CallToolResult", &result);
            let has_sound = revision.features().audio;
            assert_eq!(
                found.is_empty(),
                has_sound,
                "{}: {found:?}",
                revision.name()
            );
            let found = problems(revision, "CallToolResult", &json!({"content": [7]}));
            assert!(
                found.iter().any(|it| it.contains("/content/0")),
                "{found:?}"
            );
        }
    }
}
