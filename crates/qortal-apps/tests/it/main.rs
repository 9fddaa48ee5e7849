//! Tests of the crate's readers, with data in the forms that the official apps write.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod chat;
mod embed;
mod fuzz;
mod text;
