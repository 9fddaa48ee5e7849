//! Skills: folders of instructions that a server offers to models (the extension Skills, SEP-2640).
//!
//! A server needs three things for a skill: its files as resources, its [`Skill`] entry in `skills/list` and `skills/get`,
//! and the extension among its capabilities ([`EXTENSION`]). `mcp-server` does all three for the folders that it is given.
//!
//! Source: `specification/stable/skills.mdx` of modelcontextprotocol/ext-skills. It is written for 2026-07-28; nothing in it
//! needs that revision, so skills are the same in all.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::Object;

/// The name of the extension among the capabilities.
pub const EXTENSION: &str = "io.modelcontextprotocol/skills";

/// The file that every skill has.
pub const FILE: &str = "SKILL.md";

/// The MIME type of a directory ("Directory Resources").
pub const DIRECTORY: &str = "inode/directory";

/// What every host loads of one skill: files, and bytes in all ("Limits").
pub const LIMITS: (usize, u64) = (512, 16 * 1024 * 1024);

/// One skill as `skills/list` and `skills/get` return it (`Skill`).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Skill {
    /// The address of its `SKILL.md`.
    pub uri: String,
    /// The front matter of that file: `name`, `description`, and all else that its author wrote.
    pub frontmatter: Object,
    /// All of its files, `SKILL.md` among them.
    pub resources: Vec<SkillResource>,
}

/// One file of a skill (`SkillResource`).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillResource {
    /// Its address.
    pub uri: String,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many bytes it has.
    pub size: u64,
}

impl Skill {
    /// A skill with these files.
    #[must_use]
    pub const fn new(uri: String, frontmatter: Object, resources: Vec<SkillResource>) -> Self {
        Self {
            uri,
            frontmatter,
            resources,
        }
    }

    /// The entry as it is on the wire, in every revision.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let resources = self.resources.iter().map(SkillResource::to_value);
        json!({
            "uri": self.uri,
            "frontmatter": self.frontmatter,
            "resources": resources.collect::<Vec<_>>(),
        })
    }
}

impl SkillResource {
    /// A file with this digest and size.
    #[must_use]
    pub const fn new(uri: String, sha256: [u8; 32], size: u64) -> Self {
        Self { uri, sha256, size }
    }

    fn to_value(&self) -> Value {
        let mut digest = String::from("sha256:");
        for byte in self.sha256 {
            // Writing to a string cannot fail.
            _ = write!(digest, "{byte:02x}");
        }
        json!({"uri": self.uri, "digest": digest, "size": self.size})
    }
}

/// What is wrong with the front matter of a `SKILL.md`, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
#[non_exhaustive]
pub struct FrontmatterError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be accepted.
    pub why: &'static str,
}

/// The front matter of a `SKILL.md` as an object.
///
/// Of YAML it takes what skills are written in and every parser reads alike: `key: text`, text in double quotes as JSON has
/// them, and one level of indented keys below a key. Numbers, booleans, lists and blocks have to be quoted texts.
///
/// # Errors
/// With the first line that is none of these.
pub fn frontmatter(text: &str) -> Result<Object, FrontmatterError> {
    let mut lines = text.lines().enumerate();
    let fail = |line: usize, why| FrontmatterError {
        line: line + 1,
        why,
    };
    if lines.next().is_none_or(|(_, first)| first != "---") {
        return Err(fail(0, "a skill begins with a line of three hyphens"));
    }
    let mut read = Object::new();
    // The key whose indented keys follow.
    let mut outer: Option<String> = None;
    for (number, line) in lines {
        if line == "---" {
            return Ok(read);
        }
        let fail = |why| fail(number, why);
        let inner = line.strip_prefix("  ");
        let (key, value) = inner
            .unwrap_or(line)
            .split_once(':')
            .ok_or_else(|| fail("expected `key: text`"))?;
        let is_key = |it: char| it.is_ascii_alphanumeric() || "-_./".contains(it);
        if key.is_empty() || !key.chars().all(is_key) {
            return Err(fail("a key has letters, digits, and any of - _ . /"));
        }
        let value = match (value.trim(), inner) {
            ("", None) => {
                outer = Some(key.to_owned());
                Value::Object(Object::new())
            }
            (text, _) if value.starts_with(' ') => scalar(text).map_err(fail)?,
            _ => return Err(fail("expected a blank and a text after the colon")),
        };
        let into = match (inner, &outer) {
            (None, _) => Some(&mut read),
            (Some(_), Some(outer)) => read.get_mut(outer).and_then(Value::as_object_mut),
            (Some(_), None) => None,
        };
        let into =
            into.ok_or_else(|| fail("an indented key needs a key without text before it"))?;
        if inner.is_none() && !value.is_object() {
            outer = None;
        }
        if into.insert(key.to_owned(), value).is_some() {
            return Err(fail("the key is there twice"));
        }
    }
    Err(fail(
        0,
        "the front matter has no end, a line of three hyphens",
    ))
}

/// A text in quotes, or a plain one that no parser takes for anything else.
fn scalar(text: &str) -> Result<Value, &'static str> {
    if text.starts_with('"') {
        let quoted = serde_json::from_str::<String>(text);
        return quoted
            .map(Value::String)
            .map_err(|_| "expected one text in double quotes, as JSON has it");
    }
    let is_word = |it: char| it.is_alphabetic();
    let means_else = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_plain = text.starts_with(is_word)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !means_else.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        Ok(text.into())
    } else {
        Err("put the text in double quotes: as it is, parsers may read something else")
    }
}
