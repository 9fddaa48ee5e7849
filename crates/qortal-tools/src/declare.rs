//! How a tool is declared: once, in one place, yielding its struct, schemas, documentation and reader.

#[macro_use]
mod params;
#[macro_use]
mod record;
mod entry;
mod reader;
#[macro_use]
mod types;
mod table;

pub(crate) use entry::{Answer, Reply, Tool};
pub use entry::{Attachment, Entry, Link, Outcome};
pub(crate) use params::{NoParams, Param, Parameter, Params, Wrong, parameter};
pub(crate) use reader::Reader;
pub use record::Member;
pub(crate) use record::{Record, Remarks, Value as Output, camel, typed};
pub(crate) use table::{CSV, FORMAT};
pub(crate) use types::{
    AccountRef, AtAddress, Bounded, Identity, List, PLAUSIBLE_SECONDS, Text, shown, spelled, whole,
};
