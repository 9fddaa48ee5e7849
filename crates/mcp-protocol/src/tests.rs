//! The wire format, feature by feature.

mod client;
mod features;
mod jsonrpc;
mod lifecycle;
mod revision;
mod task;
