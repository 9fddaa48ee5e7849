//! The transport as a client on a socket sees it. Names and rows carry the numbers of the
//! requirements they check; the texts behind the numbers are pages of the specification.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and its helpers are not #[test] functions"
)]

mod authorization;
mod client;
mod differential;
mod disconnect;
mod drain;
mod fuzz;
mod http;
mod jsonrpc;
mod limits;
mod memory;
mod pages;
mod parameters;
mod post;
mod proxies;
mod rates;
mod revisions;
mod scopes;
mod service;
mod sessions;
mod site;
mod sites;
mod streams;
mod tls;
mod tokens;
mod tower;
mod users;
mod wire;
