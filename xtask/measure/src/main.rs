//! What `cargo xtask` measures: `bench` and `ops`.

mod bench;
mod ops;
mod part;

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::dispatch(&[("bench", bench::run), ("ops", ops::run)])
}
