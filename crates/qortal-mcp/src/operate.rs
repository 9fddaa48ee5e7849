//! What operators and their programs are shown: who asked for what, how the nodes are, and whether the server can take requests.

mod nodes;
mod observers;
mod ready;

pub(crate) use nodes::{NODES, asked};
pub(crate) use observers::{ACCESS_LOG, Observers, Transport};
pub(crate) use ready::{NodeCheck, watch};

use mcp_operate::{Metrics, MetricsError};
use qortal_tools::Catalog;

/// The figures of the program.
pub(crate) fn metrics() -> Result<Metrics, MetricsError> {
    Metrics::new("qortal_mcp", env!("CARGO_PKG_VERSION"), tool)
}

/// Our tool of a name, so that clients invent none.
fn tool(name: &str) -> Option<&'static str> {
    Catalog::entries().map(|it| it.name).find(|it| *it == name)
}
