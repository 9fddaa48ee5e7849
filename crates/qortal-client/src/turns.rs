//! Turns for reading large answers, each of which takes a processor for milliseconds: other tasks do not wait for those.

use std::sync::{Mutex, PoisonError};

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task::block_in_place,
};

/// An answer of this size is read in less than a millisecond.
const ORDINARY_BYTES: usize = 64 << 10;

/// Held while a large answer is read, so that one processor at most is busy with those.
static LARGE: Mutex<()> = Mutex::new(());

/// Runs `read`, which reads an answer of so many bytes. Where the runtime has threads for it, other tasks of this one go on
/// meanwhile.
pub(crate) fn take<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    let is_multi_thread =
        || Handle::try_current().is_ok_and(|it| it.runtime_flavor() == RuntimeFlavor::MultiThread);
    if bytes <= ORDINARY_BYTES || !is_multi_thread() {
        return read();
    }
    block_in_place(|| {
        // A panic of another reader leaves nothing half done.
        let _turn = LARGE.lock().unwrap_or_else(PoisonError::into_inner);
        read()
    })
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    /// Long enough for a busy machine; a task that cannot run would never send.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn other_tasks_go_on_while_a_large_answer_is_read() {
        let (sender, receiver) = mpsc::channel();
        let reading = tokio::spawn(async move {
            tokio::spawn(async move { sender.send(()) });
            take(ORDINARY_BYTES + 1, || receiver.recv_timeout(PATIENCE))
        });
        reading.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn one_thread_reads_at_once() {
        assert_eq!(take(ORDINARY_BYTES + 1, || 1), 1);
    }
}
