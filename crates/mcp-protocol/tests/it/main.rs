//! The promises of the crate, from the outside.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may fail by panicking"
)]

mod properties;
mod random;
mod reading;
