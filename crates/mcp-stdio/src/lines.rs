//! Splits bytes into lines of bounded length.

use bytes::{Buf, BytesMut};

/// What some editors and shells on Windows write before UTF-8 text; a reader of JSON may skip it (RFC 8259 §8.1).
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Collects bytes and splits them at line feeds.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The bytes that have not been returned yet. The reader appends to it.
    pub(crate) buffer: BytesMut,
    /// The length of the prefix of `buffer` without a line feed.
    searched: usize,
    max: usize,
    /// Whether the next line is the first, which may begin with a byte order mark.
    is_first: bool,
    /// Whether the rest of a line that was too long is being skipped.
    skipping: bool,
}

/// One line, without its line feed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(BytesMut),
    TooLong,
}

impl Lines {
    pub(crate) fn new(max: usize) -> Self {
        Self {
            buffer: BytesMut::with_capacity(8 * 1024),
            searched: 0,
            max,
            is_first: true,
            skipping: false,
        }
    }

    /// Returns the next whole line; `None` if more bytes are needed.
    pub(crate) fn next(&mut self) -> Option<Line> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            let Some(found) = unsearched.iter().position(|&byte| byte == b'\n') else {
                self.searched = self.buffer.len();
                return self.overflow();
            };
            let mut line = self.buffer.split_to(self.searched + found + 1);
            line.truncate(line.len().saturating_sub(1));
            self.searched = 0;
            self.skip_byte_order_mark(&mut line);
            if self.skipping {
                self.skipping = false;
                continue;
            }
            return Some(if line.len() > self.max {
                Line::TooLong
            } else {
                Line::Text(line)
            });
        }
    }

    /// Returns what follows the last line feed at the end of the input.
    pub(crate) fn rest(&mut self) -> Option<Line> {
        let mut rest = self.buffer.split();
        self.searched = 0;
        self.skip_byte_order_mark(&mut rest);
        if self.skipping || rest.is_empty() {
            return None;
        }
        Some(Line::Text(rest))
    }

    fn skip_byte_order_mark(&mut self, line: &mut BytesMut) {
        if std::mem::take(&mut self.is_first) && line.starts_with(BYTE_ORDER_MARK) {
            line.advance(BYTE_ORDER_MARK.len());
        }
    }

    fn overflow(&mut self) -> Option<Line> {
        if self.buffer.len() <= self.max {
            return None;
        }
        self.buffer.advance(self.buffer.len());
        self.searched = 0;
        let first = !self.skipping;
        self.skipping = true;
        first.then_some(Line::TooLong)
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
            .map(|it| it.map_or(Line::TooLong, |text| Line::Text(text.into())))
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
    fn a_long_line_is_reported_once_and_skipped() {
        check(3, &["abcd\nef\n"], &[None, Some("ef")]);
        check(3, &["abcd", "efgh", "ij\nkl\n"], &[None, Some("kl")]);
        check(3, &["abc\n"], &[Some("abc")]);
        check(3, &["abcdef"], &[None]);
    }
}
