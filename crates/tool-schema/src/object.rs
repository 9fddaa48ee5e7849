//! Objects inside arguments, which are declared like the arguments of a tool.

use serde_json::Value;

use crate::{
    ArgumentReader, InvalidValue, Object, Param, Params, Property, ValueReport,
    definitions::definition_of, property::input_object, schema_with_type, types::object_in_text,
    word,
};

/// Returns the schema of an object with the fields of `P`.
#[must_use]
pub fn object_of<P: Params>() -> Object {
    definition_of::<P>(|| input_object(&P::properties()))
}

/// Reads a value that `T` reads in parts.
///
/// # Errors
///
/// Returns the first problem as an error.
pub fn read_parts<T: Param<M>, M>(value: &Value) -> Result<T, InvalidValue> {
    let mut report = ValueReport::default();
    let read = T::coerce_and_read(&mut value.clone(), &mut report);
    let problem = report.into_first();
    match (read, problem) {
        (Some(read), None) => Ok(read),
        (_, problem) => {
            Err(problem.unwrap_or_else(|| InvalidValue::unexpected(value, "another value")))
        }
    }
}

/// Reads an object. `take` reads its fields.
pub fn take_object<T>(
    value: &mut Value,
    report: &mut ValueReport,
    take: impl FnOnce(&mut ArgumentReader<'_>) -> Option<T>,
) -> Option<T> {
    take_members(value, report, "is not a member of this object", take)
}

fn take_members<T>(
    value: &mut Value,
    report: &mut ValueReport,
    unknown: &str,
    take: impl FnOnce(&mut ArgumentReader<'_>) -> Option<T>,
) -> Option<T> {
    report.coerce_with(value, object_in_text);
    let Value::Object(members) = value else {
        return report.ok_or_report(Err(InvalidValue::unexpected(value, "an object")));
    };
    let mut members = ArgumentReader::new(members);
    let read = take(&mut members);
    let of_members = members.finish_as(unknown);
    let is_valid = of_members.is_valid();
    report.join(of_members);
    read.filter(|_| is_valid)
}

/// Returns the schema of an object whose field `kind` is one of these keywords. Each keyword has a description and
/// further fields. If several kinds have a field of the same name, the published schema of that field is their common
/// part.
#[must_use]
pub fn one_of_kinds(kind: &str, kinds: Vec<(&str, &str, Vec<Property>)>) -> Object {
    let words: Vec<_> = kinds.iter().map(|(word, ..)| Value::from(*word)).collect();
    let meanings = kinds
        .iter()
        .map(|(word, doc, _)| format!("{word}: {}", doc.trim()));
    let mut schema = schema_with_type("string");
    schema.insert("enum".to_owned(), words.into());
    let meanings = meanings.collect::<Vec<_>>().join(" ");
    let mut members = vec![Property::new(kind, meanings, schema)];
    for (word, _, of_kind) in kinds {
        for mut member in of_kind {
            member.doc = format!("For {kind} {word}: {}", member.doc);
            match members.iter_mut().find(|it| it.name == member.name) {
                None => members.push(member.into_optional()),
                Some(same) => {
                    same.doc = format!("{} {}", same.doc, member.doc);
                    same.schema
                        .retain(|key, value| member.schema.get(key) == Some(value));
                }
            }
        }
    }
    input_object(&members)
}

/// Reads an object whose field `kind` is one of `words`. `take` receives the keyword and reads the other fields.
pub fn take_kind<T>(
    value: &mut Value,
    report: &mut ValueReport,
    kind: &'static str,
    words: &[&str],
    take: impl FnOnce(&str, &mut ArgumentReader<'_>) -> Option<T>,
) -> Option<T> {
    report.coerce_with(value, object_in_text);
    let sent = value.get(kind).cloned().unwrap_or_default();
    let is_word = |it: &Value| it.as_str().is_some_and(|it| words.contains(&it));
    let Some(Value::String(meant)) = word(&sent, words).or(Some(sent).filter(is_word)) else {
        return report_kind(value, report, kind, words);
    };
    let unknown = format!("does not belong to {kind} {meant}");
    take_members(value, report, &unknown, |arguments| {
        arguments.know(kind);
        take(&meant, arguments)
    })
}

/// Reports a missing or invalid kind. Without it, the other fields cannot be validated.
fn report_kind<T>(
    value: &Value,
    report: &mut ValueReport,
    kind: &str,
    words: &[&str],
) -> Option<T> {
    if !value.is_object() {
        return report.ok_or_report(Err(InvalidValue::unexpected(value, "an object")));
    }
    let expected = format!("one of {}", words.join(", "));
    let invalid = match value.get(kind) {
        None => InvalidValue::new("Missing argument.", "is required", expected),
        Some(other) => InvalidValue::unexpected(other, expected),
    };
    let mut of_kind = ValueReport::default();
    let none = of_kind.ok_or_report(Err(invalid));
    report.merge_nested(&kind, of_kind);
    none
}
