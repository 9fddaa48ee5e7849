//! Schemas in JSON Schema 2020-12, within bounds, and without references where the provider does not read them.

use std::collections::BTreeSet;

use mcp_protocol::Object;
use serde_json::{Value, json};

use super::{
    loss::{self, Losses},
    rules::Rules,
};
use crate::convert::phrases;

/// The most subschemas of one tool: references that refer to references can multiply without end.
pub(super) const MAX_NODES: usize = 5_000;
/// The most schemas inside each other, whatever they are: combinators and references have no depth of their own.
const MAX_NESTING: usize = 100;

/// One schema on its way to a provider.
pub(super) struct Pass<'s> {
    /// The schema as the server sent it, into which references lead.
    pub(super) source: &'s Value,
    pub(super) rules: &'static Rules,
    pub(super) nodes: usize,
    /// How many schemas are around this one.
    pub(super) nesting: usize,
    /// The references that are being replaced.
    pub(super) inside: Vec<&'s str>,
    pub(super) losses: &'s mut Losses,
}

/// What the value of a keyword must be.
#[derive(Clone, Copy)]
pub(in crate::convert) enum Kind {
    Type,
    Schema,
    Schemas,
    NamedSchemas,
    Count,
    Number,
    Text,
    Bool,
    List,
    Names,
    /// About the schema and not about the value, which says nothing to a model.
    Silent,
    Any,
}

const KEYWORDS: &[(Kind, &str)] = &[
    (Kind::Type, "type"),
    (Kind::Schema, "items additionalProperties contains not"),
    (Kind::Schema, "if then else propertyNames"),
    (Kind::Schema, "unevaluatedItems unevaluatedProperties"),
    (Kind::Schemas, "anyOf oneOf allOf prefixItems"),
    (Kind::NamedSchemas, "properties patternProperties"),
    (Kind::NamedSchemas, "dependentSchemas $defs definitions"),
    (Kind::Count, "minLength maxLength minItems maxItems"),
    (Kind::Count, "minProperties maxProperties"),
    (Kind::Count, "minContains maxContains"),
    (Kind::Number, "minimum exclusiveMinimum"),
    (Kind::Number, "maximum exclusiveMaximum multipleOf"),
    (Kind::Text, "title description format pattern"),
    (Kind::Text, "contentEncoding contentMediaType"),
    (Kind::Bool, "uniqueItems readOnly writeOnly deprecated"),
    (Kind::List, "enum examples"),
    (Kind::Names, "required"),
    (Kind::Silent, "$schema $id id $anchor $comment"),
    (Kind::Silent, "$vocabulary $dynamicAnchor $recursiveAnchor"),
];

pub(in crate::convert) fn kind_of(keyword: &str) -> Kind {
    let mut kinds = KEYWORDS.iter();
    let kind = kinds.find(|(_, words)| phrases::have(words, keyword));
    kind.map_or(Kind::Any, |(kind, _)| *kind)
}

impl Kind {
    /// Whether draft 2020-12 allows the value.
    pub(in crate::convert) fn allows(self, value: &Value) -> bool {
        let list = value.as_array().filter(|it| !it.is_empty());
        match self {
            Self::Type => is_type(value) || list.is_some_and(|it| it.iter().all(is_type)),
            Self::Schema => value.is_object() || value.is_boolean(),
            Self::Schemas | Self::List => list.is_some(),
            Self::NamedSchemas => value.is_object(),
            Self::Count => value.is_u64(),
            Self::Number => value.is_number(),
            Self::Text => value.is_string(),
            Self::Bool => value.is_boolean(),
            Self::Names => value.as_array().is_some_and(|names| {
                let unique: BTreeSet<_> = names.iter().filter_map(Value::as_str).collect();
                unique.len() == names.len()
            }),
            Self::Silent | Self::Any => true,
        }
    }
}

pub(super) fn is_silent(keyword: &str) -> bool {
    matches!(kind_of(keyword), Kind::Silent)
}

