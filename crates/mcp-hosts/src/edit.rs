//! Adds the server to the text of a configuration file, or removes it. Comments, order and other fields are preserved.

mod json;
mod toml;
mod yaml;

use serde_json::{Map, Value};

use crate::{
    file::{ConfigFile, FileError, Format},
    program::ServerNames,
};

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

impl ConfigFile {
    /// Returns the text with the server's entry added or replaced. Comments, order and other fields are preserved.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in the format, or has another value in the place of an object, or if the edited
    /// text does not read back as the same entry.
    pub fn with_entry(
        &self,
        server: &ServerNames,
        text: &str,
        entry: &Value,
    ) -> Result<String, FileError> {
        let place = [&*self.servers, server.name];
        let mut members = entry.as_object().cloned().unwrap_or_default();
        if let Some(earlier) = self.parse_entry(server, text)? {
            keep(&mut members, &earlier);
        }
        let (mark, text) = without_mark(text);
        let edited = match self.format {
            Format::Json => json::with_entry(text, place, &members),
            Format::Toml => toml::with_entry(text, place, &members),
            Format::Yaml => yaml::with_entry(text, place, &members),
        }?;
        let edited = format!("{mark}{}", with_ends_of(text, edited));
        let read = self.parse_entry(server, &edited)?.unwrap_or_default();
        if members.iter().any(|(name, it)| read.get(name) != Some(it)) {
            return Err(FileError::NotReadBack);
        }
        Ok(edited)
    }

    /// Returns the server's entry, as the host reads it, or `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in the format.
    pub fn parse_entry(
        &self,
        server: &ServerNames,
        text: &str,
    ) -> Result<Option<Map<String, Value>>, FileError> {
        let (_, text) = without_mark(text);
        let whole = match self.format {
            Format::Json => json::value(text),
            Format::Toml => toml::value(text),
            Format::Yaml => yaml::value(text),
        }?;
        let entry = whole.get(&self.servers).and_then(|it| it.get(server.name));
        Ok(entry.and_then(Value::as_object).cloned())
    }

    /// Returns the text without the server's entry, or `None` if it has none.
    ///
    /// # Errors
    /// Returns an error if the text is not valid in the format.
    pub fn without_entry(
        &self,
        server: &ServerNames,
        text: &str,
    ) -> Result<Option<String>, FileError> {
        let place = [&*self.servers, server.name];
        let (mark, text) = without_mark(text);
        let edited = match self.format {
            Format::Json => json::without_entry(text, place),
            Format::Toml => toml::without_entry(text, place),
            Format::Yaml => yaml::without_entry(text, place),
        }?;
        Ok(edited.map(|it| format!("{mark}{}", with_ends_of(text, it))))
    }
}

/// Changes the members of a new entry so that what a person set in the earlier one stays. A server that was switched off is switched on.
fn keep(members: &mut Map<String, Value>, earlier: &Map<String, Value>) {
    for (name, value) in &mut *members {
        let is_empty = value.as_object().is_some_and(Map::is_empty);
        if let Some(earlier) = earlier.get(name).filter(|_| is_empty) {
            *value = earlier.clone();
        }
    }
    for (name, is_on) in [("disabled", false), ("enabled", true)] {
        if earlier.get(name) == Some(&Value::Bool(!is_on)) {
            members.insert(name.to_owned(), is_on.into());
        }
    }
}

/// Editors on Windows may begin a file with a byte order mark, which is no part of the format.
fn without_mark(text: &str) -> (&'static str, &str) {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => ("\u{feff}", rest),
        None => ("", text),
    }
}

/// Gives an edited text the line ends of the text before, Windows ones where most are, and no line end after the last line if there was none.
fn with_ends_of(before: &str, mut edited: String) -> String {
    let (all, windows) = (before.matches('\n'), before.matches("\r\n"));
    if windows.count() * 2 > all.count() {
        edited = edited.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if before.trim().is_empty() || before.ends_with('\n') {
        if !edited.ends_with('\n') {
            edited.push('\n');
        }
    } else {
        edited.truncate(edited.trim_end_matches(['\r', '\n']).len());
    }
    edited
}

/// The members of an earlier entry that do not belong to the new one.
fn superseded(members: &Map<String, Value>) -> impl Iterator<Item = &'static str> {
    TRANSPORT
        .into_iter()
        .filter(|it| !members.contains_key(*it))
}

#[cfg(test)]
mod tests;
