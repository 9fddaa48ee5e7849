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
mod output;
mod program;
mod properties;
#[path = "../../../mcp-protocol/tests/it/random.rs"]
mod random;
mod refusals;
mod said;
mod tools;
mod views;
