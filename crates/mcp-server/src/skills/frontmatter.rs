//! The front matter of a skill.

use mcp_protocol::Object;
use serde_json::Value;

/// Parses the front matter of a `SKILL.md` into an object.
///
/// Only the subset of YAML is supported that skills use and every parser reads alike: `key: text`, JSON strings in
/// double quotes, and one level of indented keys below a key. Numbers, booleans, lists and blocks have to be quoted
/// strings.
///
/// Returns an error with the first unsupported line, and the accepted syntax.
pub(crate) fn frontmatter(text: &str) -> Result<Object, String> {
    let mut lines = text.lines().enumerate();
    let fail = |line: usize, why| format!("line {}: {why}", line + 1);
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
            .ok_or_else(|| fail("expected `key: string`"))?;
        let is_key = |it: char| it.is_ascii_alphanumeric() || "-_./".contains(it);
        if key.is_empty() || !key.chars().all(is_key) {
            return Err(fail("expected a key of letters, digits, - _ . and /"));
        }
        let value = match (value.trim(), inner) {
            ("", None) => {
                outer = Some(key.to_owned());
                Value::Object(Object::new())
            }
            (text, _) if value.starts_with(' ') => scalar(text).map_err(fail)?,
            _ => return Err(fail("expected a space and a string after the colon")),
        };
        let into = match (inner, &outer) {
            (None, _) => Some(&mut read),
            (Some(_), Some(outer)) => read.get_mut(outer).and_then(Value::as_object_mut),
            (Some(_), None) => None,
        };
        let into =
            into.ok_or_else(|| fail("expected a key without a value before an indented key"))?;
        if inner.is_none() && !value.is_object() {
            outer = None;
        }
        if into.insert(key.to_owned(), value).is_some() {
            return Err(fail("the key occurs twice"));
        }
    }
    Err(fail(
        0,
        "the front matter does not end with a line of three hyphens",
    ))
}

/// Parses a quoted string, or a plain one that every parser reads as a string.
fn scalar(text: &str) -> Result<Value, &'static str> {
    if text.starts_with('"') {
        let quoted = serde_json::from_str::<String>(text);
        return quoted
            .map(Value::String)
            .map_err(|_| "expected one JSON string in double quotes");
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
        Err("expected double quotes, without which parsers may read another string")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn front_matter_is_read_verbatim() {
        let text = "---\nname: a-b\ndescription: \"Say \\\"no\\\": twice\"\nmetadata:\n  version: \"1.0\"\n  by: us\nlicense: MIT\n---\n# A\n---\n";
        let expected = json!({
            "name": "a-b",
            "description": "Say \"no\": twice",
            "metadata": {"version": "1.0", "by": "us"},
            "license": "MIT",
        });
        assert_eq!(Value::from(frontmatter(text).unwrap()), expected);
    }

    #[test]
    fn what_parsers_of_yaml_read_differently_is_refused_with_its_line() {
        for (text, line) in [
            ("# A", 1),
            ("---\nname: a", 1),
            ("---\nname: a\nversion: 1.0\n---", 3),
            ("---\nname: yes\n---", 2),
            ("---\nname: a: b\n---", 2),
            ("---\nname: a # b\n---", 2),
            ("---\nname:a\n---", 2),
            ("---\nname: [a]\n---", 2),
            ("---\nname: 'a'\n---", 2),
            ("---\nname: |\n  a\n---", 2),
            ("---\nname: \"a\" b\n---", 2),
            ("---\nname\n---", 2),
            ("---\nna me: a\n---", 2),
            ("---\n  name: a\n---", 2),
            ("---\nlicense: MIT\n  name: a\n---", 3),
            ("---\nname: a\nname: b\n---", 3),
        ] {
            let why = frontmatter(text).unwrap_err();
            assert!(why.starts_with(&format!("line {line}: ")), "{text}: {why}");
        }
    }
}
