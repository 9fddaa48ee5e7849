//! The load: drives one server over HTTP or stdio, and writes what it measured as JSON.
//!
//! ```text
//! load http  --address A --messages FILE --needle TEXT --pid PID --connections N (--seconds S | --requests N)
//!            [--together N] [--pause-us N] [--apart]
//! load stdio --greeting FILE --request FILE --needle TEXT --in-flight N --seconds S -- COMMAND
//! load start --greeting FILE --times N [--address A] -- COMMAND
//! load once  --address A --messages FILE --needle TEXT
//! load once  --greeting FILE --request FILE --needle TEXT -- COMMAND
//! ```
//!
//! `--messages` is a JSON list of whole HTTP requests; `--request` and `--greeting` are what is sent as it is.
//! `--together` of them are sent at once, over as many connections, and count as one that is answered with the last.
//! With `--apart` no two connections send the same of them; otherwise each sends all, and begins with another one.
//! Before each request there is a pause of up to `--pause-us`, another each time.
//!
//! It uses one thread, so that it can be kept on one CPU, away from the server. Any wrong answer is an error.

mod exchange;
mod failure;
mod histogram;
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
        Some("http") => json(&http::load(args).await?),
        Some("stdio") => json(&stdio::load(args).await?),
        Some("start") => json(&start::start(args).await?),
        Some("once") if args.holds("--greeting") => stdio::once(args).await,
        Some("once") => http::once(args).await,
        other => {
            let problem = format!("{other:?} is not http, stdio, start or once");
            Err(UsageError::new(problem).into())
        }
    }
}

fn json(report: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(report).map_err(|why| Failure::Unreadable(format!("the report ({why})")))
}
