//! Resources, prompts, completions, subscriptions and watches of the simulated node, and the sets of an MCP server.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod completions;
mod forbidden;
mod prompts;
mod resources;
mod subscriptions;
mod tools;
mod watch;

use insta::{Settings, assert_snapshot};

/// Compares a text with `snapshots/FILE.snap`.
fn pin(file: &str, said: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(file, said));
}
