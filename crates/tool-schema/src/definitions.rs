//! Recursive types. Their schemas are definitions in the document, and the inner schemas refer to them.

use std::{any::type_name, cell::RefCell};

use serde_json::Value;

use crate::{Object, Property};

/// The state while the schema of one document is created.
#[derive(Default)]
struct Scope {
    /// The types whose schemas are being created, and whether an inner type refers to each.
    open: Vec<(&'static str, bool)>,
    /// The names of the types that have definitions.
    names: Vec<(&'static str, String)>,
    definitions: Object,
}

thread_local! {
    static SCOPE: RefCell<Scope> = RefCell::default();
}

/// Returns the schema of a document, with `$defs` if it contains recursive types.
#[must_use]
pub fn with_definitions(make: impl FnOnce() -> Object) -> Object {
    let outer = SCOPE.take();
    let mut schema = make();
    let made = SCOPE.replace(outer);
    if !made.definitions.is_empty() {
        schema.insert("$defs".to_owned(), made.definitions.into());
    }
    schema
}

/// Returns the schema of `T`. If `T` is recursive, adds that schema to the definitions of the document and returns a
/// reference to it.
#[must_use]
pub fn definition_of<T>(make: impl FnOnce() -> Object) -> Object {
    let id = type_name::<T>();
    if is_open(id) {
        return SCOPE.with_borrow_mut(|scope| scope.reference(id));
    }
    let (schema, is_referred) = opened(id, make);
    if !is_referred {
        return schema;
    }
    SCOPE.with_borrow_mut(|scope| {
        let name = scope.name(id);
        scope.definitions.insert(name, schema.into());
        scope.reference(id)
    })
}

/// Returns the fields of `T`, or none inside `T` itself.
#[must_use]
pub fn members_of<T>(make: impl FnOnce() -> Vec<Property>) -> Vec<Property> {
    let id = type_name::<T>();
    match is_open(id) {
        true => Vec::new(),
        false => opened(id, make).0,
    }
}

/// Returns whether the schema of a type is being created, and marks it as referenced if so.
fn is_open(id: &'static str) -> bool {
    SCOPE.with_borrow_mut(|scope| {
        let open = scope.open.iter_mut().find(|(open, _)| *open == id);
        open.map(|(_, is_referred)| *is_referred = true).is_some()
    })
}

fn opened<R>(id: &'static str, make: impl FnOnce() -> R) -> (R, bool) {
    SCOPE.with_borrow_mut(|scope| scope.open.push((id, false)));
    let made = make();
    let closed = SCOPE.with_borrow_mut(|scope| scope.open.pop());
    (made, closed.is_some_and(|(_, is_referred)| is_referred))
}

impl Scope {
    /// Returns the name of a type's definition: the name of the type, unless another type has it.
    fn name(&mut self, id: &'static str) -> String {
        if let Some((_, name)) = self.names.iter().find(|(named, _)| *named == id) {
            return name.clone();
        }
        let path = id.split('<').next().unwrap_or(id);
        let name = self.free_name(path.rsplit("::").next().unwrap_or(path));
        self.names.push((id, name.clone()));
        name
    }

    fn free_name(&self, name: &str) -> String {
        let is_taken = |name: &str| {
            self.definitions.contains_key(name) || self.names.iter().any(|(_, it)| it == name)
        };
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|it| !is_taken(it)).unwrap_or_default()
    }

    fn reference(&mut self, id: &'static str) -> Object {
        Object::from_iter([("$ref".to_owned(), pointer(&self.name(id)))])
    }
}

pub(crate) fn pointer(name: &str) -> Value {
    format!("#/$defs/{name}").into()
}

/// Moves the definitions of a schema to the document that it becomes part of.
#[cfg(feature = "schemars")]
pub(crate) fn hoisted(schema: &Object) -> Object {
    let mut schema = schema.clone();
    let Some(Value::Object(definitions)) = schema.remove("$defs") else {
        return schema;
    };
    let mut whole = serde_json::json!({"schema": schema, "definitions": definitions});
    SCOPE.with_borrow_mut(|scope| {
        for (name, definition) in &definitions {
            let same = scope.definitions.get(name);
            if same.is_some_and(|it| it != definition) {
                let free = scope.free_name(name);
                rename(&mut whole, &pointer(name), &pointer(&free));
                if let Some(Value::Object(all)) = whole.get_mut("definitions")
                    && let Some(renamed) = all.remove(name)
                {
                    all.insert(free, renamed);
                }
            }
        }
        if let Some(Value::Object(all)) = whole.get_mut("definitions") {
            scope.definitions.append(all);
        }
    });
    match whole.get_mut("schema").map(Value::take) {
        Some(Value::Object(schema)) => schema,
        _ => Object::new(),
    }
}

/// Changes the references in a schema. Returns whether there are any.
#[cfg(feature = "schemars")]
pub(crate) fn rename(schema: &mut Value, from: &Value, to: &Value) -> bool {
    let mut is_found = false;
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                if key == "$ref" && value == from {
                    value.clone_from(to);
                    is_found = true;
                } else {
                    is_found |= rename(value, from, to);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                is_found |= rename(item, from, to);
            }
        }
        _ => (),
    }
    is_found
}
