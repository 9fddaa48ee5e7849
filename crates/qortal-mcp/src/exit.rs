//! Every exit code of the program and its meaning.

use std::process::ExitCode;

use mcp_server::Ended;

/// Why the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success; a client that closed the stream is a success too.
    Success,
    /// A tool returned an error (`call`), or `doctor` found something that needs attention.
    Failed,
    /// The command line, the environment or the configuration file is wrong. Nothing was started.
    Usage,
    /// The node did not answer (`doctor`).
    NodeUnreachable,
    /// The address to listen on could not be used, or the transport failed.
    Io,
    /// The server stopped before it had finished every request that it had accepted.
    Unfinished,
}

impl Exit {
    /// All of them, for the manual.
    pub(crate) const ALL: [Self; 6] = [
        Self::Success,
        Self::Failed,
        Self::Usage,
        Self::NodeUnreachable,
        Self::Io,
        Self::Unfinished,
    ];

    /// The number the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NodeUnreachable => 3,
            Self::Io => 4,
            Self::Unfinished => 5,
        }
    }

    /// What it means, for the manual.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Success => "Success; a client that closed the stream is a success too.",
            Self::Failed => {
                "`call`: the tool returned an error. `doctor`: something needs attention."
            }
            Self::Usage => {
                "The command line, the environment or the configuration file is wrong. Nothing was started."
            }
            Self::NodeUnreachable => "`doctor`: the node did not answer.",
            Self::Io => "The address to listen on could not be used, or the transport failed.",
            Self::Unfinished => {
                "The server stopped before it had finished every request: it answered the others with an error."
            }
        }
    }
}

impl From<Ended> for Exit {
    fn from(ended: Ended) -> Self {
        match ended.unfinished {
            0 => Self::Success,
            _ => Self::Unfinished,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
