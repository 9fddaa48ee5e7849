//! How a tool is declared: once, in one place, yielding its struct, schemas, documentation and reader.
//!
//! The declarations are those of `tool_schema`, which knows nothing of Qortal; the types of the chain are made
//! parameters and members of answers here.

/// The marker by which types of `qortal_types` are parameters and members of answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Qortal;

/// [`tool_schema::params!`] with the types of the chain.
macro_rules! params {
    ($($declaration:tt)+) => {
        tool_schema::params! { in $crate::declare::Qortal; $($declaration)+ }
    };
}

/// [`tool_schema::record!`] with the types of the chain.
macro_rules! record {
    ($($declaration:tt)+) => {
        tool_schema::record! { in $crate::declare::Qortal; $($declaration)+ }
    };
}

mod entry;
mod output;
mod paging;
mod table;
mod types;

pub(crate) use entry::{Answer, Reply, Tool};
pub use entry::{Attachment, Entry, Link, Outcome};
pub(crate) use output::Flat;
pub(crate) use paging::{Paged, Paging, Remainder, Slice};
pub(crate) use table::{CSV, FORMAT};
pub(crate) use types::{AccountRef, AtAddress, Identity, PLAUSIBLE_SECONDS};
