//! Declarations of tools, for every provider.
//!
//! The sources of the limits are where [`crate::convert::tools`] states them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::found::{Found, Refusal, at};
use crate::{
    convert::tools::{
        Provider,
        gemini::{KEYWORDS, of_type},
        rules::{Rules, Subset},
        schema::is_nested,
    },
    json::Object,
};

const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];
/// Deeper than any schema that is sent, so that a validator ends on each.
const MAX_NESTING: usize = 128;

/// What an API refuses in the declarations of a request's tools: entries of `tools`, for Gemini of
/// `functionDeclarations`.
#[must_use]
pub fn tools(declarations: &[Value], provider: Provider) -> Vec<Refusal> {
    let rules = provider.rules();
    let mut found = Found::default();
    found.check(declarations.len() <= rules.max_tools, "", "too many tools");
    let mut names = BTreeSet::new();
    for (index, declaration) in declarations.iter().enumerate() {
        let path = format!("tools[{index}]");
        let (function, schema) = match provider {
            Provider::Anthropic => (Some(declaration), declaration.get("input_schema")),
            Provider::OpenAiResponses | Provider::Gemini => {
                (Some(declaration), declaration.get("parameters"))
            }
            Provider::OpenAiChat => {
                let function = declaration.get("function");
                (function, function.and_then(|it| it.get("parameters")))
            }
            Provider::Bedrock => {
                let function = declaration.get("toolSpec");
                (function, declaration.pointer("/toolSpec/inputSchema/json"))
            }
        };
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
        match (schema, rules.subset) {
            (Some(schema), _) => Check { rules, schema }.root(&mut found, &path),
            // A function without parameters.
            (None, Subset::OpenApi) => (),
            (None, Subset::JsonSchema) => found.add(path, "a schema is required"),
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
        for name in ["anyOf", "oneOf", "allOf"]
            .iter()
            .chain(self.rules.root_refused)
        {
            let rule = "not at the top level";
            found.check(!object.contains_key(*name), &at(path, name), rule);
        }
        if let Some(members) = self.rules.root_members {
            for name in object.keys() {
                let is_known = members.contains(&name.as_str());
                found.check(is_known, &at(path, name), "not at the top level");
            }
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
        let is_bool = schema.is_boolean() && self.rules.subset == Subset::JsonSchema;
        let Some(object) = schema.as_object().filter(|_| !is_bool) else {
            found.check(is_bool, path, "an object is required");
            return;
        };
        let depth = depth + usize::from(is_nested(object));
        found.check(depth <= self.rules.max_depth, path, "too deep");
        match self.rules.subset {
            Subset::JsonSchema => self.json_schema(found, path, object),
            Subset::OpenApi => open_api(found, path, object),
        }
        for (keyword, value) in object {
            let path = at(path, keyword);
            let mut node =
                |path: &str, it: &Value| self.node(found, path, it, (depth, nesting + 1));
            match (keyword.as_str(), value) {
                (
                    "properties" | "patternProperties" | "dependentSchemas" | "$defs"
                    | "definitions",
                    Value::Object(schemas),
                ) => schemas
                    .iter()
                    .for_each(|(name, it)| node(&at(&path, name), it)),
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                    schemas.iter().for_each(|it| node(&path, it));
                }
                (
                    "items"
                    | "additionalProperties"
                    | "contains"
                    | "not"
                    | "if"
                    | "then"
                    | "else"
                    | "propertyNames"
                    | "unevaluatedItems"
                    | "unevaluatedProperties",
                    schema,
                ) => node(&path, schema),
                _ => (),
            }
        }
    }

    /// What is no schema of draft 2020-12 (anthropics/claude-code#63673), and what a provider refuses beyond that.
    fn json_schema(&self, found: &mut Found, path: &str, object: &Object) {
        let is_count = |it: &Value| it.is_u64();
        let is_type = |it: &Value| it.as_str().is_some_and(|it| TYPES.contains(&it));
        for (keyword, value) in object {
            let is_right = match keyword.as_str() {
                "type" => {
                    let types = value.as_array();
                    is_type(value)
                        || types.is_some_and(|it| !it.is_empty() && it.iter().all(is_type))
                }
                "properties" | "patternProperties" | "dependentSchemas" | "$defs"
                | "definitions" => value.is_object(),
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                    value.as_array().is_some_and(|it| !it.is_empty())
                }
                "items"
                | "additionalProperties"
                | "contains"
                | "not"
                | "if"
                | "then"
                | "else"
                | "propertyNames" => value.is_object() || value.is_boolean(),
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
                | "maxProperties" => is_count(value),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                    value.is_number()
                }
                "title" | "description" | "format" | "pattern" => value.is_string(),
                "required" => {
                    let names = value.as_array();
                    names.is_some_and(|it| {
                        let unique: BTreeSet<_> = it.iter().filter_map(Value::as_str).collect();
                        unique.len() == it.len()
                    })
                }
                "enum" => value.is_array(),
                "$ref" => {
                    let target = value.as_str().and_then(|it| it.strip_prefix('#'));
                    let target = target.and_then(|it| self.schema.pointer(it));
                    self.rules.references && target.is_some()
                }
                _ => true,
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
        let is_known = KEYWORDS.contains(&keyword.as_str()) || members.contains(&keyword.as_str());
        found.check(is_known, &at(path, keyword), "unknown, or of another type");
    }
    if let Some(format) = object.get("format") {
        let is_known = format.as_str().is_some_and(|it| formats.contains(&it));
        found.check(is_known, &at(path, "format"), "unsupported format");
    }
    if let Some(choices) = object.get("enum") {
        let is_text = |it: &Value| it.as_str().is_some_and(|it| !it.is_empty());
        let is_right = choices
            .as_array()
            .is_some_and(|it| !it.is_empty() && it.iter().all(is_text));
        let rule = "texts with something in them are required";
        found.check(is_right, &at(path, "enum"), rule);
    }
    found.check(
        name != "array" || object.contains_key("items"),
        &at(path, "items"),
        "missing field",
    );
    let properties = object.get("properties").and_then(Value::as_object);
    if let Some(properties) = properties {
        found.check(!properties.is_empty(), path, "properties must not be empty");
    }
    let required = object.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten() {
        let is_known = name
            .as_str()
            .is_some_and(|it| properties.is_some_and(|all| all.contains_key(it)));
        found.check(is_known, &at(path, "required"), "property is not defined");
    }
}
