//! Resources: answers that have a URI. Each is a row of one table that names the tool behind it, so that hosts
//! without resources lose nothing.

mod native;
mod pattern;
mod read;
mod source;
mod table;

pub(crate) use self::{
    native::native_link,
    pattern::{expand, segments},
    read::is_own,
    source::Signal,
};
pub use self::{
    pattern::UriError,
    read::{Contents, ReadError},
    source::{Freshness, Source},
};
