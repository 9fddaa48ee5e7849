//! What `cargo xtask` measures: `bench`.

mod bench;

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::dispatch(&[("bench", bench::run)])
}
