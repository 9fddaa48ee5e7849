//! Limits of a client on its server.

use std::{future::Future, time::Duration};

use tokio::time::timeout;

use crate::ClientError;

mcp_protocol::setters! {
    /// Limits on messages, requests and waiting times.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct ClientLimits {
        /// Maximum size of a message, in bytes.
        message_bytes: usize = 16 << 20, with_message_bytes;
        /// Maximum number of values in one message, counting each field of an object and each item of an array. A value
        /// takes about ten times the memory of its text.
        message_values: usize = 1_000_000, with_message_values;
        /// Maximum number of requests in flight. Further requests wait.
        requests_in_flight: usize = 64, with_requests_in_flight;
        /// Maximum number of server requests in progress. Further ones get no response.
        server_requests: usize = 16, with_server_requests;
        /// Maximum number of queued notifications of one [`Subscription`](crate::Subscription). Further ones are lost.
        queued_notifications: usize = 256, with_queued_notifications;
        /// Maximum number of pages in a list. Each page is one message.
        list_pages: usize = 100, with_list_pages;
        /// Maximum number of round trips for one request that requires input.
        round_trips: usize = 10, with_round_trips;
        /// Timeout of a request. The time for which the server waits for the [`ClientHandler`](crate::ClientHandler)
        /// does not count.
        request_timeout: Duration = Duration::from_secs(60), with_request_timeout;
        /// Maximum duration of the task of a call ([`ClientConfig::with_tasks`](crate::ClientConfig::with_tasks)).
        task_timeout: Duration = Duration::from_secs(3_600), with_task_timeout;
        /// Timeout of the first request, which a server that requires `initialize` may not answer. With a
        /// [`TokenSource`](crate::TokenSource), the timeout is `request_timeout` because a person may have to sign in.
        probe_timeout: Duration = Duration::from_secs(5), with_probe_timeout;
        /// Time allowed for a server to exit after its input has been closed. A child process is then killed.
        close_timeout: Duration = Duration::from_secs(5), with_close_timeout;
    }
}

/// Runs `work` with a timeout. The method appears in the error.
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
