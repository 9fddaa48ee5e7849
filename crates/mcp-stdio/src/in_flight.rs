//! The requests in flight, by ID.

use std::{collections::HashMap, panic::resume_unwind};

use bytes::Bytes;
use mcp_protocol::RequestId;
use mcp_server::{BoxFuture, transport::Response};
use tokio::task::{self, AbortHandle, JoinSet};

/// The output for a line.
#[derive(Debug, Default)]
pub(crate) enum Answer {
    /// No output: the request was cancelled, or the message needs no response.
    #[default]
    Nothing,
    One(Response),
    /// The responses to a batch, as JSON.
    Batch(Bytes),
}

/// The IDs of the requests on one line.
#[derive(Debug, Clone)]
pub(crate) enum RequestIds {
    One(RequestId),
    Batch(Vec<RequestId>),
}

/// An owner of one task per request or batch. Dropping it aborts all tasks.
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

    /// Aborts all requests, waits until their tasks have ended, and returns the IDs of the unanswered requests.
    pub(crate) async fn shutdown(&mut self) -> Vec<RequestIds> {
        self.tasks.shutdown().await;
        let unfinished = self.wanted.drain().map(|(_, (wanted, _))| wanted);
        unfinished.collect()
    }

    pub(crate) fn spawn(&mut self, wanted: RequestIds, work: BoxFuture<'static, Answer>) {
        let handle = self.tasks.spawn(work);
        self.wanted.insert(handle.id(), (wanted, handle));
    }

    /// Cancels the request with this ID. It gets no response, even if it has just finished. An ID that is not in flight
    /// is ignored (`basic/utilities/cancellation`).
    pub(crate) fn cancel(&mut self, id: &RequestId) {
        self.wanted.retain(|_, (wanted, handle)| {
            let cancelled = matches!(wanted, RequestIds::One(one) if one == id);
            if cancelled {
                handle.abort();
            }
            !cancelled
        });
    }

    /// Waits for the next request to end and returns its output. Returns `None` if the request was cancelled or none is
    /// left.
    ///
    /// # Cancel safety
    /// This method is cancel safe: the next call returns any output that was not returned.
    pub(crate) async fn next(&mut self) -> Option<Answer> {
        match self.tasks.join_next_with_id().await? {
            Ok((task, answer)) => self.wanted.remove(&task).map(|_| answer),
            Err(err) => {
                self.wanted.remove(&err.id());
                match err.try_into_panic() {
                    // The server catches panics of tools, so this one is a bug of the transport.
                    Ok(panic) => resume_unwind(panic),
                    Err(_) => None,
                }
            }
        }
    }
}
