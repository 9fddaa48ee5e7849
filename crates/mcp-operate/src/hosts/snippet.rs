//! The configuration as text, in the format of the host's file.

use serde_json::{Value, json};

use super::{
    file::{ConfigFile, Format},
    program::Server,
};

impl ConfigFile {
    /// A file that has nothing but the entry of the server.
    #[must_use]
    pub fn snippet(&self, server: &Server, entry: &Value) -> String {
        let (servers, name) = (&*self.servers, server.name);
        let whole = json!({servers: {name: entry}});
        match self.format {
            Format::Json => format!("{whole:#}"),
            Format::Toml => toml(&format!("{servers}.{name}"), entry),
            Format::Yaml => yaml(&whole, 0),
        }
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

/// A command line as a shell of this system reads it.
#[must_use]
pub fn command_line(program: &str, arguments: &[String]) -> String {
    let words = std::iter::once(program).chain(arguments.iter().map(String::as_str));
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

/// A word of a command line.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@\\".contains(&byte);
    let is_plain = !word.is_empty() && word.bytes().all(plain);
    if is_plain && (cfg!(windows) || !word.contains('\\')) {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::quoted;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--node"), "--node");
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
        assert_eq!(quoted(r"a\b"), r"'a\b'");
        assert_eq!(quoted(""), "''");
    }
}
