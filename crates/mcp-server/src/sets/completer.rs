//! Completion of arguments.

use mcp_protocol::{Completion, completion::CompleteRequest};

use crate::{context::CallContext, sets::BoxFuture};

/// Completes the arguments of prompts and the variables of resource templates. The arguments of tools are completed
/// in no revision.
pub trait Completer: Send + Sync + 'static {
    /// The values that fit what has been typed; none for what is not known.
    fn complete<'a>(
        &'a self,
        request: &'a CompleteRequest,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Completion>;
}
