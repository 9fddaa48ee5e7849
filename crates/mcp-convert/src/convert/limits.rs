//! Limits on a model's input from one result.

use std::{fmt, io, sync::Arc};

use serde::Serialize;

/// Limits on one result. The default has no limits.
///
/// Each cut is marked in the text and reported as a loss. The text of a failure is cut at its end because errors begin with their
/// cause.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OutputLimits {
    pub(crate) text: Option<(usize, Measure)>,
    pub(crate) lines: Option<usize>,
    pub(crate) media_bytes: Option<usize>,
    pub(crate) cut: Truncation,
}

/// What text is counted in.
#[derive(Clone)]
pub(crate) enum Measure {
    /// UTF-8 bytes.
    Bytes,
    /// Unicode characters.
    Chars,
    /// The units that this function counts, for example tokens. It should count more for longer text.
    Custom(Arc<dyn Fn(&str) -> usize + Send + Sync>),
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

    /// Limits text to this number of tokens, as counted by the function.
    pub fn tokens_counted_by(
        amount: usize,
        count: impl Fn(&str) -> usize + Send + Sync + 'static,
    ) -> Self {
        Self::of(amount, Measure::Custom(Arc::new(count)))
    }

    mcp_protocol::setters! {
        /// Sets the maximum number of lines of each text.
        with_lines(lines: impl Into<Option<usize>>) { lines = lines.into() }
        /// Sets the maximum size of each image, audio block and file, in decoded bytes.
        with_media_bytes(media_bytes: impl Into<Option<usize>>) { media_bytes = media_bytes.into() }
        /// Sets the position at which text is cut.
        with_truncation(cut: Truncation) { cut = cut }
    }
}

impl Measure {
    pub(super) fn count(&self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Chars => text.chars().count(),
            Self::Custom(count) => count(text),
        }
    }

    /// The same of the compact JSON of a value, which is printed only for a function of the caller.
    pub(super) fn count_json(&self, value: &impl Serialize) -> usize {
        let mut counter = Counter::default();
        // The counter never fails, and a value is always printable.
        let counted = serde_json::to_writer(&mut counter, value);
        match (self, counted) {
            (Self::Bytes, Ok(())) => counter.bytes,
            (Self::Chars, Ok(())) => counter.chars,
            (Self::Bytes | Self::Chars | Self::Custom(_), _) => {
                self.count(&serde_json::to_string(value).unwrap_or_default())
            }
        }
    }

    /// The end of the longest beginning of `text` that counts no more than `amount`.
    pub(super) fn prefix(&self, text: &str, amount: usize) -> usize {
        let end = |bytes: usize| floor_char_boundary(text, bytes);
        let count = |bytes| text.get(..end(bytes)).map(|it| self.count(it));
        end(most(text.len(), |it| count(it) <= Some(amount)))
    }

    /// The start of the longest end of `text` that counts no more than `amount`.
    pub(super) fn suffix(&self, text: &str, amount: usize) -> usize {
        let start = |bytes: usize| ceil_char_boundary(text, text.len() - bytes);
        let count = |bytes| text.get(start(bytes)..).map(|it| self.count(it));
        start(most(text.len(), |it| count(it) <= Some(amount)))
    }
}

/// The largest number, at most `all`, that fits: zero does, and what is smaller than one that does. What is tried is never much
/// larger than what fits, because a function that counts reads all of it.
pub(super) fn most(all: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut fitting, mut too_many, mut step) = (0, all + 1, 1);
    while fitting + step < too_many {
        if fits(fitting + step) {
            fitting += step;
            step *= 2;
        } else {
            too_many = fitting + step;
        }
    }
    while fitting + 1 < too_many {
        let middle = fitting.midpoint(too_many);
        if fits(middle) {
            fitting = middle;
        } else {
            too_many = middle;
        }
    }
    fitting
}

/// Counts what is written.
#[derive(Default)]
struct Counter {
    bytes: usize,
    chars: usize,
}

impl io::Write for Counter {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        let is_start = |it: &&u8| **it & 0b1100_0000 != 0b1000_0000;
        self.bytes += written.len();
        self.chars += written.iter().filter(is_start).count();
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

// Of the standard library since Rust 1.91.

/// The last boundary of a character at or before `index`.
fn floor_char_boundary(text: &str, index: usize) -> usize {
    let mut before = (0..=index.min(text.len())).rev();
    let found = before.find(|it| text.is_char_boundary(*it));
    found.unwrap_or_default()
}

/// The first boundary of a character at or after `index`.
fn ceil_char_boundary(text: &str, index: usize) -> usize {
    let mut after = index..text.len();
    let found = after.find(|it| text.is_char_boundary(*it));
    found.unwrap_or(text.len())
}

impl fmt::Debug for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "Bytes",
            Self::Chars => "Chars",
            Self::Custom(_) => "Custom",
        })
    }
}
