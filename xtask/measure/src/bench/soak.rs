//! `cargo xtask bench --soak`: nodes that fail and clients that do what they should not, and what becomes of the server and of
//! the clients that do as they should.
//!
//! It judges every row of its tables, and fails when a promise is not kept.

mod abuse;
mod availability;
mod clients;
mod endurance;
mod fault;
mod judgment;
mod options;
mod pressure;
mod probe;
mod server;
mod stage;
mod visit;
mod watch;

use crate::bench::soak::judgment::Judgment;
use crate::bench::soak::options::{EACH, Options, Part};
use crate::bench::soak::stage::Stage;
use crate::part;
use xtask::command::say;
use xtask::failure::Failure;

/// Where `--write` keeps what was measured.
const PAGE: &str = "docs/reliability.md";

/// Measures what the command line asks for, prints it, and judges it.
pub(super) fn run(arguments: &[String]) -> Result<(), Failure> {
    let options = Options::read(arguments)?;
    let programs = options.programs()?;
    let stage = Stage::new()?;
    let mut judgment = Judgment::default();
    let mut show = |name: &str, (text, found): (String, Judgment)| {
        judgment.and(found);
        say(&text)?;
        match options.writes {
            true => {
                let command = format!("bench {}", arguments.join(" "));
                part::write(PAGE, name, &part::measured_by(&command, &text))
            }
            false => Ok(()),
        }
    };
    if matches!(options.part, Part::Both | Part::Faults) {
        show(
            "faults",
            availability::measure(&stage, &programs, &options.rows)?,
        )?;
    }
    match options.part {
        Part::Both => show(
            "abuses",
            pressure::measure(&stage, &programs, &options.rows, EACH)?,
        )?,
        Part::Abuses(each) => show(
            "abuses",
            pressure::measure(&stage, &programs, &options.rows, each)?,
        )?,
        Part::Endurance(total) => {
            show("endurance", endurance::measure(&stage, &programs, total)?)?;
        }
        Part::Faults => (),
    }
    match judgment.broken() {
        [] => say("every promise was kept"),
        broken => Err(Failure::Found(broken.join("\n"))),
    }
}
