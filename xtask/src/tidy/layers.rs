//! Dependencies run one way. A new one between our crates is a line in this table, and that line is the review.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::failure::Failure;
use crate::metadata::{self, items, text};

/// Crates that promise to bring little: all that each of them depends on, apart from its tests.
const FEW: &[(&str, &str)] = &[
    // What MCP messages are: no IO, no clock, no runtime.
    (
        "qortal-mcp-protocol",
        "base64 serde serde_json serde_path_to_error thiserror",
    ),
    // The conversion as a program, and for other languages: standard input and output alone.
    (
        "qortal-mcp-convert",
        "clap qortal-mcp-protocol serde serde_json thiserror",
    ),
    // Typed parameters and answers of tools, whatever protocol carries them. The first three are for types of other crates alone.
    (
        "qortal-tool-schema",
        "jsonschema schemars serde serde_json strsim",
    ),
    // Where transports of either protocol collect messages, and wait for their turn to parse large ones.
    ("qortal-paged-buffer", "bytes memmap2 tokio"),
    // What the chain's values are: no IO, no clock, no runtime.
    (
        "qortal-types",
        "icu_properties jiff ripemd serde sha2 strsim thiserror unicode-normalization",
    ),
    // Readers of the data that official apps publish: no IO, no clock, no runtime.
    ("qortal-apps", "base64 html5gum percent-encoding serde_json"),
    // Pictures of numbers.
    (
        "qortal-charts",
        "jiff parking_lot png qortal-tool-schema qortal-types thiserror tiny-skia tokio ttf-parser",
    ),
    // Pages, for any server: the standard library alone.
    ("qortal-views", ""),
    ("xtask", "clap serde_json"),
];

/// Which of ours the others depend on, apart from their tests.
const OURS: &[(&str, &str)] = &[
    // MCP, but nothing of Qortal.
    (
        "qortal-mcp-server",
        "qortal-mcp-protocol qortal-tool-schema",
    ),
    ("qortal-mcp-client", "qortal-mcp-protocol"),
    ("qortal-mcp-stdio", "qortal-mcp-protocol qortal-mcp-server"),
    (
        "qortal-mcp-http",
        "qortal-mcp-protocol qortal-mcp-server qortal-paged-buffer",
    ),
    // What an operator of any server needs, each part behind a feature.
    (
        "qortal-mcp-operate",
        "qortal-mcp-http qortal-mcp-protocol qortal-mcp-server",
    ),
    // Qortal, but nothing of MCP.
    ("qortal-client", "qortal-paged-buffer qortal-types"),
    // Of ours it takes one rule, by which the Core reduces names and which its vectors pin: it stands in for the node, not
    // for our reading of it.
    ("qortal-testnode", "qortal-types"),
    // Where the two meet.
    (
        "qortal-tools",
        "qortal-apps qortal-charts qortal-client qortal-mcp-protocol qortal-mcp-server qortal-tool-schema qortal-types qortal-views",
    ),
    // The only one that sees everything.
    (
        "qortal-mcp",
        "qortal-client qortal-mcp-http qortal-mcp-operate qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio qortal-testnode qortal-tool-schema qortal-tools qortal-types",
    ),
    // Never shipped.
    (
        "weather-server",
        "qortal-mcp-http qortal-mcp-operate qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio",
    ),
    (
        "everything-server",
        "qortal-mcp-http qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio",
    ),
    (
        "gateway-server",
        "qortal-mcp-client qortal-mcp-http qortal-mcp-protocol qortal-mcp-server",
    ),
    ("mcp-schema", "qortal-mcp-protocol"),
    ("qortal-operations", ""),
    (
        "qortal-tests",
        "mcp-schema qortal-client qortal-mcp qortal-mcp-http qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio qortal-testnode qortal-tools",
    ),
    (
        "qortal-simulation",
        "mcp-schema qortal-client qortal-mcp qortal-mcp-http qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio qortal-testnode qortal-tools",
    ),
    (
        "xtask-codegen",
        "qortal-client qortal-mcp qortal-testnode qortal-tools xtask",
    ),
    ("xtask-measure", "qortal-testnode qortal-tools xtask"),
];

pub(super) fn violations() -> Result<Vec<String>, Failure> {
    Ok(compare(&metadata::workspace()?, FEW, OURS))
}

fn compare(metadata: &Value, few: &[(&str, &str)], ours: &[(&str, &str)]) -> Vec<String> {
    let packages = items(metadata, "packages");
    let names: BTreeSet<&str> = packages.iter().map(|it| text(it, "name")).collect();
    let mut found = Vec::new();
    for name in &names {
        if !few.iter().chain(ours).any(|(listed, _)| listed == name) {
            found.push(format!("{name} is not in the table"));
        }
    }
    let rows = few.iter().map(|it| (it, true));
    for ((name, allowed), is_few) in rows.chain(ours.iter().map(|it| (it, false))) {
        let Some(package) = packages.iter().find(|it| text(it, "name") == *name) else {
            found.push(format!("{name} is no crate of the workspace"));
            continue;
        };
        let used: BTreeSet<&str> = items(package, "dependencies")
            .iter()
            .filter(|it| it.get("kind").is_none_or(Value::is_null))
            .map(|it| text(it, "name"))
            .filter(|it| is_few || names.contains(it))
            .collect();
        let allowed: BTreeSet<&str> = allowed.split_whitespace().collect();
        for new in used.difference(&allowed) {
            found.push(format!(
                "{name} depends on {new}, which is not in the table"
            ));
        }
        for gone in allowed.difference(&used) {
            found.push(format!("{name} no longer depends on {gone}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::compare;

    #[test]
    fn new_gone_and_unknown_are_told_apart() {
        let metadata = json!({"packages": [
            {"name": "a", "dependencies": [
                {"name": "serde", "kind": null},
                {"name": "hyper", "kind": null},
                {"name": "insta", "kind": "dev"},
            ]},
            {"name": "b", "dependencies": []},
            {"name": "d", "dependencies": [
                {"name": "a", "kind": null},
                {"name": "b", "kind": "dev"},
                {"name": "hyper", "kind": null},
            ]},
        ]});
        let few = &[("a", "serde tokio"), ("c", "")];
        assert_eq!(
            compare(&metadata, few, &[("d", "b")]),
            [
                "b is not in the table",
                "a depends on hyper, which is not in the table",
                "a no longer depends on tokio",
                "c is no crate of the workspace",
                "d depends on a, which is not in the table",
                "d no longer depends on b",
            ]
        );
    }
}
