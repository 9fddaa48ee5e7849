//! Types of other crates, by serde and schemars.

mod schema;

use std::ops::Deref;

use jsonschema::{
    JsonType, ValidationError,
    error::{TypeKind, ValidationErrorKind},
    paths::LocationSegment,
};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use self::schema::{Schema, members, taken, written};
use crate::{
    ArgumentReport, Arguments, InvalidValue, JsonWriter, Object, Output, Param, Params, Problem,
    Property, Record,
    arguments::not_known,
    excerpt, integer, number_as_text,
    object::read_parts,
    types::{in_list, object_in_text},
    word,
};

/// A type of another crate, or of yours, that serde reads or writes and schemars describes: a parameter or all of them, a member of an
/// answer or all of it.
///
/// What is published is the schema of schemars in the keywords that all hosts understand: references are replaced by what they refer
/// to, null by absence, formats left out, and objects closed. A call is held to it with all that is wrong at once, as with types of
/// this crate, before serde reads it; `"2"` is read as 2 here, too. Only a union of objects stays one, and of a type that
/// contains itself the inner schema is left to serde.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use tool_schema::{Json, Params, params};
///
/// #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
/// struct Place {
///     /// Degrees north.
///     #[schemars(range(min = -90, max = 90))]
///     latitude: f64,
///     label: Option<String>,
/// }
///
/// params! {
///     struct ForecastParams {
///         /// Where.
///         place: Json<Place>,
///     }
/// }
///
/// let mut arguments = serde_json::json!({"place": {"latitude": 91, "labels": "home"}});
/// let error = ForecastParams::from_arguments(arguments.as_object_mut().unwrap()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Invalid argument. `place.latitude` is 91. Expected at most 90. \
///      `place.labels` is not a member of this object. Expected label, if that is what you mean."
/// );
///
/// // As all parameters: `async fn forecast(Json(place): Json<Place>)`.
/// assert_eq!(Json::<Place>::input_schema()["properties"]["label"]["type"], "string");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "it is its value")]
pub struct Json<T>(pub T);

impl<T> Deref for Json<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<M, T: DeserializeOwned + JsonSchema + Send + 'static> Param<M> for Json<T> {
    fn schema() -> Object {
        taken::<T>().object.clone()
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        read_parts::<Self, M>(value)
    }

    fn take(value: &mut Value, report: &mut ArgumentReport) -> Option<Self> {
        let schema = taken::<T>();
        coerce(&schema.object, value, report);
        if !is_valid(&schema, value, report) {
            return None;
        }
        let read = serde_json::from_value(value.clone()).map_err(|error| {
            let problem = format!("cannot be read: {error}");
            InvalidValue::new("Invalid argument.", problem, "another value")
        });
        report.reads(read).map(Self)
    }

    /// None is published besides those of its members.
    fn to_value(&self) -> Value {
        Value::Null
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Params for Json<T> {
    fn properties() -> Vec<Property> {
        members(&taken::<T>().object)
    }

    fn take(arguments: &mut Arguments<'_>) -> Option<Self> {
        let schema = taken::<T>();
        let names = properties(&schema.object).map(|(name, _)| name.clone());
        arguments.take_several(names.collect(), |value, report| {
            <Self as Param>::take(value, report)
        })
    }
}

impl<T: Serialize + JsonSchema + 'static> Record for Json<T> {
    fn properties() -> Vec<Property> {
        let schema = &written::<T>().object;
        match schema.get("properties") {
            Some(_) => members(schema),
            None => vec![Property::new(RESULT, "", schema.clone())],
        }
    }

    fn write(&self, json: &mut JsonWriter) {
        let has_members = written::<T>().object.contains_key("properties");
        match value(&self.0, json) {
            Value::Object(members) if has_members => {
                for (name, value) in &members {
                    json.name(name);
                    json.value(value);
                }
            }
            other => {
                json.name(RESULT);
                json.value(&other);
            }
        }
    }
}

/// The member of an answer that is not an object itself, as revisions name it that want an object.
const RESULT: &str = "result";

impl<M, T: Serialize + JsonSchema + 'static> Output<M> for Json<T> {
    fn schema() -> Object {
        written::<T>().object.clone()
    }

    fn write(&self, _: &str, json: &mut JsonWriter) {
        let value = value(&self.0, json);
        json.value(&value);
    }
}

/// The value without members that are null, which are absent.
fn value(it: &impl Serialize, json: &mut JsonWriter) -> Value {
    fn without_null(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.retain(|_, it| !it.is_null());
                members.values_mut().for_each(without_null);
            }
            Value::Array(items) => items.iter_mut().for_each(without_null),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }
    let mut value = serde_json::to_value(it).unwrap_or_else(|error| {
        json.notes
            .add(format!("A part could not be written: {error}."));
        Value::Null
    });
    without_null(&mut value);
    value
}

fn properties(schema: &Object) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

