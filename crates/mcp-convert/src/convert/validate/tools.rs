//! Validation of tool declarations for every provider.
//!
//! [`crate::tools`] cites the sources of the limits.

use std::collections::BTreeSet;

use mcp_protocol::Object;
use serde_json::Value;

use super::found::{Found, Rejection, at};
use crate::convert::{
    phrases,
    tools::{
        Provider,
        gemini::{KEYWORDS, of_type},
        rules::Rules,
        schema::{Kind, TYPES, is_nested, kind_of},
    },
};

/// Deeper than any schema that is sent, so that a validator ends on each.
const MAX_NESTING: usize = 128;

/// Returns an API's reasons to reject the tool declarations of a request: entries of `tools`, or for Gemini of
/// `functionDeclarations`.
#[must_use]
pub fn tools(declarations: &[Value], provider: Provider) -> Vec<Rejection> {
    let rules = provider.rules();
    let mut found = Found::default();
    found.check(declarations.len() <= rules.max_tools, "", "too many tools");
    let mut names = BTreeSet::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let path = format!("tools[{index}]");
        let function = declaration.pointer(rules.function);
        let schema = function.and_then(|it| it.pointer(rules.schema));
        let name = found.text(function.unwrap_or(&Value::Null), &path, "name");
        let at_name = at(&path, "name");
        found.check(rules.name.allows(name), &at_name, "no name for this API");
        found.check(names.insert(name), &at_name, "names must be unique");
        match function.and_then(|it| it.get("description")) {
            None => (),
            Some(Value::String(text)) => {
                let path = at(&path, "description");
                found.check(!text.is_empty(), &path, "must not be empty");
                let is_short = text.chars().count() <= rules.max_description;
                found.check(is_short, &path, "too long");
            }
            Some(_) => found.add(at(&path, "description"), "a string is required"),
        }
        let path = at(&path, "schema");
        match schema {
            Some(schema) => Check { rules, schema }.root(&mut found, &path),
            // A function without parameters is one to Gemini.
            None => found.check(rules.open_api, &path, "a schema is required"),
        }
    }
    found.into_refusals()
}

struct Check<'v> {
    rules: &'static Rules,
    schema: &'v Value,
}

impl Check<'_> {
    fn root(&self, found: &mut Found, path: &str) {
        let Some(object) = self.schema.as_object() else {
            found.add(path, "an object is required");
            return;
        };
        let is_object = object.get("type").and_then(Value::as_str) == Some("object");
        found.check(is_object, &at(path, "type"), "must be object");
        for name in object.keys() {
            let is_refused = self.rules.refuses_at_root(name);
            found.check(!is_refused, &at(path, name), "not at the top level");
        }
        let properties = object.get("properties").and_then(Value::as_object);
        found.check(properties.is_some(), path, "properties are required");
        for name in properties.into_iter().flatten().map(|(name, _)| name) {
            let is_name = self.rules.property.allows(name);
            found.check(is_name, &at(path, "properties"), "no name of a property");
        }
        self.node(found, path, self.schema, (0, 0));
    }

    /// `depth` counts the objects and lists around the schema, `nesting` all schemas.
    fn node(
        &self,
        found: &mut Found,
        path: &str,
        schema: &Value,
        (depth, nesting): (usize, usize),
    ) {
        if nesting > MAX_NESTING {
            found.add(path, "too deep");
            return;
        }
        let is_bool = schema.is_boolean() && !self.rules.open_api;
        let Some(object) = schema.as_object().filter(|_| !is_bool) else {
            found.check(is_bool, path, "an object is required");
            return;
        };
        let depth = depth + usize::from(is_nested(object));
        found.check(depth <= self.rules.max_depth, path, "too deep");
        if self.rules.open_api {
            open_api(found, path, object);
        } else {
            self.json_schema(found, path, object);
        }
        for (keyword, value) in object {
            let path = at(path, keyword);
            let mut node =
                |path: &str, it: &Value| self.node(found, path, it, (depth, nesting + 1));
            match (kind_of(keyword), value) {
                (Kind::NamedSchemas, Value::Object(schemas)) => {
                    let schemas = schemas.iter();
                    schemas.for_each(|(name, it)| node(&at(&path, name), it));
                }
                (Kind::Schemas, Value::Array(schemas)) => {
                    schemas.iter().for_each(|it| node(&path, it));
                }
                (Kind::Schema, schema) => node(&path, schema),
                _ => (),
            }
        }
    }

    /// What is no schema of draft 2020-12 (anthropics/claude-code#63673), and what a provider refuses beyond that.
    fn json_schema(&self, found: &mut Found, path: &str, object: &Object) {
        for (keyword, value) in object {
            let is_right = if keyword == "$ref" {
                let target = value.as_str().and_then(|it| it.strip_prefix('#'));
                let target = target.and_then(|it| self.schema.pointer(it));
                self.rules.references && target.is_some()
            } else {
                kind_of(keyword).allows(value)
            };
            found.check(is_right, &at(path, keyword), "no schema of draft 2020-12");
        }
        let is_list = object.get("type").and_then(Value::as_str) == Some("array");
        let has_items = object.contains_key("items") || object.contains_key("prefixItems");
        let is_right = has_items || !is_list || !self.rules.needs_items;
        found.check(is_right, path, "array schema missing items");
    }
}

/// What the Gemini API and Vertex AI refuse in a schema.
fn open_api(found: &mut Found, path: &str, object: &Object) {
    if object.contains_key("anyOf") {
        let rule = "anyOf must be the only field set";
        found.check(object.len() == 1, path, rule);
        return;
    }
    let name = object.get("type").and_then(Value::as_str).unwrap_or("");
    let is_type = TYPES.contains(&name) && name != "null";
    found.check(is_type, &at(path, "type"), "a type is required");
    let (members, formats) = of_type(name);
    for keyword in object.keys() {
        let is_known = phrases::have(KEYWORDS, keyword) || phrases::have(members, keyword);
        found.check(is_known, &at(path, keyword), "unknown, or of another type");
    }
    if let Some(format) = object.get("format") {
        let is_known = format.as_str().is_some_and(|it| phrases::have(formats, it));
        found.check(is_known, &at(path, "format"), "unsupported format");
    }
    if let Some(choices) = object.get("enum") {
        let is_text = |it: &Value| it.as_str().is_some_and(|it| !it.is_empty());
        let choices = choices.as_array().filter(|it| !it.is_empty());
        let is_right = choices.is_some_and(|it| it.iter().all(is_text));
        let rule = "texts with something in them are required";
        found.check(is_right, &at(path, "enum"), rule);
    }
    let has_items = name != "array" || object.contains_key("items");
    found.check(has_items, &at(path, "items"), "missing field");
    let properties = object.get("properties").and_then(Value::as_object);
    if let Some(properties) = properties {
        found.check(!properties.is_empty(), path, "properties must not be empty");
    }
    let required = object.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten() {
        let is_known = name.as_str().zip(properties);
        let is_known = is_known.is_some_and(|(it, all)| all.contains_key(it));
        found.check(is_known, &at(path, "required"), "property is not defined");
    }
}
