//! Task changes, for clients that listen or wait.

use mcp_protocol::{Features, Object, TaskForm, render};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::Tasks;
use crate::session::change_notifier::Change;

/// Waits until this task may have changed.
pub(crate) async fn until_changed(changes: &mut Receiver<Change>, id: &str) {
    loop {
        match changes.recv().await {
            Ok(Change::Task(changed)) if *changed == *id => return,
            Ok(_) => (),
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => return std::future::pending().await,
        }
    }
}

/// Returns a notification of the task's current state, with these params before its own. Returns `None` if the task has
/// expired.
pub(crate) async fn notification(
    tasks: &Tasks,
    id: &str,
    rules: &Features,
    mut params: Object,
) -> Option<String> {
    let task = match tasks.running(id) {
        Some(running) => running.task(),
        None => tasks.kept(id).await?,
    };
    params.extend(render::task(&task, rules));
    let params = render::task_with_result(&params, &task, rules);
    let method = match rules.tasks {
        TaskForm::Core => "notifications/tasks/status",
        _ => "notifications/tasks",
    };
    Some(format!(
        r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#
    ))
}
