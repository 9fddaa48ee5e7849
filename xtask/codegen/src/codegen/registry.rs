//! `server.json`, by which the registry of MCP servers knows the packages of a release.

use serde_json::{Value, json};

use xtask::release::{PROGRAM, Release};

/// The file, which `packaging/pack` adds the bundles of a release to.
pub(crate) const FILE: &str = "server.json";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The registry takes a shorter text than others.
const DESCRIPTION: &str =
    "Read-only answers from a Qortal blockchain node: accounts, trades, names, minting, chat, QDN.";

/// The entry, with the packages whose address says all.
pub(crate) fn entry(release: &Release) -> String {
    let version = &release.version;
    let package = |kind: &str, identifier: &str, hint: Option<&str>| {
        let mut package = json!({
            "registryType": kind,
            "identifier": identifier,
            "version": version,
            "transport": {"type": "stdio"},
            "environmentVariables": environment(),
        });
        if let (Some(members), Some(hint)) = (package.as_object_mut(), hint) {
            members.insert("runtimeHint".to_owned(), json!(hint));
        }
        package
    };
    // An image is named with its tag, and has no version beside.
    let mut image = package(
        "oci",
        &format!("{}:{version}", release.image()),
        Some("docker"),
    );
    if let Some(members) = image.as_object_mut() {
        members.remove("version");
    }
    let packages = [
        package("npm", PROGRAM, Some("npx")),
        package("pypi", PROGRAM, Some("uvx")),
        package("cargo", PROGRAM, None),
        image,
    ];
    let raw = release
        .repository
        .replace("https://github.com/", "https://raw.githubusercontent.com/");
    let entry = json!({
        "$schema": SCHEMA,
        "name": release.server_name(),
        "title": "Qortal",
        "description": DESCRIPTION,
        "repository": {"url": release.repository, "source": "github"},
        "version": version,
        "icons": [{
            "src": format!("{raw}/v{version}/packaging/icon.png"),
            "mimeType": "image/png",
            "sizes": ["512x512"],
        }],
        "packages": packages,
    });
    format!("{entry:#}\n")
}

fn environment() -> Value {
    json!([
        {
            "name": "QORTAL_MCP_NODE",
            "description": "Where your node answers.",
            "default": "http://127.0.0.1:12391",
            "isRequired": false,
        },
        {
            "name": "QORTAL_MCP_API_KEY_FILE",
            "description": "The node's apikey.txt, for the few tools that need its key.",
            "format": "filepath",
            "isRequired": false,
        },
    ])
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Value;

    use super::{FILE, SCHEMA};
    use xtask::tree::root;

    /// The schema, in this repository.
    const OFFICIAL: &str = "packaging/mcp-registry/server.schema.json";

    #[test]
    fn the_official_schema_accepts_the_entry() {
        let read = |path: &str| -> Value {
            serde_json::from_str(&fs::read_to_string(root().join(path)).unwrap()).unwrap()
        };
        let (schema, entry) = (read(OFFICIAL), read(FILE));
        assert_eq!(schema["$id"], SCHEMA);
        let validator = jsonschema::options()
            // Addresses are checked too, which draft 7 leaves to the one who validates.
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let problems: Vec<_> = validator.iter_errors(&entry).collect();
        assert!(problems.is_empty(), "{problems:?}");
    }
}
