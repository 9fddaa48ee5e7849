//! Why a subcommand failed. Each text reads after `error: `.

use std::fmt;
use std::io;

/// What stopped a subcommand.
#[derive(Debug)]
pub enum Failure {
    /// A file or a program that could not be used.
    Io {
        /// Which.
        what: String,
        /// Why not.
        source: io::Error,
    },
    /// A program that ended unsuccessfully, with what it said.
    Program {
        /// As it was started.
        command: String,
        /// What it wrote to stderr, or how it ended.
        said: String,
    },
    /// Text of a program or a file that is not what it should be.
    Unreadable {
        /// Which.
        what: String,
        /// What is wrong with it.
        why: String,
    },
    /// What the command line asks for cannot be done, or a check ran and this is what it found.
    Found(String),
}

impl Failure {
    /// An IO error about `what`.
    pub fn io(what: impl fmt::Display) -> impl FnOnce(io::Error) -> Self {
        let what = what.to_string();
        move |source| Self::Io { what, source }
    }

    /// Something about `what` that cannot be understood.
    pub fn unreadable(what: impl fmt::Display, why: impl fmt::Display) -> Self {
        Self::Unreadable {
            what: what.to_string(),
            why: why.to_string(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found(text) => f.write_str(text),
            Self::Io { what, source } => write!(f, "{what}: {source}"),
            Self::Program { command, said } => {
                write!(f, "`{command}` failed\n{}", said.trim_end())
            }
            Self::Unreadable { what, why } => write!(f, "{what} is not as expected: {why}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Program { .. } | Self::Unreadable { .. } | Self::Found(_) => None,
        }
    }
}
