//! Tasks that outlive their connection, and the owner that waits for them.

use std::{future::Future, pin::Pin, task::Poll, time::Duration};

use tokio::time::timeout;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Owns tasks that outlive their connection; dropping it ends them.
#[derive(Debug, Default)]
pub(crate) struct Detached {
    tasks: TaskTracker,
    abort: CancellationToken,
}

/// Why a task has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfinished {
    Panicked,
    Aborted,
}

impl Detached {
    /// Runs a future to its end, even if the returned future is dropped meanwhile.
    ///
    /// Most requests are ready at the first poll; only the others become a task.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        mut work: Pin<Box<dyn Future<Output = T> + Send>>,
    ) -> Result<T, Unfinished> {
        let first = std::future::poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await;
        if let Poll::Ready(outcome) = first {
            return Ok(outcome);
        }
        self.spawn(work).await
    }

    /// Spawns a future that runs to its end, even if the returned future is dropped meanwhile.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> impl Future<Output = Result<T, Unfinished>> + Send + 'static {
        let abort = self.abort.clone();
        let task = self.tasks.spawn(abort.run_until_cancelled_owned(work));
        async move {
            match task.await {
                Ok(outcome) => outcome.ok_or(Unfinished::Aborted),
                Err(err) if err.is_panic() => Err(Unfinished::Panicked),
                Err(_) => Err(Unfinished::Aborted),
            }
        }
    }

    /// Waits for all tasks, and aborts those that have not finished after `drain`.
    pub(crate) async fn close(&self, drain: Duration) {
        self.tasks.close();
        if timeout(drain, self.tasks.wait()).await.is_err() {
            tracing::warn!(
                tasks = self.tasks.len(),
                "requests aborted after the drain timeout"
            );
            self.abort.cancel();
            self.tasks.wait().await;
        }
        self.abort.cancel();
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        self.abort.cancel();
    }
}
