//! Why a simulated node cannot be started.

use std::io;

/// Why a simulated node cannot be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// No port of the loopback interface could be opened.
    #[error("could not listen on the loopback interface")]
    Listen(#[source] io::Error),
    /// The data inside the crate cannot be read; a defect of this crate.
    #[error("embedded table {file} cannot be read")]
    Data {
        /// The file below `data/`.
        file: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}
