//! TOML, for the configuration of Codex.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, TomlError, Value as TomlValue};

use crate::file::FileError;

pub(super) fn with_entry(
    text: &str,
    [servers, name]: [&str; 2],
    members: &Map<String, Value>,
) -> Result<String, FileError> {
    let mut document = parsed(text)?;
    let not_an_object = |name: &str| FileError::NotAnObject(name.to_owned());
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for place in [servers, name] {
        let new = || {
            let mut new = Table::new();
            // Only the entry itself has a header.
            new.set_implicit(place == servers);
            Item::Table(new)
        };
        table = table
            .entry(place)
            .or_insert_with(new)
            .as_table_like_mut()
            .ok_or_else(|| not_an_object(place))?;
    }
    for name in super::superseded(members) {
        table.remove(name);
    }
    for (name, value) in members {
        let Some(value) = toml_value(value) else {
            continue;
        };
        match table.get_mut(name).and_then(Item::as_value_mut) {
            Some(old) if is_same(old, &value) => {}
            // What is around it is its owner's, such as a comment.
            Some(old) => {
                let around = old.decor().clone();
                *old = value;
                *old.decor_mut() = around;
            }
            None => {
                table.insert(name, Item::Value(value));
            }
        }
    }
    Ok(document.to_string())
}

pub(super) fn without_entry(
    text: &str,
    [servers, name]: [&str; 2],
) -> Result<Option<String>, FileError> {
    let mut document = parsed(text)?;
    let list = document.get_mut(servers).and_then(Item::as_table_like_mut);
    let removed = list.and_then(|it| it.remove(name));
    Ok(removed.map(|_| document.to_string()))
}

/// Returns what a host reads. Dates are texts.
pub(super) fn value(text: &str) -> Result<Value, FileError> {
    Ok(of_table(parsed(text)?.as_table()))
}

fn of_table(table: &dyn TableLike) -> Value {
    let members = table.iter().filter_map(|(name, item)| {
        let value = match item {
            Item::None => return None,
            Item::Value(value) => of_value(value),
            Item::Table(table) => of_table(table),
            Item::ArrayOfTables(tables) => tables.iter().map(|it| of_table(it)).collect(),
        };
        Some((name.to_owned(), value))
    });
    Value::Object(members.collect())
}

fn of_value(value: &TomlValue) -> Value {
    match value {
        TomlValue::String(it) => it.value().as_str().into(),
        TomlValue::Integer(it) => (*it.value()).into(),
        TomlValue::Float(it) => (*it.value()).into(),
        TomlValue::Boolean(it) => (*it.value()).into(),
        TomlValue::Datetime(it) => it.value().to_string().into(),
        TomlValue::Array(items) => items.iter().map(of_value).collect(),
        TomlValue::InlineTable(table) => of_table(table),
    }
}

fn parsed(text: &str) -> Result<DocumentMut, FileError> {
    let wrong = |err: TomlError| FileError::Syntax("TOML", err.to_string());
    text.parse().map_err(wrong)
}

/// Whether two values say the same, however they are laid out.
fn is_same(a: &TomlValue, b: &TomlValue) -> bool {
    match (a, b) {
        (TomlValue::Array(a), TomlValue::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (TomlValue::String(a), TomlValue::String(b)) => a.value() == b.value(),
        (TomlValue::Boolean(a), TomlValue::Boolean(b)) => a.value() == b.value(),
        (TomlValue::Integer(a), TomlValue::Integer(b)) => a.value() == b.value(),
        _ => false,
    }
}

/// TOML has no null, which no entry has either.
fn toml_value(value: &Value) -> Option<TomlValue> {
    Some(match value {
        Value::String(it) => it.as_str().into(),
        Value::Bool(it) => (*it).into(),
        Value::Number(it) => it.as_i64()?.into(),
        Value::Array(items) => {
            TomlValue::Array(items.iter().map(toml_value).collect::<Option<Array>>()?)
        }
        Value::Null | Value::Object(_) => return None,
    })
}
