//! The client against the server of this workspace, and against servers that do what none should.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by a panic"
)]

#[cfg(unix)]
mod child;
mod clones;
mod faults;
mod http_faults;
mod negotiation;
mod odd_server;
mod served;
mod server;
mod session;
mod tasks;
// Elsewhere no variable says which certificates are trusted.
#[cfg(target_os = "linux")]
mod tls;
mod token;
