//! Turns for parsing large messages, each of which takes a processor for milliseconds: ordinary ones do not wait for those.

use std::{sync::Arc, thread::available_parallelism, time::Duration};

use bytes::Bytes;
use tokio::{
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
    time::timeout,
};

use crate::ORDINARY_BYTES;

/// How many large messages are parsed at once: one processor fewer than there are, and at least one. They are parsed on
/// threads of their own: those of the runtime have others to answer.
#[derive(Debug)]
pub struct Turns {
    large: Arc<Semaphore>,
}

/// For the processors of this machine.
impl Default for Turns {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self::of(processors.saturating_sub(1).max(1))
    }
}

impl Turns {
    fn of(large: usize) -> Self {
        Self {
            large: Arc::new(Semaphore::new(large)),
        }
    }

    /// Parses a message when it is its turn; `None` if that does not come in time.
    ///
    /// # Errors
    /// Fails if `parse` panics, or the runtime ends.
    pub async fn take<T: Send + 'static>(
        &self,
        message: &Bytes,
        patience: Duration,
        parse: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Option<Result<T, JoinError>> {
        if message.len() <= ORDINARY_BYTES {
            return Some(Ok(parse(message)));
        }
        let turn = Arc::clone(&self.large).acquire_owned();
        let turn = timeout(patience, turn).await.ok()?.ok()?;
        let message = message.clone();
        let parsed = spawn_blocking(move || {
            let _turn = turn;
            parse(&message)
        });
        Some(parsed.await)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Long enough for a busy machine; what cannot go on would never end.
    const PATIENCE: Duration = Duration::from_secs(30);

    fn message(bytes: usize) -> Bytes {
        vec![b' '; bytes].into()
    }

    /// On one thread, so that what is parsed on it would stop everything else.
    #[tokio::test]
    async fn large_messages_wait_for_each_other_and_ordinary_ones_for_none() {
        let turns = Turns::of(1);
        let (ordinary, large) = (message(ORDINARY_BYTES), message(ORDINARY_BYTES + 1));
        let (finish, wait) = mpsc::channel();
        let first = turns.take(&large, PATIENCE, move |_| wait.recv_timeout(PATIENCE));
        let others = async {
            let late = turns.take(&large, Duration::from_millis(1), <[u8]>::len);
            assert!(late.await.is_none());
            let parsed = turns.take(&ordinary, PATIENCE, <[u8]>::len);
            assert_eq!(parsed.await.unwrap().unwrap(), ORDINARY_BYTES);
            finish.send(()).unwrap();
        };
        let (first, ()) = tokio::join!(biased; first, others);
        first.unwrap().unwrap().unwrap();
        let next = turns.take(&large, PATIENCE, <[u8]>::len);
        assert_eq!(next.await.unwrap().unwrap(), ORDINARY_BYTES + 1);
    }

    #[tokio::test]
    async fn a_parser_that_panics_gives_its_turn_back() {
        let turns = Turns::of(1);
        let large = message(ORDINARY_BYTES + 1);
        let failed = turns.take(&large, PATIENCE, |message| assert!(message.is_empty()));
        assert!(failed.await.unwrap().unwrap_err().is_panic());
        let next = turns.take(&large, PATIENCE, <[u8]>::len);
        assert!(next.await.unwrap().is_ok());
    }
}
