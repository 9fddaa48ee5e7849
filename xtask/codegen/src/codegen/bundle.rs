//! MCP bundles: a program, a manifest and an icon in one file that a desktop host installs with a double click.

use std::fs;

use qortal_tools::{Catalog, Surface};
use serde_json::{Map, Value, json};

use xtask::{failure::Failure, release::Release, tree};

/// The manifest, which `packaging/pack` names the program and the system of each bundle in, and which `packaging/plugin` makes
/// the manifests of other hosts from. It has the version of the form that every host of today reads, and a default for each
/// field: one without that is left blank reaches the program as its own placeholder.
const FILE: &str = "packaging/mcpb/manifest.json";

/// The manifest with what is decided elsewhere: version, description, repository and tools.
pub(crate) fn manifest(release: &Release) -> Result<(String, String), Failure> {
    let written = fs::read_to_string(tree::root().join(FILE)).map_err(Failure::io(FILE))?;
    let named = serde_json::from_str::<Map<String, Value>>(&release.named_in(&written));
    let mut manifest = named.map_err(|why| Failure::unreadable(FILE, why))?;
    let decided = [
        ("version", json!(release.version)),
        ("description", json!(release.description)),
        ("tools", tools()),
    ];
    manifest.extend(decided.map(|(name, value)| (name.to_owned(), value)));
    Ok((FILE.to_owned(), format!("{:#}\n", Value::from(manifest))))
}

/// The tools of the shortest list, for the page that a host shows before it installs.
fn tools() -> Value {
    let entries = Catalog::families().iter().flat_map(|family| family.tools);
    let listed = entries.filter(|entry| Surface::Core.lists(entry));
    let tool = |entry: &qortal_tools::Entry| {
        let first = entry.description.split(". ").next().unwrap_or_default();
        json!({"name": entry.name, "description": format!("{}.", first.trim_end_matches('.'))})
    };
    listed.map(tool).collect()
}
