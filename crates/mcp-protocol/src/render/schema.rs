//! Output schemas in the form of a revision.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::{Features, Object, revision::StructuredContentForm};

/// The path of the value's schema after wrapping.
const WRAPPED_AT: &str = "#/properties/result";

/// Returns the output schema in a form that the revision can publish: none, unchanged, or wrapped as `{"type":
/// "object", "properties": {"result": …}, "required": ["result"]}` where the revision requires an object and the root
/// is something else. References from the root (`#/…`) are adjusted to the new paths.
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

/// Adjusts the references of a schema that moves to [`WRAPPED_AT`]. A subschema with an `$id` is a separate root and
/// stays unchanged. So do values that only look like schemas.
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
