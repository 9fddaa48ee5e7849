//! `qortal-mcp call`: one tool from the command line.

use mcp_protocol::Object;
use qortal_tools::{Catalog, Entry};
use serde_json::Value;

use crate::{args::Call, exit::Exit, text};

#[derive(Debug, thiserror::Error)]
enum CallError {
    #[error("unknown tool {0:?}\nhint: `qortal-mcp tools` lists them")]
    UnknownTool(String),
    #[error("invalid argument {0:?}\nhint: write name=value, such as address='Alice Test'")]
    InvalidArgument(String),
}

pub(crate) async fn call(call: &Call, catalog: Catalog) -> Exit {
    let Some(entry) = catalog.entry(&call.tool) else {
        return text::print_error(&CallError::UnknownTool(call.tool.clone()), Exit::Usage);
    };
    let arguments = match arguments(&call.arguments, entry) {
        Ok(arguments) => arguments,
        Err(err) => return text::print_error(&err, Exit::Usage),
    };
    match catalog.call(entry, arguments).await {
        Ok(outcome) => text::print(&format!("{:#}", Value::Object(outcome.structure))),
        Err(err) => text::print_error(&err, Exit::Failed),
    }
}

fn arguments(words: &[String], entry: &Entry) -> Result<Object, CallError> {
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
                .ok_or_else(|| CallError::InvalidArgument(word.clone()))?;
            let value = match serde_json::from_str(value) {
                Ok(Value::Number(_)) if is_text(name) => value.into(),
                Ok(json) => json,
                Err(_) => value.into(),
            };
            Ok((name.to_owned(), value))
        })
        .collect()
}
