//! Every exit code of the program and its meaning.

use std::process::ExitCode;

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
}

impl Exit {
    /// All of them, for the manual.
    pub(crate) const ALL: [Self; 5] = [
        Self::Success,
        Self::Failed,
        Self::Usage,
        Self::NodeUnreachable,
        Self::Io,
    ];

    /// The number the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::NodeUnreachable => 3,
            Self::Io => 4,
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
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
