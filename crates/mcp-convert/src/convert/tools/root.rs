//! The root schema, the object of a tool's arguments, without alternatives and with names that the provider accepts.

use std::collections::{BTreeMap, BTreeSet};

use mcp_protocol::Object;
use serde_json::{Value, json};

use super::{
    loss,
    names::Names,
    rules::ALTERNATIVES,
    schema::{Pass, at, is_silent},
};
/// The path of the schema.
pub(super) const ROOT: &str = "inputSchema";
/// More alternatives inside each other than people write.
const MAX_NESTING: usize = 16;

/// The most schemas of one property, when alternatives differ in it.
const MAX_CHOICES: usize = 16;

/// The properties of all alternatives: of each its place among them, and its schemas.
type Merged<'s> = BTreeMap<&'s str, (usize, Vec<&'s Value>)>;

impl<'s> Pass<'s> {
    /// The schema, and the properties that have another name in it: as sent, and as they are.
    pub(super) fn root(&mut self) -> (Value, BTreeMap<String, String>) {
        let mut merged = Merged::default();
        let mut budget = 1_000;
        let required = self.collect(self.source, 0, &mut merged, &mut budget);
        let mut out = Object::new();
        self.members(&mut out);
        let (properties, renamed) = self.properties(merged);
        let sent = |name: &&str| renamed.get(*name).map_or(*name, String::as_str).to_owned();
        let required: Vec<String> = required.iter().map(sent).collect();
        out.insert("type".to_owned(), "object".into());
        out.insert("properties".to_owned(), Value::Object(properties));
        if required.is_empty() {
            out.remove("required");
        } else {
            out.insert("required".to_owned(), required.into());
        }
        let renamed = renamed
            .into_iter()
            .map(|(name, sent)| (sent, name.to_owned()));
        (Value::Object(out), renamed.collect())
    }

    /// What the schema itself says beside its properties.
    fn members(&mut self, out: &mut Object) {
        let Some(source) = self.source.as_object() else {
            self.losses.lose(ROOT, loss::MALFORMED, ROOT);
            return;
        };
        let kind = source.get("type");
        if kind.is_some_and(|it| it.as_str() != Some("object")) {
            self.losses.lose(ROOT, loss::TYPE_CHANGED, "object");
        }
        let rules = self.rules;
        for (keyword, value) in source {
            let name = keyword.as_str();
            let is_definitions = matches!(name, "$defs" | "definitions");
            if matches!(name, "properties" | "required" | "type" | "$ref") || is_silent(name) {
                continue;
            }
            let is_refused = rules.refuses_at_root(name);
            if ALTERNATIVES.contains(&name) {
                self.losses.lose(ROOT, loss::ALTERNATIVES_MERGED, name);
            } else if is_definitions && !rules.references || name == "title" && is_refused {
                // What definitions say is where they are referred to; the tool has a title of its own.
            } else if is_refused {
                self.losses.lose(ROOT, loss::KEYWORD_DROPPED, name);
            } else {
                self.member(out, source, (keyword, value), ROOT, 1);
            }
        }
    }

    /// The properties, by names that can be sent.
    fn properties(&mut self, merged: Merged<'s>) -> (Object, BTreeMap<&'s str, String>) {
        let mut merged: Vec<_> = merged.into_iter().collect();
        merged.sort_by_key(|(_, (place, _))| *place);
        let mut names = Names::new(self.rules.property);
        let (mut properties, mut renamed) = (Object::new(), BTreeMap::new());
        // What can be sent keeps its name, whatever stands before it.
        for (name, _) in &merged {
            if self.rules.property.allows(name) {
                names.unique(name);
            }
        }
        for (name, (_, schemas)) in merged {
            let path = at("inputSchema/properties", name);
            let schema = match schemas.as_slice() {
                [only] => self.node(only, &path, 1),
                several => {
                    let several = several.iter().map(|it| self.node(it, &path, 1));
                    json!({"anyOf": several.collect::<Vec<_>>()})
                }
            };
            let sent = if self.rules.property.allows(name) {
                name.to_owned()
            } else {
                let sent = names.unique(name);
                self.losses.lose(&path, loss::PROPERTY_RENAMED, &sent);
                renamed.insert(name, sent.clone());
                sent
            };
            properties.insert(sent, schema);
        }
        (properties, renamed)
    }

    /// Adds the properties of a schema and of its alternatives, and returns the names that it requires.
    fn collect(
        &self,
        schema: &'s Value,
        nesting: usize,
        merged: &mut Merged<'s>,
        budget: &mut usize,
    ) -> BTreeSet<&'s str> {
        let mut required = BTreeSet::new();
        let Some(object) = schema.as_object() else {
            return required;
        };
        if nesting > MAX_NESTING || *budget == 0 {
            return required;
        }
        *budget -= 1;
        let own = object.get("properties").and_then(Value::as_object);
        for (name, schema) in own.into_iter().flatten() {
            let place = merged.len();
            let (_, schemas) = merged.entry(name).or_insert((place, Vec::new()));
            if schemas.len() < MAX_CHOICES && !schemas.contains(&schema) {
                schemas.push(schema);
            }
        }
        let own = object.get("required").and_then(Value::as_array);
        required.extend(own.into_iter().flatten().filter_map(Value::as_str));
        if let Some((_, target)) = object.get("$ref").and_then(|it| self.target(it)) {
            required.extend(self.collect(target, nesting + 1, merged, budget));
        }
        for keyword in ALTERNATIVES {
            let branches = object.get(keyword).and_then(Value::as_array);
            let branches = branches.into_iter().flatten();
            let mut of_all: Option<BTreeSet<&'s str>> = None;
            for branch in branches {
                let of_branch = self.collect(branch, nesting + 1, merged, budget);
                of_all = Some(match of_all {
                    None => of_branch,
                    Some(all) if keyword == "allOf" => all.union(&of_branch).copied().collect(),
                    Some(all) => all.intersection(&of_branch).copied().collect(),
                });
            }
            required.extend(of_all.unwrap_or_default());
        }
        required
    }
}
