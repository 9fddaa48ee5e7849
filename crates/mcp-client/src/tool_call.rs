//! Tool calls with a stream of progress.

use std::{
    fmt,
    future::poll_fn,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;
use mcp_protocol::{CallToolResult, Object};
use tokio::sync::mpsc;

use crate::{Client, ClientError, Progress, handler::BoxFuture};

/// A tool call: a stream of its progress, and its result. Dropping it cancels the call.
///
/// ```no_run
/// use mcp_client::{Client, ClientError, mcp_protocol::{CallToolResult, Object}};
///
/// async fn call(client: &Client) -> Result<CallToolResult, ClientError> {
///     let mut call = client.call_tool_progress_stream("get_forecast", Object::new());
///     while let Some(progress) = call.next_progress().await {
///         println!("{}", progress.progress);
///     }
///     call.result().await
/// }
/// ```
pub struct ToolCallStream {
    progress: mpsc::Receiver<Progress>,
    call: BoxFuture<'static, Result<CallToolResult, ClientError>>,
    outcome: Option<Result<CallToolResult, ClientError>>,
}

impl Client {
    /// Calls a tool and returns its progress as a stream. The call starts when the stream or the result is first
    /// polled. At most [`ClientLimits::queued_notifications`](crate::ClientLimits::queued_notifications) progress
    /// notifications are queued. Further ones are lost.
    pub fn call_tool_progress_stream(
        &self,
        name: impl Into<String>,
        arguments: Object,
    ) -> ToolCallStream {
        let (client, name) = (self.clone(), name.into());
        let (sender, progress) = mpsc::channel(self.limits().queued_notifications.max(1));
        let call = async move {
            let on_progress = Arc::new(move |it| {
                if sender.try_send(it).is_err() {
                    tracing::debug!("progress was dropped: earlier progress has not been received");
                }
            });
            client.call(&name, arguments, Some(on_progress)).await
        };
        ToolCallStream {
            progress,
            call: Box::pin(call),
            outcome: None,
        }
    }
}

impl ToolCallStream {
    /// Waits for the next progress notification. Returns `None` once the result is available.
    pub async fn next_progress(&mut self) -> Option<Progress> {
        poll_fn(|cx| self.poll_progress(cx)).await
    }

    /// Waits for the result. Unread progress is dropped.
    ///
    /// # Errors
    /// Fails as [`Client::request`] does.
    pub async fn result(self) -> Result<CallToolResult, ClientError> {
        match self.outcome {
            Some(outcome) => outcome,
            None => self.call.await,
        }
    }

    fn poll_progress(&mut self, cx: &mut Context<'_>) -> Poll<Option<Progress>> {
        if let Poll::Ready(Some(progress)) = self.progress.poll_recv(cx) {
            return Poll::Ready(Some(progress));
        }
        if self.outcome.is_none() {
            match self.call.as_mut().poll(cx) {
                Poll::Ready(outcome) => self.outcome = Some(outcome),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(self.progress.try_recv().ok())
    }
}

impl Stream for ToolCallStream {
    type Item = Progress;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Progress>> {
        self.get_mut().poll_progress(cx)
    }
}

impl fmt::Debug for ToolCallStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallStream")
            .field("has_ended", &self.outcome.is_some())
            .finish_non_exhaustive()
    }
}
