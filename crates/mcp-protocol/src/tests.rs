//! The wire format, feature by feature.

mod client;
mod features;
mod jsonrpc;
mod lifecycle;
mod revision;
mod task;

use crate::Revision;

/// The revisions that have been published: not the draft, which a feature adds.
fn published() -> impl Iterator<Item = Revision> {
    let all = Revision::ALL.iter().copied();
    all.filter(|it| !it.name().starts_with("DRAFT"))
}