impl<'s> Pass<'s> {
    /// A schema inside the outermost one. `depth` counts the objects and lists around it.
    pub(super) fn node(&mut self, schema: &'s Value, path: &str, depth: usize) -> Value {
        if self.nodes >= MAX_NODES {
            self.losses.lose(path, loss::SIZE_CUT, "");
            return json!({});
        }
        self.nodes += 1;
        if self.nesting >= MAX_NESTING {
            self.losses.lose(path, loss::DEPTH_CUT, "");
            return json!({});
        }
        match schema {
            Value::Bool(_) => schema.clone(),
            Value::Object(object) => {
                self.nesting += 1;
                let out = self.object(object, path, depth);
                self.nesting -= 1;
                out
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                let keyword = path.rsplit('/').next().unwrap_or("");
                self.losses.lose(path, loss::MALFORMED, keyword);
                json!({})
            }
        }
    }

    fn object(&mut self, object: &'s Object, path: &str, depth: usize) -> Value {
        let mut out = Object::new();
        if let Some(reference) = object.get("$ref") {
            self.reference(reference, path, depth, &mut out);
        }
        let is_nested = is_nested(object);
        let is_cut = is_nested && depth >= self.rules.max_depth;
        if is_cut {
            self.losses.lose(path, loss::DEPTH_CUT, "");
        }
        let depth = depth + usize::from(is_nested);
        for (keyword, value) in object {
            // Definitions are kept once, in the schema itself.
            let is_read_elsewhere = matches!(keyword.as_str(), "$ref" | "$defs" | "definitions");
            let is_gone = is_cut && is_of_contents(keyword);
            if !is_read_elsewhere && !is_silent(keyword) && !is_gone {
                self.member(&mut out, object, (keyword, value), path, depth);
            }
        }
        let is_list = is_of_type(&out, "array");
        let has_items = out.contains_key("items") || out.contains_key("prefixItems");
        if is_list && !has_items && (self.rules.needs_items || is_cut) {
            out.insert("items".to_owned(), json!({}));
        }
        Value::Object(out)
    }

    /// Reads one keyword.
    pub(super) fn member(
        &mut self,
        out: &mut Object,
        of: &'s Object,
        (keyword, value): (&'s str, &'s Value),
        path: &str,
        depth: usize,
    ) {
        let at = at(path, keyword);
        let read = match (keyword, value) {
            // Tuples and bounds of earlier drafts.
            ("items", Value::Array(items)) => {
                if !items.is_empty() {
                    let items = self.list(items, &at, depth);
                    out.insert("prefixItems".to_owned(), items);
                }
                if let Some(rest) = of.get("additionalItems") {
                    let rest = self.node(rest, &at, depth);
                    out.insert("items".to_owned(), rest);
                }
                return;
            }
            ("additionalItems", _) => return,
            ("exclusiveMinimum" | "exclusiveMaximum", Value::Bool(is_exclusive)) => {
                let bound = of.get(&keyword.replace("exclusiveM", "m"));
                match bound.filter(|it| *is_exclusive && it.is_number()) {
                    Some(bound) => Some(bound.clone()),
                    None => return,
                }
            }
            ("minimum" | "maximum", _)
                if of.get(&keyword.replacen('m', "exclusiveM", 1)) == Some(&Value::Bool(true)) =>
            {
                return;
            }
            _ => self.read(value, kind_of(keyword), &at, depth),
        };
        match read {
            Some(read) => _ = out.insert(keyword.to_owned(), read),
            None => self.losses.lose(path, loss::MALFORMED, keyword),
        }
    }

    /// The value of a keyword, if it is of its kind.
    fn read(&mut self, value: &'s Value, kind: Kind, at: &str, depth: usize) -> Option<Value> {
        Some(match (kind, value) {
            (Kind::Count, value) => whole(value)?.into(),
            (Kind::Names, Value::Array(names)) => distinct(names, |_| true).into(),
            (Kind::Type, Value::Array(types)) => {
                let known = distinct(types, |it| TYPES.contains(&it));
                Some(known).filter(|it| !it.is_empty())?.into()
            }
            (kind, value) if !kind.allows(value) => return None,
            (Kind::Schema, value) => self.node(value, at, depth),
            (Kind::Schemas, Value::Array(schemas)) => self.list(schemas, at, depth),
            (Kind::NamedSchemas, Value::Object(schemas)) => {
                let schemas = schemas.iter().map(|(name, schema)| {
                    let schema = self.node(schema, &self::at(at, name), depth);
                    (name.clone(), schema)
                });
                schemas.collect()
            }
            (_, value) => value.clone(),
        })
    }

