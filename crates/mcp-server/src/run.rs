//! Runs the work of a host for one request: within the limits, and safe from its panics.

use std::{any::Any, panic::AssertUnwindSafe, time::Instant};

use futures_util::FutureExt;
use mcp_protocol::ErrorObject;
use tokio::time::timeout;

use crate::{context::CallContext, server::Server, sets::BoxFuture};

/// How the work of a host ended.
pub(crate) enum Ended<T> {
    Done(T),
    /// It was not admitted, or took too long; the text is for the client.
    GivenUp(String),
}

impl Server {
    /// Runs it within the limits; `None` if there is nothing to run. `subject` is for the log.
    pub(crate) async fn run<'a, T>(
        &self,
        subject: &str,
        cx: &CallContext,
        start: impl FnOnce() -> Option<BoxFuture<'a, T>>,
    ) -> Option<Ended<T>> {
        tracing::Span::current().record("subject", subject);
        let mut work = start()?;
        let permit = match self.admission.admit(Instant::now()) {
            Ok(permit) => permit,
            Err(busy) => return Some(Ended::GivenUp(busy.to_string())),
        };
        let deadline = self.limits().call_deadline;
        let ended = loop {
            match timeout(deadline, work.as_mut()).await {
                Ok(done) => break Ended::Done(done),
                // A person is being asked, which has a deadline of its own.
                Err(_) if cx.is_asking() => (),
                Err(_) => {
                    break Ended::GivenUp(format!(
                        "The call took longer than {} seconds and was cancelled. Ask for less, or try again later.",
                        deadline.as_secs()
                    ));
                }
            }
        };
        drop(permit);
        Some(ended)
    }
}

/// Runs a request to its end or its panic, which is an error of that request alone. What it holds is released while it
/// unwinds.
pub(crate) async fn catch_panic<T>(
    work: impl Future<Output = Result<T, ErrorObject>>,
) -> Result<T, ErrorObject> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(ended) => ended,
        Err(panic) => {
            report(panic.as_ref());
            Err(ErrorObject::internal())
        }
    }
}

fn report(panic: &(dyn Any + Send)) {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    tracing::error!(message, "a request panicked");
}
