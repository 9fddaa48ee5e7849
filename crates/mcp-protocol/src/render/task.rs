//! Tasks in the form of a revision: a core feature in 2025-11-25, an extension later.

use crate::{
    Features, Object, Revision,
    json::{put, put_some},
    revision::TaskForm,
    task::{Task, TaskState},
};

/// Renders the response to a request that has become a task, without the server's identity (`CreateTaskResult`).
#[must_use]
pub fn create_task_result(task: &Task, rules: &Features) -> Object {
    let members = members(task, rules);
    match rules.tasks {
        TaskForm::Core => Object::from_iter([("task".to_owned(), members.into())]),
        TaskForm::Absent | TaskForm::Extension => {
            super::result_of_other_type("task", members, rules)
        }
    }
}

/// Renders a task (`DetailedTask`; `Task` in 2025-11-25) without its result, which [`task_with_result`] adds.
#[must_use]
pub fn task(task: &Task, rules: &Features) -> Object {
    let mut object = members(task, rules);
    if rules.tasks != TaskForm::Core {
        match &task.state {
            TaskState::InputRequired(requests) => {
                put(&mut object, "inputRequests", requests.clone());
            }
            TaskState::Failed(error) => put(&mut object, "error", error.to_value()),
            TaskState::Working | TaskState::Completed(_) | TaskState::Cancelled => (),
        }
    }
    object
}

/// Returns `object` as JSON, with the task's result as its last field in revisions that include it there.
#[must_use]
pub fn task_with_result(object: &Object, task: &Task, rules: &Features) -> String {
    let mut json = serde_json::to_string(object).unwrap_or_default();
    let TaskState::Completed(result) = &task.state else {
        return json;
    };
    if rules.tasks == TaskForm::Core || json.pop().is_none() {
        return json;
    }
    json.push_str(if object.is_empty() {
        "\"result\":"
    } else {
        ",\"result\":"
    });
    json.push_str(result.get());
    json.push('}');
    json
}

/// Returns the complete task as JSON for a store. [`Task::read`] reads it.
#[must_use]
pub fn task_json_for_store(task: &Task) -> String {
    let rules = Revision::EXTENDED.features();
    task_with_result(&self::task(task, rules), task, rules)
}

fn members(task: &Task, rules: &Features) -> Object {
    let is_core = rules.tasks == TaskForm::Core;
    let mut object = Object::new();
    put(&mut object, "taskId", task.id.as_str());
    // "this includes cases where the tool call result has isError set to true" (2025-11-25 `basic/utilities/tasks`, "Task Status").
    let status = if is_core && task.is_tool_error() {
        "failed"
    } else {
        task.status()
    };
    put(&mut object, "status", status);
    let message = match &task.state {
        // In 2025-11-25, no other field describes the error before the result is fetched.
        TaskState::Failed(error) => Some(error.message.as_str()),
        _ => task.status_message.as_deref(),
    };
    put_some(&mut object, "statusMessage", message);
    put(&mut object, "createdAt", task.created_at.as_str());
    put(&mut object, "lastUpdatedAt", task.last_updated_at.as_str());
    let [ttl, interval] = if is_core {
        ["ttl", "pollInterval"]
    } else {
        ["ttlMs", "pollIntervalMs"]
    };
    put(&mut object, ttl, task.ttl_ms);
    put_some(&mut object, interval, task.poll_interval_ms);
    object
}
