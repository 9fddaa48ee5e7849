//! Fields of the JSON objects that tools take and return, and the schemas of those objects.

use serde_json::{Map, Value};

use crate::{Object, Param};

/// A parameter of a tool, or a field of its result.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct Property {
    /// The name in JSON.
    pub name: String,
    /// A description of the field, as a sentence.
    pub doc: String,
    /// The JSON Schema, without the description.
    pub schema: Object,
    /// Whether the field is always present.
    pub required: bool,
    /// Whether the field is present only if the caller requested full detail.
    #[doc(hidden)]
    pub in_full: bool,
    /// The fields of the object, or of the contained objects, each with its description.
    pub members: Vec<Property>,
}

impl Property {
    /// Creates a required field.
    pub fn new(name: impl Into<String>, doc: impl Into<String>, schema: Object) -> Self {
        Self {
            name: name.into(),
            doc: doc.into(),
            schema,
            required: true,
            in_full: false,
            members: Vec::new(),
        }
    }

    /// Sets the fields of the object, or of the contained objects.
    pub fn with_properties(mut self, members: Vec<Self>) -> Self {
        self.members = members;
        self
    }

    /// Makes the field optional.
    pub fn into_optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Restricts the field to results with full detail.
    #[doc(hidden)]
    pub fn only_in_full(mut self) -> Self {
        self.in_full = true;
        self.into_optional()
    }

    /// Replaces `{}` in the description with `words`.
    #[doc(hidden)]
    pub fn fill_description(mut self, words: &str) -> Self {
        self.doc = match words {
            "" => self.doc.replace("{} ", ""),
            words => self.doc.replace("{}", words),
        };
        self
    }

    /// Creates a parameter. It may be omitted if `omitted` has a value. This value is published as `default`, unless it
    /// is null, false or 0.
    ///
    /// The description ends with the [value hint](Param::description_hint) of the type, the default and the bounds.
    pub fn parameter<T: Param<M>, M>(name: &str, doc: &str, omitted: Option<&T>) -> Self {
        T::member(name, doc, omitted)
    }

    pub(crate) fn declared(
        name: &str,
        said: [&str; 2],
        mut schema: Object,
        omitted: Option<Value>,
    ) -> Self {
        let required = omitted.is_none();
        if let Some(default) = omitted.filter(|it| !goes_without_saying(it)) {
            schema.insert("default".to_owned(), default);
        }
        let mut doc = said.map(str::to_owned).to_vec();
        doc.push(bounds(&schema));
        doc.retain(|it| !it.is_empty());
        Self {
            required,
            ..Self::new(name, doc.join(" "), schema)
        }
    }
}

/// The smallest upper bound that is not worth mentioning: the bound of heights and other numbers.
const LARGEST_SAID: u64 = 1_000_000;

fn goes_without_saying(default: &Value) -> bool {
    matches!(default, Value::Null | Value::Bool(false)) || default.as_u64() == Some(0)
}

/// Describes the default and the bounds of a schema in a sentence.
fn bounds(schema: &Object) -> String {
    let default = schema.get("default").map(|it| match it {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    });
    let number = |key: &str| schema.get(key).and_then(Value::as_u64);
    let least = number("minimum").filter(|it| *it > 1);
    let most = number("maximum").or(number("maxItems"));
    let said = [
        default.map(|it| format!("default {it}")),
        least.map(|it| format!("at least {it}")),
        most.filter(|it| *it < LARGEST_SAID)
            .map(|it| format!("at most {it}")),
    ];
    let said = said.into_iter().flatten().collect::<Vec<_>>().join(", ");
    match said.split_at_checked(1) {
        Some((first, rest)) => format!("{}{rest}.", first.to_ascii_uppercase()),
        None => said,
    }
}

/// Returns the published schema of a tool's arguments: a closed object in which each parameter has its description.
#[must_use]
pub fn schema_of_properties(parameters: &[Property]) -> Value {
    Value::Object(input_object(parameters))
}

pub(crate) fn input_object(parameters: &[Property]) -> Object {
    let properties = parameters.iter().map(|it| {
        let schema = described(&it.schema, &it.doc);
        (it.name.clone(), Value::Object(schema))
    });
    let properties: Object = properties.collect();
    let required = parameters.iter().filter(|it| it.required);
    let required: Value = required.map(|it| it.name.as_str()).collect();
    let mut schema = schema_with_type("object");
    schema.insert("properties".to_owned(), properties.into());
    schema.insert("required".to_owned(), required);
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

/// Returns the schema with its description, which follows the type.
fn described(schema: &Object, doc: &str) -> Object {
    let mut described = Object::new();
    let mut description = Some(doc).filter(|it| !it.is_empty());
    for (key, value) in schema {
        described.insert(key.clone(), value.clone());
        if let Some(doc) = description.take_if(|_| key == "type") {
            described.insert("description".to_owned(), doc.into());
        }
    }
    // What can be of several types has it at the end.
    if let Some(doc) = description {
        described.insert("description".to_owned(), doc.into());
    }
    described
}

/// Returns the published schema of a result or of a part of one. Each field has its description, because some hosts
/// show it to models that write code. The schema is open, so fields can be added later. To save tokens, remove the
/// descriptions with [`remove_descriptions`].
#[must_use]
pub fn object_schema(members: Vec<Property>) -> Object {
    let required: Vec<_> = members
        .iter()
        .filter(|it| it.required)
        .map(|it| Value::from(it.name.as_str()))
        .collect();
    let properties: Object = members
        .into_iter()
        .map(|it| (it.name, Value::Object(described(&it.schema, &it.doc))))
        .collect();
    let mut schema = schema_with_type("object");
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema
}

/// Removes all descriptions from a schema.
pub fn remove_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            // In their order.
            members.retain(|key, _| key != "description");
            for (key, value) in members {
                match (key.as_str(), value) {
                    // What is in them are names.
                    ("properties" | "$defs", Value::Object(named)) => {
                        named.values_mut().for_each(remove_descriptions);
                    }
                    ("enum" | "const" | "default" | "examples", _) => (),
                    (_, value) => remove_descriptions(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(remove_descriptions),
        _ => (),
    }
}

/// Returns `{"type": name}`, the start of every schema.
#[must_use]
pub fn schema_with_type(name: &str) -> Object {
    Map::from_iter([("type".to_owned(), Value::from(name))])
}
