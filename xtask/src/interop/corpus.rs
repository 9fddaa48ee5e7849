//! The runners of the conversion corpus, in Python and in JavaScript, with our own converter: nothing may differ from a vendor but
//! what the corpus gives a reason for. And the corpus in the tests of others, as its page shows it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::command::{self, cargo, output, progress};
use crate::failure::Failure;
use crate::npm;
use crate::tree::{root, target};

pub(super) fn run() -> Result<(), Failure> {
    progress("the runners of the corpus")?;
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp-convert"]))?;
    let corpus = root().join("crates/mcp-protocol/corpus");
    let interop = root().join("tests/interop");
    npm::install(&interop)?;
    let runners = [
        (PathBuf::from("python3"), "run.py"),
        (npm::node(&interop)?, "run.mjs"),
    ];
    for (vendor, flags) in presets(&corpus)? {
        for (program, script) in &runners {
            let mut runner = Command::new(program);
            runner.arg(corpus.join(script)).arg(&vendor);
            runner.arg(target().join("debug/mcp-convert")).args(&flags);
            let said = output(&mut runner)?;
            progress(&format!("{script} {vendor}: {}", said.trim()))?;
        }
    }
    let mut examples = Command::new(interop.join("examples.sh"));
    examples.arg(target().join("interop/examples"));
    command::run(examples.arg(target().join("debug/mcp-convert")))
}

/// The vendors that a preset equals, each with the flags of that.
fn presets(corpus: &Path) -> Result<Vec<(String, Vec<String>)>, Failure> {
    let path = corpus.join("cases.jsonl");
    let text = fs::read_to_string(&path).map_err(Failure::io(path.display()))?;
    let head = text.lines().next().unwrap_or_default();
    let head: Value =
        serde_json::from_str(head).map_err(|why| Failure::unreadable(path.display(), why))?;
    let vendors = head.get("vendors").and_then(Value::as_object);
    let of = |vendor: &Value| {
        let to = vendor.get("target")?.as_str()?.replace('_', "-");
        let mut flags = vec![
            "--preset".to_owned(),
            "compat".to_owned(),
            "--to".to_owned(),
            to,
        ];
        for (name, value) in vendor.get("options")?.as_object()? {
            flags.extend([format!("--{name}"), value.as_str()?.to_owned()]);
        }
        Some(flags)
    };
    let presets = vendors.into_iter().flatten();
    Ok(presets
        .filter_map(|(name, vendor)| Some((name.clone(), of(vendor)?)))
        .collect())
}
