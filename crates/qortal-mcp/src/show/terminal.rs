//! What is known of the place where text is shown.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};
use unicode_width::UnicodeWidthChar;

use crate::{config::choice::Color, env};

/// Columns where nothing wraps: lines in a file or a pipe stay whole.
const UNLIMITED: usize = u16::MAX as usize;
/// A narrower place is treated as this wide: its lines break where they must.
const FEWEST_COLUMNS: usize = 40;

/// Columns between the cells of a row.
const GAP: u16 = 2;

/// The place where text is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) is_terminal: bool,
    pub(super) width: usize,
    has_color: bool,
}

impl Terminal {
    /// That of standard output. `NO_COLOR` turns colors off, as <https://no-color.org> asks, unless `--color` says otherwise.
    pub(crate) fn of_output(color: Color) -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let measured = terminal_size::terminal_size_of(std::io::stdout());
        let columns = measured
            .filter(|_| is_terminal)
            .map_or(UNLIMITED, |(width, _)| usize::from(width.0));
        let is_dumb = env::read("TERM").is_none_or(|it| it == "dumb") && !cfg!(windows);
        Self {
            is_terminal,
            width: columns.max(FEWEST_COLUMNS),
            has_color: match color {
                Color::Auto => is_terminal && !is_dumb && env::read("NO_COLOR").is_none(),
                Color::Always => true,
                Color::Never => false,
            },
        }
    }

    /// One without colors.
    #[cfg(test)]
    pub(super) const fn plain(width: usize) -> Self {
        Self {
            is_terminal: true,
            width,
            has_color: false,
        }
    }

    /// A heading.
    pub(super) fn strong(&self, text: &str) -> String {
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
    pub(super) fn faint(&self, text: &str) -> String {
        self.styled(text, Style::new().dimmed())
    }

    /// Columns without lines between them, whose cells wrap at the width of the terminal less an indent.
    pub(crate) fn columns(&self, indent: usize) -> Table {
        let mut table = Table::new();
        let width = self.width.saturating_sub(indent);
        table
            .load_preset(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(u16::try_from(width).unwrap_or(u16::MAX));
        table
    }

    /// Writes columns, each line after the indent. Colors come after the layout, which would count them.
    pub(crate) fn put(&self, out: &mut String, mut columns: Table, indent: usize, labels: Labels) {
        for column in columns.column_iter_mut() {
            column.set_padding((0, GAP));
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
        let mut columns = self.columns(0);
        columns.add_row([text]);
        self.put(out, columns, 0, Labels::None);
    }

    fn styled(&self, text: &str, style: Style) -> String {
        if self.has_color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }
}

/// Which cells are names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Labels {
    FirstColumn,
    FirstRow,
    /// Those of the first column, which say whether all is well.
    States,
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
