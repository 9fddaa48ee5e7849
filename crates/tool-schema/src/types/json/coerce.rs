//! Coercion of values to the types of their schema.

use std::fmt::Display;

use serde_json::{Number, Value};

use super::alternatives::{Meaning, Schemas, alternatives, properties, words};
use crate::{
    InvalidValue, Object, Param, ValueReport, integer, number_as_text,
    types::{SAFE, in_list, object_in_text},
    word,
};

/// Replaces a value with its obvious meaning under the schema, part by part. An explicit null of an optional field is
/// removed.
pub(super) fn coerce_json<'s>(
    schemas: Schemas<'s>,
    schema: &'s Object,
    value: &mut Value,
    report: &mut ValueReport,
) {
    let schema = schemas.resolve(schema);
    let kind = schema.get("type").and_then(Value::as_str);
    let kind = kind.unwrap_or_default();
    if kind == "integer" && is_rounded(value) {
        let expected =
            format!("an integer from -{SAFE} to {SAFE}, or the digits of a larger one as a text");
        report.ok_or_report::<()>(Err(InvalidValue::unexpected(value, expected)));
        return;
    }
    let words = words(schema);
    report.coerce_with(value, |value| match kind {
        "boolean" => <bool as Param>::coerce_json(value),
        "integer" => whole(value),
        "number" => <f64 as Param>::coerce_json(value),
        "string" if words.is_empty() => number_as_text(value),
        "string" => word(value, &words),
        "array" if value.is_array() => None,
        "array" => in_list(value).map(Value::from),
        "object" => object_in_text(value),
        _ => None,
    });
    match value {
        Value::Object(members) => coerce_members(schemas, schema, members, report),
        Value::Array(items) => {
            let first = schema.get("prefixItems").and_then(Value::as_array);
            for (index, item) in items.iter_mut().enumerate() {
                let of_item = first.and_then(|it| it.get(index)).or(schema.get("items"));
                coerce_part(
                    schemas,
                    of_item,
                    Some(item),
                    &format_args!("[{index}]"),
                    report,
                );
            }
        }
        _ => (),
    }
    if let Some(parts) = alternatives(schema) {
        coerce_alternative(schemas, parts, value, report);
    }
}

fn coerce_members<'s>(
    schemas: Schemas<'s>,
    schema: &'s Object,
    members: &mut Object,
    report: &mut ValueReport,
) {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|it| it.iter().any(|it| it == name));
    let named = schema.get("properties").and_then(Value::as_object);
    for (name, of_member) in properties(schema) {
        if !is_required(name) && members.get(name).is_some_and(Value::is_null) {
            members.remove(name);
        }
        coerce_part(
            schemas,
            Some(of_member),
            members.get_mut(name),
            name,
            report,
        );
    }
    let of_others = schema.get("additionalProperties");
    for (name, member) in members {
        if named.is_none_or(|it| !it.contains_key(name)) {
            coerce_part(schemas, of_others, Some(member), name, report);
        }
    }
}

/// Coerces a value into the alternative it is intended for, or else into the first one that accepts the coerced value.
fn coerce_alternative<'s>(
    schemas: Schemas<'s>,
    parts: &'s [Value],
    value: &mut Value,
    report: &mut ValueReport,
) {
    if let Meaning::One(_, part) = schemas.meaning(parts, value) {
        return coerce_json(schemas, part, value, report);
    }
    for part in parts.iter().filter_map(Value::as_object) {
        let (mut trial, mut of_part) = (value.clone(), ValueReport::default());
        coerce_json(schemas, part, &mut trial, &mut of_part);
        if trial != *value && of_part.is_valid() {
            *value = trial;
            report.join(of_part);
            return;
        }
    }
}

fn coerce_part<'s>(
    schemas: Schemas<'s>,
    schema: Option<&'s Value>,
    value: Option<&mut Value>,
    part: &impl Display,
    report: &mut ValueReport,
) {
    if let (Some(Value::Object(schema)), Some(value)) = (schema, value) {
        let mut of_part = ValueReport::default();
        coerce_json(schemas, schema, value, &mut of_part);
        report.merge_nested(part, of_part);
    }
}

/// Returns whether a JavaScript program may have rounded an integer.
fn is_rounded(value: &Value) -> bool {
    let is_safe = |it: &Number| it.as_i64().is_some_and(|it| (-SAFE..=SAFE).contains(&it));
    match value {
        Value::Number(number) => !number.is_f64() && !is_safe(number),
        _ => false,
    }
}

/// Returns the integer that a string represents, including integers that only fit an unsigned 64-bit type.
fn whole(value: &Value) -> Option<Value> {
    let large = || value.as_str()?.trim().parse::<u64>().ok().map(Value::from);
    integer(value).or_else(large)
}
