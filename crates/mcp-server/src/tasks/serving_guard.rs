//! A server that is being served: its tasks run as long as it is.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mcp_protocol::{ErrorObject, TaskState};

use super::Tasks;
use crate::dispatch::Server;

impl Server {
    /// For a transport: tells the server that it is served, until what this returns has [ended](ServingGuard::end).
    #[must_use]
    pub fn start_serving(&self) -> ServingGuard {
        if let Some(tasks) = &self.tasks {
            tasks.serving.fetch_add(1, Ordering::AcqRel);
        }
        ServingGuard {
            tasks: self.tasks.clone(),
            has_ended: AtomicBool::new(false),
        }
    }
}

/// For a transport: a server that is being served. Its tasks run as long as any transport serves it; if this is dropped and not
/// ended, they end without anyone who waits for them.
#[derive(Debug)]
pub struct ServingGuard {
    tasks: Option<Arc<Tasks>>,
    has_ended: AtomicBool,
}

impl ServingGuard {
    /// Ends serving: unless another transport serves the server, what runs of its tasks fails as stopped. Returns when they have ended,
    /// and how many were not finished.
    pub async fn end(&self) -> usize {
        let Some(tasks) = self.last() else { return 0 };
        let unfinished = tasks.stop();
        tasks.tracker.close();
        tasks.tracker.wait().await;
        tasks.tracker.reopen();
        unfinished
    }

    /// The tasks, if they are to end.
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
    /// Has all that runs fail as stopped; how many those are.
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
