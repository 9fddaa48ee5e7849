//! Objects of a list as a table that fits: as it is, shortened, or without the least important columns.

use comfy_table::{CellAlignment, ColumnConstraint, Table};
use qortal_tools::Object;
use serde_json::Value;

use super::{
    Terminal,
    answer::{cell, without_twins},
    columns::{Column, Columns, twins},
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
/// Columns that remain in the narrowest terminal.
const FEWEST: usize = 2;
/// The width to which a column of texts is wrapped so that important columns fit.
const NARROWEST_TEXT: usize = 14;
/// The widest column that never wraps: that of a time, a number, a name.
const WIDEST_WHOLE: usize = 22;

/// A list of objects as cells.
pub(super) struct Rows {
    columns: Vec<Column>,
    /// The cells of each row, as many as there are columns.
    cells: Vec<Vec<String>>,
    /// Whether a cell has less than its members, as a name instead of an address.
    is_shortened: bool,
    /// Members that no cell has.
    left_out: Vec<String>,
}

/// The list as a table, and what was done so that it fits.
pub(super) struct Fitted {
    pub(super) table: Table,
    pub(super) is_shortened: bool,
    pub(super) left_out: Vec<String>,
}

impl Rows {
    /// Returns the cells of these objects in the columns of their list; `None` if one has parts of its own and the list has no
    /// columns.
    pub(super) fn of(objects: &[&Object], columns: &Columns) -> Option<Self> {
        let mut members: Vec<&str> = Vec::new();
        for object in objects {
            let pairs: Vec<_> = object.iter().collect();
            for (name, value) in without_twins(&pairs) {
                if has_parts(value) && !columns.are_declared() {
                    return None;
                }
                if !members.contains(&name) {
                    members.push(name);
                }
            }
        }
        let columns = columns.with(&members);
        let has = |name: &&String| members.contains(&name.as_str());
        let is_merged = |it: &Column| it.members.iter().filter(has).count() > 1;
        let is_shortened = columns.iter().any(is_merged);
        let row = |object: &&Object| -> Vec<String> {
            columns.iter().map(|it| shown(object, it)).collect()
        };
        let cells = objects.iter().map(row).collect();
        let rows = Self {
            columns,
            cells,
            is_shortened,
            left_out: Vec::new(),
        };
        Some(rows.without_parts(objects))
    }

    /// Returns the rows without the columns of members that are too much for a cell.
    fn without_parts(mut self, objects: &[&Object]) -> Self {
        let is_part = |column: &Column| {
            let is_last = !column.is_essential && column.members.len() == 1;
            let member = column.members.first().filter(|_| is_last);
            member.is_some_and(|it| objects.iter().any(|row| row.get(it).is_some_and(has_parts)))
        };
        let parts: Vec<bool> = self.columns.iter().map(is_part).collect();
        let left_out = self
            .columns
            .iter()
            .zip(&parts)
            .filter(|(_, is_part)| **is_part);
        let left_out: Vec<_> = left_out.map(|(it, _)| it.name.clone()).collect();
        self.left_out.extend(left_out);
        self.only(|place| parts.get(place) != Some(&true))
    }

    /// Returns the table with the columns that fit, the most important first.
    pub(super) fn fitted(self, terminal: &Terminal, indent: usize) -> Fitted {
        let room = terminal.width.saturating_sub(indent);
        if total(&self.widths()) <= room {
            return self.table(terminal, indent);
        }
        let short = self.shortened();
        let widths = short.widths();
        let fits = |widths: &[usize]| total(widths) <= room;
        let mut count = widths.len();
        while count > FEWEST && !fits(widths.get(..count).unwrap_or_default()) {
            let last = short.columns.get(count - 1);
            let narrow = widths.iter().take(count);
            let narrow: Vec<_> = narrow.map(|it| wrapped(*it)).collect();
            if last.is_some_and(|it| it.is_essential) && fits(&narrow) {
                break;
            }
            count -= 1;
        }
        short.only(|place| place < count).table(terminal, indent)
    }

    /// The width of each column, with the gap after it.
    fn widths(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        let widths = columns.map(|(place, column)| {
            let cells = self.cells.iter().filter_map(|row| row.get(place));
            let widest = cells.map(|it| width(it)).max().unwrap_or(0);
            widest.min(WIDEST_CELL).max(width(&column.heading())) + GAP
        });
        widths.collect()
    }

    /// The same with shorter words.
    fn shortened(self) -> Self {
        let rows = self.cells.iter();
        let rows = rows.map(|row| row.iter().map(|it| shortened(it)).collect());
        let cells: Vec<Vec<String>> = rows.collect();
        let is_shortened = self.is_shortened || cells != self.cells;
        Self {
            cells,
            is_shortened,
            ..self
        }
    }

    /// The columns of these places.
    fn only(self, is_kept: impl Fn(usize) -> bool) -> Self {
        fn kept<T>(row: Vec<T>, is_kept: &impl Fn(usize) -> bool) -> Vec<T> {
            let cells = row.into_iter().enumerate();
            let cells = cells.filter(|(place, _)| is_kept(*place));
            cells.map(|(_, cell)| cell).collect()
        }
        let dropped = self.columns.iter().enumerate();
        let dropped = dropped.filter(|(place, _)| !is_kept(*place));
        let dropped: Vec<_> = dropped.map(|(_, it)| it.name.clone()).collect();
        let cells = self.cells.into_iter().map(|row| kept(row, &is_kept));
        let mut left_out = self.left_out;
        left_out.extend(
            dropped
                .into_iter()
                .filter(|it| !left_out.contains(it))
                .collect::<Vec<_>>(),
        );
        Self {
            cells: cells.collect(),
            columns: kept(self.columns, &is_kept),
            is_shortened: self.is_shortened,
            left_out,
        }
    }

    /// Returns where the cells of a column are: numbers to the right, so that their points are below each other. A number among texts is a
    /// text.
    fn alignment(&self, place: usize) -> CellAlignment {
        let mut cells = self.cells.iter().filter_map(|row| row.get(place));
        if cells.all(|it| it.is_empty() || it.parse::<f64>().is_ok()) {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        }
    }

    /// A row for each object, below the headings.
    fn table(self, terminal: &Terminal, indent: usize) -> Fitted {
        let mut table = terminal.columns(indent);
        table.add_row(self.columns.iter().map(Column::heading));
        for row in &self.cells {
            table.add_row(row);
        }
        let alignments: Vec<_> = (0..self.columns.len())
            .map(|it| self.alignment(it))
            .collect();
        for (column, alignment) in table.column_iter_mut().zip(alignments) {
            column.set_cell_alignment(alignment);
        }
        // Texts wrap, so that numbers, times and names stay in one line.
        let widths = self.widths();
        for (column, width) in table.column_iter_mut().zip(widths) {
            if width <= WIDEST_WHOLE + GAP {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        Fitted {
            table,
            is_shortened: self.is_shortened,
            left_out: self.left_out,
        }
    }
}

/// The cell of an object in a column.
fn shown(object: &Object, column: &Column) -> String {
    let value = |member: &String| {
        let mut path = member.split('.');
        let mut object = object;
        let mut name = path.next()?;
        for next in path {
            object = object.get(name)?.as_object()?;
            name = next;
        }
        let cells = twins(name).map(|it| object.get(&it).map(cell));
        cells
            .into_iter()
            .flatten()
            .find(|it| !it.is_empty() && it != "-")
    };
    column.members.iter().find_map(value).unwrap_or_default()
}

/// Whether a value is more than a cell holds.
pub(super) fn has_parts(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(|it| it.is_object() || it.is_array()),
        _ => false,
    }
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

/// The least width of a column of this width.
const fn wrapped(width: usize) -> usize {
    if width > WIDEST_WHOLE + GAP {
        NARROWEST_TEXT + GAP
    } else {
        width
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>().saturating_sub(GAP)
}

/// The columns of a text in a terminal.
fn width(text: &str) -> usize {
    let lines = text.lines().map(unicode_width::UnicodeWidthStr::width);
    lines.max().unwrap_or(0)
}
