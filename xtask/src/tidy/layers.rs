//! Dependencies run one way. A new dependency of any crate is a line in this table, and that line is the review.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::failure::Failure;
use crate::metadata::{self, items, text};

/// What each crate of the workspace depends on directly, apart from its tests.
const LAYERS: &[(&str, &[&str])] = &[
    // What MCP messages are: no IO, no clock, no runtime.
    (
        "qortal-mcp-protocol",
        &[
            "base64",
            "serde",
            "serde_json",
            "serde_path_to_error",
            "thiserror",
        ],
    ),
    // The conversion as a program, and for other languages: standard input and output alone.
    (
        "qortal-mcp-convert",
        &[
            "clap",
            "qortal-mcp-protocol",
            "serde",
            "serde_json",
            "thiserror",
        ],
    ),
    // Typed parameters and answers of tools, whatever protocol carries them.
    ("qortal-tool-schema", &["serde_json", "strsim"]),
    // Where transports of either protocol collect messages, and wait for their turn to parse large ones.
    ("qortal-paged-buffer", &["bytes", "memmap2", "tokio"]),
    // MCP, but nothing of Qortal.
    (
        "qortal-mcp-server",
        &[
            "base64",
            "bytes",
            "futures-util",
            "getrandom",
            "hmac",
            "jsonschema",
            "parking_lot",
            "qortal-mcp-protocol",
            "qortal-tool-schema",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-util",
            "tracing",
        ],
    ),
    (
        "qortal-mcp-stdio",
        &[
            "bytes",
            "memchr",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "tokio",
            "tokio-util",
            "tracing",
        ],
    ),
    (
        "qortal-mcp-http",
        &[
            "base64",
            "bytes",
            "futures-util",
            "getrandom",
            "http-body-util",
            "hyper",
            "hyper-util",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "qortal-paged-buffer",
            "rustls",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-rustls",
            "tokio-util",
            "tower-service",
            "tracing",
        ],
    ),
    // What an operator of any server needs, each part behind a feature.
    (
        "qortal-mcp-operate",
        &[
            "anstyle",
            "base64",
            "comfy-table",
            "futures-util",
            "jiff",
            "jsonc-parser",
            "jsonwebtoken",
            "opentelemetry",
            "opentelemetry-http",
            "opentelemetry-otlp",
            "opentelemetry_sdk",
            "parking_lot",
            "percent-encoding",
            "prometheus",
            "qortal-mcp-http",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "reqwest",
            "ring",
            "rlimit",
            "rustls",
            "sd-notify",
            "serde",
            "serde_json",
            "sha2",
            "subtle",
            "terminal_size",
            "thiserror",
            "tokio",
            "tokio-util",
            "toml_edit",
            "tracing",
            "tracing-subscriber",
            "unicode-width",
            "yaml-edit",
        ],
    ),
    // What the chain's values are: no IO, no clock, no runtime.
    (
        "qortal-types",
        &[
            "icu_properties",
            "jiff",
            "ripemd",
            "serde",
            "sha2",
            "strsim",
            "thiserror",
            "unicode-normalization",
        ],
    ),
    // Qortal, but nothing of MCP.
    (
        "qortal-client",
        &[
            "bytes",
            "futures-util",
            "parking_lot",
            "percent-encoding",
            "qortal-paged-buffer",
            "qortal-types",
            "reqwest",
            "rustls",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
            "tracing",
        ],
    ),
    // Of ours it takes one rule, by which the Core reduces names and which its vectors pin: it stands in for the node, not
    // for our reading of it.
    (
        "qortal-testnode",
        &[
            "bs58",
            "bytes",
            "data-encoding",
            "flate2",
            "futures-util",
            "http-body-util",
            "hyper",
            "hyper-util",
            "jiff",
            "qortal-types",
            "ripemd",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tokio-tungstenite",
        ],
    ),
    // Where the two meet.
    (
        "qortal-tools",
        &[
            "base64",
            "bs58",
            "futures-util",
            "icu_properties",
            "jiff",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "parking_lot",
            "percent-encoding",
            "png",
            "qortal-client",
            "qortal-tool-schema",
            "qortal-types",
            "qortal-views",
            "serde_json",
            "sha2",
            "thiserror",
            "tiny-skia",
            "tokio",
            "tracing",
            "ttf-parser",
            "unicode-normalization",
        ],
    ),
    // Pages, for any server: the standard library alone.
    ("qortal-views", &[]),
    // The only one that sees everything.
    (
        "qortal-mcp",
        &[
            "base64",
            "clap",
            "clap_complete",
            "futures-util",
            "parking_lot",
            "qortal-mcp-http",
            "qortal-mcp-operate",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "qortal-mcp-stdio",
            "qortal-client",
            "qortal-testnode",
            "qortal-tools",
            "qortal-tool-schema",
            "qortal-types",
            "serde_json",
            "similar",
            "thiserror",
            "tokio",
            "tokio-util",
            "toml",
            "tracing",
            "tracing-subscriber",
        ],
    ),
    // Never shipped.
    (
        "weather-server",
        &[
            "qortal-mcp-http",
            "qortal-mcp-operate",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "qortal-mcp-stdio",
            "tokio",
            "tokio-util",
        ],
    ),
    (
        "everything-server",
        &[
            "qortal-mcp-http",
            "qortal-mcp-protocol",
            "qortal-mcp-server",
            "qortal-mcp-stdio",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    ),
    (
        "mcp-schema",
        &["jsonschema", "qortal-mcp-protocol", "serde_json"],
    ),
    ("qortal-operations", &[]),
    (
        "qortal-tests",
        &[
            "qortal-mcp-http",
            "qortal-mcp-protocol",
            "mcp-schema",
            "qortal-mcp-server",
            "qortal-mcp-stdio",
            "qortal-client",
            "qortal-mcp",
            "qortal-testnode",
            "qortal-tools",
            "serde_json",
            "tokio",
            "tokio-util",
        ],
    ),
    ("xtask", &["clap", "serde_json"]),
    (
        "xtask-codegen",
        &[
            "clap",
            "clap_complete",
            "clap_mangen",
            "pulldown-cmark",
            "qortal-client",
            "qortal-mcp",
            "qortal-testnode",
            "qortal-tools",
            "serde_json",
            "tiktoken-rs",
            "tokio",
            "xtask",
        ],
    ),
    (
        "xtask-measure",
        &[
            "jiff",
            "qortal-testnode",
            "qortal-tools",
            "serde_json",
            "tokio",
            "xtask",
        ],
    ),
];

pub(super) fn violations() -> Result<Vec<String>, Failure> {
    Ok(compare(&metadata::workspace()?, LAYERS))
}

fn compare(metadata: &Value, layers: &[(&str, &[&str])]) -> Vec<String> {
    let mut found = Vec::new();
    let packages = items(metadata, "packages");
    for package in packages {
        let name = text(package, "name");
        let Some((_, allowed)) = layers.iter().find(|(listed, _)| *listed == name) else {
            found.push(format!("{name} is not in the table"));
            continue;
        };
        let used: BTreeSet<&str> = items(package, "dependencies")
            .iter()
            .filter(|dependency| dependency.get("kind").is_none_or(Value::is_null))
            .map(|dependency| text(dependency, "name"))
            .collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        for new in used.difference(&allowed) {
            found.push(format!(
                "{name} depends on {new}, which is not in the table"
            ));
        }
        for gone in allowed.difference(&used) {
            found.push(format!("{name} no longer depends on {gone}"));
        }
    }
    for (name, _) in layers {
        if !packages
            .iter()
            .any(|package| text(package, "name") == *name)
        {
            found.push(format!("{name} is no crate of the workspace"));
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
        ]});
        let layers: &[(&str, &[&str])] = &[("a", &["serde", "tokio"]), ("c", &[])];
        assert_eq!(
            compare(&metadata, layers),
            [
                "a depends on hyper, which is not in the table",
                "a no longer depends on tokio",
                "b is not in the table",
                "c is no crate of the workspace",
            ]
        );
    }
}
