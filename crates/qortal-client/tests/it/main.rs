//! The client against a simulated node.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "the switches of clippy.toml cover test functions only, not what they share"
)]

mod addresses;
mod admin;
mod blocks;
mod crosschain;
mod failover;
mod faults;
mod harness;
mod names;
mod scenarios;
mod sharing;
mod wire;
