//! Turns for reading large answers, each of which takes a processor for milliseconds: other tasks do not wait for those.

use std::sync::{Mutex, PoisonError};

use tokio::{
    runtime::{Handle, RuntimeFlavor, worker_index},
    task::block_in_place,
};

/// An answer of this size is read in less than a millisecond.
const ORDINARY_BYTES: usize = 64 << 10;

/// Held while a large answer is read, so that one processor at most is busy with those.
static LARGE: Mutex<()> = Mutex::new(());

/// Runs `read`, which reads an answer of so many bytes. On a thread whose tasks the runtime can give to another one, they go
/// on meanwhile.
pub(crate) fn take<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    if bytes <= ORDINARY_BYTES || !has_tasks_to_give() {
        return read();
    }
    block_in_place(|| {
        // A panic of another reader leaves nothing half done.
        let _turn = LARGE.lock().unwrap_or_else(PoisonError::into_inner);
        read()
    })
}

/// Whether this is a worker of a runtime with several. A `LocalSet` is driven by another thread of such a runtime, and its
/// tasks cannot move: there `block_in_place` panics.
fn has_tasks_to_give() -> bool {
    let is_multi_thread = |runtime: Handle| runtime.runtime_flavor() == RuntimeFlavor::MultiThread;
    worker_index().is_some() && Handle::try_current().is_ok_and(is_multi_thread)
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use tokio::task::{LocalSet, spawn_local};

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

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn tasks_that_cannot_move_read_at_once() {
        let tasks = LocalSet::new();
        let read = tasks.run_until(async {
            let task = spawn_local(async { take(ORDINARY_BYTES + 1, || 1) });
            task.await.unwrap() + take(ORDINARY_BYTES + 1, || 1)
        });
        assert_eq!(read.await, 2);
    }
}
