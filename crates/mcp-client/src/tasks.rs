//! What a client has started: all of it ends with the client.

use std::{future::Future, sync::Arc};

use parking_lot::Mutex;
use tokio::{
    runtime::{Handle, TryCurrentError},
    task::{AbortHandle, JoinSet},
};

/// The tasks of one client.
#[derive(Debug, Clone)]
pub(crate) struct Tasks {
    running: Arc<Mutex<JoinSet<()>>>,
    runtime: Handle,
}

impl Tasks {
    pub(crate) fn new() -> Result<Self, TryCurrentError> {
        Ok(Self {
            running: Arc::default(),
            runtime: Handle::try_current()?,
        })
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
        let mut running = self.running.lock();
        while running.try_join_next().is_some() {}
        running.spawn_on(task, &self.runtime)
    }

    /// Ends them all, without waiting for that.
    pub(crate) fn abort(&self) {
        self.running.lock().abort_all();
    }

    /// Ends them all.
    pub(crate) async fn end(&self) {
        loop {
            let mut running = std::mem::take(&mut *self.running.lock());
            if running.is_empty() {
                return;
            }
            running.shutdown().await;
        }
    }
}

/// hyper's connections are tasks of the client, too.
impl<F: Future<Output = ()> + Send + 'static> hyper::rt::Executor<F> for Tasks {
    fn execute(&self, task: F) {
        self.spawn(task);
    }
}
