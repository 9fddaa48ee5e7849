//! Answers of tools for people who call them from a shell: aligned, wrapped at the width of the terminal, in color where it has
//! some.

mod answer;
mod call;
mod columns;
mod output;
mod rows;
mod shell;

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, ContentArrangement, Table, presets};
use unicode_width::UnicodeWidthChar;

pub(crate) use answer::{answer, one_line};
pub(crate) use call::{arguments, line, show_status, waiting};
pub(crate) use output::{Output, is_same_file, progress, read_progress, write_progress};
pub(crate) use shell::run_with_line;

/// Columns where nothing wraps: lines in a file or a pipe stay whole.
const UNLIMITED: usize = u16::MAX as usize;
/// A narrower place is treated as this wide: its lines break where they must.
const FEWEST_COLUMNS: usize = 40;

/// Columns between the cells of a row.
const GAP: u16 = 2;

/// The place where text is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    is_terminal: bool,
    width: usize,
    has_color: bool,
}

impl Terminal {
    /// Returns the terminal of standard output, by the environment. `NO_COLOR` (<https://no-color.org>) and `CLICOLOR=0`
    /// (<https://bixense.com/clicolors>) turn colors off.
    #[must_use]
    pub(crate) fn of_output(environment: impl Fn(&str) -> Option<String>) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let measured = terminal_size::terminal_size_of(io::stdout());
        let measured = measured.filter(|_| is_terminal);
        let columns = measured.map_or(UNLIMITED, |(width, _)| usize::from(width.0));
        Self {
            is_terminal,
            width: columns.max(FEWEST_COLUMNS),
            has_color: is_terminal && wants_color(environment),
        }
    }

    /// The same with or without colors, whatever is known.
    #[must_use]
    pub(crate) const fn with_color(mut self, has_color: bool) -> Self {
        self.has_color = has_color;
        self
    }

    /// Whether a person sees it, and no file or pipe.
    #[must_use]
    pub(crate) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// One of so many columns, without colors.
    #[cfg(test)]
    pub(crate) const fn plain(width: usize) -> Self {
        Self {
            is_terminal: true,
            width,
            has_color: false,
        }
    }

    /// A heading.
    #[must_use]
    pub(crate) fn strong(&self, text: &str) -> String {
        self.styled(text, Style::new().bold())
    }

    /// A name. Of the eight colors this is the one that is read well on white and on black alike: with the usual palette its
    /// contrast is 4.5 with either, where that of cyan on white is 2, and that of blue on black too.
    fn label(&self, text: &str) -> String {
        self.styled(text, AnsiColor::Magenta.on_default())
    }

    /// What needs a person's attention.
    fn alarm(&self, text: &str) -> String {
        self.styled(text, AnsiColor::Red.on_default().bold())
    }

    /// What is well.
    fn good(&self, text: &str) -> String {
        self.styled(text, AnsiColor::Green.on_default())
    }

    /// A change of a file, line by line as tools for versions show it.
    #[must_use]
    pub(crate) fn difference(&self, text: &str) -> String {
        let line = |line: &str| match line.as_bytes() {
            [b'+', ..] => self.good(line),
            [b'-', ..] => self.styled(line, AnsiColor::Red.on_default()),
            _ => line.to_owned(),
        };
        let lines: Vec<String> = text.lines().map(line).collect();
        lines.join("\n")
    }

    /// What matters less.
    fn faint(&self, text: &str) -> String {
        self.styled(text, Style::new().dimmed())
    }

    /// Columns without lines between them, whose cells wrap at the width of the terminal less an indent.
    fn columns(&self, indent: usize) -> Table {
        let mut table = Table::new();
        let width = self.width.saturating_sub(indent);
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(width).unwrap_or(u16::MAX));
        table
    }

    /// Writes rows whose cells are below each other and wrap where the terminal ends, each line after so many spaces.
    pub(crate) fn rows<R: IntoIterator<Item: ToString>>(
        &self,
        out: &mut String,
        indent: usize,
        labels: Labels,
        rows: impl IntoIterator<Item = R>,
    ) {
        let mut columns = self.columns(indent);
        for row in rows {
            columns.add_row(row.into_iter().map(Cell::new));
        }
        self.put(out, columns, indent, labels);
    }

    /// Writes columns, each line after the indent. Colors come after the layout, which would count them.
    fn put(&self, out: &mut String, mut columns: Table, indent: usize, labels: Labels) {
        let last = columns.column_count().saturating_sub(1);
        for (place, column) in columns.column_iter_mut().enumerate() {
            column.set_padding((0, if place == last { 0 } else { GAP }));
        }
        let first = columns.column_max_content_widths().first().copied();
        let first = usize::from(first.unwrap_or(0));
        for (place, line) in columns.lines().enumerate() {
            let line = line.trim_end();
            let line = match labels {
                Labels::FirstRow if place == 0 => self.label(line),
                Labels::FirstColumn | Labels::States => {
                    let (label, rest) = line.split_at(end_of_column(line, first));
                    let is_state = labels == Labels::States;
                    let label = match label.trim_end() {
                        "failed" | "attention" if is_state => self.alarm(label),
                        "ok" if is_state => self.good(label),
                        _ => self.label(label),
                    };
                    format!("{label}{rest}")
                }
                Labels::FirstRow | Labels::None => line.to_owned(),
            };
            out.push_str(&format!("{:indent$}{line}\n", ""));
        }
    }

    /// Writes a step of a list that wraps beside its number.
    pub(crate) fn step(&self, out: &mut String, number: usize, text: &str) {
        let number = format!("{number}. ");
        let mut lines = String::new();
        let width = self.width.saturating_sub(number.len());
        Self { width, ..*self }.wrapped(&mut lines, text);
        for (place, line) in lines.lines().enumerate() {
            let before = if place == 0 { number.as_str() } else { "" };
            out.push_str(&format!("{before:width$}{line}\n", width = number.len()));
        }
    }

    /// Writes a text that wraps.
    pub(crate) fn wrapped(&self, out: &mut String, text: &str) {
        self.rows(out, 0, Labels::None, [[text]]);
    }

    fn styled(&self, text: &str, style: Style) -> String {
        if self.has_color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// Whether the environment of a terminal leaves colors on.
fn wants_color(environment: impl Fn(&str) -> Option<String>) -> bool {
    let is_dumb = environment("TERM").is_none_or(|it| it == "dumb") && !cfg!(windows);
    let is_off = environment("CLICOLOR").is_some_and(|it| it == "0");
    !is_dumb && !is_off && environment("NO_COLOR").is_none()
}

/// Which cells are names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    /// Those of the first column.
    FirstColumn,
    /// Those of the first row.
    FirstRow,
    /// Those of the first column, which say whether all is well: `ok`, `attention` or `failed`.
    States,
    /// None.
    None,
}

/// Where the text of so many columns ends in a line.
fn end_of_column(line: &str, columns: usize) -> usize {
    let mut width = 0;
    let end = line.char_indices().find(|(_, it)| {
        width += it.width().unwrap_or(0);
        width > columns
    });
    end.map_or(line.len(), |(place, _)| place)
}

#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;
