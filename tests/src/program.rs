//! The program itself, as the tests of the documentation find it: that of `crates/qortal-mcp` is built for its own tests alone.

use std::process::ExitCode;

fn main() -> ExitCode {
    qortal_mcp::main()
}
