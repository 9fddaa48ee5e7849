//! The load over stdio, starts, and single requests: drives one server, and writes what it measured as JSON.
//!
//! ```text
//! load stdio --greeting FILE --request FILE --needle TEXT --in-flight N --seconds S -- COMMAND
//! load start --greeting FILE --times N [--address A] -- COMMAND
//! load once  --address A --request FILE --needle TEXT
//! load once  --greeting FILE --request FILE --needle TEXT -- COMMAND
//! ```
//!
//! `--request` and `--greeting` are sent as they are. The load over HTTP is that of wrk.
//!
//! It uses one thread, so that it can be kept on one CPU, away from the server. Any wrong answer is an error.

mod exchange;
mod failure;
mod http;
mod process;
mod report;
mod start;
mod stdio;

use std::io::Write;
use std::process::ExitCode;

use qortal_mcp_bench::args::{Args, UsageError};
use serde::Serialize;

use crate::failure::Failure;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let measured = measure(Args::of_process()).await;
    let written = measured.and_then(|mut output| {
        output.push(b'\n');
        let written = std::io::stdout().write_all(&output);
        written.map_err(Failure::io("output"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // When stderr is gone too, the exit code is all that is left to say.
            let _written = writeln!(std::io::stderr(), "load: {failure}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(mut args: Args) -> Result<Vec<u8>, Failure> {
    match args.subcommand().as_deref() {
        Some("stdio") => json(&stdio::load(args).await?),
        Some("start") => json(&start::start(args).await?),
        Some("once") if args.holds("--greeting") => stdio::once(args).await,
        Some("once") => http::once(args).await,
        other => {
            let problem = format!("{other:?} is not stdio, start or once");
            Err(UsageError::new(problem).into())
        }
    }
}

fn json(report: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(report).map_err(|why| Failure::Unreadable(format!("the report ({why})")))
}
