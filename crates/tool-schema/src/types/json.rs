//! Types of other crates, supported through serde and schemars.

mod alternatives;
mod coerce;
mod problems;
mod schema;

use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use self::{
    alternatives::Schemas,
    problems::is_valid,
    schema::{members, taken, written},
};
use crate::{
    ArgumentReader, InvalidValue, JsonWriter, Object, Output, OutputRecord, Param, Params,
    Property, ValueReport, definitions::hoisted, object::read_parts,
};

/// A type of another crate, or your own, with support for serde and schemars. It can be one parameter or all
/// parameters, and one field of a result or the entire result.
///
/// The published schema is the one of schemars, restricted to the keywords that all hosts support. References are
/// replaced by their targets, null by absence, and formats by descriptions. Objects are closed. Only a union of objects
/// stays a union, and a recursive type is a definition in `$defs`. Before serde deserializes a call, the call is
/// validated against the schema, and every problem is reported, as with the types of this crate. `"2"` is read as 2,
/// and integers beyond 2^53 as strings of their digits. For an enum with data, the reported problems are those of the
/// intended variant.
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
        hoisted(&taken::<T>().published)
    }

    fn read(value: &Value) -> Result<Self, InvalidValue> {
        read_parts::<Self, M>(value)
    }

    fn coerce_and_read(value: &mut Value, report: &mut ValueReport) -> Option<Self> {
        let schema = taken::<T>();
        let schemas = Schemas(&schema.object);
        let before = report.problems.len();
        coerce::coerce_json(schemas, &schema.object, value, report);
        let is_coerced = report.problems.len() == before;
        if !is_valid(&schema, value, report) || !is_coerced {
            return None;
        }
        match serde_path_to_error::deserialize(&*value) {
            Ok(read) => Some(Self(read)),
            Err(error) => {
                report.problems.push(problems::unreadable(&error));
                None
            }
        }
    }

    /// Returns null, because no default is published except those of the fields.
    fn to_value(&self) -> Value {
        Value::Null
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> Params for Json<T> {
    fn properties() -> Vec<Property> {
        members(&hoisted(&taken::<T>().published))
    }

    fn take(arguments: &mut ArgumentReader<'_>) -> Option<Self> {
        let schema = taken::<T>();
        let names = alternatives::properties(&schema.object).map(|(name, _)| name.clone());
        arguments.take_several(names.collect(), |value, report| {
            <Self as Param>::coerce_and_read(value, report)
        })
    }
}

impl<T: Serialize + JsonSchema + 'static> OutputRecord for Json<T> {
    fn properties() -> Vec<Property> {
        let schema = hoisted(&written::<T>().published);
        match schema.get("properties") {
            Some(_) => members(&schema),
            None => vec![Property::new(RESULT, "", schema)],
        }
    }

    fn write(&self, json: &mut JsonWriter) {
        let has_members = written::<T>().object.contains_key("properties");
        match value(&self.0, String::new(), json) {
            Value::Object(members) if has_members => {
                for (name, value) in &members {
                    json.begin_field(name);
                    json.value(value);
                }
            }
            other => {
                json.begin_field(RESULT);
                json.value(&other);
            }
        }
    }
}

/// The field for a result that is not an object, in revisions that require an object.
const RESULT: &str = "result";

impl<M, T: Serialize + JsonSchema + 'static> Output<M> for Json<T> {
    fn schema() -> Object {
        hoisted(&written::<T>().published)
    }

    fn write(&self, member: &str, json: &mut JsonWriter) {
        let value = value(&self.0, member.to_owned(), json);
        json.value(&value);
    }
}

/// Returns the value without null fields, which are absent in results.
fn value(it: &impl Serialize, mut place: String, json: &mut JsonWriter) -> Value {
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
    note_large(&value, &mut place, json);
    value
}

/// Notes the digits of integers that JavaScript programs round.
fn note_large(value: &Value, place: &mut String, json: &mut JsonWriter) {
    let length = place.len();
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let dot = if length == 0 { "" } else { "." };
                place.push_str(dot);
                place.push_str(name);
                note_large(member, place, json);
                place.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                place.push_str(&format!("[{index}]"));
                note_large(item, place, json);
                place.truncate(length);
            }
        }
        Value::Number(number) if number.is_i64() || number.is_u64() => {
            json.note_integer(number, place);
        }
        _ => (),
    }
}
