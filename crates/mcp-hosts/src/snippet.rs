//! Configuration snippets in the format of a host's file.

use serde_json::{Value, json};

use crate::{
    file::{ConfigFile, Format},
    program::ServerNames,
};

impl ConfigFile {
    /// Returns the text of a file that holds only the server's entry.
    #[must_use]
    pub fn snippet(&self, server: &ServerNames, entry: &Value) -> String {
        let (servers, name) = (&*self.servers, server.name);
        let whole = json!({servers: {name: entry}});
        match self.format {
            Format::Json => format!("{whole:#}"),
            Format::Toml => toml(&format!("{servers}.{name}"), entry),
            Format::Yaml => yaml(&whole, 0),
        }
    }

    /// Returns a snippet for the user who runs the program. Comments before it state the path of the file and `notes`. The host
    /// accepts the text unchanged.
    pub fn annotated_snippet(
        &self,
        server: &ServerNames,
        entry: &Value,
        environment: impl Fn(&str) -> Option<String>,
        notes: &[String],
    ) -> String {
        let path = self.user_path(environment);
        let place = path.map_or_else(
            || self.display_path().to_owned(),
            |it| it.display().to_string(),
        );
        let comments = [&place].into_iter().chain(notes);
        let comments: String = comments.map(|it| format!("# {it}\n")).collect();
        comments + &self.snippet(server, entry)
    }
}

/// A TOML table. Strings and lists of strings are written as in JSON, whose escapes TOML shares.
fn toml(place: &str, entry: &Value) -> String {
    let mut text = format!("[{place}]");
    for (key, value) in entry.as_object().into_iter().flatten() {
        text.push_str(&format!("\n{key} = {value}"));
    }
    text
}

/// A block mapping of YAML, of which JSON's strings and lists are a part.
pub(super) fn yaml(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let lines = value.as_object().into_iter().flatten();
    let lines = lines.map(|(key, value)| match value {
        Value::Object(members) if !members.is_empty() => {
            format!("{indent}{key}:\n{}", yaml(value, depth + 1))
        }
        _ => format!("{indent}{key}: {value}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}
