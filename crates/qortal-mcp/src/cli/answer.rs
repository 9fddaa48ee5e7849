//! The structure of an answer: members as lines, lists of objects as tables.

use qortal_tools::{Object, for_person};
use serde_json::Value;

use super::{
    Labels, Terminal,
    columns::{Columns, unit},
    rows::{Rows, has_parts},
};

/// Members that say how to read the others, which come last.
const NOTES: &str = "notes";
const NEXT: &str = "next";
/// The field that is true where a list leaves out rows. The call for the rest shows the same.
const TRUNCATED: &str = "truncated";
/// What the name of a member ends with whose value is another member's time in ISO 8601.
pub(super) const ISO: &str = "Iso";
/// Spaces before the members of an object in an object.
const INDENT: usize = 2;

/// The structured content of a result of `tool` for a person: members as lines, lists of objects as tables that fit.
///
/// `notes`, a list of texts, come last, without those for models. `next`, with a `tool` and its `arguments`, is the call for the rest of a
/// list, and `command` returns its command line. A field named like a number and `Iso` is shown instead of the number.
#[must_use]
pub(crate) fn answer(
    tool: &str,
    structure: &Object,
    terminal: &Terminal,
    command: impl Fn(&str, &Object) -> String,
) -> String {
    let mut lines = Lines {
        tool,
        terminal: *terminal,
        text: String::new(),
        is_shortened: false,
        left_out: Vec::new(),
    };
    let is_truncated = |value: &Value| *value == true && !structure.contains_key(NEXT);
    let is_fact = |(name, value): &(&String, &Value)| match name.as_str() {
        NOTES | NEXT => false,
        TRUNCATED if value.is_boolean() => is_truncated(value),
        _ => true,
    };
    lines.members(structure.iter().filter(is_fact), 0);
    let notes = structure.get(NOTES).and_then(Value::as_array);
    let notes = notes.into_iter().flatten().filter_map(Value::as_str);
    let notes = notes.filter_map(for_person);
    let notes = notes.map(|it| format!("note: {it}"));
    let next = next(structure.get(NEXT), command).into_iter();
    let last: Vec<String> = next.chain(lines.fitting()).chain(notes).collect();
    lines.last(&last);
    lines.text
}

struct Lines<'t> {
    tool: &'t str,
    terminal: Terminal,
    text: String,
    /// What was done so that tables fit.
    is_shortened: bool,
    left_out: Vec<String>,
}

impl Lines<'_> {
    fn members<'a>(
        &mut self,
        members: impl Iterator<Item = (&'a String, &'a Value)>,
        indent: usize,
    ) {
        let members: Vec<_> = members.collect();
        let members = without_twins(&members);
        let (long, short): (Vec<_>, Vec<_>) =
            members.into_iter().partition(|(_, value)| is_long(value));
        let rows = short
            .iter()
            .map(|(name, value)| [(*name).to_owned(), fact(name, value)]);
        self.terminal
            .rows(&mut self.text, indent, Labels::FirstColumn, rows);
        for (name, value) in long {
            let heading = self.terminal.strong(name);
            self.text.push_str(&format!("\n{:indent$}{heading}\n", ""));
            match value {
                Value::Object(members) => self.members(members.iter(), indent + INDENT),
                Value::Array(items) => self.list(name, items, indent + INDENT),
                _ => {}
            }
        }
    }

    fn list(&mut self, name: &str, items: &[Value], indent: usize) {
        let rows: Option<Vec<&Object>> = items.iter().map(Value::as_object).collect();
        let Some(rows) = rows else {
            let rows = items.iter().map(|it| [cell(it)]);
            self.terminal
                .rows(&mut self.text, indent, Labels::None, rows);
            return;
        };
        let columns = Columns::of(self.tool, name);
        let Some(table) = Rows::of(&rows, &columns) else {
            for (place, row) in rows.into_iter().enumerate() {
                let number = self.terminal.faint(&format!("{}.", place + 1));
                self.text.push_str(&format!("{:indent$}{number}\n", ""));
                self.members(row.iter(), indent + INDENT);
            }
            return;
        };
        let fitted = table.fitted(&self.terminal, indent);
        self.terminal
            .put(&mut self.text, fitted.table, indent, Labels::FirstRow);
        self.is_shortened |= fitted.is_shortened;
        for name in fitted.left_out {
            if !self.left_out.contains(&name) {
                self.left_out.push(name);
            }
        }
    }

    /// What was done so that tables fit, and how to see all.
    fn fitting(&self) -> Option<String> {
        let how = "--format json shows all.";
        match (self.left_out.as_slice(), self.is_shortened) {
            ([], false) => None,
            ([], true) => Some(format!("Shortened: {how}")),
            (names, _) => Some(format!("No room for {}: {how}", names.join(", "))),
        }
    }

    /// What matters less, after an empty line.
    fn last(&mut self, paragraphs: &[String]) {
        let mut wrapped = String::new();
        for paragraph in paragraphs {
            self.terminal.wrapped(&mut wrapped, paragraph);
        }
        if !wrapped.is_empty() {
            self.text.push('\n');
        }
        for line in wrapped.lines() {
            let line = self.terminal.faint(line);
            self.text.push_str(&format!("{line}\n"));
        }
    }
}

