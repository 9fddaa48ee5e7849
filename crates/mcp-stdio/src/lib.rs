#![doc = include_str!("../README.md")]

mod in_flight;
mod lines;
mod process;
mod serve;
mod session;

pub use process::{Input, Output, stdin, stdout};
pub use serve::{Limits, serve, serve_with_extensions};
