//! Objects of a list as a table that fits: as it is, shortened, turned by a quarter, or without some columns.

use comfy_table::{Cell, CellAlignment, Table};
use qortal_tools::Object;
use serde_json::Value;

use super::{
    Labels, Terminal,
    answer::{ISO, cell, without_twins},
};

/// Columns that one value of a row may take before it wraps: an address does not.
const WIDEST_CELL: usize = 36;
/// What the name of a member ends with whose value is the name of another member's address.
const NAME: &str = "Name";
/// Columns between the values of a row.
const GAP: usize = 2;
/// Characters of the longest text that is never shortened: a time has fewer.
const LONGEST_WHOLE: usize = 24;
/// What remains of the beginning and of the end of an address, a key or a signature.
const KEPT: (usize, usize) = (6, 5);
/// Bytes of `2026-11-20 23:47`, and of `:14Z`.
const MINUTES: usize = 16;
const SECONDS: usize = 4;
/// Objects of a list that stand beside each other: more are read better as rows, from which columns are left out.
const MOST_TURNED: usize = 3;

/// A list of objects whose members are plain values.
pub(super) struct Rows<'a> {
    names: Vec<&'a str>,
    /// The cells of each row, as many as there are names.
    cells: Vec<Vec<String>>,
}

/// The list as a table, and what was done so that it fits.
pub(super) struct Fitted<'a> {
    pub(super) table: Table,
    /// Where the names are.
    pub(super) labels: Labels,
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
        let plain = |table, is_shortened| Fitted {
            table,
            labels: Labels::FirstRow,
            is_shortened,
            left_out: Vec::new(),
        };
        if total(&self.widths()) <= room {
            return Some(plain(self.grid(terminal, indent), false));
        }
        let (short, is_shortened) = self.shortened();
        if total(&short.widths()) <= room {
            return Some(plain(short.grid(terminal, indent), is_shortened));
        }
        if let Some(table) = short.turned(terminal, indent) {
            return Some(Fitted {
                labels: Labels::FirstColumn,
                ..plain(table, is_shortened)
            });
        }
        let (short, mut left_out) = short.without_named();
        let widths = short.widths();
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
        left_out.extend(short.names.iter().skip(count));
        let grid = short.only(|place| place < count).grid(terminal, indent);
        Some(Fitted {
            left_out,
            ..plain(grid, is_shortened)
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

    /// The same without the columns of addresses that all have a name in another column, and the names of those.
    fn without_named(self) -> (Self, Vec<&'a str>) {
        let place = |name: &str| self.names.iter().position(|it| *it == name);
        let is_filled = |place: usize| {
            let mut cells = self.cells.iter().filter_map(|row| row.get(place));
            cells.all(|it| !matches!(it.as_str(), "" | "-"))
        };
        let is_named = |name: &&str| place(&format!("{name}{NAME}")).is_some_and(is_filled);
        let named: Vec<&str> = self.names.iter().copied().filter(is_named).collect();
        let places: Vec<_> = named.iter().filter_map(|it| place(it)).collect();
        (self.only(|it| !places.contains(&it)), named)
    }

    /// The columns of these places.
    fn only(self, is_kept: impl Fn(usize) -> bool) -> Self {
        fn kept<T>(row: Vec<T>, is_kept: &impl Fn(usize) -> bool) -> Vec<T> {
            let cells = row.into_iter().enumerate();
            let cells = cells.filter(|(place, _)| is_kept(*place));
            cells.map(|(_, cell)| cell).collect()
        }
        let cells = self.cells.into_iter().map(|row| kept(row, &is_kept));
        Self {
            names: kept(self.names, &is_kept),
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

    /// A column for each object; `None` if there are too many.
    fn turned(&self, terminal: &Terminal, indent: usize) -> Option<Table> {
        let names = self.names.iter().map(|it| width(it)).max()?;
        let cells = self.cells.iter().flatten().map(|it| width(it));
        let widest = cells.max()?;
        let room = terminal.width.saturating_sub(indent + names + GAP);
        let beside = (room / (widest + GAP)).min(MOST_TURNED);
        if beside < 2 || self.cells.len() > beside {
            return None;
        }
        let mut table = terminal.columns(indent);
        for (place, name) in self.names.iter().enumerate() {
            let values = self.cells.iter().filter_map(|row| row.get(place));
            let label = Cell::new(name);
            table.add_row([label].into_iter().chain(values.map(Cell::new)));
        }
        Some(table)
    }
}

/// Whether a value is more than a cell holds.
pub(super) fn has_parts(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(|it| it.is_object() || it.is_array()),
        _ => false,
    }
}

/// Numbers to the right, so that their points are below each other.
fn aligned(text: &str) -> Cell {
    let alignment = if text.parse::<f64>().is_ok() {
        CellAlignment::Right
    } else {
        CellAlignment::Left
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
