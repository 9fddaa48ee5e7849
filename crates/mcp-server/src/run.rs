//! Runs the host's code for one request: within the limits, and with its panics caught.

use std::{any::Any, fmt, future::poll_fn, panic::AssertUnwindSafe, task::Poll, time::Duration};

use futures_util::FutureExt;
use mcp_protocol::{ErrorObject, error::INTERNAL_ERROR};
use tokio::time::{Instant, timeout};

use crate::{BoxFuture, CallContext, Server, limits::Busy};

/// Why the host's code did not answer; the text is for the client.
#[derive(Debug)]
pub(crate) enum GivenUp {
    /// It was not run, because of a limit.
    Refused(Busy),
    /// It took longer than this.
    TooLong(Duration),
}

impl fmt::Display for GivenUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(busy) => busy.fmt(f),
            Self::TooLong(deadline) => write!(
                f,
                "The call took longer than {} seconds and was cancelled. Ask for less, or try again later.",
                deadline.as_secs()
            ),
        }
    }
}

impl From<GivenUp> for ErrorObject {
    fn from(why: GivenUp) -> Self {
        Self::new(INTERNAL_ERROR, why.to_string())
    }
}

impl Server {
    /// Runs a future of the host within the limits.
    pub(crate) async fn run<T>(
        &self,
        cx: &CallContext,
        work: BoxFuture<'_, T>,
    ) -> Result<T, GivenUp> {
        let taken = self.admission.take_call(cx, Instant::now());
        taken.map_err(|busy| self.refuse(busy))?;
        self.run_admitted(cx, work).await
    }

    /// Runs a completion of the host within the limits, of which it has a rate of its own.
    pub(crate) async fn run_completion<T>(
        &self,
        cx: &CallContext,
        work: BoxFuture<'_, T>,
    ) -> Result<T, GivenUp> {
        let taken = self.admission.take_completion(cx, Instant::now());
        taken.map_err(|busy| self.refuse(busy))?;
        self.run_admitted(cx, work).await
    }

    fn refuse(&self, busy: Busy) -> GivenUp {
        self.admission.refused.count(busy);
        GivenUp::Refused(busy)
    }

    async fn run_admitted<T>(
        &self,
        cx: &CallContext,
        mut work: BoxFuture<'_, T>,
    ) -> Result<T, GivenUp> {
        // What waits for nothing needs neither room nor a deadline.
        let first = poll_fn(|task| Poll::Ready(work.as_mut().poll(task))).await;
        if let Poll::Ready(done) = first {
            return Ok(done);
        }
        let permit = self.admission.permit(cx);
        let _permit = permit.map_err(|busy| self.refuse(busy))?;
        let deadline = self.limits().call_deadline;
        loop {
            match timeout(deadline, work.as_mut()).await {
                Ok(done) => return Ok(done),
                // A person is being asked, which has a deadline of its own.
                Err(_) if cx.is_asking() => (),
                Err(_) => return Err(GivenUp::TooLong(deadline)),
            }
        }
    }
}

/// Runs a request, and turns a panic into an internal error of that request alone.
pub(crate) async fn catch_panic<T>(
    work: impl Future<Output = Result<T, ErrorObject>>,
) -> Result<T, ErrorObject> {
    match AssertUnwindSafe(work).catch_unwind().await {
        Ok(result) => result,
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
