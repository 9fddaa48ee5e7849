//! The tasks that a client has started. All of them end with the client.

use std::future::Future;

use tokio::{
    runtime::{Handle, TryCurrentError},
    task::AbortHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The tasks of one client.
#[derive(Debug, Clone)]
pub(crate) struct Tasks {
    running: TaskTracker,
    end: CancellationToken,
    runtime: Handle,
}

impl Tasks {
    pub(crate) fn new() -> Result<Self, TryCurrentError> {
        Ok(Self {
            running: TaskTracker::new(),
            end: CancellationToken::new(),
            runtime: Handle::try_current()?,
        })
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let end = self.end.clone();
        let task = async move {
            // `None` if the client has ended first.
            let _done = end.run_until_cancelled(task).await;
        };
        self.running.spawn_on(task, &self.runtime).abort_handle()
    }

    /// Ends them all, without waiting for that.
    pub(crate) fn abort(&self) {
        self.end.cancel();
    }

    /// Ends them all, and waits for that. Any number of callers can.
    pub(crate) async fn end(&self) {
        self.abort();
        self.running.close();
        self.running.wait().await;
    }
}

/// hyper's connections are tasks of the client, too.
impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, task: F) {
        self.spawn(task);
    }
}
