//! Every exit code of the program and its meaning.

use std::process::ExitCode;

use mcp_server::Ended;

/// Why the program ended, with the number that the shell sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Success = 0,
    Failed = 1,
    Usage = 2,
    NodeUnreachable = 3,
    Io = 4,
    Unfinished = 5,
}

/// What each means, in the order of their numbers, for the manual.
pub(crate) const MEANINGS: &str = "\
Success; a client that closed the stream is a success too.
`call`: the tool returned an error. `doctor`: something needs attention.
The command line, the environment or the configuration file is wrong. Nothing was started.
`doctor`: the node did not answer.
The address to listen on could not be used, or the transport failed.
The server stopped before it had finished every request: it answered the others with an error.";

impl From<Ended> for Exit {
    fn from(ended: Ended) -> Self {
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
