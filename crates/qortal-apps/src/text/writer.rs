//! The text of a document under construction, line by line.

use super::RichText;

/// Nested lists and quotes that are indented. Deeper ones are written at this depth, so a line's indentation is bounded.
const DEEPEST_INDENTATION: usize = 8;
/// Bytes of text after which no line begins. Indentation makes text longer than its document.
const MOST_TEXT: usize = 1024 * 1024;
/// Mentions and links that are reported of one document.
const MOST_REPORTED: usize = 100;

/// Writes blocks, lines and inline content in document order.
#[derive(Debug, Default)]
pub(super) struct Writer {
    rich: RichText,
    /// The current line, without its indentation.
    line: String,
    levels: Vec<Level>,
}

/// A quote or list item around the current line.
#[derive(Debug)]
struct Level {
    /// The text before the first line.
    first: String,
    /// The width of the text before further lines, or `None` if the same text is repeated.
    indentation: Option<usize>,
    is_started: bool,
}

impl Writer {
    /// Appends text to the current line. Line feeds end it.
    pub(super) fn text(&mut self, text: &str) {
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.end_line();
            }
            self.line.push_str(part);
        }
    }

    /// Appends text in which runs of white space count as one space, and none at the beginning of a line.
    pub(super) fn collapsed(&mut self, text: &str) {
        for c in text.chars() {
            if !is_collapsible(c) {
                self.line.push(c);
            } else if !self.line.is_empty() && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
        }
    }

    /// Ends the current line, also an empty one.
    pub(super) fn end_line(&mut self) {
        if self.rich.text.len() > MOST_TEXT {
            self.rich.is_cut = true;
            self.line.clear();
            return;
        }
        let text = &mut self.rich.text;
        let line = self.line.trim_end();
        let is_second_blank = line.is_empty() && (text.is_empty() || text.ends_with("\n\n"));
        let has_marker = self.levels.iter().any(|level| !level.is_started);
        if !is_second_blank || has_marker {
            let start = text.len();
            for level in self.levels.iter_mut().take(DEEPEST_INDENTATION) {
                level.write(text);
            }
            text.push_str(line);
            let end = text.trim_end().len().max(start);
            text.truncate(end);
            text.push('\n');
        }
        for level in &mut self.levels {
            level.is_started = true;
        }
        self.line.clear();
    }

    /// Ends the current line unless it is empty.
    pub(super) fn end_block(&mut self) {
        if self.line.trim().is_empty() {
            self.line.clear();
        } else {
            self.end_line();
        }
    }

    /// Begins a quote.
    pub(super) fn begin_quote(&mut self) {
        self.begin_level("> ".to_owned(), None);
    }

    /// Begins an item of a list: numbered, or with a dash.
    pub(super) fn begin_item(&mut self, number: Option<u64>) {
        let first = number.map_or_else(|| "- ".to_owned(), |it| format!("{it}. "));
        let width = first.len();
        self.begin_level(first, Some(width));
    }

    fn begin_level(&mut self, first: String, indentation: Option<usize>) {
        self.end_block();
        self.levels.push(Level {
            first,
            indentation,
            is_started: false,
        });
    }

    /// Ends the innermost quote or item. An item without text keeps its marker.
    pub(super) fn end_level(&mut self) {
        self.end_block();
        if { self.levels.last() }.is_some_and(|it| it.indentation.is_some() && !it.is_started) {
            self.end_line();
        }
        self.levels.pop();
    }

    /// Appends a mention of an account.
    pub(super) fn mention(&mut self, label: &str) {
        self.line.push('@');
        self.text(label);
        self.report_mention(label);
    }

    /// Reports an account that the text mentions already.
    pub(super) fn report_mention(&mut self, label: &str) {
        let mentions = &mut self.rich.mentions;
        if mentions.len() < MOST_REPORTED && !mentions.iter().any(|it| it == label) {
            mentions.push(label.to_owned());
        }
    }

    /// Returns the place in the current line at which a link's label begins.
    pub(super) fn begin_link(&self) -> usize {
        self.line.len()
    }

    /// Appends the address of a link unless its label is the address.
    pub(super) fn end_link(&mut self, start: usize, address: &str) {
        if address.is_empty() || address.starts_with('#') {
            return;
        }
        if self.rich.links.len() < MOST_REPORTED {
            self.rich.links.push(address.to_owned());
        }
        let label = self.line.get(start..).unwrap_or_default().trim();
        if label.is_empty() {
            self.line.push_str(address);
        } else if bare(label) != bare(address) {
            self.line.push_str(" (");
            self.line.push_str(address);
            self.line.push(')');
        }
    }

    /// Appends a picture, with its size if it is part of the document.
    pub(super) fn picture(&mut self, source: &str, description: &str) {
        self.rich.pictures = self.rich.pictures.saturating_add(1);
        self.line.push_str("[picture");
        let description = description.trim();
        if !description.is_empty() {
            self.line.push_str(": ");
            self.collapsed(description);
        }
        if let Some((_, data)) = source.split_once(";base64,") {
            let kilobytes = (data.len() / 4 * 3).div_ceil(1024);
            self.line.push_str(&format!(", {kilobytes} KB"));
        }
        self.line.push(']');
    }

    /// Records that content was left out.
    pub(super) fn cut(&mut self) {
        self.rich.is_cut = true;
    }

    pub(super) fn finish(mut self) -> RichText {
        self.end_block();
        let text = &mut self.rich.text;
        text.truncate(text.trim_end().len());
        self.rich
    }
}

impl Level {
    fn write(&self, text: &mut String) {
        match self.indentation {
            Some(width) if self.is_started => text.extend(std::iter::repeat_n(' ', width)),
            _ => text.push_str(&self.first),
        }
    }
}

/// Returns the part of an address that people compare: without its scheme, `www.` and a final slash.
fn bare(address: &str) -> &str {
    let rest = ["https://", "http://", "mailto:"]
        .iter()
        .find_map(|it| address.strip_prefix(it))
        .unwrap_or(address);
    rest.strip_prefix("www.")
        .unwrap_or(rest)
        .trim_end_matches('/')
}

/// Whether a browser collapses a character: ASCII white space, but not a no-break space.
const fn is_collapsible(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}
