//! Document names for Bedrock.

use std::collections::BTreeSet;

/// The most letters of the name of a document for Bedrock, and those that it may have beside single blanks.
pub(super) const MAX_DOCUMENT_NAME: usize = 200;
pub(super) fn is_of_document_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-()[]".contains(letter)
}

/// Returns a name that the API accepts and no other document has: with a number if the name is taken.
pub(super) fn unique(name: &str, taken: &mut BTreeSet<String>) -> String {
    let stem = clean_name(name.rsplit_once('.').map_or(name, |(stem, _)| stem));
    let stem = if stem.is_empty() { "document" } else { &stem };
    let (mut suffix, mut number) = (String::new(), 1);
    loop {
        let room = MAX_DOCUMENT_NAME.saturating_sub(suffix.len());
        let stem = stem.get(..room).unwrap_or(stem).trim_end();
        let unique = format!("{stem}{suffix}");
        if taken.insert(unique.clone()) {
            return unique;
        }
        number += 1;
        suffix = format!(" ({number})");
    }
}

/// The API allows letters, digits, single blanks, hyphens, parentheses and brackets.
fn clean_name(name: &str) -> String {
    let mut clean = String::new();
    for letter in name.chars().take(MAX_DOCUMENT_NAME) {
        if is_of_document_name(letter) {
            clean.push(letter);
        } else if !clean.is_empty() && !clean.ends_with(' ') {
            clean.push(' ');
        }
    }
    clean.truncate(clean.trim_end().len());
    clean
}
