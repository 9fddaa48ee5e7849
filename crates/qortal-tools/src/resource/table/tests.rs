//! The rows fit the tools they name.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::all;
use crate::catalog::Catalog;

/// The variables that an argument is made of.
fn variables(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().flat_map(variables).collect(),
        Value::String(text) => {
            let variable = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            variable.into_iter().collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn every_variable_becomes_an_argument() {
    for source in all() {
        let arguments: Map<String, Value> = serde_json::from_str(source.arguments).unwrap();
        let used: BTreeSet<_> = arguments.values().flat_map(variables).collect();
        let in_template: BTreeSet<_> = source.variables().collect();
        assert_eq!(used, in_template, "{}", source.template);
    }
}

#[test]
fn tools_take_these_arguments_and_need_no_others() {
    for source in all() {
        let arguments: Map<String, Value> = serde_json::from_str(source.arguments).unwrap();
        let Some(entry) = Catalog::entries().find(|it| it.name == source.tool) else {
            continue;
        };
        let parameters = entry.parameters();
        for name in arguments.keys() {
            let is_known = parameters.iter().any(|it| it.name == *name);
            assert!(is_known, "{}: {name}", source.template);
        }
        let mut required = parameters.iter().filter(|it| it.required);
        let is_complete = required.all(|it| arguments.contains_key(&it.name));
        assert!(is_complete, "{}", source.template);
    }
}
