//! Tasks: calls whose result is fetched later, by who made them (2025-11-25 `basic/utilities/tasks`; from 2026-07-28 on the extension
//! Tasks, <https://github.com/modelcontextprotocol/ext-tasks>).

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{ErrorObject, Object, client, error::INTERNAL_ERROR};

/// The name of the extension Tasks.
pub const TASKS_EXTENSION: &str = client::TASKS;
/// `_meta` key of what belongs to a task, in 2025-11-25: an object with its `taskId`.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// Whether calls of a tool may become tasks (`execution.taskSupport`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TaskSupport {
    /// Never.
    #[default]
    Forbidden,
    /// Where the client can fetch the result later; else it waits.
    Optional,
    /// Only clients that can fetch the result later may call the tool.
    Required,
}

impl TaskSupport {
    /// The name on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }
}

/// A task, as a client sees it at one time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Task {
    /// What names it; who knows it may ask for it, unless the server knows better who asks.
    pub id: String,
    /// How far it is.
    pub state: TaskState,
    /// One sentence on that, for people and models.
    pub status_message: Option<String>,
    /// When it began, in ISO 8601.
    pub created_at: String,
    /// When it last changed, in ISO 8601.
    pub last_updated_at: String,
    /// Milliseconds from its beginning after which the server may forget it; `None` is unlimited.
    pub ttl_ms: Option<u64>,
    /// Milliseconds that a client should wait before it asks again.
    pub poll_interval_ms: Option<u64>,
}

/// How far a task is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TaskState {
    /// It is being worked on.
    Working,
    /// It waits for answers to these requests, by their keys.
    InputRequired(Object),
    /// It ended with this result of its request, as JSON.
    Completed(Box<RawValue>),
    /// It ended with an error of JSON-RPC.
    Failed(ErrorObject),
    /// It was ended before it had a result.
    Cancelled,
}

impl Task {
    /// A task that begins at a time in milliseconds since 1970, with the time until it may be forgotten and the time to wait before it is
    /// asked for again.
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

    /// Changes it, at a time in milliseconds since 1970.
    pub fn set_state(&mut self, state: TaskState, now: u64) {
        self.state = state;
        self.last_updated_at = timestamp(now);
    }

    /// The name of its state on the wire, in the form of the extension.
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

    /// Whether its state is the last one.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        match self.state {
            TaskState::Working | TaskState::InputRequired(_) => false,
            TaskState::Completed(_) | TaskState::Failed(_) | TaskState::Cancelled => true,
        }
    }

    /// Whether it ended with the result of a tool that failed.
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

    /// Reads a task: one of [`crate::render::stored_task_json`], or what a server says of it in either revision.
    ///
    /// # Errors
    /// If a member is missing or mistyped, or the status is none of those.
    pub fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Wire>(json).and_then(Self::try_from)
    }
}

/// What is on the wire in either revision.
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
            // In 2025-11-25 the result comes by itself.
            "completed" => TaskState::Completed(match wire.result {
                Some(result) => result,
                None => RawValue::from_string("{}".to_owned())?,
            }),
            "failed" => TaskState::Failed(match (wire.error, &wire.status_message) {
                (Some(error), _) => ErrorObject::read(&error),
                (None, Some(why)) => ErrorObject::new(INTERNAL_ERROR, why),
                (None, None) => ErrorObject::internal(),
            }),
            "cancelled" => TaskState::Cancelled,
            other => {
                let what = format!("the status {other:?} is not one of a task");
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

/// Milliseconds since 1970 in ISO 8601, as `2026-07-28T12:00:00.000Z`.
fn timestamp(ms: u64) -> String {
    let (days, in_day) = (ms / 86_400_000, ms % 86_400_000);
    // Years begin in March, so that the odd day comes last (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
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
