//! The client against a simulated node.
#![expect(
    clippy::unwrap_used,
    reason = "the switches of clippy.toml cover test functions only, not what they share"
)]

mod addresses;
mod admin;
mod arbitrary;
mod assets;
mod at;
mod availability;
mod blocks;
mod cache;
mod chat;
mod codes;
mod crosschain;
mod failover;
mod faults;
mod fixtures;
mod groups;
mod harness;
mod names;
mod negative;
mod newest;
mod observations;
mod observer;
mod own_nodes;
mod polls;
mod probes;
mod releases;
mod says_nothing;
mod scenarios;
mod sharing;
mod sockets;
mod transactions;
mod utils;
mod wire;
