//! `cargo xtask bench`: the server beside its peers, on the same work, in one run.
//!
//! Figures of a machine drift; a ratio to a bare hyper server measured a moment before does so less.
//! So in every round the anchor runs right before each server, and ratios are taken pair by pair.

mod aims;
mod cases;
mod costs;
pub(crate) mod figures;
mod growth;
mod history;
mod http;
mod instructions;
mod latency_node;
mod load;
mod memory;
mod node;
mod options;
mod page;
mod peers;
mod pins;
mod program_file;
mod programs;
mod reading;
mod soak;
mod startup;
mod stdio;

use crate::bench::aims::Found;
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use xtask::command::say;
use xtask::failure::Failure;

/// How what is compared was measured.
const ORDER: &str = "The anchor ran right before every server; ratios are taken pair by pair";

/// Measures everything, prints it as Markdown and keeps it in the history.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| argument == "--soak") {
        return soak::run(arguments);
    }
    if arguments
        .iter()
        .any(|argument| argument == "--instructions")
    {
        return instructions::run(arguments);
    }
    let options = Options::read(arguments)?;
    let heading = history::heading()?;
    let bench = Workbench::prepare(&options)?;
    if options.growth || !options.peers.is_empty() {
        let (order, measure): (_, fn(&Workbench, &Options) -> _) = match options.growth {
            true => (growth::ORDER, growth::measure),
            false => (peers::ORDER, peers::measure),
        };
        let description = bench.description(&options, order);
        say(&format!("{heading}. {description}\n"))?;
        return say(&measure(&bench, &options)?);
    }
    let mut report = String::new();
    let mut tell = |text: String| {
        report.push_str(&text);
        report.push('\n');
        say(&text)
    };
    say(&format!("{heading}\n"))?;
    tell(format!("{}\n", bench.description(&options, ORDER)))?;
    let mut found = Found::default();
    let wanted = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    if wanted("http") {
        tell(http::measure(&bench, &options, &mut found)?)?;
    }
    if wanted("node") {
        tell(node::measure(&bench, &options, &mut found)?)?;
        tell(page::measure(&bench, &options, &mut found)?)?;
    }
    if wanted("costs") {
        tell(costs::measure(&bench, &options)?)?;
    }
    if wanted("stdio") {
        tell(stdio::measure(&bench, &options, &mut found)?)?;
    }
    if wanted("reading") {
        tell(reading::measure(&bench, &options)?)?;
    }
    if wanted("start") {
        tell(startup::measure(&bench, &options, &mut found)?)?;
    }
    if wanted("memory") {
        tell(memory::measure(&bench, &options, &mut found)?)?;
    }
    if let Some(aims) = aims::table(options.only.as_deref(), &found) {
        tell(aims)?;
    }
    match options.is_quick {
        // Too short to be compared with.
        true => Ok(()),
        false => history::append(&heading, &report),
    }
}
