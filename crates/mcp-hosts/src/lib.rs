#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod edit;
mod file;
mod guide;
mod host;
mod program;
mod shell;
mod snippet;

pub use file::{Change, ConfigFile, FileError, Format};
pub use guide::{Guide, TOKEN, Way, guides};
pub use host::Host;
pub use program::{Program, Server};
pub use shell::{command_line, quoted};
