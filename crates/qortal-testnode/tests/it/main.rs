//! Integration tests of the simulated node, all of them over a socket.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in helpers too"
)]

mod client;
mod faults;
mod limits;
mod qdn;
mod recording;
mod replay;
mod rows;
mod scenarios;
mod second;
mod sockets;
mod strictness;
