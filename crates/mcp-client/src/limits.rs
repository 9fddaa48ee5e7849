//! What a client takes from a server at most.

use std::{future::Future, time::Duration};

use tokio::time::timeout;

use crate::ClientError;

mcp_protocol::setters! {
    /// What a client takes from a server at most, and how long it waits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ClientLimits {
        /// The largest message, in bytes.
        message_bytes: usize = 16 << 20, with_message_bytes;
        /// The most values in one message, counting each member of an object and each item of an array: each takes some ten times the
        /// memory of its text.
        message_values: usize = 1_000_000, with_message_values;
        /// The most requests in flight; more of them wait.
        requests_in_flight: usize = 64, with_requests_in_flight;
        /// The most requests of the server that are being answered; more of them are not answered.
        server_requests: usize = 16, with_server_requests;
        /// The most notifications that wait to be taken from one [`Subscription`](crate::Subscription); more of them are lost.
        queued_notifications: usize = 256, with_queued_notifications;
        /// The most pages of one list, each of which is one message.
        list_pages: usize = 100, with_list_pages;
        /// The most round trips in which a server asks for input before it answers one request.
        round_trips: usize = 10, with_round_trips;
        /// The timeout of a request. Time in which the server waits for the [`ClientHandler`](crate::ClientHandler) is not counted.
        request_timeout: Duration = Duration::from_secs(60), with_request_timeout;
        /// The time limit of a task that a call becomes ([`ClientConfig::with_tasks`](crate::ClientConfig::with_tasks)).
        task_timeout: Duration = Duration::from_secs(3_600), with_task_timeout;
        /// How long to wait for the first answer of a server that may know no request but `initialize`. With a
        /// [`TokenSource`](crate::TokenSource) it is the timeout of a request, because a person may sign in first.
        probe_timeout: Duration = Duration::from_secs(5), with_probe_timeout;
        /// How long a server may take to end once its input has ended; a child process is killed then.
        close_timeout: Duration = Duration::from_secs(5), with_close_timeout;
    }
}

/// Waits no longer than that for what is done for a method.
pub(crate) async fn in_time<T>(
    method: &str,
    after: Duration,
    work: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, ClientError> {
    let late = |_| ClientError::TimedOut {
        method: method.to_owned(),
        after,
    };
    timeout(after, work).await.map_err(late)?
}
