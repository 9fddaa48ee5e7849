//! `server.json`, by which the registry of MCP servers knows the packages of a release.

use std::fs;

use serde_json::{Value, json};

use crate::dist::channel::{Ready, mcpb};
use crate::dist::release::{PROGRAM, Release};
use crate::failure::Failure;
use crate::tree::root;

/// The file, in the repository and in a release.
pub(crate) const FILE: &str = "server.json";
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
/// The same, in this repository.
const OFFICIAL: &str = "packaging/mcp-registry/server.schema.json";
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

/// Fails for what the registry's own schema does not allow.
pub(crate) fn judge(entry: &str) -> Result<(), Failure> {
    let path = root().join(OFFICIAL);
    let schema = fs::read_to_string(&path).map_err(Failure::io(OFFICIAL))?;
    let parse =
        |name, text: &str| serde_json::from_str(text).map_err(|why| Failure::unreadable(name, why));
    let (schema, entry): (Value, Value) = (parse(OFFICIAL, &schema)?, parse(FILE, entry)?);
    if schema.get("$id") != entry.get("$schema") {
        return Err(Failure::Found(format!(
            "{FILE} names another schema than {OFFICIAL}"
        )));
    }
    let validator = jsonschema::options()
        // Addresses are checked too, which draft 7 leaves to the one who validates.
        .should_validate_formats(true)
        .build(&schema)
        .map_err(|why| Failure::unreadable(OFFICIAL, why))?;
    let problems: Vec<_> = validator
        .iter_errors(&entry)
        .map(|it| format!("{FILE}: {it} at {}", it.instance_path()))
        .collect();
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Failure::Found(problems.join("\n"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{FILE, entry, judge};
    use crate::dist::release::Release;
    use crate::tree::root;

    /// The entry of a release, with a bundle.
    fn release() -> (Release, Value) {
        let release = Release::current().unwrap();
        let bundle = json!({
            "registryType": "mcpb",
            "identifier": format!("{}/bundle.mcpb", release.download()),
            "fileSha256": "0123456789abcdef".repeat(4),
            "transport": {"type": "stdio"},
        });
        let entry = serde_json::from_str(&entry(&release, vec![bundle])).unwrap();
        (release, entry)
    }

    #[test]
    fn the_entry_is_current() {
        let (release, _) = release();
        let found = std::fs::read_to_string(root().join(FILE)).unwrap();
        assert_eq!(
            found,
            entry(&release, Vec::new()),
            "run `cargo xtask codegen`"
        );
        judge(&found).unwrap();
    }

    #[test]
    fn the_official_schema_accepts_the_entry_of_a_release() {
        let (release, entry) = release();
        judge(&entry.to_string()).unwrap();
        for package in entry["packages"].as_array().unwrap() {
            let identifier = package["identifier"].as_str().unwrap();
            let is_of_release =
                package["version"] == *release.version || identifier.contains(&release.version);
            assert!(is_of_release, "{package}");
        }
    }

    #[test]
    fn the_official_schema_refuses_what_the_registry_would() {
        let check = |pointer: &str, value: Value, expected: &str| {
            let (_, mut entry) = release();
            *entry.pointer_mut(pointer).unwrap() = value;
            let found = judge(&entry.to_string()).unwrap_err().to_string();
            assert!(found.contains(expected), "{pointer}: {found}");
        };
        check("/name", json!("io.github.OWNER/qortal/mcp"), "at /name");
        check("/description", json!(""), "at /description");
        check("/description", json!("long ".repeat(21)), "at /description");
        check("/repository/url", json!("no address"), "at /repository/url");
        check(
            "/packages/4/fileSha256",
            json!("0123"),
            "at /packages/4/fileSha256",
        );
        check(
            "/packages/0/transport",
            json!({}),
            "at /packages/0/transport",
        );
        check(
            "/$schema",
            json!("https://example.org"),
            "names another schema",
        );
    }
}
