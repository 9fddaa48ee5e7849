//! Limits on a model's input from one result.

use std::io;

use serde::Serialize;

/// Limits on one result. The default has no limits.
///
/// Each cut is marked in the text and reported as a loss. The text of a failure is cut at its end because errors begin with their
/// cause.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OutputLimits {
    pub(crate) text: Option<(usize, Measure)>,
    pub(crate) media_bytes: Option<usize>,
    pub(crate) cut: Truncation,
}

/// What text is counted in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Measure {
    /// UTF-8 bytes.
    Bytes,
    /// Unicode characters.
    Chars,
}

choices! {
    /// The place of a cut in text.
    Truncation {
        /// In the middle
        ///
        /// Two thirds of what is kept are before the cut. JSON is cut at its end, so that the marker is not in it.
        Middle,
        /// At the end
        Head,
        /// Between the elements of a list in JSON
        ///
        /// Text that is a JSON list, or a JSON object with one, loses the list's last elements and stays JSON, with
        /// `"truncated": true` and the `"total"`. Other text is cut as by [`Truncation::Middle`].
        JsonAware,
    }
}

impl OutputLimits {
    fn of(amount: usize, measure: Measure) -> Self {
        Self {
            text: Some((amount, measure)),
            ..Self::default()
        }
    }

    /// Limits text to this number of bytes.
    #[must_use]
    pub fn bytes(amount: usize) -> Self {
        Self::of(amount, Measure::Bytes)
    }

    /// Limits text to this number of characters.
    #[must_use]
    pub fn chars(amount: usize) -> Self {
        Self::of(amount, Measure::Chars)
    }

    mcp_protocol::setters! {
        /// Sets the maximum size of each image, audio block and file, in decoded bytes.
        with_media_item_bytes(media_bytes: impl Into<Option<usize>>) { media_bytes = media_bytes.into() }
        /// Sets the position at which text is cut.
        with_cut_position(cut: Truncation) { cut = cut }
    }
}

impl Measure {
    pub(super) fn count(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Chars => text.chars().count(),
        }
    }

    /// The same of the compact JSON of a value, which is not printed for it.
    pub(super) fn count_json(self, value: &impl Serialize) -> usize {
        let mut counter = Counter(self, 0);
        serde_json::to_writer(&mut counter, value)
            .expect("a value is always printable, and the counter never fails");
        counter.1
    }

    /// The end of the longest beginning of `text` that counts no more than `amount`.
    pub(super) fn prefix(self, text: &str, amount: usize) -> usize {
        match self {
            Self::Bytes => {
                let mut ends = (0..=amount.min(text.len())).rev();
                ends.find(|it| text.is_char_boundary(*it)).unwrap_or(0)
            }
            Self::Chars => {
                let next = text.char_indices().nth(amount);
                next.map_or(text.len(), |(at, _)| at)
            }
        }
    }

    /// The start of the longest end of `text` that counts no more than `amount`.
    pub(super) fn suffix(self, text: &str, amount: usize) -> usize {
        let start = match self {
            Self::Bytes => {
                let mut starts = text.len().saturating_sub(amount)..text.len();
                starts.find(|it| text.is_char_boundary(*it))
            }
            Self::Chars => {
                let kept = text.char_indices().rev().take(amount);
                kept.last().map(|(at, _)| at)
            }
        };
        start.unwrap_or(text.len())
    }
}

/// Counts what is written.
struct Counter(Measure, usize);

impl io::Write for Counter {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let is_start = |it: &&u8| **it & 0b1100_0000 != 0b1000_0000;
        self.1 += match self.0 {
            Measure::Bytes => written.len(),
            Measure::Chars => written.iter().filter(is_start).count(),
        };
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