/// The call for the rest of a list, as a line to run.
fn next(next: Option<&Value>, command: impl Fn(&str, &Object) -> String) -> Option<String> {
    let next = next?;
    let tool = next.get("tool")?.as_str()?;
    let arguments = next.get("arguments")?.as_object()?;
    Some(format!("More: {}", command(tool, arguments)))
}

/// The members, each time once: as ISO 8601 under the name of its number.
pub(super) fn without_twins<'a>(members: &[(&'a String, &'a Value)]) -> Vec<(&'a str, &'a Value)> {
    let has = |name: &str| members.iter().any(|(it, _)| *it == name);
    let shown = members
        .iter()
        .filter_map(|(name, value)| match name.strip_suffix(ISO) {
            Some(number) if has(number) || is_time(value) => Some((number, *value)),
            _ if has(&format!("{name}{ISO}")) => None,
            _ => Some((name.as_str(), *value)),
        });
    shown.collect()
}

fn is_time(value: &Value) -> bool {
    value.as_str().and_then(time).is_some()
}

/// Whether a value has lines of its own.
fn is_long(value: &Value) -> bool {
    let items = value.as_array();
    has_parts(value) || items.is_some_and(|it| it.iter().any(Value::is_string))
}

/// A value with its unit.
fn fact(name: &str, value: &Value) -> String {
    let shown = cell(value);
    match unit(name) {
        Some(unit)
            if shown
                .trim_start_matches('-')
                .starts_with(|it: char| it.is_ascii_digit()) =>
        {
            format!("{shown} {unit}")
        }
        _ if value.as_array().is_some_and(Vec::is_empty) => "none".to_owned(),
        _ => shown,
    }
}

/// A value as text that keeps its lines, in which nothing else moves the cursor.
pub(super) fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => time(text).unwrap_or_else(|| text.clone()),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        Value::Object(members) => members.values().map(cell).collect::<Vec<_>>().join(" "),
        Value::Number(_) => value.to_string(),
    };
    let is_moving = |it: char| it.is_control() && it != '\n';
    text.trim_end()
        .replace("\r\n", "\n")
        .replace(is_moving, " ")
}

/// Text of others on one line, in which nothing moves the cursor.
#[must_use]
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', " ⏎ ").replace(char::is_control, " ")
}

/// A time as people write it, in seconds: `2026-11-20 23:47:14Z`.
fn time(text: &str) -> Option<String> {
    let (seconds, fraction) = text.strip_suffix('Z')?.split_once('.')?;
    let (day, hour) = seconds.split_once('T')?;
    let is_time = |it: &str, between: u8| {
        let mut bytes = it.bytes();
        bytes.all(|it| it.is_ascii_digit() || it == between)
    };
    let is_one = is_time(day, b'-') && is_time(hour, b':') && is_time(fraction, b'0');
    is_one.then(|| format!("{day} {hour}Z"))
}
