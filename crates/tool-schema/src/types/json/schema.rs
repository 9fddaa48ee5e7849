//! The schema of a type, in the keywords that all hosts support. It is created once for each type.

use std::{
    any::TypeId,
    collections::HashMap,
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

use jsonschema::Validator;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use crate::{
    Object, Property,
    definitions::{pointer, rename},
    types::SAFE,
};

/// A schema and its validator.
pub(super) struct Schema {
    /// The schema that values are validated against, with formats and definitions.
    pub(super) object: Object,
    /// The published schema. Its descriptions replace formats, and its integers have the bounds that all hosts
    /// represent exactly.
    pub(super) published: Object,
    pub(super) validator: Result<Validator, String>,
}

type Schemas = LazyLock<RwLock<HashMap<TypeId, Arc<Schema>>>>;

/// Returns the closed schema of the values that serde deserializes.
pub(super) fn taken<T: JsonSchema + 'static>() -> Arc<Schema> {
    static TAKEN: Schemas = Schemas::new(RwLock::default);
    known::<T>(&TAKEN, || {
        let mut schema = plain::<T>(SchemaSettings::draft2020_12().for_deserialize());
        close(&mut schema);
        schema
    })
}

/// Returns the open schema of the values that serde serializes.
pub(super) fn written<T: JsonSchema + 'static>() -> Arc<Schema> {
    static WRITTEN: Schemas = Schemas::new(RwLock::default);
    known::<T>(&WRITTEN, || {
        let mut schema = plain::<T>(SchemaSettings::draft2020_12().for_serialize());
        require_no_null(&mut schema);
        schema
    })
}

/// Makes nullable fields optional, because a result omits fields that are null.
fn require_no_null(schema: &mut Value) {
    let object = match schema {
        Value::Object(object) => object,
        Value::Array(parts) => return parts.iter_mut().for_each(require_no_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    };
    let properties = object.get("properties").and_then(Value::as_object);
    let nullable = properties.into_iter().flatten();
    let nullable = nullable.filter(|(_, it)| can_be_null(it));
    let nullable = nullable.map(|(name, _)| name.clone());
    let nullable: Vec<String> = nullable.collect();
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|it| {
            it.as_str()
                .is_none_or(|it| !nullable.iter().any(|name| name == it))
        });
    }
    object.values_mut().for_each(require_no_null);
}

/// Returns whether a schema restricts no type, or allows null.
fn can_be_null(schema: &Value) -> bool {
    const OF_TYPE: [&str; 6] = ["type", "enum", "anyOf", "oneOf", "allOf", "$ref"];
    schema.get("type").is_some_and(|it| it == "null")
        || OF_TYPE.iter().all(|it| schema.get(it).is_none())
}

fn known<T: 'static>(schemas: &Schemas, make: impl FnOnce() -> Value) -> Arc<Schema> {
    let id = TypeId::of::<T>();
    let known = schemas.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = known.get(&id) {
        return Arc::clone(schema);
    }
    drop(known);
    let schema = make();
    let validator = jsonschema::options().should_validate_formats(true);
    let validator = validator.build(&schema).map_err(|error| error.to_string());
    let mut published = schema.clone();
    publish(&mut published);
    let [object, published] = [schema, published].map(|it| match it {
        Value::Object(object) => object,
        _ => Object::new(),
    });
    let schema = Arc::new(Schema {
        object,
        published,
        validator,
    });
    let mut known = schemas.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(known.entry(id).or_insert(schema))
}

/// Returns the fields that an object schema declares.
pub(super) fn members(schema: &Object) -> Vec<Property> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|it| it.iter().any(|it| it == name));
    let member = |(name, schema): (&String, &Value)| {
        let mut schema = schema.as_object().cloned().unwrap_or_default();
        let doc = schema.remove("description");
        let doc = doc.as_ref().and_then(Value::as_str).unwrap_or_default();
        let member = Property::new(name, doc, schema);
        if is_required(name) {
            member
        } else {
            member.into_optional()
        }
    };
    super::alternatives::properties(schema)
        .map(member)
        .collect()
}

fn plain<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let settings = settings.with(|it| {
        it.meta_schema = None;
        it.inline_subschemas = true;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = Value::from(schema);
    simplify(&mut schema);
    define_root(&mut schema, &T::schema_name());
    schema
}

/// Moves a self-referencing root into a definition, because the schema may become part of another one.
fn define_root(schema: &mut Value, name: &str) {
    let from = Value::from("#");
    let to = pointer(name);
    if !rename(schema, &from, &to) {
        return;
    }
    let mut root = schema.clone();
    if let Value::Object(root) = &mut root {
        root.remove("$defs");
    }
    if let Value::Object(schema) = schema {
        let definitions = schema
            .entry("$defs")
            .or_insert_with(|| Object::new().into());
        if let Value::Object(definitions) = definitions {
            definitions.insert(name.to_owned(), root);
        }
    }
}

/// Removes the keywords that hosts reject, and replaces null with absence.
fn simplify(schema: &mut Value) {
    let Value::Object(object) = schema else {
        // Hosts refuse `true`, which accepts anything.
        if *schema == true {
            *schema = Object::new().into();
        }
        return;
    };
    for key in ["$schema", "title"] {
        object.remove(key);
    }
    // A reference that is left is one to a type inside of itself.
    if let Some(Value::Object(definitions)) = object.get_mut("$defs") {
        definitions.values_mut().for_each(simplify);
    }
    if let Some(only) = object.remove("const") {
        object.insert("enum".to_owned(), vec![only].into());
    }
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(parts)) = object.get_mut(key) {
            parts.iter_mut().for_each(simplify);
        }
    }
    for key in ["items", "not"] {
        object.get_mut(key).into_iter().for_each(simplify);
    }
    // Here alone `true` and `false` are understood everywhere.
    if let Some(of_others @ Value::Object(_)) = object.get_mut("additionalProperties") {
        simplify(of_others);
    }
    join_words(object);
    let mut absent = Vec::new();
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        for (name, property) in properties {
            simplify(property);
            if let Value::Object(property) = property
                && forget_null(property)
            {
                absent.push(name.clone());
            }
        }
    }
    if let Some(Value::Array(required)) = object.get_mut("required") {
        required.retain(|it| {
            it.as_str()
                .is_none_or(|it| !absent.iter().any(|name| name == it))
        });
    }
}

