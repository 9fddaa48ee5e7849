//! What a client takes from a server at most.

use std::{future::Future, time::Duration};

use tokio::time::timeout;

use crate::Error;

/// What a client takes from a server at most, and how long it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest message, in bytes.
    pub message_bytes: usize,
    /// The most values in one message, counting each member of an object and each item of an array: each takes some ten times the
    /// memory of its text.
    pub message_values: usize,
    /// The most requests in flight; more of them wait.
    pub in_flight: usize,
    /// The most requests of the server that are being answered; more of them are not answered.
    pub questions: usize,
    /// The most notifications that wait to be taken from one [`Subscription`](crate::Subscription); more of them are lost.
    pub notifications: usize,
    /// The most pages of one list, each of which is one message.
    pub pages: usize,
    /// The most round trips in which a server asks for input before it answers one request.
    pub round_trips: usize,
    /// How long to wait for an answer. Time in which the server waits for the [`Handler`](crate::Handler) is not counted.
    pub request: Duration,
    /// How long to wait for the end of a task that a call is answered with ([`Config::with_tasks`](crate::Config::with_tasks)).
    pub task: Duration,
    /// How long to wait for the first answer of a server that may know no request but `initialize`.
    pub probe: Duration,
    /// How long a server may take to end once its input has ended; a child process is killed then.
    pub close: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 16 << 20,
            message_values: 1_000_000,
            in_flight: 64,
            questions: 16,
            notifications: 256,
            pages: 100,
            round_trips: 10,
            request: Duration::from_secs(60),
            task: Duration::from_secs(3_600),
            probe: Duration::from_secs(5),
            close: Duration::from_secs(5),
        }
    }
}

impl Limits {
    mcp_protocol::setters! { of Limits:
        with_message_bytes(message_bytes: usize),
        with_message_values(message_values: usize),
        with_in_flight(in_flight: usize),
        with_questions(questions: usize),
        with_notifications(notifications: usize),
        with_pages(pages: usize),
        with_round_trips(round_trips: usize),
        with_request(request: Duration),
        with_task(task: Duration),
        with_probe(probe: Duration),
        with_close(close: Duration),
    }
}

/// Waits no longer than that for what is done for a method.
pub(crate) async fn in_time<T>(
    method: &str,
    after: Duration,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let late = |_| Error::TimedOut {
        method: method.to_owned(),
        after,
    };
    timeout(after, work).await.map_err(late)?
}
