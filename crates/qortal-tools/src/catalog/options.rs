//! Options of one call.

use std::sync::Arc;

use super::Selection;
use crate::Report;

/// Options of one call, for [`Catalog::call_with`](super::Catalog::call_with).
#[derive(Default)]
#[non_exhaustive]
pub struct CallOptions<'a> {
    /// The tools that are listed to this caller, if it has a selection of its own.
    pub selection: Option<Arc<Selection>>,
    /// The receiver of progress, once a second. A call that has ended by then is not reported.
    pub report: Option<&'a Report<'a>>,
    /// The W3C trace context that the requests to the node carry.
    pub trace_parent: Option<String>,
}

impl std::fmt::Debug for CallOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallOptions")
            .field("selection", &self.selection)
            .field("trace_parent", &self.trace_parent)
            .finish_non_exhaustive()
    }
}
