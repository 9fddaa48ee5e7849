//! `cargo xtask bench`: the server beside its peers, on the same work, in one run.
//!
//! Figures of a machine drift; a ratio to a bare hyper server measured a moment before does so less.
//! So in every round the anchor runs right before each server, and ratios are taken pair by pair.

mod aims;
mod cases;
pub(crate) mod figures;
mod http;
mod instructions;
mod load;
mod options;
mod peers;
mod pins;
mod process;
mod programs;
mod soak;
mod startup;
mod stdio;

use crate::bench::aims::Found;
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use xtask::ArgMatches;
use xtask::command::say;
use xtask::failure::Failure;

/// How what is compared was measured.
const ORDER: &str = "The anchor ran right before every server; ratios are taken pair by pair";

/// Measures what is asked for, and prints it as Markdown.
pub(crate) fn run(given: &ArgMatches) -> Result<(), Failure> {
    if given.get_flag("soak") {
        return soak::run(given);
    }
    if given.get_flag("instructions") {
        return instructions::run(given);
    }
    let options = Options::read(given)?;
    let bench = Workbench::prepare(&options)?;
    if !options.peers.is_empty() {
        say(&format!("{}\n", bench.description(&options, peers::ORDER)))?;
        return say(&peers::measure(&bench, &options)?);
    }
    say(&format!("{}\n", bench.description(&options, ORDER)))?;
    let mut found = Found::default();
    let parts = [
        ("http", http::measure as fn(&_, &_, &mut _) -> _),
        ("stdio", stdio::measure),
        ("start", startup::measure),
    ];
    let only = options.only.as_deref();
    for (_, measure) in parts
        .iter()
        .filter(|(part, _)| only.is_none_or(|it| it == *part))
    {
        say(&measure(&bench, &options, &mut found)?)?;
    }
    say(&aims::table(only, &found))
}
