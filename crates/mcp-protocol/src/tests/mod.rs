//! What the wire says, feature by feature.

mod jsonrpc;
mod lifecycle;
mod revision;
