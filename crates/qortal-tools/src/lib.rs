#![doc = include_str!("../README.md")]

#[macro_use]
mod declare;

mod catalogue;
mod context;
mod error;
mod family;
mod mcp;
mod untrusted;

pub use catalogue::{Catalogue, Family, Selection, Surface, UnknownName, instructions};
pub use declare::{Attachment, Entry, Member, Outcome};
pub use error::{Problem, ToolError};
