//! Everything that is linked may be used under licenses that ask for no more than their text.

use serde_json::Value;

use crate::command::{cargo, output};
use crate::failure::Failure;

/// SPDX names; a new one is a decision.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks the packages of the lockfile that this platform uses; those are the ones at hand without a network.
pub(super) fn violations() -> Result<Vec<String>, Failure> {
    let version = output(cargo().args(["--version", "--verbose"]))?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .ok_or_else(|| Failure::unreadable("cargo --version --verbose", "it names no host"))?;
    let metadata = output(cargo().args([
        "metadata",
        "--offline",
        "--locked",
        "--format-version",
        "1",
        "--filter-platform",
        host,
    ]))?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|why| Failure::unreadable("metadata", why))?;
    let packages = metadata
        .get("packages")
        .and_then(Value::as_array)
        .ok_or_else(|| Failure::unreadable("metadata", "it lists no packages"))?;
    let mut found = Vec::new();
    for package in packages {
        let text = |key| package.get(key).and_then(Value::as_str).unwrap_or_default();
        let license = text("license");
        if !is_allowed(license) {
            let (name, version) = (text("name"), text("version"));
            found.push(format!("{name} {version} is under {license:?}"));
        }
    }
    Ok(found)
}

/// Whether an SPDX expression offers a way that is allowed. `/` is the older spelling of `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = Words(spaced.split_whitespace().collect());
    any(&mut words) && words.0.is_empty()
}

/// What is left of an expression, the next word first.
struct Words<'a>(std::collections::VecDeque<&'a str>);

impl Words<'_> {
    fn take(&mut self, word: &str) -> bool {
        let next = self.0.front() == Some(&word);
        if next {
            self.0.pop_front();
        }
        next
    }
}

fn any(words: &mut Words<'_>) -> bool {
    let mut allowed = every(words);
    while words.take("OR") {
        allowed |= every(words);
    }
    allowed
}

fn every(words: &mut Words<'_>) -> bool {
    let mut allowed = one(words);
    while words.take("AND") {
        allowed &= one(words);
    }
    allowed
}

fn one(words: &mut Words<'_>) -> bool {
    if words.take("(") {
        return any(words) & words.take(")");
    }
    let Some(name) = words.0.pop_front() else {
        return false;
    };
    // An exception only ever permits more.
    if words.take("WITH") {
        words.0.pop_front();
    }
    ALLOWED.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn an_expression_is_allowed_if_one_way_is() {
        for (expression, allowed) in [
            ("MIT", true),
            ("MIT/Apache-2.0", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("GPL-3.0-only OR MIT", true),
            ("GPL-3.0-only", false),
            ("MIT AND GPL-3.0-only", false),
            ("(MIT OR GPL-3.0-only) AND AGPL-3.0-only", false),
            ("(MIT", false),
            ("MIT MIT", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression), allowed, "{expression}");
        }
    }
}
