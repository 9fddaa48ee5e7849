//! Adds the server to the text of a configuration file, or removes it; comments, order and other members stay as they are.

mod json;
mod toml;
mod yaml;

use serde_json::{Map, Value};

use super::file::{ConfigFile, FileError, Format};

/// The members that say how a host reaches a server, in any host. Those of an earlier entry go if the new one has other
/// ones; what else a person added to the entry stays.
const TRANSPORT: [&str; 9] = [
    "args",
    "cmd",
    "command",
    "httpUrl",
    "serverUrl",
    "source",
    "type",
    "uri",
    "url",
];

/// The text with the server's entry among the file's servers.
///
/// # Errors
///
/// If the text cannot be read in the file's format, or where an object should be is something else.
pub(super) fn with_entry(
    file: &ConfigFile,
    text: &str,
    entry: &Value,
) -> Result<String, FileError> {
    let nothing = Map::new();
    let members = entry.as_object().unwrap_or(&nothing);
    let (mark, text) = without_mark(text);
    let edited = match file.format {
        Format::Json => json::with_entry(text, &file.servers, members),
        Format::Toml => toml::with_entry(text, &file.servers, members),
        Format::Yaml => yaml::with_entry(text, &file.servers, members),
    }?;
    Ok(format!("{mark}{edited}"))
}

/// The text without the server's entry, or `None` if it has none.
///
/// # Errors
///
/// If the text cannot be read in the file's format.
pub(super) fn without_entry(file: &ConfigFile, text: &str) -> Result<Option<String>, FileError> {
    let (mark, text) = without_mark(text);
    let edited = match file.format {
        Format::Json => json::without_entry(text, &file.servers),
        Format::Toml => toml::without_entry(text, &file.servers),
        Format::Yaml => yaml::without_entry(text, &file.servers),
    }?;
    Ok(edited.map(|it| format!("{mark}{it}")))
}

/// Editors on Windows may begin a file with a byte order mark, which is no part of the format.
fn without_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    }
}

/// The members of an earlier entry that do not belong to the new one.
fn superseded(members: &Map<String, Value>) -> impl Iterator<Item = &'static str> {
    TRANSPORT
        .into_iter()
        .filter(|it| !members.contains_key(*it))
}

#[cfg(test)]
mod tests;
