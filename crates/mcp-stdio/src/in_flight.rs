//! The requests under way, each by the id its client gave it.

use std::{collections::HashMap, future::Future, panic::resume_unwind};

use bytes::Bytes;
use mcp_protocol::RequestId;
use tokio::task::{self, AbortHandle, JoinSet};

/// What a request comes to: the bytes to write, in pieces.
pub(crate) type Answer = Vec<Bytes>;

/// Owns one task a request; dropping it ends them all.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    tasks: JoinSet<Answer>,
    wanted: HashMap<task::Id, (Vec<RequestId>, AbortHandle)>,
}

impl InFlight {
    pub(crate) fn len(&self) -> usize {
        self.tasks.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Ends all requests and waits until their tasks are gone.
    pub(crate) async fn shutdown(&mut self) {
        self.wanted.clear();
        self.tasks.shutdown().await;
    }

    pub(crate) fn spawn(
        &mut self,
        ids: Vec<RequestId>,
        work: impl Future<Output = Answer> + Send + 'static,
    ) {
        let handle = self.tasks.spawn(work);
        self.wanted.insert(handle.id(), (ids, handle));
    }

    /// Ends the request with this id; nothing is answered, even if it has just finished.
    /// An id that is not in flight is ignored (`basic/utilities/cancellation`).
    pub(crate) fn cancel(&mut self, id: &RequestId) {
        self.wanted.retain(|_, (ids, handle)| {
            let cancelled = ids.as_slice() == [id.clone()];
            if cancelled {
                handle.abort();
            }
            !cancelled
        });
    }

    /// The answer of the next request to end; `None` when it was cancelled, or when none is left.
    ///
    /// # Cancel safety
    /// Cancel safe: an answer that was not returned is returned by the next call.
    pub(crate) async fn next(&mut self) -> Option<Answer> {
        match self.tasks.join_next_with_id().await? {
            Ok((task, answer)) => self.wanted.remove(&task).map(|_| answer),
            Err(err) => {
                self.wanted.remove(&err.id());
                match err.try_into_panic() {
                    // The server catches what a tool panics with; this is a bug of our own.
                    Ok(panic) => resume_unwind(panic),
                    Err(_) => None,
                }
            }
        }
    }
}
