//! The runners of the conversion corpus, in Python and in JavaScript, with our own converter: they must find exactly the
//! differences that the corpus gives a reason for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::command::{self, cargo, progress};
use crate::failure::Failure;
use crate::npm;
use crate::tree::{root, target};

/// A vendor whose outputs are what `mcp-convert` prints, with nothing around them, and the flags of its preset.
const VENDOR: &str = "ai-sdk";
const FLAGS: &[&str] = &["--to", "ai-sdk", "--preset", "compat"];

pub(super) fn run() -> Result<(), Failure> {
    progress("the runners of the corpus")?;
    command::run(cargo().args(["build", "--quiet", "--package", "qortal-mcp-convert"]))?;
    let corpus = root().join("crates/mcp-protocol/corpus");
    let expected = documented(&corpus)?;
    let interop = root().join("tests/interop");
    npm::install(&interop)?;
    let runners = [
        (Path::new("python3").to_owned(), "run.py"),
        (npm::node(&interop)?, "run.mjs"),
    ];
    for (program, script) in runners {
        let mut runner = Command::new(program);
        runner.arg(corpus.join(script)).arg(VENDOR);
        runner.arg(target().join("debug/mcp-convert")).args(FLAGS);
        let output = runner.output().map_err(Failure::io(script))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let mut lines = said.lines();
        let first = lines.next().unwrap_or_default();
        let found: BTreeSet<String> = lines.map(|it| it.trim().to_owned()).collect();
        if !first.contains(" equal") || found != expected {
            let complaint = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::Found(format!(
                "{script}: {first}; {found:?} differ, and the corpus says {expected:?}\n{complaint}"
            )));
        }
        progress(&format!("{script}: {first}, as the corpus says"))?;
    }
    Ok(())
}

/// The inputs on which our preset differs from the vendor on purpose.
fn documented(corpus: &Path) -> Result<BTreeSet<String>, Failure> {
    let path = corpus.join("differences.json");
    let text = fs::read_to_string(&path).map_err(Failure::io(path.display()))?;
    let file: Value =
        serde_json::from_str(&text).map_err(|why| Failure::unreadable(path.display(), why))?;
    let list = |row: &Value, name: &str| -> Vec<String> {
        let items = row.get(name).and_then(Value::as_array);
        let items = items.into_iter().flatten().filter_map(Value::as_str);
        items.map(str::to_owned).collect()
    };
    let rows = file.get("differences").and_then(Value::as_array);
    let rows = rows.into_iter().flatten();
    let ours = rows.filter(|it| list(it, "vendors").iter().any(|it| it == VENDOR));
    Ok(ours.flat_map(|it| list(it, "inputs")).collect())
}
