//! What the program says outside the protocol: data to standard output, everything else to standard error.

use std::{
    error::Error,
    io::{self, Write},
};

use crate::exit::Exit;

/// Prints data for a person or a pipe. A reader that has gone away is no failure.
pub(crate) fn print(text: &str) -> Exit {
    let mut out = io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Ok(()) => Exit::Success,
        Err(err) if err.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        Err(err) => complain(&err, Exit::Io),
    }
}

/// Says what went wrong, with all its causes, and gives back how to end.
pub(crate) fn complain(err: &dyn Error, exit: Exit) -> Exit {
    let mut text = format!("error: {err}");
    let mut cause = err.source();
    while let Some(err) = cause {
        text.push_str(&format!("\n  caused by: {err}"));
        cause = err.source();
    }
    remark(&text);
    exit
}

/// Says something to the person who started the program.
pub(crate) fn remark(text: &str) {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
