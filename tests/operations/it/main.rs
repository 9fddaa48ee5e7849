//! What `deploy/` has for operators, run with the programs it is made for.
//!
//! `cargo test -p qortal-operations --features nightly [NAME]`; with `-- --nocapture` the figures of docs/authors/measurements.md are printed.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by a panic, and prints what it measures"
)]

mod balancer;
mod cache;
mod capacity;
mod client;
mod files;
mod metrics;
mod node_requests;
mod nodes;
mod oauth;
mod rates;
mod replicas;
mod site;
mod tls;
mod waits;
