//! Changes of tasks, for those who listen or wait.

use std::{collections::VecDeque, sync::Arc};

use mcp_protocol::{Object, Rules, render, revision::TaskForm};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::Tasks;

/// Changes of tasks, in order.
#[derive(Debug)]
pub(crate) struct TaskChanges {
    tasks: Arc<Tasks>,
    rules: &'static Rules,
    changed: Receiver<Arc<str>>,
    due: VecDeque<Arc<str>>,
}

impl TaskChanges {
    /// All changes from now on.
    pub(crate) fn new(tasks: &Arc<Tasks>, rules: &'static Rules) -> Self {
        Self {
            tasks: Arc::clone(tasks),
            rules,
            changed: tasks.changes.subscribe(),
            due: VecDeque::new(),
        }
    }

    /// Waits until this task may have changed.
    pub(crate) async fn of(&mut self, id: &str) {
        loop {
            match self.changed.recv().await {
                Ok(changed) if *changed != *id => (),
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }

    /// The next notification of one of the tasks that `own` returns, with these members before those of the task.
    ///
    /// # Cancel safety
    /// Cancel safe: what was not returned is returned by the next call.
    pub(crate) async fn next(
        &mut self,
        own: impl Fn() -> Vec<String>,
        before: impl Fn() -> Object,
    ) -> String {
        loop {
            while let Some(id) = self.due.front() {
                let is_own = own().iter().any(|it| **it == **id);
                let message = match is_own {
                    true => self.notification(id, before()).await,
                    false => None,
                };
                self.due.pop_front();
                if let Some(message) = message {
                    return message;
                }
            }
            match self.changed.recv().await {
                Ok(id) => self.due.push_back(id),
                // It is not known which were missed.
                Err(RecvError::Lagged(_)) => self.due.extend(own().into_iter().map(Arc::from)),
                Err(RecvError::Closed) => return std::future::pending().await,
            }
        }
    }

    async fn notification(&self, id: &str, mut params: Object) -> Option<String> {
        let task = match self.tasks.running(id) {
            Some(running) => running.task(),
            None => self.tasks.kept(id).await?,
        };
        params.extend(render::task(&task, self.rules));
        let params = render::task_json(&params, &task, self.rules);
        let method = match self.rules.tasks {
            TaskForm::Core => "notifications/tasks/status",
            _ => "notifications/tasks",
        };
        Some(format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#
        ))
    }
}
