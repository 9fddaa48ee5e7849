//! The alternatives of a schema (`anyOf`, `oneOf`), and the selection of the intended one.

use serde_json::Value;

use super::problems::type_words;
use crate::{InvalidValue, Object, word};

/// Maximum length of a chain of references. A cycle exceeds it.
const REFERENCES: usize = 16;

/// The schemas of one document, given by its root.
#[derive(Clone, Copy)]
pub(super) struct Schemas<'s>(pub(super) &'s Object);

/// The alternative that a value is intended for.
pub(super) enum Meaning<'s> {
    /// The alternative at this index.
    One(usize, &'s Object),
    /// No alternative, because of the value or of the field with this name.
    None(Option<&'s str>, InvalidValue),
}

/// Returns the fields that an object schema declares.
pub(super) fn properties(schema: &Object) -> impl Iterator<Item = (&String, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

/// Returns the alternatives of a schema.
pub(super) fn alternatives(schema: &Object) -> Option<&Vec<Value>> {
    let mut keywords = ["oneOf", "anyOf"].into_iter();
    keywords.find_map(|it| schema.get(it)?.as_array())
}

/// Returns the keywords that a schema accepts, or none if the schema is not an enumeration.
pub(super) fn words(schema: &Object) -> Vec<&str> {
    let words = schema.get("enum").and_then(Value::as_array);
    words
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn required(schema: &Object) -> impl Iterator<Item = &str> {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns the only field of an object. Serde represents enums in this way if the variants are named by the field.
fn only_member(schema: &Object) -> Option<&str> {
    let mut names = properties(schema).map(|(name, _)| name.as_str());
    let only = names.next().filter(|_| names.next().is_none())?;
    required(schema).any(|it| it == only).then_some(only)
}

/// Returns whether a value has the type of a schema.
fn has_type(schema: &Object, value: &Value) -> bool {
    let is = |kind: &str| match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::Number(number) if number.is_f64() => kind == "number",
        Value::Number(_) => matches!(kind, "integer" | "number"),
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    };
    match schema.get("type") {
        Some(Value::String(kind)) => is(kind),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

impl<'s> Schemas<'s> {
    /// Returns the schema that a reference points to, or the schema itself.
    pub(super) fn resolve(self, mut schema: &'s Object) -> &'s Object {
        for _ in 0..REFERENCES {
            let reference = schema.get("$ref").and_then(Value::as_str);
            let Some(path) = reference.and_then(|it| it.strip_prefix('#')) else {
                break;
            };
            match self.at(path).and_then(Result::ok) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }

    /// Returns the object or other value at a path of keywords, following references.
    pub(super) fn at(self, path: &str) -> Option<Result<&'s Object, &'s Value>> {
        let mut at: Result<&'s Object, &'s Value> = Ok(self.0);
        for segment in path.split('/').filter(|it| !it.is_empty()) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            let next = match at {
                Ok(schema) if segment == "$ref" => {
                    at = Ok(self.resolve(schema));
                    continue;
                }
                Ok(schema) => schema.get(&segment)?,
                Err(Value::Array(items)) => items.get(segment.parse::<usize>().ok()?)?,
                Err(_) => return None,
            };
            at = match next {
                Value::Object(object) => Ok(object),
                other => Err(other),
            };
        }
        Some(at)
    }

    fn parts(self, alternatives: &'s [Value]) -> Vec<(usize, &'s Object)> {
        let parts = alternatives.iter().enumerate();
        let parts = parts.filter_map(|(index, it)| Some((index, it.as_object()?)));
        parts.map(|(index, it)| (index, self.resolve(it))).collect()
    }

    /// Returns the alternative that a value is intended for. It is identified by a field or keyword that names it, or
    /// else by the type and fields of the value.
    pub(super) fn meaning(self, alternatives: &'s [Value], value: &Value) -> Meaning<'s> {
        let parts = self.parts(alternatives);
        if let (Value::Object(members), Some(tag)) = (value, self.tag(&parts)) {
            return self.tagged(&parts, tag, members);
        }
        let none = |value| {
            let expected = self.described(alternatives);
            Meaning::None(None, InvalidValue::unexpected(value, expected))
        };
        let mut fitting = parts;
        fitting.retain(|(_, it)| has_type(it, value));
        match value {
            Value::String(_) if fitting.iter().all(|(_, it)| !words(it).is_empty()) => {
                let is_word = |part: &Object| {
                    let words = words(part);
                    words.iter().any(|it| value == it) || word(value, &words).is_some()
                };
                fitting.retain(|(_, it)| is_word(it));
            }
            Value::Object(members) => {
                if fitting.iter().all(|(_, it)| only_member(it).is_some()) {
                    let has = |name: &str| members.contains_key(name);
                    fitting.retain(|(_, it)| only_member(it).is_some_and(has));
                }
                let unfit = |part: &Object| {
                    let unknown = members
                        .keys()
                        .filter(|name| properties(part).all(|(known, _)| known != *name));
                    let missing = required(part).filter(|it| !members.contains_key(*it));
                    unknown.count() + missing.count()
                };
                fitting.sort_by_key(|(_, it)| unfit(it));
            }
            _ => (),
        }
        match fitting.first() {
            Some((index, part)) => Meaning::One(*index, part),
            None => none(value),
        }
    }

    /// Returns the field whose keyword identifies the alternative.
    fn tag(self, parts: &[(usize, &'s Object)]) -> Option<&'s str> {
        let (_, first) = parts.first()?;
        let word_of = |part: &'s Object, name: &str| self.word_of(part, name);
        let mut names = properties(first).map(|(name, _)| name.as_str());
        names.find(|name| parts.iter().all(|(_, it)| word_of(it, name).is_some()))
    }

    /// Returns the only keyword that a required field accepts.
    fn word_of(self, part: &'s Object, name: &str) -> Option<&'s str> {
        let member = part.get("properties")?.get(name)?.as_object()?;
        let words = words(self.resolve(member));
        let [word] = words.as_slice() else {
            return None;
        };
        required(part).any(|it| it == name).then_some(*word)
    }

    fn tagged(self, parts: &[(usize, &'s Object)], tag: &'s str, members: &Object) -> Meaning<'s> {
        let words = parts.iter().filter_map(|(_, it)| self.word_of(it, tag));
        let words: Vec<&str> = words.collect();
        let sent = members.get(tag);
        let meant = sent.and_then(|sent| {
            let coerced = word(sent, &words);
            let meant = coerced.as_ref().unwrap_or(sent).as_str()?;
            let part = parts
                .iter()
                .find(|(_, it)| self.word_of(it, tag) == Some(meant))?;
            Some(*part)
        });
        let expected = || format!("one of {}", words.join(", "));
        match (meant, sent) {
            (Some((index, part)), _) => Meaning::One(index, part),
            (None, Some(other)) => {
                Meaning::None(Some(tag), InvalidValue::unexpected(other, expected()))
            }
            (None, None) => {
                let missing = InvalidValue::new("Missing argument.", "is required", expected());
                Meaning::None(Some(tag), missing)
            }
        }
    }

    /// Describes briefly what alternatives accept.
    fn described(self, alternatives: &'s [Value]) -> String {
        let parts = self.parts(alternatives);
        if let Some(tag) = self.tag(&parts) {
            let words = parts.iter().filter_map(|(_, it)| self.word_of(it, tag));
            let words: Vec<&str> = words.collect();
            return format!("an object whose {tag} is one of {}", words.join(", "));
        }
        let listed = |all: Vec<&str>| match all.as_slice() {
            [only] => (*only).to_owned(),
            all => format!("one of {}", all.join(", ")),
        };
        let mut said = Vec::new();
        let words: Vec<&str> = parts.iter().flat_map(|(_, it)| words(it)).collect();
        let named: Vec<&str> = parts.iter().filter_map(|(_, it)| only_member(it)).collect();
        if !words.is_empty() {
            said.push(listed(words));
        }
        for (_, part) in &parts {
            if self::words(part).is_empty() && only_member(part).is_none() {
                let accepted = self.accepted(part);
                if !said.contains(&accepted) {
                    said.push(accepted);
                }
            }
        }
        if !named.is_empty() {
            said.push(format!("an object with {}", listed(named)));
        }
        said.join(" or ")
    }

    /// Describes briefly what a schema accepts.
    pub(super) fn accepted(self, schema: &'s Object) -> String {
        let schema = self.resolve(schema);
        if let Some(Value::Array(words)) = schema.get("enum") {
            let words: Vec<_> = words.iter().map(super::problems::shown).collect();
            return format!("one of {}", words.join(", "));
        }
        if let Some(parts) = alternatives(schema) {
            return self.described(parts);
        }
        let format = schema.get("format").and_then(Value::as_str);
        if let Some(form) = format.and_then(super::schema::description_hint) {
            return form.to_owned();
        }
        let kind = schema.get("type").and_then(Value::as_str);
        match kind.and_then(|it| it.parse().ok()) {
            Some(kind) => type_words(kind).to_owned(),
            None => "what its schema says".to_owned(),
        }
    }
}
