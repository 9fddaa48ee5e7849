//! The declaration of tools: one declaration yields the struct, schemas, documentation and reader.
//!
//! The declarations are those of `tool_schema`, which knows nothing of Qortal; the types of the chain are made
//! parameters and members of answers here.

/// The marker type with which `tool_schema` accepts types of `qortal_types`.
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

mod account;
mod asset;
mod chain;
mod detail;
mod entry;
mod group;
mod height;
mod moment;
mod older;
mod order;
mod other_names;
mod outcome;
mod output;
mod paging;
mod signature;
mod table;

pub(crate) use account::{AN_ACCOUNT, AccountRef, AtAddress, INVALID_ADDRESS};
pub(crate) use asset::{AN_ASSET, AssetRef, INVALID_ASSET};
pub(crate) use detail::{DETAIL, Full, ISO};
pub use entry::Entry;
pub(crate) use entry::{Answer, Reply, Tool};
pub(crate) use group::{A_GROUP, GroupRef, INVALID_GROUP};
pub(crate) use height::HeightRef;
pub(crate) use moment::{Moment, PLAUSIBLE_SECONDS};
pub(crate) use order::Order;
pub(crate) use outcome::NOTES;
pub use outcome::{Attachment, Outcome, ResourceLink};
pub(crate) use output::{Flat, count};
pub(crate) use paging::{Paged, Paging, Remainder, Slice};
pub(crate) use signature::{BlockRef, TransactionId, TransactionRef, handle};
pub(crate) use table::{CSV, FORMAT};