    fn list(&mut self, schemas: &'s [Value], path: &str, depth: usize) -> Value {
        let schemas = schemas.iter().enumerate();
        schemas
            .map(|(index, it)| self.node(it, &at(path, &index.to_string()), depth))
            .collect()
    }

    /// Keeps a reference, or puts in its place what it refers to.
    fn reference(&mut self, reference: &'s Value, path: &str, depth: usize, out: &mut Object) {
        let found = self.target(reference);
        let Some((name, target)) = found else {
            self.losses.lose(path, loss::REFERENCE_DROPPED, "");
            return;
        };
        if self.rules.references && is_definition(name) {
            out.insert("$ref".to_owned(), name.into());
        } else if self.inside.contains(&name) {
            self.losses.lose(path, loss::RECURSION_CUT, "");
        } else {
            self.inside.push(name);
            if let Value::Object(target) = self.node(target, path, depth) {
                out.extend(target);
            }
            self.inside.pop();
        }
    }

    /// What a reference within the schema refers to.
    pub(super) fn target(&self, reference: &'s Value) -> Option<(&'s str, &'s Value)> {
        let name = reference.as_str()?;
        let target = self.source.pointer(name.strip_prefix('#')?)?;
        (target.is_object() || target.is_boolean()).then_some((name, target))
    }
}

/// Whether a reference leads to a definition of the schema itself, which stays where it is.
fn is_definition(reference: &str) -> bool {
    let name = reference.strip_prefix("#/$defs/");
    let name = name.or_else(|| reference.strip_prefix("#/definitions/"));
    name.is_some_and(|it| !it.is_empty() && !it.contains(['/', '~', '%']))
}

/// Whether the keyword is about what is in an object or a list.
pub(super) fn is_of_contents(keyword: &str) -> bool {
    let about = "properties patternProperties additionalProperties required items prefixItems";
    phrases::have(about, keyword)
}

/// Whether it is an object of properties, or a list of such objects or of lists: what counts as depth.
pub(in crate::convert) fn is_nested(schema: &Object) -> bool {
    let has = |it: &Value, names: &[&str]| names.iter().any(|name| it.get(*name).is_some());
    let is_deep = |it: &Value| has(it, &["properties", "items", "prefixItems", "$ref"]);
    let of_list = |it: &Value| match it {
        Value::Array(items) => items.iter().any(is_deep),
        other => is_deep(other),
    };
    let lists = ["items", "prefixItems"];
    schema.contains_key("properties") || lists.iter().any(|it| schema.get(*it).is_some_and(of_list))
}

/// The path of a member.
pub(super) fn at(path: &str, name: &str) -> String {
    format!("{path}/{name}")
}

pub(in crate::convert) const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// The words that are right, each once.
fn distinct(words: &[Value], is_right: impl Fn(&str) -> bool) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    let words = words.iter().filter_map(Value::as_str);
    let words = words.filter(|it| is_right(it) && seen.insert(*it));
    words.collect()
}

fn is_type(value: &Value) -> bool {
    value.as_str().is_some_and(|it| TYPES.contains(&it))
}

/// Whether the type is this one, or may be.
pub(super) fn is_of_type(schema: &Object, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(it)) => it == name,
        Some(Value::Array(types)) => types.iter().any(|it| it.as_str() == Some(name)),
        Some(_) | None => false,
    }
}

/// A number that counts.
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let count = value.as_f64().filter(|it| *it >= 0.0 && it.fract() == 0.0);
        count?.to_string().parse().ok()
    })
}
