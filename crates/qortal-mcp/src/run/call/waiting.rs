//! Says that a call goes on, to a person who waits for it.

use std::{future::Future, pin::pin, time::Duration};

use tokio::time::{Instant, interval_at};

use crate::text;

/// A wait that a person does not ask about.
const SHORT: Duration = Duration::from_secs(2);
/// How often the line is written again.
const STEP: Duration = Duration::from_secs(1);

/// The result of `call`; while it takes long, a line on the standard error stream counts the seconds.
pub(super) async fn until<F: Future>(call: F, tool: &str) -> F::Output {
    if !super::is_watched() {
        return call.await;
    }
    let mut call = pin!(call);
    let begun = Instant::now();
    let mut ticks = interval_at(begun + SHORT, STEP);
    let mut is_shown = false;
    let result = loop {
        tokio::select! {
            result = &mut call => break result,
            _ = ticks.tick() => {
                is_shown = true;
                text::print_status(&format!("{tool}: waiting for the node, {} s", begun.elapsed().as_secs()));
            }
        }
    };
    if is_shown {
        text::print_status("");
    }
    result
}
