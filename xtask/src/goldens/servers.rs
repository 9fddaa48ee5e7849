//! What real servers answer: the inputs of the corpus that no person wrote.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::command::{cargo, output, progress};
use crate::failure::Failure;
use crate::metadata::text;
use crate::tree::{root, target};

use super::{rust, with_npm, with_python};

/// Environments of servers: what the newest version answers, and the one before, which many have.
const SERVERS: &[(&str, &str, &[&str])] = &[
    ("mcp1", "mcp", &["mcp<2"]),
    ("mcp2", "mcp", &["mcp"]),
    ("fastmcp3", "fastmcp", &["fastmcp<4"]),
    ("fastmcp", "fastmcp", &["fastmcp"]),
];
const TYPESCRIPT: &str = "@modelcontextprotocol/sdk";

/// Asks a server of each SDK, and returns the text of `servers.json` and how many answers are others than `before` has.
pub(super) fn run(
    scratch: &Path,
    corpus: &Path,
    before: &Value,
) -> Result<(String, usize), Failure> {
    let script = corpus.join("generate/servers.py");
    let mut entries = Vec::new();
    for (name, package, install) in SERVERS {
        entries.push(with_python(&scratch.join(name), install, |python| {
            output(Command::new(python).arg(&script).arg(package))
        })?);
    }
    let typescript = corpus.join("generate/servers.mjs");
    entries.push(with_npm(&scratch.join("npm"), TYPESCRIPT, &[], |folder| {
        output(Command::new("node").arg(typescript).arg(folder))
    })?);
    entries.push(rmcp()?);
    let folder = scratch.join("servers");
    fs::create_dir_all(&folder).map_err(Failure::io(folder.display()))?;
    let (mut files, mut changed) = (Vec::new(), 0);
    for (index, entry) in entries.iter().enumerate() {
        let file = folder.join(format!("{index}.json"));
        fs::write(&file, entry).map_err(Failure::io(file.display()))?;
        files.push(file);
        changed += compare(before, entry)?;
    }
    let mut assemble = Command::new("python3");
    assemble
        .arg(corpus.join("generate/assemble.py"))
        .args(files);
    Ok((output(&mut assemble)?, changed))
}

/// What rmcp makes of each type, from the program that is pinned to a version of it.
fn rmcp() -> Result<String, Failure> {
    progress("asking rmcp")?;
    let manifest = root().join("bench/Cargo.toml");
    let pins = fs::read_to_string(&manifest).map_err(Failure::io(manifest.display()))?;
    let version = pins
        .split_once("rmcp = { version = \"=")
        .and_then(|(_, rest)| rest.split_once('"'));
    let Some((version, _)) = version else {
        let why = "it pins no version of rmcp";
        return Err(Failure::unreadable(manifest.display(), why));
    };
    let newest = rust::newest("rmcp")?;
    if newest != version {
        progress(&format!("rmcp: newest is {newest}, asked {version}"))?;
    }
    let mut run = cargo();
    run.args(["run", "--quiet", "--locked", "--bin", "rmcp-results"]);
    run.arg("--manifest-path").arg(&manifest);
    run.arg("--target-dir").arg(target().join("bench"));
    let results = output(&mut run)?;
    Ok(format!(
        r#"{{"package": "rmcp", "version": "{version}", "about": "IntoCallToolResult of rmcp, by type", "results": {results}}}"#
    ))
}

/// Prints the answers that are others, and returns how many there are.
fn compare(before: &Value, entry: &str) -> Result<usize, Failure> {
    let entry: Value =
        serde_json::from_str(entry).map_err(|why| Failure::unreadable("an entry", why))?;
    let same = |a: &Value, b: &Value, name: &str| a.get(name) == b.get(name);
    let known = before.get("servers").and_then(Value::as_array);
    let known = known.into_iter().flatten();
    let old = known
        .filter(|it| same(it, &entry, "package") && same(it, &entry, "version"))
        .filter_map(|it| it.get("results")?.as_object())
        .next();
    let none = Map::new();
    let new = entry.get("results").and_then(Value::as_object);
    let changed: Vec<&str> = new
        .unwrap_or(&none)
        .iter()
        .filter(|(name, it)| old.is_none_or(|old| old.get(name.as_str()) != Some(*it)))
        .map(|(name, _)| name.as_str())
        .collect();
    if !changed.is_empty() {
        let (package, version) = (text(&entry, "package"), text(&entry, "version"));
        progress(&format!("{package} {version}: {}", changed.join(", ")))?;
    }
    Ok(changed.len())
}