/// Replaces a value by what it plainly means by its schema, part by part. An explicit null of an optional member is forgotten.
fn coerce(schema: &Object, value: &mut Value, report: &mut ArgumentReport) {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let words: Vec<&str> = match schema.get("enum") {
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    report.coerce_value(value, |value| match kind {
        "boolean" => <bool as Param>::coerce(value),
        "integer" => integer(value),
        "number" => <f64 as Param>::coerce(value),
        "string" if words.is_empty() => number_as_text(value),
        "string" => word(value, &words),
        "array" if value.is_array() => None,
        "array" => in_list(value).map(Value::from),
        "object" => object_in_text(value),
        _ => None,
    });
    match value {
        Value::Object(members) => {
            let required = schema.get("required").and_then(Value::as_array);
            for (name, of_member) in properties(schema) {
                let is_required = required.is_some_and(|it| it.iter().any(|it| it == name));
                if !is_required && members.get(name).is_some_and(Value::is_null) {
                    members.remove(name);
                }
                coerce_part(of_member, members.get_mut(name), name, report);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                if let Some(of_item) = schema.get("items") {
                    coerce_part(of_item, Some(item), &format_args!("[{index}]"), report);
                }
            }
        }
        _ => (),
    }
}

fn coerce_part(
    schema: &Value,
    value: Option<&mut Value>,
    part: &impl std::fmt::Display,
    report: &mut ArgumentReport,
) {
    if let (Value::Object(schema), Some(value)) = (schema, value) {
        let mut of_part = ArgumentReport::default();
        coerce(schema, value, &mut of_part);
        report.absorb(part, of_part);
    }
}

/// Whether the schema accepts the value; what it does not accept is reported.
fn is_valid(schema: &Schema, value: &Value, report: &mut ArgumentReport) -> bool {
    let validator = match &schema.validator {
        Ok(validator) => validator,
        Err(why) => {
            let problem = format!("has a schema that is none: {why}");
            let invalid = InvalidValue::new("Internal error.", problem, "another tool");
            return report.reads::<()>(Err(invalid)).is_some();
        }
    };
    let before = report.problems.len();
    for error in validator.iter_errors(value) {
        report.problems.extend(problems(&error, &schema.object));
        if report.is_full() {
            break;
        }
    }
    report.problems.len() == before
}

/// What is wrong, in the words of this crate.
fn problems(error: &ValidationError<'_>, schema: &Object) -> Vec<Problem> {
    let mut place = String::new();
    for segment in error.instance_path() {
        match segment {
            LocationSegment::Index(index) => place.push_str(&format!("[{index}]")),
            LocationSegment::Property(name) if place.is_empty() => place.push_str(&name),
            LocationSegment::Property(name) => {
                place.push('.');
                place.push_str(&name);
            }
        }
    }
    let inner = |name: &str| match place.as_str() {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let of_object = schema_of_object(error, schema);
            let of_member = properties(&of_object).find(|(it, _)| *it == name);
            let expected = of_member.map_or_else(String::new, |(_, it)| accepted(it));
            let invalid = InvalidValue::new("Missing argument.", "is required", expected);
            vec![Problem::new(inner(name), invalid)]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let of_object = schema_of_object(error, schema);
            let known: Vec<_> = properties(&of_object).map(|(it, _)| it.as_str()).collect();
            let unknown = unexpected.iter().map(|name| {
                let mut problem = not_known(name, &known, "is not a member of this object");
                problem.parameter = inner(&problem.parameter);
                problem
            });
            unknown.collect()
        }
        kind => {
            let problem = format!("is {}", excerpt(error.instance()));
            let invalid = InvalidValue::new("Invalid argument.", problem, expected(kind));
            vec![Problem::new(place, invalid)]
        }
    }
}

/// The schema of the object that lacks a member, or has one too many.
fn schema_of_object(error: &ValidationError<'_>, schema: &Object) -> Object {
    let keyword = error.schema_path().to_string();
    let object = keyword.rsplit_once('/').map_or("", |(object, _)| object);
    let schema = Value::Object(schema.clone());
    let object = schema.pointer(object).and_then(Value::as_object);
    object.cloned().unwrap_or_default()
}

/// What a schema accepts, in a few words.
fn accepted(schema: &Value) -> String {
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words: Vec<_> = words.iter().map(shown).collect();
        return format!("one of {}", words.join(", "));
    }
    let kind = schema.get("type").and_then(Value::as_str);
    match kind.and_then(|it| it.parse().ok()) {
        Some(kind) => type_words(kind).to_owned(),
        None => "what its schema says".to_owned(),
    }
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
        Kind::UniqueItems => "values that differ".to_owned(),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::Pattern { pattern } => format!("a text that matches {pattern}"),
        Kind::Constant { expected_value } => shown(expected_value),
        Kind::Enum { options } => accepted(&serde_json::json!({"enum": options.as_ref()})),
        _ => "what its schema says".to_owned(),
    }
}

fn shown(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn type_words(kind: JsonType) -> &'static str {
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
