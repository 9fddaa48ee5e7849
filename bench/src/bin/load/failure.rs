//! Why a measurement could not be made. Nothing here is tolerated: a figure with errors is no figure.

use std::io;

use qortal_mcp_bench::args::UsageError;

/// What stopped a measurement.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// A file, a pipe or a connection.
    #[error("{what}: {source}")]
    Io { what: String, source: io::Error },
    /// Something of the kernel that does not look as documented.
    #[error("{0} is not as expected")]
    Unreadable(String),
    /// The server answered something else than it should.
    #[error("wrong answer: {0}")]
    Answer(String),
    /// Nothing came in time.
    #[error("{0} took too long")]
    TooLong(&'static str),
}

impl Failure {
    /// An IO error while doing `what`.
    pub(crate) fn io(what: &str) -> impl FnOnce(io::Error) -> Self {
        let what = what.to_owned();
        move |source| Self::Io { what, source }
    }
}
