//! The corpus of the conversion as a package of npm.

use serde_json::json;

use xtask::release::Release;

const PACKAGE: &str = "qortal-mcp-corpus";
pub(crate) const FOLDER: &str = "crates/mcp-convert/corpus";
/// What the package has of the folder.
const FILES: &[&str] = &[
    "adapters.mjs",
    "adapters.py",
    "cases.jsonl",
    "corpus.mjs",
    "corpus.py",
    "differences.json",
    "examples",
    "generate",
    "hosts.json",
    "inputs.json",
    "run.mjs",
    "run.py",
    "schema.json",
    "servers.json",
    "vendors",
];

/// The manifest.
pub(crate) fn manifest(release: &Release) -> String {
    let repository = &release.repository;
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
        "files": FILES,
        "engines": {"node": ">=18"},
    });
    format!("{manifest:#}\n")
}
