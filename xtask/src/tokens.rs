//! What each surface costs a model's context, counted with a real tokenizer.

use std::io::Write;
use std::process::{Command, Stdio};

use qortal_tools::{Catalog, Entry, Surface};
use serde_json::{Value, json};

use crate::command::{self, say};
use crate::failure::Failure;
use crate::tree;

/// The most tokens a surface may have: names, descriptions and input schemas, which are what reaches a model.
const BUDGETS: &[(Surface, usize)] = &[
    (Surface::Dynamic, 1_500),
    (Surface::Core, 4_000),
    (Surface::Standard, 8_000),
    (Surface::Python, 8_000),
    (Surface::Full, 15_000),
];

/// Prints a table; fails if a surface is over its budget.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if let Some(argument) = arguments.first() {
        return Err(Failure::Usage(format!("tokens takes no {argument:?}")));
    }
    let entries: Vec<_> = Catalog::entries().collect();
    let counts = count(&entries)?;
    say("| surface | tools | tokens | budget |")?;
    say("| --- | --- | --- | --- |")?;
    let mut over = Vec::new();
    for (surface, budget) in BUDGETS {
        let listed = entries
            .iter()
            .zip(&counts)
            .filter(|(entry, _)| surface.lists(entry));
        let (tools, tokens) =
            listed.fold((0, 0), |(tools, sum), (_, count)| (tools + 1, sum + count));
        say(&format!(
            "| {} | {tools} | {tokens} | {budget} |",
            surface.name()
        ))?;
        if tokens > *budget {
            over.push(surface.name());
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    Err(Failure::Found(format!("over budget: {}", over.join(", "))))
}

/// The tokens of each tool, in order.
fn count(entries: &[&Entry]) -> Result<Vec<usize>, Failure> {
    let manifest = tree::root().join("bench/Cargo.toml");
    let manifest = manifest.to_string_lossy().into_owned();
    let bench = [
        "--quiet",
        "--locked",
        "--manifest-path",
        &manifest,
        "--bin",
        "tokens",
    ];
    command::run(command::cargo().arg("build").args(bench))?;
    let mut counter = Command::new(tree::root().join("bench/target/debug/tokens"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(Failure::io("tokens"))?;
    let texts: Vec<_> = entries
        .iter()
        .map(|entry| Value::from(text(entry)).to_string())
        .collect();
    if let Some(mut input) = counter.stdin.take() {
        writeln!(input, "{}", texts.join("\n")).map_err(Failure::io("tokens"))?;
    }
    let output = counter.wait_with_output().map_err(Failure::io("tokens"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let counts: Result<Vec<usize>, _> = said.lines().map(str::parse).collect();
    let counts = counts.map_err(|why| Failure::unreadable("the count", why))?;
    if counts.len() != entries.len() {
        return Err(Failure::unreadable(
            "the count",
            format!("{} lines", counts.len()),
        ));
    }
    Ok(counts)
}

fn text(entry: &Entry) -> String {
    json!({
        "name": entry.name,
        "description": entry.description,
        "inputSchema": entry.input_schema(),
    })
    .to_string()
}
