//! The requests in flight, each by its id.

use std::{collections::HashMap, panic::resume_unwind};

use bytes::Bytes;
use mcp_protocol::RequestId;
use mcp_server::{BoxFuture, transport::Response};
use tokio::task::{self, AbortHandle, JoinSet};

/// What answers a line.
#[derive(Debug, Default)]
pub(crate) enum Answer {
    /// Nothing: it was cancelled, or asks for nothing.
    #[default]
    Nothing,
    One(Response),
    /// The responses to a batch, as JSON.
    Batch(Bytes),
}

/// The requests that one line asks to answer.
#[derive(Debug, Clone)]
pub(crate) enum RequestIds {
    One(RequestId),
    Batch(Vec<RequestId>),
}

/// Owns one task per request or batch; dropping it aborts them all.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    tasks: JoinSet<Answer>,
    wanted: HashMap<task::Id, (RequestIds, AbortHandle)>,
}

impl InFlight {
    pub(crate) fn len(&self) -> usize {
        self.tasks.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Aborts all requests, waits until their tasks have ended, and returns what they were to answer.
    pub(crate) async fn shutdown(&mut self) -> Vec<RequestIds> {
        self.tasks.shutdown().await;
        let unfinished = self.wanted.drain().map(|(_, (wanted, _))| wanted);
        unfinished.collect()
    }

    pub(crate) fn spawn(&mut self, wanted: RequestIds, work: BoxFuture<'static, Answer>) {
        let handle = self.tasks.spawn(work);
        self.wanted.insert(handle.id(), (wanted, handle));
    }

    /// Cancels the request with this id, without an answer even if it has just finished. An id that is not in
    /// flight is ignored (`basic/utilities/cancellation`).
    pub(crate) fn cancel(&mut self, id: &RequestId) {
        self.wanted.retain(|_, (wanted, handle)| {
            let cancelled = matches!(wanted, RequestIds::One(one) if one == id);
            if cancelled {
                handle.abort();
            }
            !cancelled
        });
    }

    /// Waits for the next request to end and returns its answer; `None` if it was cancelled, or none is left.
    ///
    /// # Cancel safety
    /// Cancel safe: an answer that was not returned is returned by the next call.
    pub(crate) async fn next(&mut self) -> Option<Answer> {
        match self.tasks.join_next_with_id().await? {
            Ok((task, answer)) => self.wanted.remove(&task).map(|_| answer),
            Err(err) => {
                self.wanted.remove(&err.id());
                match err.try_into_panic() {
                    // The server catches the panics of tools; this one is a bug of the transport.
                    Ok(panic) => resume_unwind(panic),
                    Err(_) => None,
                }
            }
        }
    }
}
