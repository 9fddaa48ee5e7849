//! What the program prints outside the protocol: data to standard output, everything else to standard error.

use std::{
    error::Error,
    io::{self, Write},
};

use tracing::Level;

use crate::{
    exit::{Exit, Failure},
    logging,
};

/// Prints data for a person or a pipe. A closed pipe is not a failure.
pub(crate) fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Ok(()) => Exit::Success,
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(err) => print_error(&err, Exit::Io),
    }
}

/// The failure to write to a file or to standard output.
pub(crate) fn unwritten(name: &str, err: io::Error) -> Failure {
    Failure::caused(format!("cannot write to {name}"), err).ends(Exit::Io)
}

/// Prints an error with all its causes, and returns `exit`.
pub(crate) fn print_error(err: &dyn Error, exit: Exit) -> Exit {
    logging::print(&with_causes(err), Level::ERROR);
    exit
}

/// How the program ends; what failed is printed.
pub(crate) fn end(result: Result<Exit, Failure>) -> Exit {
    result.unwrap_or_else(|Failure { error, exit }| print_error(&*error, exit))
}

/// An error with all its causes.
pub(crate) fn with_causes(err: &dyn Error) -> String {
    let mut text = format!("error: {err}");
    let mut cause = err.source();
    while let Some(err) = cause {
        text.push_str(&format!("\n  caused by: {err}"));
        cause = err.source();
    }
    text
}

/// Prints a line on standard error.
pub(crate) fn print_note(text: &str) {
    logging::print(text, Level::INFO);
}

/// Replaces the last line on standard error, which a person looks at; an empty text removes it.
pub(crate) fn print_status(text: &str) {
    let mut err = io::stderr().lock();
    // If standard error is closed, there is nowhere left to report to.
    drop(write!(err, "\r\x1b[K{text}").and_then(|()| err.flush()));
}
