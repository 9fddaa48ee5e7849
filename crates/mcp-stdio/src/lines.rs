//! Splits bytes into lines of bounded length.

use bytes::{Buf, BytesMut};
use mcp_protocol::{RequestId, transport::RequestIdScanner};
use memchr::memchr;

/// The byte order mark that some editors and shells on Windows write before UTF-8 text. A JSON parser may skip it (RFC
/// 8259 §8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes to read at once, so a busy client needs few reads.
const READ_BYTES: usize = 16 << 10;

/// A buffer that is split at line feeds.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The bytes that have not been returned yet. The reader appends to it.
    pub(crate) buffer: BytesMut,
    /// The length of the prefix of `buffer` without a line feed.
    searched: usize,
    max: usize,
    /// Whether the next line is the first, which may start with a byte order mark.
    is_first: bool,
    /// The scanner for the ID in a line that is too long and therefore skipped.
    skipping: Option<RequestIdScanner>,
}

/// One line, without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(BytesMut),
    /// A line that is too long, with the request ID if one was found in it.
    TooLong(Option<RequestId>),
}

impl Lines {
    pub(crate) fn new(max: usize) -> Self {
        Self {
            buffer: BytesMut::with_capacity(READ_BYTES),
            searched: 0,
            max,
            is_first: true,
            skipping: None,
        }
    }

    /// Reserves space for the next read, and reuses the space of returned lines.
    pub(crate) fn make_room(&mut self) {
        if self.buffer.capacity() - self.buffer.len() < READ_BYTES / 2 {
            self.buffer.reserve(READ_BYTES / 2);
        }
    }

    /// Returns the next complete line. Returns `None` if it needs more bytes.
    pub(crate) fn next(&mut self) -> Option<Line> {
        let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
        let Some(found) = memchr(b'\n', unsearched) else {
            self.searched = self.buffer.len();
            self.skip_overflow();
            return None;
        };
        let mut line = self.buffer.split_to(self.searched + found + 1);
        line.truncate(line.len().saturating_sub(1));
        self.searched = 0;
        self.skip_byte_order_mark(&mut line);
        Some(self.bounded(line))
    }

    /// Returns the bytes after the last line feed at the end of the input.
    pub(crate) fn rest(&mut self) -> Option<Line> {
        let mut rest = self.buffer.split();
        self.searched = 0;
        self.skip_byte_order_mark(&mut rest);
        let is_nothing = self.skipping.is_none() && rest.is_empty();
        (!is_nothing).then(|| self.bounded(rest))
    }

    /// Returns a line, or the end of one that is too long.
    fn bounded(&mut self, line: BytesMut) -> Line {
        if self.skipping.is_none() && line.len() <= self.max {
            return Line::Text(line);
        }
        let mut scanner = self.skipping.take().unwrap_or_default();
        scanner.feed(&line);
        Line::TooLong(scanner.id())
    }

    fn skip_byte_order_mark(&mut self, line: &mut BytesMut) {
        if std::mem::take(&mut self.is_first) && line.starts_with(BYTE_ORDER_MARK) {
            line.advance(BYTE_ORDER_MARK.len());
        }
    }

    /// Drops the start of a line that is too long.
    fn skip_overflow(&mut self) {
        if self.skipping.is_some() || self.buffer.len() > self.max {
            let scanner = self.skipping.get_or_insert_default();
            scanner.feed(&self.buffer);
            self.buffer.advance(self.buffer.len());
            self.searched = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(max: usize, chunks: &[&str], expected: &[Option<&str>]) {
        let mut lines = Lines::new(max);
        let mut seen = Vec::new();
        for chunk in chunks {
            lines.buffer.extend_from_slice(chunk.as_bytes());
            while let Some(line) = lines.next() {
                seen.push(line);
            }
        }
        seen.extend(lines.rest());
        let expected: Vec<_> = expected
            .iter()
            .map(|it| it.map_or(Line::TooLong(None), |text| Line::Text(text.into())))
            .collect();
        assert_eq!(seen, expected, "{chunks:?}");
    }

    #[test]
    fn lines_are_cut_wherever_the_chunks_end() {
        check(9, &["a\nb\n"], &[Some("a"), Some("b")]);
        check(9, &["a", "b", "\n", "c"], &[Some("ab"), Some("c")]);
        check(9, &["\n\n"], &[Some(""), Some("")]);
        check(9, &[], &[]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_before_the_first_line_only() {
        check(
            9,
            &["\u{feff}a\n\u{feff}b\n"],
            &[Some("a"), Some("\u{feff}b")],
        );
        check(9, &["\u{feff}a"], &[Some("a")]);
        check(9, &["\n\u{feff}"], &[Some(""), Some("\u{feff}")]);
        check(9, &["\u{feff}"], &[]);
    }

    #[test]
    fn the_id_in_a_long_line_is_found() {
        let line = r#"{"method":"x","params":"long","id":7}"#;
        for at in 0..line.len() {
            let (first, second) = line.split_at(at);
            let mut lines = Lines::new(5);
            lines.buffer.extend_from_slice(first.as_bytes());
            assert_eq!(lines.next(), None);
            lines
                .buffer
                .extend_from_slice(format!("{second}\nnext\n").as_bytes());
            let id = Some(RequestId::Integer(7));
            assert_eq!(lines.next(), Some(Line::TooLong(id)), "{at}");
            assert_eq!(lines.next(), Some(Line::Text("next".into())));
        }
    }

    #[test]
    fn a_long_line_is_reported_once_and_skipped() {
        check(3, &["abcd\nef\n"], &[None, Some("ef")]);
        check(3, &["abcd", "efgh", "ij\nkl\n"], &[None, Some("kl")]);
        check(3, &["abc\n"], &[Some("abc")]);
        check(3, &["abc", "\n"], &[Some("abc")]);
        check(3, &["abcdef"], &[None]);
    }

    #[test]
    fn no_more_of_a_long_line_is_kept_than_may_be_of_any_line() {
        let mut lines = Lines::new(3);
        for chunk in ["abc", "def", "g", "hi"] {
            lines.buffer.extend_from_slice(chunk.as_bytes());
            assert_eq!(lines.next(), None);
            assert!(lines.buffer.len() <= 3, "{:?}", lines.buffer);
        }
        assert_eq!(lines.rest(), Some(Line::TooLong(None)));
    }
}
