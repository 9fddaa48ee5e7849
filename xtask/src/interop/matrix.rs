//! What is printed: a row for each cell, and below it what went wrong.

use super::cell::{Cell, Outcome};
use super::clients::Client;
use crate::command::say;
use crate::failure::Failure;

/// How many of a cell's problems are printed.
const SHOWN: usize = 10;

const TOOLS: &[&str] = &["tools", "call"];
const REST: &[&str] = &["resources", "prompt", "completion"];
const EVERYTHING: &[&str] = &[
    "progress",
    "logging",
    "elicitation",
    "sampling",
    "subscription",
    "list_changed",
];

/// Prints the matrix; fails if there is a problem anywhere. `tools` is how many tools there are.
pub(super) fn print(cells: &[Cell], outcomes: &[Outcome], tools: usize) -> Result<(), Failure> {
    say(
        "| client | version | transport | era | tools | resources and prompts | everything | outcome |",
    )?;
    say("| --- | --- | --- | --- | --- | --- | --- | --- |")?;
    let mut failed = Vec::new();
    for (cell, outcome) in cells.iter().zip(outcomes) {
        let Cell {
            client,
            era,
            transport,
        } = cell;
        let called = outcome.done.iter().filter(|kind| **kind == "call").count();
        let everything = match (outcome.lists(EVERYTHING), era.has_handshake()) {
            (list, false) if !list.is_empty() => format!("{list}; no logging at {}", era.revision),
            (list, _) => list,
        };
        say(&format!(
            "| {} | {} | {} | {}: {} | {} | {} | {} | {} |",
            client.name,
            client.version,
            transport.name(),
            era.name,
            era.revision,
            with_lacks(format!("{called} of {tools} called"), client, TOOLS),
            with_lacks(outcome.lists(REST), client, REST),
            with_lacks(everything, client, EVERYTHING),
            outcome.word(),
        ))?;
        if !outcome.problems.is_empty() {
            let problems = outcome.problems.iter().take(SHOWN);
            let problems: Vec<_> = problems.map(|problem| format!("- {problem}")).collect();
            failed.push(format!("{}:\n{}", cell.name(), problems.join("\n")));
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::Found(failed.join("\n\n"))),
    }
}

impl Outcome {
    /// Those of `kinds` that were done.
    fn lists(&self, kinds: &[&'static str]) -> String {
        let done = kinds.iter().filter(|kind| self.done.contains(kind));
        done.copied().collect::<Vec<_>>().join(", ")
    }
}

/// What was done, and what of `kinds` the client has no means for.
fn with_lacks(done: String, client: &Client, kinds: &[&'static str]) -> String {
    let lacks: Vec<_> = kinds
        .iter()
        .filter(|kind| client.lacks.contains(kind))
        .copied()
        .collect();
    match (lacks.is_empty(), done.is_empty()) {
        (true, _) => done,
        (false, true) => "not in this client".to_owned(),
        (false, false) => format!("{done}; not in this client: {}", lacks.join(", ")),
    }
}
