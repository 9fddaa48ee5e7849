//! The whole server, end to end.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

// The commands are those of a POSIX shell.
#[cfg(unix)]
mod documents;
mod features;
mod fuzz;
mod live;
mod never;
mod progress;
mod same_facts;
mod shapes;
mod skills;
mod snapshots;
mod tools;
mod views;
