//! Crates of mere data can be taken by a program without an async runtime: nothing of one is in what they link.

use crate::command::{cargo, output};
use crate::failure::Failure;

/// Crates that anybody can take, whatever runtime they use, or none: the package, its library, and the features it is so with.
const PURE: &[(&str, &str, &str)] = &[
    ("qortal-mcp-protocol", "mcp-protocol", "--all-features"),
    // Without its program.
    ("qortal-mcp-convert", "mcp-convert", "--no-default-features"),
    // With `schemars` it has jsonschema, whose maps take a seed from the system.
    ("qortal-tool-schema", "tool-schema", "--no-default-features"),
    ("qortal-apps", "qortal-apps", "--all-features"),
    ("qortal-types", "qortal-types", "--all-features"),
];
/// What a runtime, a socket, a clock or a source of randomness comes by.
const IMPURE: &[&str] = &[
    "async-std",
    "futures-core",
    "getrandom",
    "http",
    "hyper",
    "libc",
    "mio",
    "smol",
    "socket2",
    "tokio",
    "tracing",
];

/// The libraries that a package links, one a line.
const TREE: &str = "tree --offline --edges normal,no-proc-macro --prefix none --format {lib}";

pub(super) fn violations() -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for (name, library, features) in PURE {
        // What is only run while compiling is not linked.
        let tree = output(
            cargo()
                .args(TREE.split(' '))
                .args([features, "--package", name]),
        )?;
        found.extend(impure(library, &tree));
    }
    Ok(found)
}

/// What `name` links that it should not; `tree` has the name of one library a line.
fn impure(name: &str, tree: &str) -> Vec<String> {
    let lines: Vec<String> = tree.lines().map(|lib| lib.replace('_', "-")).collect();
    if !lines.iter().any(|lib| lib == name) {
        return vec![format!("the tree of {name} does not begin with it")];
    }
    IMPURE
        .iter()
        .filter(|impure| lines.iter().any(|lib| lib == *impure))
        .map(|impure| format!("{name} links {impure}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::impure;

    #[test]
    fn what_a_pure_crate_links_is_named() {
        assert_eq!(impure("a-b", "a_b\nserde\n"), [""; 0]);
        assert_eq!(
            impure("a-b", "a_b\nserde\ntokio\nfutures_core\n"),
            ["a-b links futures-core", "a-b links tokio"]
        );
        assert_eq!(
            impure("a-b", ""),
            ["the tree of a-b does not begin with it"]
        );
    }
}
