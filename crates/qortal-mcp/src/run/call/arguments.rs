//! The words `name=value` as the arguments of a tool.

use mcp_protocol::Object;
use qortal_tools::Entry;
use serde_json::Value;

use crate::exit::Failure;

pub(super) fn read(words: &[String], entry: &Entry) -> Result<Object, Failure> {
    let parameters = entry.parameters();
    // As JSON numbers, amounts and names made of digits would become floats.
    let is_text = |name: &str| {
        let named = parameters.iter().find(|it| it.name == name);
        named.is_some_and(|it| it.schema.get("type").and_then(Value::as_str) == Some("string"))
    };
    words
        .iter()
        .map(|word| {
            let (name, value) = word
                .split_once('=')
                .filter(|(name, _)| !name.is_empty())
                .ok_or_else(|| Failure::new(format!("invalid argument {word:?}\nhint: write name=value, such as address='Alice Test'")))?;
            let value = match serde_json::from_str(value) {
                Ok(Value::Number(_)) if is_text(name) => value.into(),
                Ok(json) => json,
                Err(_) => value.into(),
            };
            Ok((name.to_owned(), value))
        })
        .collect()
}
