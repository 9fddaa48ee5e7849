#![doc = include_str!("../README.md")]
#![warn(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::missing_errors_doc
)]

mod in_flight;
mod limits;
mod lines;
mod process;
mod serve;
mod session;

pub use limits::StdioLimits;
pub use process::{stdin, stdout};
pub use serve::{serve, serve_with_extensions};
