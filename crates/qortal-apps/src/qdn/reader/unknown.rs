//! The texts in a document whose form is not known.

use serde_json::Value;

use crate::qdn::{
    raw::is_secret,
    sheet::{Sheet, data_in_words},
};

/// The deepest members that are looked at.
const DEEPEST: usize = 32;

/// The longest word that is shown: longer ones are data.
const LONGEST_WORD: usize = 400;

/// Adds a line for each member and item, with the name of the member.
pub(in crate::qdn) fn texts(document: &Value, sheet: &mut Sheet) {
    add("", document, DEEPEST, sheet);
}

fn add(name: &str, value: &Value, depth: usize, sheet: &mut Sheet) {
    if sheet.is_cut {
        return;
    }
    let Some(depth) = depth.checked_sub(1) else {
        sheet.is_cut = true;
        return;
    };
    match value {
        _ if is_secret(name, value) => {}
        Value::String(found) => {
            if let Some(words) = data_in_words(found) {
                with_name(name, &words, sheet);
            } else if !is_data(found) {
                with_name(name, found.trim(), sheet);
            }
        }
        Value::Number(found) => with_name(name, &found.to_string(), sheet),
        Value::Bool(found) => with_name(name, &found.to_string(), sheet),
        Value::Array(items) => {
            for item in items {
                add(name, item, depth, sheet);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                add(name, member, depth, sheet);
            }
        }
        Value::Null => {}
    }
}

fn with_name(name: &str, found: &str, sheet: &mut Sheet) {
    match name {
        "" => sheet.text(found),
        _ => sheet.labeled(name, found),
    }
}

/// Whether a text is data rather than words.
fn is_data(text: &str) -> bool {
    text.len() > LONGEST_WORD && !text.contains(char::is_whitespace)
}
