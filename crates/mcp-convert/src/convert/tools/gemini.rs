//! Schemas in the subset of OpenAPI 3.0 that the Gemini API and Vertex AI support.
//!
//! Source: `Schema` in the API reference; string formats google-gemini/gemini-cli#3178, unknown fields
//! modelcontextprotocol/servers#1624, lists of choices decolua/9router#380 and microsoft/azure-devops-mcp#145, `required`
//! Kilo-Org/kilocode#11955, fields of another type anomalyco/opencode#11889, `anyOf` next to others BerriAI/litellm#11164.

use std::collections::BTreeSet;

use mcp_protocol::Object;
use serde_json::{Value, json};

use super::{
    loss,
    root::ROOT,
    schema::{MAX_NODES, Pass, at, is_nested, is_of_contents, is_of_type},
};
use crate::convert::phrases;

/// The members that every type may have.
pub(in crate::convert) const KEYWORDS: &str = "type format title description nullable default";

/// The members that go with a type, and the formats that it may have.
pub(in crate::convert) fn of_type(name: &str) -> (&'static str, &'static str) {
    match name {
        "object" => ("properties required minProperties maxProperties", ""),
        "array" => ("items minItems maxItems", ""),
        "string" => ("enum minLength maxLength pattern", "enum date-time"),
        "integer" => ("minimum maximum", "int32 int64"),
        "number" => ("minimum maximum", "float double"),
        _ => ("", ""),
    }
}

