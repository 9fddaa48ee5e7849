//! JSON with comments and trailing commas, as in host configurations.

use jsonc_parser::{
    ParseOptions,
    cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode},
};
use serde_json::{Map, Value};

use crate::file::FileError;

pub(super) fn with_entry(
    text: &str,
    [servers, name]: [&str; 2],
    members: &Map<String, Value>,
) -> Result<String, FileError> {
    let root = parsed(text)?;
    let not_an_object = |name: &str| FileError::NotAnObject(name.to_owned());
    let mut object = root
        .object_value_or_create()
        .ok_or_else(|| not_an_object("(the whole file)"))?;
    for name in [servers, name] {
        let value = match last(&object, name) {
            Some(property) => property.object_value(),
            None => object.object_value_or_create(name),
        };
        object = value.ok_or_else(|| not_an_object(name))?;
    }
    for name in super::superseded(members) {
        if let Some(property) = last(&object, name) {
            property.remove();
        }
    }
    for (name, value) in members {
        set(&object, name, value);
    }
    Ok(root.to_string())
}

pub(super) fn without_entry(
    text: &str,
    [servers, name]: [&str; 2],
) -> Result<Option<String>, FileError> {
    let root = parsed(text)?;
    let servers = root.object_value().and_then(|it| last(&it, servers));
    let servers = servers.and_then(|it| it.object_value());
    let Some(servers) = servers.filter(|it| last(it, name).is_some()) else {
        return Ok(None);
    };
    while let Some(entry) = last(&servers, name) {
        entry.remove();
    }
    Ok(Some(root.to_string()))
}

/// Returns what a host reads; null for an empty text.
pub(super) fn value(text: &str) -> Result<Value, FileError> {
    Ok(parsed(text)?.to_serde_value().unwrap_or_default())
}

/// Returns the property that a host reads: the last one of several with this name.
fn last(object: &CstObject, name: &str) -> Option<CstObjectProp> {
    let mut properties = object.properties().into_iter();
    properties.rfind(|it| it.decoded_name().as_deref() == Some(name))
}

fn parsed(text: &str) -> Result<CstRootNode, FileError> {
    let root = CstRootNode::parse(text, &ParseOptions::default());
    root.map_err(|err| FileError::Syntax("JSON", err.to_string()))
}

fn set(object: &CstObject, name: &str, value: &Value) {
    let Some(property) = last(object, name) else {
        object.append(name, input(value));
        return;
    };
    if property.to_serde_value().as_ref() != Some(value) {
        property.set_value(input(value));
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(it) => CstInputValue::Bool(*it),
        Value::Number(it) => CstInputValue::Number(it.to_string()),
        Value::String(it) => CstInputValue::String(it.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(members.collect())
        }
    }
}
