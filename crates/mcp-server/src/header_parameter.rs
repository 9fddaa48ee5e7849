//! Parameters of tools that clients repeat in HTTP headers (2026-07-28 `server/tools`, "x-mcp-header").

use mcp_protocol::{Object, Tool};
use serde_json::Value;

/// The member of a property's schema that asks for it.
const DECLARATION: &str = "x-mcp-header";
/// Objects in objects that are looked into.
const DEPTH: usize = 16;

/// A parameter that is repeated in the header `Mcp-Param-` and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParameter {
    /// The name in the header, as declared.
    pub name: String,
    path: Vec<String>,
}

impl HeaderParameter {
    /// The parameter's value in the arguments; `None` if it is absent or null.
    #[must_use]
    pub fn value<'a>(&self, arguments: &'a Object) -> Option<&'a Value> {
        let (first, rest) = self.path.split_first()?;
        let mut value = arguments.get(first)?;
        for name in rest {
            value = value.get(name)?;
        }
        (!value.is_null()).then_some(value)
    }

    /// Whether the text of a header has the same value as the argument.
    #[must_use]
    pub fn matches(text: &str, value: &Value) -> bool {
        match value {
            Value::String(value) => text == value,
            Value::Bool(value) => text == if *value { "true" } else { "false" },
            Value::Number(value) => {
                let given = serde_json::from_str::<serde_json::Number>(text);
                text == value.to_string()
                    || given.is_ok_and(|given| given == *value || is_same(given.as_f64(), value))
            }
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        }
    }
}

/// 42 and 42.0 are the same integer in JSON Schema.
fn is_same(given: Option<f64>, value: &serde_json::Number) -> bool {
    let exact = |it: Option<f64>| it.filter(|it| it.fract() == 0.0 && it.abs() < 9e15);
    exact(given).is_some_and(|given| exact(value.as_f64()) == Some(given))
}

/// The header parameters that a tool declares. A declaration for which clients would refuse the tool is left out and
/// logged, so that the author of the tool sees it.
pub(crate) fn declared(tool: &Tool) -> Vec<HeaderParameter> {
    let mut found = Vec::new();
    let mut path = Vec::new();
    collect(&tool.input_schema, &mut path, &mut found, &tool.name);
    found
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<HeaderParameter>, tool: &str) {
    let properties = schema.get("properties").and_then(Value::as_object);
    if path.len() >= DEPTH {
        return;
    }
    for (name, property) in properties.into_iter().flatten() {
        path.push(name.clone());
        if let Some(declaration) = property.get(DECLARATION) {
            let kind = property.get("type").and_then(Value::as_str);
            let is_simple = matches!(kind, Some("string" | "integer" | "boolean"));
            let header = declaration.as_str().filter(|it| is_token(it));
            let is_new =
                |header: &str| !found.iter().any(|it| it.name.eq_ignore_ascii_case(header));
            match header {
                Some(header) if is_simple && is_new(header) => found.push(HeaderParameter {
                    name: header.to_owned(),
                    path: path.clone(),
                }),
                Some(_) | None => {
                    tracing::error!(tool, parameter = name, "clients will refuse this header");
                }
            }
        }
        collect(property, path, found, tool);
        path.pop();
    }
}

/// RFC 9110 §5.6.2.
fn is_token(text: &str) -> bool {
    let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty()
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || is_mark(it))
}
