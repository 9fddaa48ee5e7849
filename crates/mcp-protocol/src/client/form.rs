//! Validation of a submitted form (2025-11-25 and 2026-07-28 `client/elicitation`, "Requested Schema").

use serde_json::{Number, Value};

use super::format::has_format;
use crate::Object;

/// Returns whether the content of an accepted form matches its schema.
///
/// The schema is flat: an object of strings, numbers, booleans and choices. A field outside the schema must at least
/// have a type that forms allow.
pub(super) fn accepts(schema: &Value, content: &Object) -> bool {
    let fields = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let mut required = required.into_iter().flatten().filter_map(Value::as_str);
    required.all(|name| content.contains_key(name))
        && content.iter().all(|(name, value)| {
            let field = fields.and_then(|it| it.get(name));
            field.map_or_else(|| is_field_value(value), |it| accepts_field(it, value))
        })
}

/// Returns whether a form may contain a value of this type (`ElicitResult.content`).
fn is_field_value(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => true,
        Value::Array(items) => items.iter().all(Value::is_string),
        Value::Null | Value::Object(_) => false,
    }
}

fn accepts_field(field: &Value, value: &Value) -> bool {
    let kind = field.get("type").and_then(Value::as_str);
    let is_of_kind = match (kind, value) {
        (Some("string"), Value::String(text)) => {
            let format = field.get("format").and_then(Value::as_str);
            is_within(field, ["minLength", "maxLength"], text.chars().count())
                && format.is_none_or(|it| has_format(it, text))
        }
        (Some("number"), Value::Number(number)) => is_in_range(field, number),
        (Some("integer"), Value::Number(number)) => is_whole(number) && is_in_range(field, number),
        (Some("boolean"), Value::Bool(_)) => true,
        (Some("array"), Value::Array(chosen)) => {
            let choice = field.get("items").unwrap_or(&Value::Null);
            is_within(field, ["minItems", "maxItems"], chosen.len())
                && chosen
                    .iter()
                    .all(|it| it.is_string() && is_choice(choice, it))
        }
        (Some("string" | "number" | "integer" | "boolean" | "array"), _) => false,
        (Some(_) | None, value) => is_field_value(value),
    };
    is_of_kind && is_choice(field, value)
}

/// Returns whether the value is one of the schema's choices, if the schema lists any.
fn is_choice(schema: &Value, value: &Value) -> bool {
    let plain = schema.get("enum").and_then(Value::as_array);
    let titled = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    let titled = titled.and_then(Value::as_array);
    plain.is_none_or(|it| it.contains(value))
        && titled.is_none_or(|it| it.iter().any(|option| option.get("const") == Some(value)))
}

fn is_within(schema: &Value, [least, most]: [&str; 2], count: usize) -> bool {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    bound(least).is_none_or(|it| count >= it) && bound(most).is_none_or(|it| count <= it)
}

fn is_in_range(schema: &Value, number: &Number) -> bool {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let Some(number) = number.as_f64() else {
        return false;
    };
    bound("minimum").is_none_or(|it| number >= it) && bound("maximum").is_none_or(|it| number <= it)
}

fn is_whole(number: &Number) -> bool {
    number.as_f64().is_some_and(|it| it.fract() == 0.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn r097_a_form_is_accepted_only_if_every_field_fits() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "maxLength": 3},
                "age": {"type": "integer", "minimum": 0, "maximum": 150},
                "score": {"type": "number", "minimum": 0.5},
                "ok": {"type": "boolean"},
                "status": {"type": "string", "enum": ["on", "off"]},
                "color": {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}]},
                "many": {"type": "array", "minItems": 1, "maxItems": 2,
                    "items": {"type": "string", "enum": ["a", "b", "c"]}},
                "mail": {"type": "string", "format": "email"},
                "titled": {"type": "array", "items": {"anyOf": [{"const": "x", "title": "X"}]}},
            },
            "required": ["name"],
        });
        for (content, expect) in [
            (json!({"name": "Ada"}), true),
            (
                json!({"name": "Äöü", "age": 36, "score": 0.5, "ok": false}),
                true,
            ),
            (
                json!({"name": "A", "age": 36.0, "status": "on", "color": "#f00"}),
                true,
            ),
            (
                json!({"name": "A", "many": ["a", "c"], "titled": ["x"]}),
                true,
            ),
            (json!({"name": "A", "more": "text", "and": ["more"]}), true),
            (json!({"name": "A", "mail": "ada@example.org"}), true),
            (json!({"name": "A", "mail": "ada"}), false),
            (json!({}), false),
            (json!({"nope": [1, 2]}), false),
            (json!({"name": "A", "nope": [1, 2]}), false),
            (json!({"name": "A", "nope": {}}), false),
            (json!({"name": "A", "nope": null}), false),
            (json!({"name": ""}), false),
            (json!({"name": "Long"}), false),
            (json!({"name": 12345}), false),
            (json!({"name": "A", "age": "36"}), false),
            (json!({"name": "A", "age": 36.5}), false),
            (json!({"name": "A", "age": -1}), false),
            (json!({"name": "A", "age": 151}), false),
            (json!({"name": "A", "score": 0.4}), false),
            (json!({"name": "A", "ok": "true"}), false),
            (json!({"name": "A", "status": "maybe"}), false),
            (json!({"name": "A", "color": "Red"}), false),
            (json!({"name": "A", "many": []}), false),
            (json!({"name": "A", "many": ["a", "b", "c"]}), false),
            (json!({"name": "A", "many": ["d"]}), false),
            (json!({"name": "A", "many": "a"}), false),
            (json!({"name": "A", "titled": ["X"]}), false),
        ] {
            let fields = content.as_object().unwrap();
            assert_eq!(accepts(&schema, fields), expect, "{content}");
        }
        assert!(accepts(&json!({}), &Object::new()));
    }
}
