//! A panic in a host's code, or in this crate's, is an error of the request it was met in.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use mcp_protocol::ErrorObject;

/// Runs a request to its end or its panic. What it had taken is given back while it unwinds.
pub(crate) async fn caught<T>(
    work: impl Future<Output = Result<T, ErrorObject>>,
) -> Result<T, ErrorObject> {
    let mut work = pin!(work);
    poll_fn(
        move |cx| match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))) {
            Ok(poll) => poll,
            Err(panic) => {
                report(panic.as_ref());
                Poll::Ready(Err(ErrorObject::internal()))
            }
        },
    )
    .await
}

fn report(panic: &(dyn Any + Send)) {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    tracing::error!(message, "a panic");
}
