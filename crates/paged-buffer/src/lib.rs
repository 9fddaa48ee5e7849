#![doc = include_str!("../README.md")]
#![warn(clippy::missing_errors_doc)]

mod turns;

use std::io;

use bytes::Bytes;
use memmap2::MmapMut;
pub use turns::Turns;

/// Bytes above which a message is large: it is parsed in more than a millisecond, and rare enough that its memory goes back to the
/// system.
pub const ORDINARY_BYTES: usize = 128 << 10;

/// A buffer that holds a limited number of bytes.
#[derive(Debug)]
pub struct Buffer {
    limit: usize,
    expected: usize,
    bytes: Content,
}

#[derive(Debug)]
enum Content {
    Ordinary(Vec<u8>),
    /// Of the pages, only those that are written to take memory.
    Large {
        pages: MmapMut,
        length: usize,
    },
}

/// Pages of which the beginning is used.
struct Used {
    pages: MmapMut,
    length: usize,
}

impl Buffer {
    /// An empty buffer for `limit` bytes, of which `expected` were announced. Memory is taken as they come.
    #[must_use]
    pub const fn new(expected: usize, limit: usize) -> Self {
        Self {
            limit,
            expected,
            bytes: Content::Ordinary(Vec::new()),
        }
    }

    /// How many bytes it holds.
    #[must_use]
    pub const fn len(&self) -> usize {
        match &self.bytes {
            Content::Ordinary(bytes) => bytes.len(),
            Content::Large { length, .. } => *length,
        }
    }

    /// Whether it holds none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `chunk`.
    ///
    /// # Errors
    /// Fails if that would be more than the limit, or the system has no memory.
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

    /// What was added, without a copy.
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

#[cfg(test)]
mod tests {
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
            let mut buffer = Buffer::new(0, 1 << 20);
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
        let mut buffer = Buffer::new(0, 2 * ORDINARY_BYTES);
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
        let mut buffer = Buffer::new(ORDINARY_BYTES + 1, 2 * ORDINARY_BYTES);
        assert!(buffer.is_empty());
        buffer.extend(&[7]).unwrap();
        assert!(matches!(buffer.bytes, Content::Large { length: 1, .. }));
    }
}