impl Pass<'_> {
    /// The schema of a tool's arguments; none if it has no properties, because the API refuses an object without.
    pub(super) fn subset(&mut self, schema: Value) -> Option<Value> {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.filter(|it| !it.is_empty())?;
        self.nodes = 0;
        let mut schema = self.open_api(schema, ROOT);
        self.end_at(self.rules.max_depth, &mut schema, ROOT);
        Some(schema)
    }

    fn open_api(&mut self, schema: Value, path: &str) -> Value {
        // Alternatives beside other members multiply them.
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.losses.lose(path, loss::SIZE_CUT, "");
            return json!({"type": "string"});
        }
        let Value::Object(mut schema) = schema else {
            self.losses.lose(path, loss::TYPE_CHANGED, "string");
            return json!({"type": "string"});
        };
        self.all_of(&mut schema, path);
        if let Some(value) = schema.remove("const") {
            // One value is a choice of one.
            schema.entry("enum").or_insert_with(|| json!([value]));
        }
        let Some(branches) = self.branches(&mut schema, path) else {
            return self.typed(schema, path);
        };
        // Nothing may stand beside the alternatives.
        let branches = branches.into_iter().enumerate().map(|(index, branch)| {
            let mut branch = match branch {
                Value::Object(branch) => branch,
                other => return self.open_api(other, path),
            };
            for (keyword, value) in &schema {
                merge(&mut branch, keyword.clone(), value.clone());
            }
            self.open_api(Value::Object(branch), &at(path, &format!("anyOf/{index}")))
        });
        json!({"anyOf": branches.collect::<Vec<_>>()})
    }

    /// Ends what has become too deep: lists get items that they did not have, and types that only their values tell.
    fn end_at(&mut self, depth: usize, schema: &mut Value, path: &str) {
        let Value::Object(schema) = schema else {
            return;
        };
        let is_nested = is_nested(schema);
        if is_nested && depth == 0 {
            self.losses.lose(path, loss::DEPTH_CUT, "");
            schema.retain(|keyword, _| !is_of_contents(keyword));
            if is_of_type(schema, "array") {
                schema.insert("items".to_owned(), json!({"type": "string"}));
            }
            return;
        }
        let depth = depth - usize::from(is_nested);
        for (keyword, value) in schema {
            let path = at(path, keyword);
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, it) in properties {
                        self.end_at(depth, it, &at(&path, name));
                    }
                }
                ("anyOf", Value::Array(branches)) => {
                    for (index, it) in branches.iter_mut().enumerate() {
                        self.end_at(depth, it, &at(&path, &index.to_string()));
                    }
                }
                ("items", items) => self.end_at(depth, items, &path),
                _ => (),
            }
        }
    }

    /// The alternatives of a schema: its own, or its types. One alone is the schema.
    fn branches(&mut self, schema: &mut Object, path: &str) -> Option<Vec<Value>> {
        let one_of = schema.remove("oneOf");
        if one_of.is_some() {
            self.losses.lose(path, loss::KEYWORD_WIDENED, "oneOf");
        }
        let mut branches = match schema.remove("anyOf").or(one_of) {
            Some(Value::Array(branches)) if branches.iter().any(says_what) => branches,
            Some(_) => {
                self.losses.lose(path, loss::KEYWORD_DROPPED, "anyOf");
                return self.branches(schema, path);
            }
            None => match schema.remove("type") {
                Some(Value::Array(types)) => {
                    types.into_iter().map(|it| json!({"type": it})).collect()
                }
                other => {
                    schema.extend(other.map(|it| ("type".to_owned(), it)));
                    return None;
                }
            },
        };
        let is_null = |it: &Value| {
            let is_type = it.get("type").and_then(Value::as_str) == Some("null");
            is_type || it.get("const").is_some_and(Value::is_null)
        };
        let all = branches.len();
        branches.retain(|it| !is_null(it));
        if branches.len() < all {
            schema.insert("nullable".to_owned(), true.into());
        }
        if branches.len() != 1 {
            return (!branches.is_empty()).then_some(branches);
        }
        let Some(Value::Object(mut only)) = branches.pop() else {
            return None;
        };
        for (keyword, value) in std::mem::take(schema) {
            merge(&mut only, keyword, value);
        }
        *schema = only;
        // What was alone may have alternatives of its own.
        self.all_of(schema, path);
        self.branches(schema, path)
    }

    /// A schema of one type, with the members that go with it.
    fn typed(&mut self, mut schema: Object, path: &str) -> Value {
        self.exclusive(&mut schema, path);
        let name = match schema.remove("type") {
            Some(Value::String(name)) if name != "null" => name,
            _ => self.infer(&schema, path).to_owned(),
        };
        let mut out = Object::new();
        for name in ["title", "description"] {
            out.extend(schema.remove_entry(name));
        }
        out.insert("type".to_owned(), name.as_str().into());
        let (members, formats) = of_type(&name);
        let mut said = Vec::new();
        let properties: BTreeSet<String> = match schema.get("properties") {
            Some(Value::Object(properties)) => properties.keys().cloned().collect(),
            _ => BTreeSet::new(),
        };
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) if name == "object" => {
                    let path = at(path, "properties");
                    let properties = properties.into_iter().map(|(name, it)| {
                        let it = self.open_api(it, &at(&path, &name));
                        (name, it)
                    });
                    let properties: Object = properties.collect();
                    if !properties.is_empty() {
                        out.insert(keyword, properties.into());
                    }
                }
                ("items", items) if name == "array" => {
                    let items = self.open_api(items, &at(path, "items"));
                    out.insert(keyword, items);
                }
                ("required", Value::Array(mut required)) if name == "object" => {
                    required.retain(|it| it.as_str().is_some_and(|it| properties.contains(it)));
                    if !required.is_empty() {
                        out.insert(keyword, required.into());
                    }
                }
                ("enum", Value::Array(choices)) => {
                    said.extend(self.choice(&name, choices, &mut out, path));
                }
                ("format", Value::String(format)) => {
                    if phrases::have(formats, &format) {
                        out.insert(keyword, format.into());
                    } else {
                        said.push(format!("format: {format}"));
                        self.losses.lose(path, loss::KEYWORD_SAID, &keyword);
                    }
                }
                ("nullable", Value::Bool(nullable)) => _ = out.insert(keyword, nullable.into()),
                (known, value) if known == "default" || phrases::have(members, known) => {
                    out.insert(keyword, value);
                }
                _ => self.losses.lose(path, loss::KEYWORD_DROPPED, &keyword),
            }
        }
        if name == "array" && !out.contains_key("items") {
            out.insert("items".to_owned(), json!({"type": "string"}));
            let path = at(path, "items");
            self.losses.lose(&path, loss::TYPE_CHANGED, "string");
        }
        if !said.is_empty() {
            let description = out.get("description").and_then(Value::as_str).unwrap_or("");
            let description = format!("{description} ({})", said.join("; "));
            out.insert("description".to_owned(), description.trim().into());
        }
        Value::Object(out)
    }

    /// Choices among texts; others are said.
    fn choice(
        &mut self,
        name: &str,
        mut choices: Vec<Value>,
        out: &mut Object,
        path: &str,
    ) -> Option<String> {
        let all = choices.len();
        choices.retain(|it| !it.is_null());
        if choices.len() < all {
            out.insert("nullable".to_owned(), true.into());
        }
        // The API refuses an empty text, and without it the others would be all there is.
        let is_text = |it: &Value| it.as_str().is_some_and(|it| !it.is_empty());
        if name == "string" && !choices.is_empty() && choices.iter().all(is_text) {
            out.insert("enum".to_owned(), choices.into());
            return None;
        }
        self.losses.lose(path, loss::KEYWORD_SAID, "enum");
        let words: Vec<String> = choices.iter().map(Value::to_string).collect();
        Some(format!("one of: {}", words.join(", ")))
    }

    /// What a schema without a type is about.
    fn infer(&mut self, schema: &Object, path: &str) -> &'static str {
        if schema.contains_key("properties") {
            return "object";
        }
        if schema.contains_key("items") {
            return "array";
        }
        let choices = schema.get("enum").and_then(Value::as_array);
        let choices = choices.into_iter().flatten().filter(|it| !it.is_null());
        let types: BTreeSet<_> = choices.map(type_of).collect();
        if let (Some(only), 1) = (types.first(), types.len()) {
            return only;
        }
        self.losses.lose(path, loss::TYPE_CHANGED, "string");
        "string"
    }

    /// Bounds that are not in the range become those that are.
    fn exclusive(&mut self, schema: &mut Object, path: &str) {
        let is_integer = is_of_type(schema, "integer");
        for (keyword, inclusive, step) in [
            ("exclusiveMinimum", "minimum", 1_i64),
            ("exclusiveMaximum", "maximum", -1),
        ] {
            let Some(bound) = schema.remove(keyword) else {
                continue;
            };
            let next = bound.as_i64().and_then(|it| it.checked_add(step));
            match next.filter(|_| is_integer) {
                Some(next) => _ = schema.entry(inclusive).or_insert_with(|| next.into()),
                None => {
                    schema.entry(inclusive).or_insert(bound);
                    self.losses.lose(path, loss::KEYWORD_WIDENED, keyword);
                }
            }
        }
    }

    /// The members of all parts; of those that several have, the first.
    fn all_of(&mut self, schema: &mut Object, path: &str) {
        let Some(Value::Array(parts)) = schema.remove("allOf") else {
            return;
        };
        for part in parts {
            let Value::Object(mut part) = part else {
                continue;
            };
            self.all_of(&mut part, path);
            for (keyword, value) in part {
                if !merge(schema, keyword.clone(), value) {
                    self.losses.lose(path, loss::KEYWORD_DROPPED, &keyword);
                }
            }
        }
    }
}

/// Adds a member that holds as well; false if the schema has another one by that name, which stays.
fn merge(schema: &mut Object, keyword: String, value: Value) -> bool {
    match (schema.get_mut(&keyword), value) {
        (None, value) => {
            schema.insert(keyword, value);
            true
        }
        (Some(Value::Object(ours)), Value::Object(theirs)) if keyword == "properties" => {
            for (name, it) in theirs {
                ours.entry(name).or_insert(it);
            }
            true
        }
        (Some(Value::Array(ours)), Value::Array(theirs)) if keyword == "required" => {
            ours.extend(theirs);
            true
        }
        (Some(ours), theirs) => *ours == theirs,
    }
}

/// Whether an alternative says what a value is, and not just which members it has.
fn says_what(branch: &Value) -> bool {
    let mut says = "type properties items enum const anyOf oneOf allOf".split(' ');
    says.any(|it| branch.get(it).is_some())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::Object(_) => "object",
        Value::Array(_) => "array",
        Value::String(_) | Value::Null => "string",
    }
}
