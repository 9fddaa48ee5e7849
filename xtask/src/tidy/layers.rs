//! Dependencies run one way. A new one between our crates is a line in this table, and that line is the review. So is a new name of
//! the protocol in the binary.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::failure::Failure;
use crate::metadata::{self, items, text};
use crate::tree::File;

use super::circles::expanded;

/// Crates that promise to bring little: all that each of them depends on, apart from its tests.
const FEW: &[(&str, &str)] = &[
    // What MCP messages are: no IO, no clock, no runtime.
    ("qortal-mcp-protocol", "base64 serde serde_json thiserror"),
    // Conversion of results to the shapes of SDKs. The program alone needs clap, and standard input and output.
    (
        "qortal-mcp-convert",
        "base64 clap imagesize percent-encoding qortal-mcp-protocol serde serde_json thiserror",
    ),
    // Hosts and their configuration files, for any server: it knows none of our crates.
    (
        "qortal-mcp-hosts",
        "base64 jsonc-parser percent-encoding saphyr-parser serde serde_json similar thiserror toml_edit",
    ),
    // Typed parameters and answers of tools, whatever protocol carries them. The first three are for types of other crates alone.
    (
        "qortal-tool-schema",
        "jsonschema schemars serde serde_json serde_path_to_error strsim",
    ),
    // Where transports of either protocol collect messages, and wait for their turn to parse large ones.
    ("qortal-message-buffer", "bytes memmap2 tokio"),
    // What the chain's values are: no IO, no clock, no runtime.
    (
        "qortal-types",
        "icu_properties jiff ripemd serde sha2 strsim thiserror unicode-normalization",
    ),
    // Readers of the data that official apps publish: no IO, no clock, no runtime.
    ("qortal-apps", "base64 html5gum percent-encoding serde_json"),
    // Charts of numbers.
    (
        "qortal-charts",
        "jiff parking_lot png qortal-tool-schema qortal-types thiserror tiny-skia tokio ttf-parser",
    ),
    // The words of people.
    ("qortal-search", "qortal-tool-schema unicode-normalization"),
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
    // The servers for a feature alone: a client of a server in the same process, for tests.
    (
        "qortal-mcp-client",
        "qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio",
    ),
    ("qortal-mcp-stdio", "qortal-mcp-protocol qortal-mcp-server"),
    (
        "qortal-mcp-http",
        "qortal-mcp-protocol qortal-mcp-server qortal-message-buffer",
    ),
    // What an operator of any server needs, each part behind a feature.
    (
        "qortal-mcp-operate",
        "qortal-mcp-http qortal-mcp-protocol qortal-mcp-server",
    ),
    // Qortal, but nothing of MCP.
    ("qortal-client", "qortal-message-buffer qortal-types"),
    // Of ours it takes one rule, by which the Core reduces names and which its vectors pin: it stands in for the node, not
    // for our reading of it.
    ("qortal-testnode", "qortal-types"),
    (
        "qortal-tools",
        "qortal-apps qortal-charts qortal-client qortal-search qortal-tool-schema qortal-types",
    ),
    // Where the two meet.
    (
        "qortal-resources",
        "qortal-apps qortal-client qortal-mcp-protocol qortal-mcp-server qortal-tools qortal-types qortal-views",
    ),
    // The only one that sees everything.
    (
        "qortal-mcp",
        "qortal-client qortal-mcp-hosts qortal-mcp-http qortal-mcp-operate qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio qortal-resources qortal-testnode qortal-tool-schema qortal-tools qortal-types",
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
    ("oauth-client", "qortal-mcp-client"),
    ("mcp-schema", "qortal-mcp-protocol"),
    ("test-chain", "qortal-client qortal-testnode qortal-tools"),
    ("qortal-operations", ""),
    (
        "qortal-tests",
        "mcp-schema qortal-client qortal-mcp qortal-mcp-http qortal-mcp-protocol qortal-mcp-server qortal-mcp-stdio qortal-resources qortal-testnode qortal-tools",
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

/// The names of `mcp_protocol` that the binary may use. It wires crates and prints: what reads or writes messages belongs into a library.
const PROTOCOL_IN_BINARY: &[&str] = &["ErrorObject", "Icon", "Revision", "ServerInfo", "render"];
const BINARY: &str = "crates/qortal-mcp/src/";
const PROTOCOL: &str = "mcp_protocol::";
/// Features of other people's crates, of which no published crate may need a version.
const HACK: &str = "workspace-hack";

pub(super) fn violations(files: &[File]) -> Result<Vec<String>, Failure> {
    let mut found = compare(&metadata::workspace()?, FEW, OURS);
    found.extend(protocol_in_binary(files, PROTOCOL_IN_BINARY));
    Ok(found)
}

fn protocol_in_binary(files: &[File], allowed: &[&str]) -> Vec<String> {
    let is_of_binary =
        |file: &&File| file.path.starts_with(BINARY) && file.has_extension("rs") && !file.is_test();
    let (mut found, mut unused) = (Vec::new(), BTreeSet::from_iter(allowed.iter().copied()));
    for file in files.iter().filter(is_of_binary) {
        let code: Vec<&str> = file.code().into_iter().map(|(_, line)| line).collect();
        for name in protocol_names(&code.join("\n")) {
            if !allowed.contains(&name.as_str()) {
                found.push(format!(
                    "{}: {PROTOCOL}{name} is not a name that the binary may use",
                    file.path
                ));
            }
            unused.remove(name.as_str());
        }
    }
    let unused = unused.into_iter();
    found.extend(unused.map(|name| format!("the binary no longer uses {PROTOCOL}{name}")));
    found
}

/// The paths below `mcp_protocol`, in imports and elsewhere.
fn protocol_names(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(PROTOCOL) {
        let (before, rest) = code.split_at(at);
        let rest = rest.strip_prefix(PROTOCOL).unwrap_or(rest);
        if before.ends_with("use ") {
            let tree = rest.split(';').next().unwrap_or_default();
            names.extend(expanded(tree));
        } else {
            let end = rest.find(|it: char| !it.is_alphanumeric() && !"_:".contains(it));
            let path = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
            names.insert(path.trim_end_matches(':').to_owned());
        }
    }
    names
}

fn compare(metadata: &Value, few: &[(&str, &str)], ours: &[(&str, &str)]) -> Vec<String> {
    let packages = items(metadata, "packages");
    let names: BTreeSet<&str> = packages.iter().map(|it| text(it, "name")).collect();
    let mut found = Vec::new();
    for name in names.iter().filter(|it| **it != HACK) {
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
        let is_published = package.get("publish").is_none_or(Value::is_null);
        let used: BTreeSet<&str> = items(package, "dependencies")
            .iter()
            .filter(|it| it.get("kind").is_none_or(Value::is_null))
            .map(|it| text(it, "name"))
            .filter(|it| is_few || names.contains(it))
            .filter(|it| is_published || *it != HACK)
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

    use super::{HACK, compare, protocol_in_binary};
    use crate::tree::File;

    #[test]
    fn protocol_names_in_the_binary_are_those_of_the_list() {
        let file = |path: &str, text: &str| File::new(path, text);
        let files = [
            file(
                "crates/qortal-mcp/src/run.rs",
                "use mcp_protocol::{Revision,\n    jsonrpc::Request};\nfn f(_: &mcp_protocol::Tool) {}\n\
                 #[cfg(test)]\nmod tests {\n    use mcp_protocol::Task;\n}\n",
            ),
            file(
                "crates/qortal-mcp/tests/it/main.rs",
                "use mcp_protocol::Task;\n",
            ),
            file("crates/mcp-http/src/lib.rs", "use mcp_protocol::Task;\n"),
        ];
        assert_eq!(
            protocol_in_binary(&files, &["Revision", "ServerInfo"]),
            [
                "crates/qortal-mcp/src/run.rs: mcp_protocol::Tool is not a name that the binary may use",
                "crates/qortal-mcp/src/run.rs: mcp_protocol::jsonrpc::Request is not a name that the binary may use",
                "the binary no longer uses mcp_protocol::ServerInfo",
            ]
        );
    }

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

    #[test]
    fn only_unpublished_crates_depend_on_the_hack() {
        let check = |publish: serde_json::Value, expected: &[&str]| {
            let dependencies = [json!({"name": HACK, "kind": null})];
            let package = json!({"name": "a", "publish": publish, "dependencies": dependencies});
            let packages = [package, json!({"name": HACK, "dependencies": []})];
            let found = compare(&json!({"packages": packages}), &[], &[("a", "")]);
            assert_eq!(found, expected);
        };
        check(json!([]), &[]);
        let refused = "a depends on workspace-hack, which is not in the table";
        check(json!(null), &[refused]);
    }
}
