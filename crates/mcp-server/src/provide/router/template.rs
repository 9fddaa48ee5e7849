//! URI templates, which extract variables from URIs.

use mcp_protocol::Object;
use percent_encoding::percent_decode_str;
use tool_schema::Property;

/// A URI template of RFC 6570, levels 1 and 2: literal text, `{name}` and `{+name}`.
#[derive(Debug, Clone)]
pub(super) struct UriTemplate {
    /// The variables, each with the literal text before it.
    variables: Vec<(String, Variable)>,
    end: String,
}

#[derive(Debug, Clone)]
struct Variable {
    name: String,
    /// Whether the value may contain slashes.
    is_reserved: bool,
}

impl UriTemplate {
    /// Parses a template. Returns `None` if it is of a higher level, or if two variables are adjacent.
    pub(super) fn new(template: &str) -> Option<Self> {
        let mut variables = Vec::new();
        let mut rest = template;
        while let Some((literal, after)) = rest.split_once('{') {
            let (expression, after) = after.split_once('}')?;
            let (name, is_reserved) = match expression.strip_prefix('+') {
                Some(name) => (name, true),
                None => (expression, false),
            };
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let touches = literal.is_empty() && !variables.is_empty();
            if name.is_empty() || !name.bytes().all(is_name) || literal.contains('}') || touches {
                return None;
            }
            let name = name.to_owned();
            variables.push((literal.to_owned(), Variable { name, is_reserved }));
            rest = after;
        }
        let end = (!rest.contains('}')).then(|| rest.to_owned())?;
        Some(Self { variables, end })
    }

    /// Returns whether all variables are among these parameters, and all required parameters are among the variables.
    pub(super) fn has_variables(&self, parameters: &[Property]) -> bool {
        let has = |name: &str| self.variables.iter().any(|(_, it)| it.name == name);
        let is_parameter = |name: &str| parameters.iter().any(|it| it.name == name);
        self.variables.iter().all(|(_, it)| is_parameter(&it.name))
            && parameters.iter().all(|it| !it.required || has(&it.name))
    }

    /// Returns the decoded variables of a URI, or `None` if it does not match. Each variable matches as little as the
    /// text after it allows.
    pub(super) fn variables(&self, uri: &str) -> Option<Object> {
        let mut found = Object::new();
        let mut literals = self.variables.iter().map(|(literal, _)| literal.as_str());
        let mut rest = uri.strip_prefix(literals.next().unwrap_or(&self.end))?;
        for (_, variable) in &self.variables {
            let (value, after) = match literals.next() {
                Some(literal) => rest.split_once(literal)?,
                None => (rest.strip_suffix(self.end.as_str())?, ""),
            };
            let is_allowed = variable.is_reserved || !value.contains('/');
            if value.is_empty() || !is_allowed {
                return None;
            }
            let value = percent_decode_str(value).decode_utf8().ok()?;
            found.insert(variable.name.clone(), value.into_owned().into());
            rest = after;
        }
        rest.is_empty().then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::UriTemplate;

    #[test]
    fn an_address_has_the_variables_of_its_template() {
        for (template, uri, expect) in [
            ("a://b/{id}/data", "a://b/7/data", json!({"id": "7"})),
            (
                "a://b/{id}/data",
                "a://b/7%2F8%20/data",
                json!({"id": "7/8 "}),
            ),
            ("a://b/{id}/data", "a://b//data", Value::Null),
            ("a://b/{id}/data", "a://b/7/8/data", Value::Null),
            ("a://b/{id}/data", "a://b/7/data/", Value::Null),
            ("a://b/{id}", "a://b/%FF", Value::Null),
            ("a://{x}.{y}", "a://1.2", json!({"x": "1", "y": "2"})),
            ("a://{x}/{+y}", "a://1/2/3", json!({"x": "1", "y": "2/3"})),
            ("a://b", "a://b", json!({})),
            ("a://b", "a://bc", Value::Null),
        ] {
            let variables = UriTemplate::new(template).unwrap().variables(uri);
            let variables = variables.map_or(Value::Null, Value::Object);
            assert_eq!(variables, expect, "{template} {uri}");
        }
    }

    #[test]
    fn what_is_no_template_of_these_levels_is_refused() {
        for template in [
            "a://{",
            "a://}",
            "a://{}",
            "a://{?x}",
            "a://{x}{y}",
            "a://{x*}",
            "a://{x,y}",
        ] {
            assert!(UriTemplate::new(template).is_none(), "{template}");
        }
    }
}
