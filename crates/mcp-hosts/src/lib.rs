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

pub use access::{HttpAuth, ManualSetup};
pub use file::{ConfigFile, EditOutcome, FileError, Format};
pub use guide::{SetupGuide, SetupMethod, TOKEN, http_setup_guides, token_unsupported_notice};
pub use host::Host;
pub use program::{ServerCommand, ServerNames};
pub use shell::{shell_command_line, shell_quoted};
