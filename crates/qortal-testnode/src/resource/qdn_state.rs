//! What the node has of a QDN resource, and what asking for it does (`ArbitraryDataResource`, `ArbitraryDataReader`).

use serde_json::{Value, json};

use crate::{
    builds::Build,
    resource::{Row, State},
};

/// How a direct request for the content of a resource goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// The content is served; what was only downloaded is put together first.
    Served,
    /// A request that must not wait put it into the queue, or it is there already.
    Queued,
    /// Its pieces are not here, and no peer has them.
    Unavailable,
    /// It is in the queue: the request waits for it without bound.
    Waits,
}

/// The service, name and identifier under which the node remembers that it built a resource.
fn key(row: &Value) -> [String; 3] {
    ["service", "name", "identifier"].map(|member| row.text(member).to_owned())
}

/// The status in a list: as it is now.
pub(super) fn current_status(state: &State, row: &Value) -> Value {
    match state.builds.peek(&key(row)) {
        Some(build) => status_of(build),
        None => row.at("status").clone(),
    }
}

/// What the node answers when it is asked for the status of one resource, whose status at the start it is given.
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

/// A direct request, which builds what it can: that of a file, of the properties, or of the status with `build=true`.
/// Data on the chain is always here.
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
