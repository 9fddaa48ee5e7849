//! Every exit code of the program, and failures that end it so.

use std::{error::Error, process::ExitCode};

use mcp_server::ShutdownReport;

/// The reason for the program's end, with the exit code. `config/reference/commands.txt` lists the codes for users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All was done, or the client closed the stream.
    Success = 0,
    /// A tool returned an error, or a check found something.
    Failed = 1,
    /// What the program was given is wrong; nothing was started.
    Usage = 2,
    /// The node did not answer.
    NodeUnreachable = 3,
    /// An address could not be used, or a transport failed.
    Io = 4,
    /// Requests were left when the server stopped.
    Unfinished = 5,
}

impl From<ShutdownReport> for Exit {
    fn from(ended: ShutdownReport) -> Self {
        if ended.unfinished == 0 {
            Self::Success
        } else {
            Self::Unfinished
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

type Cause = Box<dyn Error + Send + Sync>;

/// Why a command failed, and how the program ends then.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Cause,
    pub(crate) exit: Exit,
}

/// A sentence of the program, and the error behind it.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
struct Caused {
    text: String,
    source: Cause,
}

impl Failure {
    /// What the program was given is wrong, in a sentence with a hint.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            error: text.into().into(),
            exit: Exit::Usage,
        }
    }

    /// The same because of an error.
    pub(crate) fn caused(text: impl Into<String>, source: impl Into<Cause>) -> Self {
        let (text, source) = (text.into(), source.into());
        Caused { text, source }.into()
    }

    /// A transport failed.
    pub(crate) fn io(error: impl Into<Cause>) -> Self {
        let (error, exit) = (error.into(), Exit::Io);
        Self { error, exit }
    }

    /// The same with another exit code.
    pub(crate) fn ends(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }
}

/// Unless something else is said, what the program was given is wrong.
impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let (error, exit) = (Box::new(error), Exit::Usage);
        Self { error, exit }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_manual_says_what_each_code_means() {
        let manual = include_str!("config/reference/commands.txt");
        let codes = manual.split("## Exit codes").nth(1).unwrap();
        let codes = codes
            .lines()
            .filter_map(|it| it.strip_prefix("| ")?.split(' ').next());
        let codes: Vec<u8> = codes.filter_map(|it| it.parse().ok()).collect();
        assert_eq!(codes, (0..=Exit::Unfinished as u8).collect::<Vec<_>>());
    }
}
