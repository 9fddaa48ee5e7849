//! The tokio tasks of a client. All of them end with the client.

use std::future::Future;

use tokio::{
    runtime::{Handle, TryCurrentError},
    task::AbortHandle,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The tokio tasks of one client.
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
            // The result is `None` if the client has ended first.
            let _done = end.run_until_cancelled(task).await;
        };
        self.running.spawn_on(task, &self.runtime).abort_handle()
    }

    /// Ends all tasks without waiting.
    pub(crate) fn abort(&self) {
        self.end.cancel();
    }

    /// Ends all tasks and waits for them. Several callers may wait.
    pub(crate) async fn end(&self) {
        self.abort();
        self.running.close();
        self.running.wait().await;
    }
}

/// Runs hyper's connections as tasks of the client.
impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, task: F) {
        self.spawn(task);
    }
}
