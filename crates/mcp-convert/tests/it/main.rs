//! Tests of the public API and the program.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests may fail by panicking"
)]

mod accepted;
mod allocations;
mod cases;
mod corpus;
mod declarations;
mod documentation;
mod limits;
mod messages;
mod program;
mod properties;
#[path = "../../../mcp-protocol/tests/it/random.rs"]
mod random;
mod refusals;
mod repeated;
mod reports;
mod said;
mod tools;
mod views;

/// The seeds of a test with generated inputs: all where `CI` is set, and otherwise a third.
fn rounds(all: u64) -> std::ops::Range<u64> {
    match std::env::var_os("CI") {
        Some(_) => 0..all,
        None => 0..all / 3,
    }
}
