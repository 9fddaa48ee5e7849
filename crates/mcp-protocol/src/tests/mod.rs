//! The wire format, feature by feature.

mod features;
mod jsonrpc;
mod lifecycle;
mod revision;
