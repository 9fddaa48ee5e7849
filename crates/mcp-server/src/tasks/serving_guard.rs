//! Guards for transports that serve a server. The server's tasks run while it has at least one guard.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mcp_protocol::{ErrorObject, TaskState};

use super::Tasks;
use crate::dispatch::Server;

impl Server {
    /// Registers a transport that serves the server, until the returned guard has [ended](ServingGuard::shutdown).
    /// Transports call this.
    #[must_use]
    pub fn register_transport(&self) -> ServingGuard {
        if let Some(tasks) = &self.tasks {
            tasks.serving.fetch_add(1, Ordering::AcqRel);
        }
        ServingGuard {
            tasks: self.tasks.clone(),
            has_ended: AtomicBool::new(false),
        }
    }
}

/// A guard held by a transport while it serves a server. Tasks run as long as any transport serves the server. If the
/// last guard is dropped instead of [ended](Self::shutdown), the tasks are stopped, but nothing waits for their end.
#[derive(Debug)]
pub struct ServingGuard {
    tasks: Option<Arc<Tasks>>,
    has_ended: AtomicBool,
}

impl ServingGuard {
    /// Ends serving. If no other transport serves the server, its running tasks fail as stopped. Returns the number of
    /// these tasks after all of them have ended.
    pub async fn shutdown(&self) -> usize {
        let Some(tasks) = self.last() else { return 0 };
        let unfinished = tasks.stop();
        tasks.tracker.close();
        tasks.tracker.wait().await;
        tasks.tracker.reopen();
        unfinished
    }

    /// Returns the tasks if they must end.
    fn last(&self) -> Option<&Arc<Tasks>> {
        let tasks = self.tasks.as_ref()?;
        let is_first = !self.has_ended.swap(true, Ordering::AcqRel);
        let is_last = is_first && tasks.serving.fetch_sub(1, Ordering::AcqRel) == 1;
        is_last.then_some(tasks)
    }
}

impl Drop for ServingGuard {
    fn drop(&mut self) {
        if let Some(tasks) = self.last() {
            tasks.stop();
        }
    }
}

impl Tasks {
    /// Stops all running tasks, which fail as stopped. Returns their number.
    fn stop(&self) -> usize {
        let running: Vec<_> = self.running.lock().values().cloned().collect();
        let now = self.now();
        let stopped = running.iter().filter(|it| {
            let is_first = it.end(TaskState::Failed(ErrorObject::server_stopped()), now);
            it.over.cancel();
            is_first
        });
        stopped.count()
    }
}
