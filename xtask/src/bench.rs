//! `cargo xtask bench`: the server beside its peers, on the same work, in one run.
//!
//! Figures of a machine drift; a ratio to a bare hyper server measured a moment before does so less.
//! So in every round the anchor runs right before each server, and ratios are taken pair by pair.

mod cases;
mod costs;
pub(crate) mod figures;
mod growth;
mod http;
mod load;
mod memory;
mod options;
mod peers;
mod pins;
mod programs;
mod reading;
mod soak;
mod startup;
mod stdio;

use crate::bench::load::Workbench;
use crate::bench::options::Options;
use crate::command::say;
use crate::failure::Failure;

/// Measures everything and prints it as Markdown.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    if arguments.iter().any(|argument| argument == "--soak") {
        return soak::run(arguments);
    }
    let options = Options::read(arguments)?;
    let bench = Workbench::prepare(&options)?;
    say(&format!("{}\n", bench.description(&options)))?;
    if options.growth {
        return say(&growth::measure(&bench, &options)?);
    }
    if !options.peers.is_empty() {
        return say(&peers::measure(&bench, &options)?);
    }
    let wanted = |part: &str| options.only.as_deref().is_none_or(|only| only == part);
    if wanted("http") {
        say(&http::measure(&bench, &options)?)?;
    }
    if wanted("costs") {
        say(&costs::measure(&bench, &options)?)?;
    }
    if wanted("stdio") {
        say(&stdio::measure(&bench, &options)?)?;
    }
    if wanted("reading") {
        say(&reading::measure(&bench, &options)?)?;
    }
    if wanted("start") {
        say(&startup::measure(&bench, &options)?)?;
    }
    if wanted("memory") {
        say(&memory::measure(&bench, &options)?)?;
    }
    Ok(())
}
