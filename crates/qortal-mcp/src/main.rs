//! A read-only Model Context Protocol server in front of a Qortal Core node.

use std::process::ExitCode;

fn main() -> ExitCode {
    qortal_mcp::main()
}
