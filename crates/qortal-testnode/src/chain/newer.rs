//! Answers as a later Core might give them: members and enum values that are not known yet.

use serde_json::Value;

/// The member that is added to every object.
const NEW_MEMBER: &str = "addedInALaterRelease";
/// The members that hold names of enum constants.
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
/// The constant that is put in.
const NEW_CONSTANT: &str = "ADDED_LATER";

/// Changes an answer: every object gets a member more, and in the last row of a list all enum constants are new.
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
