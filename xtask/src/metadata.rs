//! What `cargo metadata` knows of the workspace's own packages.

use serde_json::Value;

use crate::command::{cargo, output};
use crate::failure::Failure;

/// The workspace's metadata, without dependencies of others and without a network.
pub fn workspace() -> Result<Value, Failure> {
    parse(&output(cargo().args([
        "metadata",
        "--no-deps",
        "--offline",
        "--format-version",
        "1",
    ]))?)
}

/// Reads what `cargo metadata` printed.
pub fn parse(printed: &str) -> Result<Value, Failure> {
    serde_json::from_str(printed).map_err(|why| Failure::unreadable("cargo metadata", why))
}

/// The list at `key`; empty if there is none.
pub fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The text at `key`; empty if there is none.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
