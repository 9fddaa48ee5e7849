//! Tasks: requests whose result the caller fetches later (2025-11-25 `basic/utilities/tasks`; from 2026-07-28 on the
//! extension Tasks, <https://github.com/modelcontextprotocol/ext-tasks>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{ErrorObject, Object, client, error::INTERNAL_ERROR};

/// The name of the extension Tasks.
pub const TASKS_EXTENSION: &str = client::TASKS;
/// `_meta` key in 2025-11-25 of messages that belong to a task: an object with its `taskId`.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Whether calls of a tool may become tasks (`execution.taskSupport`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TaskSupport {
    /// Calls never become tasks.
    #[default]
    Forbidden,
    /// Calls of a client that can fetch the result later may become tasks. Other clients wait for the result.
    Optional,
    /// Only clients that can fetch the result later may call the tool.
    Required,
}

impl TaskSupport {
    /// Returns the wire name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// A task, as a client sees it at a point in time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Task {
    /// The task's ID. On a server without authentication, anyone who knows it can fetch the task.
    pub id: String,
    /// The task's state.
    pub state: TaskState,
    /// A sentence about the state, for users and models.
    pub status_message: Option<String>,
    /// The time of creation, in ISO 8601.
    pub created_at: String,
    /// The time of the last change, in ISO 8601.
    pub last_updated_at: String,
    /// Milliseconds from creation after which the server may delete the task. `None` means no limit.
    pub ttl_ms: Option<u64>,
    /// Milliseconds that a client should wait between polls.
    pub poll_interval_ms: Option<u64>,
}

/// The state of a task.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TaskState {
    /// The task is in progress.
    Working,
    /// The task waits for responses to these requests, by their keys.
    InputRequired(Object),
    /// The task completed with this result of its request, as JSON.
    Completed(Box<RawValue>),
    /// The task ended with a JSON-RPC error.
    Failed(ErrorObject),
    /// The task was cancelled before it had a result.
    Cancelled,
}

impl Task {
    /// Creates a task in progress. `now` is in milliseconds since 1970. `ttl_ms` is the time until the server may
    /// delete the task, and `poll_interval_ms` the time between polls.
    #[must_use]
    pub fn new(id: String, now: u64, ttl_ms: Option<u64>, poll_interval_ms: Option<u64>) -> Self {
        Self {
            id,
            state: TaskState::Working,
            status_message: None,
            created_at: timestamp(now),
            last_updated_at: timestamp(now),
            ttl_ms,
            poll_interval_ms,
        }
    }

    /// Changes the state. `now` is in milliseconds since 1970.
    pub fn set_state(&mut self, state: TaskState, now: u64) {
        self.state = state;
        self.last_updated_at = timestamp(now);
    }

    /// Returns the wire name of the state, in the form of the extension.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self.state {
            TaskState::Working => "working",
            TaskState::InputRequired(_) => "input_required",
            TaskState::Completed(_) => "completed",
            TaskState::Failed(_) => "failed",
            TaskState::Cancelled => "cancelled",
        }
    }

    /// Returns whether the state is final.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        match self.state {
            TaskState::Working | TaskState::InputRequired(_) => false,
            TaskState::Completed(_) | TaskState::Failed(_) | TaskState::Cancelled => true,
        }
    }

    /// Returns whether the task completed with the result of a failed tool.
    #[must_use]
    pub fn is_tool_error(&self) -> bool {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Result {
            #[serde(default)]
            is_error: bool,
        }
        match &self.state {
            TaskState::Completed(result) => {
                serde_json::from_str::<Result>(result.get()).is_ok_and(|it| it.is_error)
            }
            TaskState::Working
            | TaskState::InputRequired(_)
            | TaskState::Failed(_)
            | TaskState::Cancelled => false,
        }
    }

    /// Reads a task: the output of [`crate::render::task_json_for_store`], or a task from a server in either revision.
    ///
    /// # Errors
    /// Returns an error if a field is missing or mistyped, or if the status is unknown.
    pub fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Wire>(json).and_then(Self::try_from)
    }
}

/// The wire form in either revision.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    task_id: String,
    status: String,
    status_message: Option<String>,
    created_at: String,
    last_updated_at: String,
    #[serde(alias = "ttl")]
    ttl_ms: Option<u64>,
    #[serde(alias = "pollInterval")]
    poll_interval_ms: Option<u64>,
    input_requests: Option<Object>,
    result: Option<Box<RawValue>>,
    error: Option<serde_json::Value>,
}

impl TryFrom<Wire> for Task {
    type Error = serde_json::Error;

    fn try_from(wire: Wire) -> Result<Self, serde_json::Error> {
        use serde::de::Error;
        let state = match wire.status.as_str() {
            "working" => TaskState::Working,
            "input_required" => TaskState::InputRequired(wire.input_requests.unwrap_or_default()),
            // In 2025-11-25, the result is fetched separately.
            "completed" => TaskState::Completed(match wire.result {
                Some(result) => result,
                None => RawValue::from_string("{}".to_owned())?,
            }),
            "failed" => TaskState::Failed(match (wire.error, &wire.status_message) {
                (Some(error), _) => ErrorObject::read(&error),
                (None, Some(why)) => ErrorObject::new(INTERNAL_ERROR, why),
                (None, None) => ErrorObject::opaque_internal(),
            }),
            "cancelled" => TaskState::Cancelled,
            other => {
                let what = format!("unknown task status {other:?}");
                return Err(serde_json::Error::custom(what));
            }
        };
        Ok(Self {
            id: wire.task_id,
            state,
            status_message: wire.status_message,
            created_at: wire.created_at,
            last_updated_at: wire.last_updated_at,
            ttl_ms: wire.ttl_ms,
            poll_interval_ms: wire.poll_interval_ms,
        })
    }
}

/// Formats milliseconds since 1970 in ISO 8601, as `2026-07-28T12:00:00.000Z`.
fn timestamp(ms: u64) -> String {
    let (days, in_day) = (ms / 86_400_000, ms % 86_400_000);
    // Years begin in March, so the leap day comes last (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (seconds, ms) = (in_day / 1_000, in_day % 1_000);
    let [hour, minute, second] = [seconds / 3_600, seconds / 60 % 60, seconds % 60];
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}
