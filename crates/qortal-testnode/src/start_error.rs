//! Why a simulated node cannot be started.

use std::io;

/// Why a simulated node cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// No port of the loopback interface could be opened.
    #[error("could not listen on the loopback interface")]
    Listen(#[source] io::Error),
}
