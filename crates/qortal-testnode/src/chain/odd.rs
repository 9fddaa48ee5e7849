//! Variants of the recorded chain for tests: with rows that show the odd rules of the Core, without rows that hide one, and in the form of
//! a newer release.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Chain, Row, embedded, part::Part};

impl Chain {
    /// Returns the chain with more names, polls and QDN resources.
    pub(crate) fn with_odd_rows(mut self) -> Self {
        let names: Vec<Value> = embedded!("odd_names.json");
        let polls: Vec<Value> = embedded!("odd_polls.json");
        let resources: Vec<Value> = embedded!("odd_resources.json");
        let content: Vec<Value> = embedded!("odd_content.json");
        self.names.own().extend(names);
        self.polls.own().extend(polls);
        self.qdn_resources.own().extend(resources);
        self.qdn_content.own().extend(content);
        self
    }

    /// Returns the chain with only the first name of each account.
    pub(crate) fn with_one_name_each(mut self) -> Self {
        let mut names: Vec<Value> = self.names.iter().cloned().collect();
        names.sort_by_cached_key(|name| name.number("registered"));
        let mut owners = BTreeSet::new();
        names.retain(|name| owners.insert(name.text("owner").to_owned()));
        self.names = Part::Own(names);
        self
    }
}

/// The field that is added to every object.
const NEW_MEMBER: &str = "addedInALaterRelease";
/// The fields that hold names of enum constants.
const ENUM_MEMBERS: [&str; 9] = [
    "type",
    "approvalStatus",
    "mode",
    "foreignBlockchain",
    "acctName",
    "approvalThreshold",
    "status",
    "service",
    "encoding",
];
/// The unknown enum constant.
const NEW_CONSTANT: &str = "ADDED_LATER";

/// Changes a response: every object gets an additional field, and all enum constants in the last row of a list become unknown.
pub(crate) fn as_newer_core(answer: &mut Value) {
    match answer {
        Value::Array(rows) => {
            if let Some(last) = rows.last_mut() {
                rename_constants(last);
            }
            for row in rows {
                as_newer_core(row);
            }
        }
        Value::Object(members) => {
            for member in members.values_mut() {
                as_newer_core(member);
            }
            members.insert(
                NEW_MEMBER.to_owned(),
                serde_json::json!({"reason": ["unknown", 1, null]}),
            );
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn rename_constants(row: &mut Value) {
    let Some(members) = row.as_object_mut() else {
        return;
    };
    for name in ENUM_MEMBERS {
        if let Some(constant) = members
            .get_mut(name)
            .filter(|constant| constant.is_string())
        {
            *constant = Value::from(NEW_CONSTANT);
        }
    }
}
