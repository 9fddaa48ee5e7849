//! `server.json`, by which the registry of MCP servers knows the packages of a release.

use serde_json::{Value, json};

use crate::dist::channel::{Ready, mcpb};
use crate::dist::release::{PROGRAM, Release};
use crate::failure::Failure;

/// The file, in the repository and in a release.
pub(crate) const FILE: &str = "server.json";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The registry takes a shorter text than others.
const DESCRIPTION: &str =
    "Read-only answers from a Qortal blockchain node: accounts, trades, names, minting, chat, QDN.";

/// Writes the entry of the release, with its bundles and their checksums.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    let release = &ready.release;
    let mut bundles = Vec::new();
    for (platform, _) in ready.platforms() {
        let name = mcpb::name(&release.version, platform);
        let sum = ready.sha256(&name)?;
        bundles.push(json!({
            "registryType": "mcpb",
            "identifier": format!("{}/{name}", release.download()),
            "fileSha256": sum,
            "transport": {"type": "stdio"},
        }));
    }
    ready.write(FILE, entry(release, bundles).as_bytes())
}

/// The entry, with the packages whose address says all.
pub(crate) fn entry(release: &Release, bundles: Vec<Value>) -> String {
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
    let mut packages = vec![
        package("npm", PROGRAM, Some("npx")),
        package("pypi", PROGRAM, Some("uvx")),
        package("cargo", PROGRAM, None),
        image,
    ];
    packages.extend(bundles);
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
            "name": "QORTAL_BASE_URL",
            "description": "Where your node answers.",
            "default": "http://127.0.0.1:12391",
            "isRequired": false,
        },
        {
            "name": "QORTAL_API_KEY_FILE",
            "description": "The node's apikey.txt, for the few tools that need its key.",
            "format": "filepath",
            "isRequired": false,
        },
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{DESCRIPTION, FILE, entry};
    use crate::dist::release::Release;
    use crate::tree::root;

    #[test]
    fn the_entry_is_current_and_keeps_the_registry_s_limits() {
        let release = Release::current().unwrap();
        let found = std::fs::read_to_string(root().join(FILE)).unwrap();
        assert_eq!(
            found,
            entry(&release, Vec::new()),
            "run `cargo xtask codegen`"
        );
        let found: Value = serde_json::from_str(&found).unwrap();
        // ServerDetail of the schema: `name` has one slash, `description` 1 to 100 characters.
        let name = found.get("name").and_then(Value::as_str).unwrap();
        let is_name = |it: &str| {
            let allowed = |it: char| it.is_ascii_alphanumeric() || ".-_".contains(it);
            !it.is_empty() && it.chars().all(allowed)
        };
        let parts: Vec<_> = name.split('/').collect();
        assert!(parts.len() == 2 && parts.into_iter().all(is_name), "{name}");
        assert!((1..=100).contains(&DESCRIPTION.chars().count()));
        for package in found.get("packages").and_then(Value::as_array).unwrap() {
            assert!(package.get("registryType").is_some() && package.get("identifier").is_some());
            let tagged = package["identifier"]
                .as_str()
                .unwrap()
                .ends_with(&release.version);
            assert!(
                package["version"] == *release.version || tagged,
                "{package}"
            );
        }
    }
}
