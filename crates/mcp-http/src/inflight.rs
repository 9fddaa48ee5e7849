//! The requests in progress, and their owner, which waits for them. Some outlive their connection.

use std::{
    future::Future,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    task::Poll,
    time::Duration,
};

use futures_util::poll;
use tokio::time::{sleep, timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::Instrument;

/// An owner of the requests in progress. Dropping it ends them.
#[derive(Debug, Default)]
pub(crate) struct Detached {
    tasks: TaskTracker,
    abort: CancellationToken,
    unfinished: AtomicUsize,
}

/// The reason why a task has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfinished {
    Panicked,
    Aborted,
}

impl Detached {
    /// Runs a future until it completes or [`Detached::abort`] is called. It takes a reference because futures are
    /// large.
    pub(crate) async fn attached<F: Future>(
        &self,
        mut work: Pin<&mut F>,
    ) -> Result<F::Output, Unfinished> {
        let _tracked = self.tasks.token();
        // Most requests complete at the first poll. Only the others wait for the abort.
        match poll!(work.as_mut()) {
            Poll::Ready(outcome) => Ok(outcome),
            Poll::Pending => {
                let work = self.abort.run_until_cancelled(work);
                work.await.ok_or(Unfinished::Aborted)
            }
        }
    }

    /// Runs a future to its end. If the returned future is dropped, the work continues for `linger`.
    ///
    /// Most requests complete at the first poll. Only the others become a task.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        linger: Duration,
        mut work: Pin<Box<dyn Future<Output = T> + Send>>,
    ) -> Result<T, Unfinished> {
        match poll!(work.as_mut()) {
            Poll::Ready(outcome) => Ok(outcome),
            Poll::Pending => self.spawn(linger, work).await,
        }
    }

    /// Spawns a future that runs to its end. If the returned future is dropped, the work continues for `linger`.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        linger: Duration,
        work: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = Result<T, Unfinished>> + Send + 'static {
        let abort = self.abort.clone();
        let gone = CancellationToken::new();
        let waits = gone.clone().drop_guard();
        let abandoned = async move {
            gone.cancelled().await;
            sleep(linger).await;
        };
        let work = async move {
            tokio::select! {
                biased;
                outcome = work => Some(outcome),
                () = abort.cancelled() => None,
                () = abandoned => {
                    tracing::debug!("a request was cancelled: its client disconnected");
                    None
                }
            }
        };
        let task = self.tasks.spawn(work.in_current_span());
        async move {
            let _waits = waits;
            match task.await {
                Ok(outcome) => outcome.ok_or(Unfinished::Aborted),
                Err(err) if err.is_panic() => Err(Unfinished::Panicked),
                Err(_) => Err(Unfinished::Aborted),
            }
        }
    }

    /// Counts a client that received an error for an unfinished request.
    pub(crate) fn count_unfinished(&self) {
        self.unfinished.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of unfinished requests.
    pub(crate) fn unfinished(&self) -> usize {
        self.unfinished.load(Ordering::Relaxed)
    }

    /// Waits until nothing is in progress.
    pub(crate) async fn finished(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Ends everything in progress. Waiting callers get [`Unfinished::Aborted`].
    pub(crate) fn abort(&self) {
        if !self.tasks.is_empty() {
            let requests = self.tasks.len();
            tracing::warn!(requests, "requests were aborted before they finished");
        }
        self.abort.cancel();
    }

    /// Waits for everything in progress, and aborts anything that has not finished after `drain`.
    pub(crate) async fn close(&self, drain: Duration) {
        if timeout(drain, self.finished()).await.is_err() {
            self.abort();
        }
        self.finished().await;
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        self.abort.cancel();
    }
}
