//! The structure of an answer: members as lines, lists of objects as tables.

use comfy_table::{Cell, CellAlignment, Table};
use mcp_protocol::Object;
use serde_json::Value;

use super::{Labels, Terminal, tool::command};

/// Members that say how to read the others, which come last.
const NOTES: &str = "notes";
const NEXT: &str = "next";
/// What the name of a member ends with whose value is another member's time in ISO 8601.
const ISO: &str = "Iso";
/// Columns that one value of a row may take: an address does.
const WIDEST_CELL: usize = 36;
/// Columns between the values of a row.
const GAP: usize = 2;
/// Spaces before the members of an object in an object.
const INDENT: usize = 2;

/// The answer of a tool for a person.
pub(crate) fn answer(structure: &Object, terminal: &Terminal) -> String {
    let mut lines = Lines {
        terminal: *terminal,
        text: String::new(),
    };
    let facts = structure
        .iter()
        .filter(|(name, _)| ![NOTES, NEXT].contains(&name.as_str()));
    lines.members(facts, 0);
    lines.next(structure.get(NEXT));
    for note in structure
        .get(NOTES)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        if let Value::String(note) = note {
            lines.faint(&format!("note: {note}"));
        }
    }
    lines.text
}

struct Lines {
    terminal: Terminal,
    text: String,
}

impl Lines {
    fn members<'a>(
        &mut self,
        members: impl Iterator<Item = (&'a String, &'a Value)>,
        indent: usize,
    ) {
        let members: Vec<_> = members.collect();
        let members = without_twins(&members);
        let (long, short): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(_, value)| is_long(value));
        let mut table = self.terminal.columns(indent);
        for (name, value) in &short {
            table.add_row([(*name).to_owned(), cell(value)]);
        }
        self.terminal
            .put(&mut self.text, table, indent, Labels::FirstColumn);
        for (name, value) in long {
            let heading = self.terminal.strong(name);
            self.text.push_str(&format!("\n{:indent$}{heading}\n", ""));
            match value {
                Value::Object(members) => self.members(members.iter(), indent + INDENT),
                Value::Array(items) => self.list(items, indent + INDENT),
                _ => {}
            }
        }
    }

    fn list(&mut self, items: &[Value], indent: usize) {
        let rows: Option<Vec<&Object>> = items.iter().map(Value::as_object).collect();
        let Some(rows) = rows else {
            let mut table = self.terminal.columns(indent);
            for item in items {
                table.add_row([cell(item)]);
            }
            self.terminal
                .put(&mut self.text, table, indent, Labels::None);
            return;
        };
        match self.grid(&rows, indent) {
            Some(table) => self
                .terminal
                .put(&mut self.text, table, indent, Labels::FirstRow),
            None => {
                for (place, row) in rows.into_iter().enumerate() {
                    let number = self.terminal.faint(&format!("{}.", place + 1));
                    self.text.push_str(&format!("{:indent$}{number}\n", ""));
                    self.members(row.iter(), indent + INDENT);
                }
            }
        }
    }

    /// The rows below the names of their members, unless a row has parts of its own or is too wide to be read.
    fn grid(&self, rows: &[&Object], indent: usize) -> Option<Table> {
        let mut names: Vec<&str> = Vec::new();
        for row in rows {
            let members: Vec<_> = row.iter().collect();
            for (name, value) in without_twins(&members) {
                if is_long(value) {
                    return None;
                }
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let value = |row: &Object, name: &str| {
            let twin = format!("{name}{ISO}");
            row.get(&twin)
                .or_else(|| row.get(name))
                .map_or_else(String::new, cell)
        };
        let width = |name: &str| {
            let cells = rows.iter().map(|row| width(&value(row, name)));
            cells
                .chain([width(name)])
                .max()
                .unwrap_or(0)
                .min(WIDEST_CELL)
                + GAP
        };
        let total: usize = names.iter().map(|it| width(it)).sum();
        if total + indent > self.terminal.width {
            return None;
        }
        let mut table = self.terminal.columns(indent);
        table.add_row(names.clone());
        for row in rows {
            table.add_row(names.iter().map(|name| {
                let text = value(row, name);
                let is_number = text.parse::<f64>().is_ok();
                let alignment = if is_number {
                    CellAlignment::Right
                } else {
                    CellAlignment::Left
                };
                Cell::new(text).set_alignment(alignment)
            }));
        }
        Some(table)
    }

    /// The call for the rest of a list, as a line to run.
    fn next(&mut self, next: Option<&Value>) {
        let call = next
            .and_then(|it| Some((it.get("tool")?.as_str()?, it.get("arguments")?.as_object()?)));
        if let Some((tool, arguments)) = call {
            self.faint(&format!("More: {}", command(tool, arguments)));
        }
    }

    fn faint(&mut self, text: &str) {
        let mut wrapped = String::new();
        self.terminal.wrapped(&mut wrapped, text);
        self.text.push('\n');
        for line in wrapped.lines() {
            self.text
                .push_str(&format!("{}\n", self.terminal.faint(line)));
        }
    }
}

/// The members, each time once: as ISO 8601 under the name of its number.
fn without_twins<'a>(members: &[(&'a String, &'a Value)]) -> Vec<(&'a str, &'a Value)> {
    let has = |name: &str| members.iter().any(|(it, _)| *it == name);
    let shown = members
        .iter()
        .filter_map(|(name, value)| match name.strip_suffix(ISO) {
            Some(number) if has(number) => Some((number, *value)),
            _ if has(&format!("{name}{ISO}")) => None,
            _ => Some((name.as_str(), *value)),
        });
    shown.collect()
}

/// Whether a value has lines of its own.
fn is_long(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items
            .iter()
            .any(|it| it.is_object() || it.is_array() || it.is_string()),
        _ => false,
    }
}

/// A value on one line. Text that others wrote cannot move the cursor.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Number(_) | Value::Object(_) => value.to_string(),
    };
    text.replace('\n', " ⏎ ").replace(char::is_control, " ")
}

/// The columns of a text in a terminal.
fn width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}
