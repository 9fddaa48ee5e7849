#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod access;
mod edit;
mod file;
mod guide;
mod host;
mod program;
mod shell;
mod snippet;

pub use access::{Access, ManualSetup};
pub use file::{ConfigFile, FileChange, FileError, Format};
pub use guide::{SetupGuide, SetupMethod, TOKEN, cannot_send_a_token, guides};
pub use host::Host;
pub use program::{ServerCommand, ServerEntry};
pub use shell::{command_line, quoted};
