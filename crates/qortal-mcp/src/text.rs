//! What the program prints outside the protocol: data to standard output, everything else to standard error.

use std::{
    error::Error,
    io::{self, Write},
};

use mcp_operate::log;
use qortal_tools::{ToolError, for_person};
use tracing::Level;

use crate::exit::{Exit, Failure};

/// Prints data for a person or a pipe. A closed pipe is not a failure.
pub(crate) fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Ok(()) => Exit::Success,
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(err) => end(Err(unwritten("standard output", err))),
    }
}

/// The failure to write to a file or to standard output.
pub(crate) fn unwritten(name: &str, err: io::Error) -> Failure {
    Failure::caused(format!("cannot write to {name}"), err).ends(Exit::Io)
}

/// Prints an error with all its causes, and returns `exit`.
pub(crate) fn print_error(err: &dyn Error, exit: Exit) -> Exit {
    log::print_text(&log::error_report(err), Level::ERROR);
    exit
}

/// Prints why a tool failed, as a person reads it.
pub(crate) fn print_call_error(err: &ToolError) -> Exit {
    let text = log::error_report(err);
    let text = for_person(&text).unwrap_or_default();
    log::print_text(&text, Level::ERROR);
    Exit::Failed
}

/// How the program ends; what failed is printed.
pub(crate) fn end(result: Result<Exit, Failure>) -> Exit {
    result.unwrap_or_else(|Failure { error, exit }| print_error(&*error, exit))
}

/// Prints a line on standard error.
pub(crate) fn print_note(text: &str) {
    log::print_text(text, Level::INFO);
}
