//! What this crate promises, from the outside.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail by panicking"
)]

mod allocations;
mod cases;
mod documentation;
mod golden;
mod limits;
mod output;
mod properties;
mod snapshots;
mod views;
