#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

use std::{io, sync::Arc, thread::available_parallelism, time::Duration};

use bytes::Bytes;
use memmap2::MmapMut;
use tokio::{
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
    time::timeout,
};

/// The size in bytes above which a message is large. Parsing a large message takes more than a millisecond. Large
/// messages are rare enough to return their memory to the system.
pub const ORDINARY_BYTES: usize = 128 << 10;

/// A buffer that holds a limited number of bytes.
#[derive(Debug)]
pub struct BoundedBuffer {
    limit: usize,
    expected: usize,
    bytes: Content,
}

#[derive(Debug)]
enum Content {
    Ordinary(Vec<u8>),
    /// A large message, in mapped pages. Only pages that have been written take memory.
    Large {
        pages: MmapMut,
        length: usize,
    },
}

/// Mapped pages, of which a prefix is used.
struct Used {
    pages: MmapMut,
    length: usize,
}

impl BoundedBuffer {
    /// Creates an empty buffer for at most `limit` bytes. `expected` is the announced size. Memory is allocated as
    /// bytes arrive.
    #[must_use]
    pub const fn new(expected: usize, limit: usize) -> Self {
        Self {
            limit,
            expected,
            bytes: Content::Ordinary(Vec::new()),
        }
    }

    /// Returns the number of bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        match &self.bytes {
            Content::Ordinary(bytes) => bytes.len(),
            Content::Large { length, .. } => *length,
        }
    }

    /// Returns whether the buffer is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends `chunk`.
    ///
    /// # Errors
    /// Returns an error if the buffer would exceed its limit, or if the system has no memory.
    pub fn extend(&mut self, chunk: &[u8]) -> io::Result<()> {
        let (begin, end) = (self.len(), self.len() + chunk.len());
        if end > self.limit {
            return Err(io::ErrorKind::StorageFull.into());
        }
        if let Content::Ordinary(bytes) = &mut self.bytes {
            if end.max(self.expected) <= ORDINARY_BYTES {
                bytes.extend_from_slice(chunk);
                return Ok(());
            }
            let mut pages = MmapMut::map_anon(self.limit)?;
            pages
                .get_mut(..begin)
                .ok_or(io::ErrorKind::StorageFull)?
                .copy_from_slice(bytes);
            self.bytes = Content::Large {
                pages,
                length: begin,
            };
        }
        if let Content::Large { pages, length } = &mut self.bytes {
            pages
                .get_mut(begin..end)
                .ok_or(io::ErrorKind::StorageFull)?
                .copy_from_slice(chunk);
            *length = end;
        }
        Ok(())
    }

    /// Returns the bytes without a copy.
    #[must_use]
    pub fn freeze(self) -> Bytes {
        match self.bytes {
            Content::Ordinary(bytes) => bytes.into(),
            Content::Large { pages, length } => Bytes::from_owner(Used { pages, length }),
        }
    }
}

impl AsRef<[u8]> for Used {
    fn as_ref(&self) -> &[u8] {
        self.pages.get(..self.length).unwrap_or_default()
    }
}

/// A pool that parses large messages on separate threads, so the threads of the runtime stay available for other
/// requests. It parses as many at once as there are processors minus one, and at least one.
#[derive(Debug)]
pub struct ParsePool {
    large: Arc<Semaphore>,
}

/// Creates a pool for the processors of this machine.
impl Default for ParsePool {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self::of(processors.saturating_sub(1).max(1))
    }
}

impl ParsePool {
    fn of(large: usize) -> Self {
        Self {
            large: Arc::new(Semaphore::new(large)),
        }
    }

    /// Parses a message. One of at most [`ORDINARY_BYTES`] is parsed immediately. A larger one waits in the queue for at
    /// most `patience`. Returns `None` if it has to wait longer.
    ///
    /// # Errors
    /// Returns an error if `parse` panics or the runtime shuts down.
    pub async fn run<T: Send + 'static>(
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

    #[test]
    fn what_is_added_comes_out_whatever_its_size() {
        for sizes in [
            &[][..],
            &[1, 0, 2],
            &[ORDINARY_BYTES],
            &[ORDINARY_BYTES, 1],
            &[100, ORDINARY_BYTES, 7, 3 * ORDINARY_BYTES],
        ] {
            let mut buffer = BoundedBuffer::new(0, 1 << 20);
            let mut expected = Vec::new();
            for (byte, size) in (1..).zip(sizes) {
                let chunk = vec![byte; *size];
                buffer.extend(&chunk).unwrap();
                expected.extend(chunk);
                assert_eq!(buffer.len(), expected.len());
            }
            assert!(buffer.freeze() == expected, "{sizes:?}");
        }
    }

    #[test]
    fn only_large_ones_have_pages_of_their_own_and_none_holds_more_than_its_limit() {
        let mut buffer = BoundedBuffer::new(0, 2 * ORDINARY_BYTES);
        let half = vec![7; ORDINARY_BYTES];
        buffer.extend(&half).unwrap();
        assert!(matches!(buffer.bytes, Content::Ordinary(_)));
        buffer.extend(&half).unwrap();
        assert!(matches!(buffer.bytes, Content::Large { .. }));
        buffer.extend(&[7]).unwrap_err();
        assert_eq!(buffer.freeze().len(), 2 * ORDINARY_BYTES);
    }

    #[test]
    fn one_that_was_announced_as_large_never_takes_memory_of_the_allocator() {
        let mut buffer = BoundedBuffer::new(ORDINARY_BYTES + 1, 2 * ORDINARY_BYTES);
        assert!(buffer.is_empty());
        buffer.extend(&[7]).unwrap();
        assert!(matches!(buffer.bytes, Content::Large { length: 1, .. }));
    }

    /// Long enough for a busy machine; what cannot go on would never end.
    const PATIENCE: Duration = Duration::from_secs(30);

    fn message(bytes: usize) -> Bytes {
        vec![b' '; bytes].into()
    }

    /// On one thread, so that what is parsed on it would stop everything else.
    #[tokio::test]
    async fn large_messages_wait_for_each_other_and_ordinary_ones_for_none() {
        let turns = ParsePool::of(1);
        let (ordinary, large) = (message(ORDINARY_BYTES), message(ORDINARY_BYTES + 1));
        let (finish, wait) = mpsc::channel();
        let first = turns.run(&large, PATIENCE, move |_| wait.recv_timeout(PATIENCE));
        let others = async {
            let late = turns.run(&large, Duration::from_millis(1), <[u8]>::len);
            assert!(late.await.is_none());
            let parsed = turns.run(&ordinary, PATIENCE, <[u8]>::len);
            assert_eq!(parsed.await.unwrap().unwrap(), ORDINARY_BYTES);
            finish.send(()).unwrap();
        };
        let (first, ()) = tokio::join!(biased; first, others);
        first.unwrap().unwrap().unwrap();
        let next = turns.run(&large, PATIENCE, <[u8]>::len);
        assert_eq!(next.await.unwrap().unwrap(), ORDINARY_BYTES + 1);
    }

    #[tokio::test]
    async fn a_parser_that_panics_gives_its_turn_back() {
        let turns = ParsePool::of(1);
        let large = message(ORDINARY_BYTES + 1);
        let failed = turns.run(&large, PATIENCE, |message| assert!(message.is_empty()));
        assert!(failed.await.unwrap().unwrap_err().is_panic());
        let next = turns.run(&large, PATIENCE, <[u8]>::len);
        assert!(next.await.unwrap().is_ok());
    }
}
