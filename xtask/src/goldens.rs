//! `cargo xtask goldens`: runs the newest converters of the vendors on the corpus of `mcp-protocol`, and prints what
//! they answer otherwise than it says.

mod rust;
mod servers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::command::{self, progress};
use crate::failure::Failure;
use crate::tree::{root, target};

const CORPUS: &str = "crates/mcp-protocol/corpus";

/// Environments of Python: the packages that still need `mcp` 1, and what a fresh installation of the others has.
const PYTHONS: &[(&str, &[&str])] = &[
    (
        "mcp1",
        &[
            "mcp<2",
            "anthropic",
            "github-copilot-sdk",
            "google-genai",
            "langchain-mcp-adapters",
            "llama-index-tools-mcp",
            "openai-agents",
            "pydantic-ai-slim[mcp]",
            "strands-agents",
        ],
    ),
    (
        "mcp2",
        &["mcp>=2", "anthropic", "google-genai", "openai-agents"],
    ),
];
/// Environments of servers alone: what the newest version answers, and the one before, which many have.
const SERVERS: &[(&str, &[&str])] = &[("fastmcp3", &["fastmcp<4"]), ("fastmcp", &["fastmcp"])];
const NPM: &[&str] = &[
    "@ai-sdk/mcp",
    "@anthropic-ai/sdk",
    "@github/copilot-sdk",
    "@google/genai",
    "@langchain/core",
    "@langchain/mcp-adapters",
    "@mastra/mcp",
    "@modelcontextprotocol/sdk",
    "@openai/agents",
];

/// With `--write` the corpus has the new outputs afterwards, and the tests of the crate tell what they change.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let write = match arguments {
        [] => false,
        [flag] if flag == "--write" => true,
        _ => {
            return Err(Failure::Usage(
                "goldens takes --write or nothing".to_owned(),
            ));
        }
    };
    let corpus = root().join(CORPUS);
    let scratch = target().join("goldens");
    let outputs = scratch.join("vendors");
    // What an earlier run left is not of this one.
    if outputs.exists() {
        fs::remove_dir_all(&outputs).map_err(Failure::io(outputs.display()))?;
    }
    fs::create_dir_all(&outputs).map_err(Failure::io(outputs.display()))?;
    let folder = scratch.join("npm");
    node_packages(&folder)?;
    let (mut asked, mut pythons) = (Vec::new(), Vec::new());
    for (name, packages) in PYTHONS {
        let python = environment(&scratch.join(name), packages)?;
        asked.push((python.clone(), "mcp"));
        pythons.push(python);
    }
    for (name, packages) in SERVERS {
        asked.push((environment(&scratch.join(name), packages)?, "fastmcp"));
    }
    // First, because what servers answer are inputs of the converters.
    let inputs = corpus.join("servers.json");
    let (text, answers) = servers::run(&asked, &folder, &corpus, &read(&inputs)?)?;
    if write {
        fs::write(&inputs, text).map_err(Failure::io(inputs.display()))?;
    }
    for python in pythons {
        let script = corpus.join("generate/vendors.py");
        command::run(Command::new(python).arg(script).arg(&outputs))?;
    }
    let script = corpus.join("generate/vendors.mjs");
    command::run(Command::new("node").arg(script).arg(&folder).arg(&outputs))?;
    rust::run(&scratch.join("rust"), &corpus, &outputs)?;
    let mut changed = 0;
    let entries = fs::read_dir(&outputs).map_err(Failure::io(outputs.display()))?;
    for entry in entries {
        let new = entry.map_err(Failure::io(outputs.display()))?.path();
        let old = corpus
            .join("vendors")
            .join(new.file_name().unwrap_or_default());
        changed += compare(&old, &new)?;
        if write {
            fs::copy(&new, &old).map_err(Failure::io(old.display()))?;
        }
    }
    progress(&format!(
        "{answers} answers of servers and {changed} outputs of converters changed"
    ))
}

/// An environment with the newest of these packages.
fn environment(folder: &Path, packages: &[&str]) -> Result<PathBuf, Failure> {
    progress(&format!("installing {} with pip", packages.join(", ")))?;
    let mut venv = Command::new("python3");
    command::run(venv.args(["-m", "venv", "--clear"]).arg(folder))?;
    let python = folder.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]);
    command::run(pip.args(packages))?;
    Ok(python)
}

fn node_packages(folder: &Path) -> Result<(), Failure> {
    progress(&format!("installing {} with npm", NPM.join(", ")))?;
    fs::create_dir_all(folder).map_err(Failure::io(folder.display()))?;
    let manifest = folder.join("package.json");
    fs::write(&manifest, "{\"private\": true}\n").map_err(Failure::io(manifest.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--loglevel", "error"])
        .args(NPM.iter().map(|it| format!("{it}@latest")))
        .current_dir(folder);
    command::run(&mut npm)
}

/// Prints the inputs whose output is another, and returns how many there are.
fn compare(old: &Path, new: &Path) -> Result<usize, Failure> {
    let (before, after) = (read(old)?, read(new)?);
    let versions = |of: &Value| format!("{} {}, mcp {}", of["package"], of["version"], of["mcp"]);
    let outputs = after.get("outputs").and_then(Value::as_object);
    let outputs = outputs.into_iter().flatten();
    let changed: Vec<&str> = outputs
        .filter(|(name, output)| {
            before.get("outputs").and_then(|it| it.get(name.as_str())) != Some(*output)
        })
        .map(|(name, _)| name.as_str())
        .collect();
    let (from, to) = (versions(&before), versions(&after));
    if from != to || !changed.is_empty() {
        let name = new.display();
        progress(&format!(
            "{name}: {from} → {to}\n  {}",
            changed.join("\n  ")
        ))?;
    }
    Ok(changed.len())
}

/// The outputs of a vendor; null if there were none.
fn read(path: &Path) -> Result<Value, Failure> {
    if !path.exists() {
        return Ok(Value::Null);
    }
    let text = fs::read_to_string(path).map_err(Failure::io(path.display()))?;
    serde_json::from_str(&text).map_err(|why| Failure::unreadable(path.display(), why))
}
