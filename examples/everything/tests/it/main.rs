//! The example as clients of all five revisions see it, on stdio and over HTTP: what the conformance suite
//! does not test. Numbers are those of docs/authors/requirements.md.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

mod asking;
mod changes;
mod client;
mod envelope;
mod http;
mod messages;
mod stdio;
mod table;
mod tasks;
mod view;
