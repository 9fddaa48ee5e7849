//! Validation problems of JSON values, in this crate's wording.

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind},
    paths::LocationSegment,
};
use serde_json::Value;

use super::{
    alternatives::{Meaning, Schemas, properties},
    schema::{Schema, description_hint},
};
use crate::{InvalidValue, Object, Problem, ValueReport, arguments::not_known, excerpt};

/// Returns whether the schema accepts the value, and reports the problems.
pub(super) fn is_valid(schema: &Schema, value: &Value, report: &mut ValueReport) -> bool {
    let validator = match &schema.validator {
        Ok(validator) => validator,
        Err(why) => {
            let problem = format!("has a schema that is none: {why}");
            let invalid = InvalidValue::new("Internal error.", problem, "another tool");
            return report.ok_or_report::<()>(Err(invalid)).is_some();
        }
    };
    let schemas = Schemas(&schema.object);
    let before = report.problems.len();
    for error in validator.iter_errors(value) {
        add_problems(schemas, &error, report);
        if report.is_full() {
            break;
        }
    }
    report.problems.len() == before
}

/// Returns the problem of a value that serde rejects after the schema has accepted it.
pub(super) fn unreadable(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let place = match error.path().to_string() {
        place if place == "." => String::new(),
        place => place,
    };
    let problem = format!("cannot be read: {}", error.inner());
    let invalid = InvalidValue::new("Invalid argument.", problem, "another value");
    Problem::new(place, invalid)
}

fn add_problems(schemas: Schemas<'_>, error: &ValidationError<'_>, report: &mut ValueReport) {
    let place = place(error);
    let inner = |name: &str| match place.as_str() {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let of_object = schema_of_object(schemas, error);
            let of_member = of_object.and_then(|it| it.get("properties")?.get(name)?.as_object());
            let expected = of_member.map_or_else(String::new, |it| schemas.accepted(it));
            let invalid = InvalidValue::new("Missing argument.", "is required", expected);
            report.problems.push(Problem::new(inner(name), invalid));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let of_object = schema_of_object(schemas, error);
            let known = of_object.into_iter().flat_map(properties);
            let known: Vec<_> = known.map(|(it, _)| it.as_str()).collect();
            for name in unexpected {
                let mut problem = not_known(name, &known, "is not a member of this object");
                problem.parameter = inner(&problem.parameter);
                report.problems.push(problem);
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let parts = schemas.at(error.schema_path().as_str());
            let Some(Err(Value::Array(parts))) = parts else {
                return report.problems.push(generic(error, place));
            };
            match schemas.meaning(parts, error.instance()) {
                Meaning::None(member, invalid) => {
                    let place = member.map_or_else(|| place.clone(), inner);
                    report.problems.push(Problem::new(place, invalid));
                }
                Meaning::One(index, _) => match context.get(index).map(Vec::as_slice) {
                    None | Some([]) => report.problems.push(generic(error, place)),
                    Some(errors) => {
                        for error in errors {
                            add_problems(schemas, error, report);
                        }
                    }
                },
            }
        }
        _ => report.problems.push(generic(error, place)),
    }
}

fn generic(error: &ValidationError<'_>, place: String) -> Problem {
    let problem = format!("is {}", excerpt(error.instance()));
    let invalid = InvalidValue::new("Invalid argument.", problem, expected(error.kind()));
    Problem::new(place, invalid)
}

/// Returns the path of the value in the arguments, as `a.b[0]`.
fn place(error: &ValidationError<'_>) -> String {
    let mut place = String::new();
    for segment in error.instance_path() {
        match segment {
            LocationSegment::Index(index) => place.push_str(&format!("[{index}]")),
            LocationSegment::Property(name) => {
                let dot = if place.is_empty() { "" } else { "." };
                place.push_str(dot);
                place.push_str(&name);
            }
        }
    }
    place
}

/// Returns the schema of the object that lacks a field or has an unknown one.
fn schema_of_object<'s>(schemas: Schemas<'s>, error: &ValidationError<'_>) -> Option<&'s Object> {
    let keyword = error.schema_path().as_str();
    let object = keyword.rsplit_once('/').map_or("", |(object, _)| object);
    schemas.at(object)?.ok()
}

fn expected(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Type {
            kind: TypeKind::Single(kind),
        } => type_words(*kind).to_owned(),
        Kind::Type {
            kind: TypeKind::Multiple(kinds),
        } => kinds
            .iter()
            .map(type_words)
            .collect::<Vec<_>>()
            .join(" or "),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MinLength { limit } => format!("at least {limit} characters"),
        Kind::MaxLength { limit } => format!("at most {limit} characters"),
        Kind::MinItems { limit } => format!("at least {limit} values"),
        Kind::MaxItems { limit } => format!("at most {limit} values"),
        Kind::AdditionalItems { limit } => format!("at most {limit} values"),
        Kind::UniqueItems => "values that differ".to_owned(),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::Pattern { pattern } => format!("a text that matches {pattern}"),
        Kind::Format { format } => description_hint(format)
            .map_or_else(|| format!("a text of the format {format}"), str::to_owned),
        Kind::Constant { expected_value } => shown(expected_value),
        Kind::Enum { options } => match options.as_array() {
            Some(words) => {
                let words: Vec<_> = words.iter().map(shown).collect();
                format!("one of {}", words.join(", "))
            }
            None => "what its schema says".to_owned(),
        },
        _ => "what its schema says".to_owned(),
    }
}

pub(super) fn shown(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

pub(super) fn type_words(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a text",
    }
}
