//! `cargo xtask bench --soak`: clients that do what they should not, and what becomes of the server and of the clients that do as
//! they should. Nodes that fail are played by `cargo xtask simulate`; this is what needs processes and sockets.
//!
//! It judges every row of its tables, and fails when a promise is not kept.

mod abuse;
mod clients;
mod options;
mod pressure;
mod probe;
mod server;
mod stage;
mod visit;
mod watch;

use crate::bench::soak::options::Options;
use crate::bench::soak::stage::Stage;
use xtask::ArgMatches;
use xtask::command::say;
use xtask::failure::Failure;

/// Measures what the command line asks for, prints it, and judges it.
pub(super) fn run(given: &ArgMatches) -> Result<(), Failure> {
    let options = Options::read(given)?;
    let programs = options.programs()?;
    let stage = Stage::new()?;
    let (text, broken) = pressure::measure(&stage, &programs, &options.rows, options.each)?;
    say(&text)?;
    match broken.is_empty() {
        true => say("every promise was kept"),
        false => Err(Failure::Found(broken.join("\n"))),
    }
}
