//! Output schemas in the shape of a revision.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{Features, Object, revision::StructuredContentForm};

/// Where the schema of the value is, once it is wrapped.
const WRAPPED_AT: &str = "#/properties/result";

/// The form of an output schema that the revision can publish: none, as it is, or wrapped as
/// `{"type": "object", "properties": {"result": …}, "required": ["result"]}` where the revision wants an
/// object and the root is something else. References from the root (`#/…`) are rewritten to where they then are.
///
/// [`super::call_tool_result_json`] wraps values by the same rule.
pub(super) fn output_schema<'a>(schema: &'a Value, rules: &Features) -> Option<Cow<'a, Value>> {
    match rules.structured_content {
        StructuredContentForm::Absent => None,
        StructuredContentForm::Object if !has_object_root(schema) => {
            let mut inner = schema.clone();
            move_references(&mut inner);
            Some(Cow::Owned(json!({
                "type": "object",
                "properties": {"result": inner},
                "required": ["result"],
            })))
        }
        StructuredContentForm::Object | StructuredContentForm::AnyValue => {
            Some(Cow::Borrowed(schema))
        }
    }
}

pub(super) fn has_object_root(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("object")
}

/// Rewrites the references of a schema that moves to [`WRAPPED_AT`]. A subschema with an `$id` of its own
/// is a root of its own, and values that only look like schemas are left alone.
fn move_references(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            for (keyword, value) in object {
                match (keyword.as_str(), value) {
                    ("const" | "enum" | "default" | "examples", _) => (),
                    (
                        "properties" | "patternProperties" | "$defs" | "definitions"
                        | "dependentSchemas",
                        Value::Object(schemas),
                    ) => schemas.values_mut().for_each(move_in_subschema),
                    ("$ref" | "$dynamicRef", Value::String(reference)) => {
                        if reference == "#" {
                            WRAPPED_AT.clone_into(reference);
                        } else if let Some(pointer) = reference.strip_prefix("#/") {
                            *reference = format!("{WRAPPED_AT}/{pointer}");
                        }
                    }
                    (_, value) => move_in_subschema(value),
                }
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(move_in_subschema),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

fn move_in_subschema(schema: &mut Value) {
    let is_root = |object: &Object| object.get("$id").is_some_and(Value::is_string);
    if !schema.as_object().is_some_and(is_root) {
        move_references(schema);
    }
}
