//! What `cargo xtask` measures: `bench`.

mod bench;
mod part;

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::dispatch(&[("bench", bench::run)])
}
