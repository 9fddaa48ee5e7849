//! Tool parameters that clients repeat in HTTP headers (2026-07-28 `server/tools`, "x-mcp-header").

use serde_json::Value;

use crate::Object;

/// The field of a property's schema that declares the header.
const DECLARATION: &str = "x-mcp-header";
/// Maximum depth of nested objects to search.
const DEPTH: usize = 16;

/// A parameter to repeat in a header, whose name is `Mcp-Param-` and the declared name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParameter {
    /// The declared name, without the prefix.
    pub name: String,
    path: Vec<String>,
}

impl HeaderParameter {
    /// Returns the parameters that a tool's input schema declares, and the places of invalid declarations. A client
    /// rejects a tool with invalid declarations.
    #[must_use]
    pub fn declared_in(input_schema: &Value) -> (Vec<Self>, Vec<String>) {
        let mut collector = Collector::default();
        collector.collect(input_schema);
        (collector.declared, collector.refused)
    }

    /// Returns the parameter's value in the arguments. Returns `None` if it is absent or null.
    #[must_use]
    pub fn value<'a>(&self, arguments: &'a Object) -> Option<&'a Value> {
        let (first, rest) = self.path.split_first()?;
        let mut value = arguments.get(first)?;
        for name in rest {
            value = value.get(name)?;
        }
        (!value.is_null()).then_some(value)
    }

    /// Returns the name of the header.
    #[must_use]
    pub fn header_name(&self) -> String {
        format!("Mcp-Param-{}", self.name)
    }

    /// Returns the value of the header, before [`encode`](super::header::encode). Returns `None` if the argument is
    /// absent, null, or neither a string, a number nor a boolean.
    #[must_use]
    pub fn unencoded_text(&self, arguments: &Object) -> Option<String> {
        match self.value(arguments)? {
            Value::String(text) => Some(text.clone()),
            value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// Returns whether the value of a header equals the argument.
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

/// Returns whether two numbers are equal. 42 and 42.0 are the same integer in JSON Schema.
fn is_same(given: Option<f64>, value: &serde_json::Number) -> bool {
    let exact = |it: Option<f64>| it.filter(|it| it.fract() == 0.0 && it.abs() < 9e15);
    exact(given).is_some_and(|given| exact(value.as_f64()) == Some(given))
}

/// A collector of declarations in one schema.
#[derive(Default)]
struct Collector {
    path: Vec<String>,
    declared: Vec<HeaderParameter>,
    refused: Vec<String>,
}

impl Collector {
    fn collect(&mut self, schema: &Value) {
        let Some(members) = schema.as_object() else {
            return;
        };
        if self.path.len() >= DEPTH {
            return;
        }
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        self.path.push(name.clone());
                        self.take(property);
                        self.collect(property);
                        self.path.pop();
                    }
                }
                // These keywords hold values, not schemas.
                ("const" | "default" | "enum" | "examples", _) => (),
                (_, nested) if is_declared_in(nested, DEPTH) => self.refused.push(keyword.clone()),
                _ => (),
            }
        }
    }

    fn take(&mut self, property: &Value) {
        let Some(declaration) = property.get(DECLARATION) else {
            return;
        };
        let kind = property.get("type").and_then(Value::as_str);
        let is_simple = matches!(kind, Some("string" | "integer" | "boolean"));
        let header = declaration.as_str().filter(|it| is_token(it));
        let is_new = |header: &str| {
            let mut declared = self.declared.iter();
            !declared.any(|it| it.name.eq_ignore_ascii_case(header))
        };
        match header {
            Some(header) if is_simple && is_new(header) => self.declared.push(HeaderParameter {
                name: header.to_owned(),
                path: self.path.clone(),
            }),
            Some(_) | None => self.refused.push(self.path.join(".")),
        }
    }
}

/// Returns whether a schema contains a declaration in a place that is not reached through properties only.
fn is_declared_in(value: &Value, depth: usize) -> bool {
    match value {
        Value::Object(members) if depth > 0 => members
            .iter()
            .any(|(name, it)| name == DECLARATION || is_declared_in(it, depth - 1)),
        Value::Array(items) if depth > 0 => items.iter().any(|it| is_declared_in(it, depth - 1)),
        _ => false,
    }
}

/// Returns whether the string is a token (RFC 9110 §5.6.2).
fn is_token(text: &str) -> bool {
    let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty()
        && text
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || is_mark(it))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn declarations_against_the_rules_are_refused_wherever_they_are() {
        let text = |header: &str| json!({"type": "string", "x-mcp-header": header});
        for (properties, declared, refused) in [
            (json!({"a": text("A"), "b": {"type": "string"}}), 1, 0),
            (
                json!({"a": {"type": "object", "properties": {"b": text("B")}}}),
                1,
                0,
            ),
            (
                json!({"a": {"type": "string", "default": {"x-mcp-header": "A"}}}),
                0,
                0,
            ),
            (json!({"a": text("A"), "b": text("a")}), 1, 1),
            (json!({"a": text("")}), 0, 1),
            (json!({"a": text("A b")}), 0, 1),
            (json!({"a": {"type": "string", "x-mcp-header": 7}}), 0, 1),
            (json!({"a": {"type": "number", "x-mcp-header": "A"}}), 0, 1),
            (json!({"a": {"x-mcp-header": "A"}}), 0, 1),
            (json!({"a": {"type": "array", "items": text("A")}}), 0, 1),
            (
                json!({"a": {"oneOf": [{"type": "object", "properties": {"b": text("B")}}]}}),
                0,
                1,
            ),
        ] {
            let schema = json!({"type": "object", "properties": properties});
            let (found, against) = HeaderParameter::declared_in(&schema);
            let counts = (found.len(), against.len());
            assert_eq!(counts, (declared, refused), "{properties}");
        }
        let schema = json!({"$defs": {"a": text("A")}, "properties": {"b": {"$ref": "#/$defs/a"}}});
        assert_eq!(HeaderParameter::declared_in(&schema).1, ["$defs"]);
    }
}
