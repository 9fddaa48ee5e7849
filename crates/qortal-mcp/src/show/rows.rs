//! Objects of a list as a table that fits: as it is, shortened, turned by a quarter, or without its last columns.

use comfy_table::{Cell, CellAlignment, Table};
use mcp_protocol::Object;
use serde_json::Value;

use super::{
    Terminal,
    answer::{ISO, cell, without_twins},
};

/// Columns that one value of a row may take before it wraps: an address does not.
const WIDEST_CELL: usize = 36;
/// Columns between the values of a row.
const GAP: usize = 2;
/// Characters of the longest text that is never shortened: a time has fewer.
const LONGEST_WHOLE: usize = 24;
/// What remains of the beginning and of the end of an address, a key or a signature.
const KEPT: (usize, usize) = (6, 5);
/// Bytes of `2026-11-20 23:47`, and of `:14Z`.
const MINUTES: usize = 16;
const SECONDS: usize = 4;
/// Tables below each other that a turned list may take: with more of them it is no longer one.
const MOST_BLOCKS: usize = 2;

/// A list of objects whose members are plain values.
pub(super) struct Rows<'a> {
    names: Vec<&'a str>,
    /// The cells of each row, as many as there are names.
    cells: Vec<Vec<String>>,
}

/// The list as tables, and what was done so that they fit.
pub(super) struct Fitted<'a> {
    pub(super) tables: Vec<Table>,
    /// Whether the names are in the first column rather than in the first row.
    pub(super) is_turned: bool,
    pub(super) is_shortened: bool,
    pub(super) left_out: Vec<&'a str>,
}

impl<'a> Rows<'a> {
    /// The cells of these objects; `None` if one has parts of its own.
    pub(super) fn of(objects: &[&'a Object]) -> Option<Self> {
        let mut names: Vec<&str> = Vec::new();
        for object in objects {
            let members: Vec<_> = object.iter().collect();
            for (name, value) in without_twins(&members) {
                if has_parts(value) {
                    return None;
                }
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let value = |object: &Object, name: &str| {
            let twin = object.get(&format!("{name}{ISO}"));
            twin.or_else(|| object.get(name))
                .map_or_else(String::new, cell)
        };
        let row = |object: &&Object| -> Vec<String> {
            names.iter().map(|it| value(object, it)).collect()
        };
        let cells = objects.iter().map(row).collect();
        Some(Self { names, cells })
    }

    /// The first of the forms that fits; `None` if none does.
    pub(super) fn fitted(self, terminal: &Terminal, indent: usize) -> Option<Fitted<'a>> {
        let room = terminal.width.saturating_sub(indent);
        let plain = |tables, is_shortened| Fitted {
            tables,
            is_turned: false,
            is_shortened,
            left_out: Vec::new(),
        };
        if total(&self.widths()) <= room {
            return Some(plain(vec![self.grid(terminal, indent)], false));
        }
        let (short, is_shortened) = self.shortened();
        let widths = short.widths();
        if total(&widths) <= room {
            return Some(plain(vec![short.grid(terminal, indent)], is_shortened));
        }
        if let Some(tables) = short.turned(terminal, indent) {
            return Some(Fitted {
                is_turned: true,
                ..plain(tables, is_shortened)
            });
        }
        // The first columns that fit: answers begin with what matters.
        let mut taken = 0;
        let fitting = widths.iter().take_while(|it| {
            taken += **it;
            taken <= room
        });
        let count = fitting.count();
        if count < 2 {
            return None;
        }
        let left_out = short.names.iter().skip(count).copied().collect();
        let grid = short.first(count).grid(terminal, indent);
        Some(Fitted {
            left_out,
            ..plain(vec![grid], is_shortened)
        })
    }

    /// The width of each column, with the gap after it.
    fn widths(&self) -> Vec<usize> {
        let columns = self.names.iter().enumerate();
        let widths = columns.map(|(place, name)| {
            let cells = self.cells.iter().filter_map(|row| row.get(place));
            let widest = cells.map(|it| width(it)).max().unwrap_or(0);
            widest.min(WIDEST_CELL).max(width(name)) + GAP
        });
        widths.collect()
    }

    /// The same with shorter words, and whether there were any to shorten.
    fn shortened(self) -> (Self, bool) {
        let rows = self.cells.iter();
        let rows = rows.map(|row| row.iter().map(|it| shortened(it)).collect());
        let cells: Vec<Vec<String>> = rows.collect();
        let is_shortened = cells != self.cells;
        (Self { cells, ..self }, is_shortened)
    }

    fn first(self, count: usize) -> Self {
        let cells = self.cells.into_iter();
        let cells = cells.map(|row| row.into_iter().take(count).collect());
        Self {
            names: self.names.into_iter().take(count).collect(),
            cells: cells.collect(),
        }
    }

    /// A row for each object, below the names of their members.
    fn grid(&self, terminal: &Terminal, indent: usize) -> Table {
        let mut table = terminal.columns(indent);
        table.add_row(self.names.clone());
        for row in &self.cells {
            table.add_row(row.iter().map(|it| aligned(it)));
        }
        table
    }

    /// A column for each object, as many beside each other as fit; `None` if too few do.
    fn turned(&self, terminal: &Terminal, indent: usize) -> Option<Vec<Table>> {
        let names = self.names.iter().map(|it| width(it)).max()?;
        let cells = self.cells.iter().flatten().map(|it| width(it));
        let widest = cells.max()?;
        let room = terminal.width.saturating_sub(indent + names + GAP);
        let beside = room / (widest + GAP);
        if beside < 2 || self.cells.len().div_ceil(beside) > MOST_BLOCKS {
            return None;
        }
        let tables = self.cells.chunks(beside).map(|block| {
            let mut table = terminal.columns(indent);
            for (place, name) in self.names.iter().enumerate() {
                let values = block.iter().filter_map(|row| row.get(place));
                // A member that none of these has needs no line.
                if values.clone().all(String::is_empty) {
                    continue;
                }
                let label = Cell::new(name);
                table.add_row([label].into_iter().chain(values.map(Cell::new)));
            }
            table
        });
        Some(tables.collect())
    }
}

/// Whether a value is more than a cell holds.
fn has_parts(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(|it| it.is_object() || it.is_array()),
        _ => false,
    }
}

/// Numbers to the right, so that their points are below each other.
fn aligned(text: &str) -> Cell {
    let alignment = match text.parse::<f64>().is_ok() {
        true => CellAlignment::Right,
        false => CellAlignment::Left,
    };
    Cell::new(text).set_alignment(alignment)
}

/// A long word without its middle, as an address is known by its ends; a time without its seconds.
fn shortened(text: &str) -> String {
    if let Some((minutes, seconds)) = text.split_at_checked(MINUTES)
        && seconds.len() == SECONDS
        && seconds.starts_with(':')
        && text.ends_with('Z')
    {
        return format!("{minutes}Z");
    }
    let characters = text.chars().count();
    let is_word = text.bytes().all(|it| it.is_ascii_alphanumeric());
    if characters <= LONGEST_WHOLE || !is_word {
        return text.to_owned();
    }
    let (first, last) = KEPT;
    let begin: String = text.chars().take(first).collect();
    let end: String = text.chars().skip(characters - last).collect();
    format!("{begin}…{end}")
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>().saturating_sub(GAP)
}

/// The columns of a text in a terminal.
fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
