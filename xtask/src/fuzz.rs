//! `cargo xtask fuzz-conversion`: converts generated and mutated results until there have been enough, or the time is up.

use std::process::Command;

use crate::command::{self, cargo};
use crate::failure::Failure;
use crate::tree::target;

/// As many as show what a thousand do not, in about half an hour of one core.
const INPUTS: &str = "2000000";
const SECONDS: &str = "3600";

pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let (mut inputs, mut seconds) = (INPUTS, SECONDS);
    for pair in arguments.chunks(2) {
        match pair {
            [name, value] if name == "--inputs" && value.parse::<u64>().is_ok() => inputs = value,
            [name, value] if name == "--seconds" && value.parse::<u64>().is_ok() => seconds = value,
            _ => {
                let usage = "fuzz-conversion takes --inputs N and --seconds S";
                return Err(Failure::Usage(usage.to_owned()));
            }
        }
    }
    let example = "fuzz_conversion";
    let mut build = cargo();
    build.args([
        "build",
        "--release",
        "--quiet",
        "--package",
        "qortal-mcp-protocol",
    ]);
    command::run(build.args(["--example", example]))?;
    let program = target().join("release/examples").join(example);
    command::run(Command::new(program).args([inputs, seconds]))
}
