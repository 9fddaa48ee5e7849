//! The node's state of a QDN resource, and the effect of requests on it (`ArbitraryDataResource`, `ArbitraryDataReader`).

use serde_json::{Value, json};

use crate::{
    builds::Build,
    resource::{Row, State},
};

/// The outcome of a direct request for the content of a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// The content is served. Downloaded chunks are built first.
    Served,
    /// The resource is queued, now or before, and the request does not wait.
    Queued,
    /// The chunks are missing here, and no peer has them.
    Unavailable,
    /// The resource is queued, and the request waits for it without a limit.
    Waits,
}

/// Returns the service, name and identifier under which the node stores the build of a resource.
fn key(row: &Value) -> [String; 3] {
    ["service", "name", "identifier"].map(|member| row.text(member).to_owned())
}

/// Returns the current status for a list.
pub(super) fn current_status(state: &State, row: &Value) -> Value {
    match state.builds.peek(&key(row)) {
        Some(build) => status_of(build),
        None => row.at("status").clone(),
    }
}

/// Returns the response to a status request for one resource, whose status at the start is `initial`.
pub(super) fn reported(state: &State, row: &Value, initial: Value) -> Value {
    match state.builds.look(key(row)) {
        Some(build) => initial.extended(&status_of(build)),
        None => initial,
    }
}

fn status_of(build: Build) -> Value {
    let [status, title, description] = match build {
        Build::Queued => ["BUILDING", "Building", "Building..."],
        Build::Ready => ["READY", "Ready", "Ready"],
    };
    json!({"status": status, "id": status, "title": title, "description": description})
}

/// Handles a direct request, which builds the resource if possible: for a file, for the properties, or for the status with `build=true`.
/// On-chain data is always available.
pub(super) fn open(state: &State, row: &Value, is_on_chain: bool, is_async: bool) -> Access {
    let key = key(row);
    let build = state.builds.peek(&key);
    let status = match build {
        Some(Build::Ready) => "READY",
        Some(Build::Queued) => "BUILDING",
        None => row.at("status").text("status"),
    };
    match status {
        "DOWNLOADED" if is_async && !is_on_chain => {
            state.builds.set(key, Build::Queued);
            Access::Queued
        }
        "DOWNLOADED" => {
            state.builds.set(key, Build::Ready);
            Access::Served
        }
        "BUILDING" if is_async => Access::Queued,
        "BUILDING" => Access::Waits,
        "READY" | "BUILD_FAILED" | "BLOCKED" => Access::Served,
        _ if is_on_chain => Access::Served,
        _ => Access::Unavailable,
    }
}