/// Removes null from the types of a field. Returns whether it was there.
fn forget_null(schema: &mut Object) -> bool {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        let all = kinds.len();
        kinds.retain(|it| it != "null");
        let has_null = kinds.len() < all;
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
        if let Some(Value::Array(words)) = schema.get_mut("enum") {
            words.retain(|it| !it.is_null());
        }
        return has_null;
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(parts)) = schema.get_mut(key) else {
            continue;
        };
        let all = parts.len();
        parts.retain(|it| it.get("type").is_none_or(|it| it != "null"));
        let has_null = parts.len() < all;
        if let [Value::Object(only)] = parts.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove(key);
            for (key, value) in only {
                schema.entry(key).or_insert(value);
            }
        }
        return has_null;
    }
    false
}

/// Joins alternatives that are all keywords into one enumeration. Its description has the meaning of each keyword.
fn join_words(schema: &mut Object) {
    let Some(Value::Array(parts)) = schema.get("oneOf") else {
        return;
    };
    let mut words = Vec::new();
    let mut meanings = Vec::new();
    for part in parts {
        let Some(Value::Array(of_part)) = part.get("enum") else {
            return;
        };
        if !of_part.iter().all(Value::is_string) {
            return;
        }
        let first = of_part.first().and_then(Value::as_str);
        if let (Some(word), Some(doc)) = (first, part.get("description").and_then(Value::as_str)) {
            meanings.push(format!("{word}: {doc}"));
        }
        words.extend(of_part.iter().cloned());
    }
    let own = schema.get("description").and_then(Value::as_str);
    let said: Vec<_> = own.map(str::to_owned).into_iter().chain(meanings).collect();
    schema.remove("oneOf");
    schema.insert("type".to_owned(), "string".into());
    schema.insert("enum".to_owned(), words.into());
    if !said.is_empty() {
        schema.insert("description".to_owned(), said.join(" ").into());
    }
}

/// Describes formats that hosts reject, and adds bounds to integers that some hosts would round.
fn publish(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let format = object.remove("format");
            let format = format.as_ref().and_then(Value::as_str).unwrap_or_default();
            if let Some(form) = description_hint(format) {
                let said = object.get("description").and_then(Value::as_str);
                let said = said.map_or_else(String::new, |it| format!("{it} "));
                object.insert(
                    "description".to_owned(),
                    format!("{said}Format: {form}.").into(),
                );
            }
            if matches!(
                format,
                "int64" | "uint64" | "int" | "uint" | "int128" | "uint128"
            ) {
                let least = if format.starts_with('u') { 0 } else { -SAFE };
                object.entry("minimum").or_insert(least.into());
                object.entry("maximum").or_insert(SAFE.into());
            }
            for (key, value) in object {
                match (key.as_str(), value) {
                    // What is in them are names.
                    ("properties" | "$defs", Value::Object(named)) => {
                        named.values_mut().for_each(publish);
                    }
                    ("enum" | "default" | "examples", _) => (),
                    (_, value) => publish(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(publish),
        _ => (),
    }
}

/// Describes the strings of a format, with an example.
pub(super) fn description_hint(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "a UUID such as 67e55044-10b1-426f-9247-bb680e5fe0c8",
        "date-time" => "a time such as 2026-11-27T12:00:00Z",
        "partial-date-time" => "a time such as 2026-11-27T12:00:00",
        "date" => "a date such as 2026-11-27",
        "time" | "partial-time" => "a time of day such as 12:00:00",
        "duration" => "a duration such as PT1H30M",
        "uri" => "a URL such as https://example.org/a",
        "email" => "an email address",
        "ipv4" => "an IP address such as 192.0.2.1",
        "ipv6" => "an IP address such as 2001:db8::1",
        "ip" => "an IP address such as 192.0.2.1 or 2001:db8::1",
        _ => return None,
    })
}

/// Closes objects with named fields, so that a misspelled field is not lost.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let is_whole = !["allOf", "anyOf", "oneOf"]
                .iter()
                .any(|it| object.contains_key(*it));
            let has_members = object.contains_key("properties");
            if is_whole && has_members {
                object.entry("additionalProperties").or_insert(false.into());
            }
            for (key, value) in object {
                // Its members are next to theirs, so that each of them sees those of the others.
                let is_part = has_members && matches!(key.as_str(), "allOf" | "anyOf" | "oneOf");
                match value {
                    Value::Object(named) if matches!(key.as_str(), "properties" | "$defs") => {
                        named.values_mut().for_each(close);
                    }
                    value if !is_part => close(value),
                    _ => (),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => (),
    }
}
