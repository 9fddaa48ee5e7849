//! The corpus of the conversion as a package of npm: the folder as it is, with the licenses.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::dist::pack::Entry;
use crate::dist::release::Release;
use crate::failure::Failure;
use crate::tree::root;

pub(crate) const PACKAGE: &str = "qortal-mcp-corpus";
pub(crate) const FOLDER: &str = "crates/mcp-protocol/corpus";
/// What the package has of the folder.
const FILES: &[&str] = &[
    "README.md",
    "differences.json",
    "generate",
    "inputs.json",
    "losses.json",
    "package.json",
    "run.mjs",
    "run.py",
    "schema.json",
    "servers.json",
    "vendors",
];

/// The manifest, which `cargo xtask codegen` keeps in the folder.
pub(crate) fn manifest(release: &Release) -> String {
    let repository = &release.repository;
    let files = FILES
        .iter()
        .filter(|it| !matches!(**it, "README.md" | "package.json"));
    let manifest = json!({
        "name": PACKAGE,
        "version": release.version,
        "description": "What servers answer to MCP tool calls, and what the converters of SDKs make of it, by package and version.",
        "license": "MIT OR Apache-2.0",
        "homepage": repository,
        "repository": {"type": "git", "url": format!("git+{repository}.git"), "directory": FOLDER},
        "keywords": ["mcp", "model-context-protocol", "llm", "corpus", "test"],
        "type": "module",
        "bin": {PACKAGE: "run.mjs"},
        "exports": {"./*": "./*"},
        "files": files.collect::<Vec<_>>(),
        "engines": {"node": ">=18"},
    });
    format!("{manifest:#}\n")
}

/// The files of the package.
pub(crate) fn entries() -> Result<Vec<Entry>, Failure> {
    let folder = root().join(FOLDER);
    let mut entries = Vec::new();
    let mut paths: Vec<PathBuf> = FILES.iter().map(|it| folder.join(it)).collect();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).map_err(Failure::io(path.display()))? {
                paths.push(entry.map_err(Failure::io(path.display()))?.path());
            }
            continue;
        }
        let bytes = fs::read(&path).map_err(Failure::io(path.display()))?;
        let name = path.strip_prefix(&folder).unwrap_or(&path);
        let name = name.to_string_lossy().replace('\\', "/");
        entries.push(match name.as_str() {
            "run.mjs" => Entry::program(name, bytes),
            _ => Entry::file(name, bytes),
        });
    }
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let bytes = fs::read(root().join(license)).map_err(Failure::io(license))?;
        entries.push(Entry::file(license, bytes));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::entries;

    #[test]
    fn the_package_has_the_data_and_its_runners() {
        let entries = entries().unwrap();
        for path in [
            "inputs.json",
            "vendors/ai-sdk.json",
            "run.py",
            "LICENSE-MIT",
        ] {
            assert!(entries.iter().any(|it| it.path == path), "{path}");
        }
    }
}
