//! What the wire says, feature by feature.

mod features;
mod jsonrpc;
mod lifecycle;
mod revision;
