//! YAML, as goose keeps it.

use std::str::FromStr;

use serde_json::{Map, Value};
use yaml_edit::{Document, Mapping, YamlFile};

use super::super::{file::FileError, snippet};

pub(super) fn with_entry(
    text: &str,
    [servers, name]: [&str; 2],
    members: &Map<String, Value>,
) -> Result<String, FileError> {
    let file = file(text)?;
    let document = file.document();
    let is_empty = document.as_ref().is_none_or(Document::is_empty);
    let root = document.as_ref().and_then(Document::as_mapping);
    let Some(root) = root else {
        return if is_empty {
            Ok(appended(text, [servers, name], members))
        } else {
            Err(FileError::NotAnObject("(the whole file)".to_owned()))
        };
    };
    let Some(list) = root.get_mapping(servers).filter(|it| !it.is_empty()) else {
        // An empty value says what an absent member says; a block reads better than what could be put into it.
        let value = root.get(servers).map(|it| it.to_string());
        if value.is_some_and(|it| !matches!(it.trim(), "" | "{}" | "null" | "~")) {
            return Err(FileError::NotAnObject(servers.to_owned()));
        }
        root.remove(servers);
        return Ok(appended(&file.to_string(), [servers, name], members));
    };
    match list.get_mapping(name) {
        Some(entry) => update(&entry, members),
        None => {
            let entry = parsed(&snippet::yaml(&Value::Object(members.clone()), 0));
            if let Some(entry) = entry.as_ref().and_then(Document::as_mapping) {
                list.set(name, &entry);
            }
        }
    }
    Ok(file.to_string())
}

pub(super) fn without_entry(
    text: &str,
    [servers, name]: [&str; 2],
) -> Result<Option<String>, FileError> {
    let file = file(text)?;
    let root = file.document().and_then(|it| it.as_mapping());
    let list = root.and_then(|it| it.get_mapping(servers));
    let removed = list.and_then(|it| it.remove(name));
    Ok(removed.map(|_| file.to_string()))
}

fn file(text: &str) -> Result<YamlFile, FileError> {
    YamlFile::from_str(text).map_err(|err| FileError::Syntax {
        format: "YAML",
        reason: err.to_string(),
    })
}

/// The text with the servers after its last line.
fn appended(text: &str, [servers, name]: [&str; 2], members: &Map<String, Value>) -> String {
    let entry = Map::from_iter([(name.to_owned(), Value::Object(members.clone()))]);
    let block = Map::from_iter([(servers.to_owned(), Value::Object(entry))]);
    let newline = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!(
        "{text}{newline}{}\n",
        snippet::yaml(&Value::Object(block), 0)
    )
}

fn update(entry: &Mapping, members: &Map<String, Value>) {
    for name in super::superseded(members) {
        entry.remove(name);
    }
    for (name, value) in members {
        let new = snippet::yaml(
            &Value::Object(Map::from_iter([(name.clone(), value.clone())])),
            0,
        );
        let new = parsed(&new).and_then(|it| it.get(name.as_str()));
        let Some(new) = new else { continue };
        if !entry
            .get(name.as_str())
            .is_some_and(|old| yaml_edit::yaml_eq(&old, &new))
        {
            entry.set(name.as_str(), &new);
        }
    }
}

fn parsed(text: &str) -> Option<Document> {
    Document::from_str(text).ok()
}
