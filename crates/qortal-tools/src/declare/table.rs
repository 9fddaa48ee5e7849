//! Tables: long, uniform lists, which are returned as CSV on request, in half the bytes.

use serde_json::Value;
use tool_schema::{Object, Property, choice, type_schema};

use crate::declare::{ISO, Qortal};

choice! {
    /// How the rows of a table are returned.
    pub(crate) enum Format {
        /// A list of objects.
        Json = "json",
        /// One text for all rows.
        Csv = "csv"
    }
}

/// The parameter that every tool with a table has.
pub(crate) const FORMAT: &str = "format";

/// The member that replaces the list.
pub(crate) const CSV: &str = "csv";

/// The published parameter [`FORMAT`].
pub(crate) fn format_parameter() -> Property {
    Property::parameter::<Format, Qortal>(FORMAT, "Default json.", None).optional()
}

/// Adds the CSV of the list to the members of an answer; either is optional.
pub(crate) fn with_csv(list: &str, members: Vec<Property>) -> Vec<Property> {
    let mut both = Vec::with_capacity(members.len() + 1);
    for mut member in members {
        let is_list = member.name == list;
        member.required &= !is_list;
        both.push(member);
        if is_list {
            let doc = format!(
                "Instead of {list}, with format csv: the same rows as CSV with a header line (RFC 4180). A text that a spreadsheet would interpret as a formula is prefixed with an apostrophe."
            );
            both.push(Property::new(CSV, doc, type_schema("string")).optional());
        }
    }
    both
}

/// The names of a list's columns: all of them, or those of a summary. Plain values are a column of the list's own name.
pub(crate) fn columns(list: &str, members: &[Property], is_full: bool) -> Vec<String> {
    let found = members.iter().find(|it| it.name == list);
    let columns = found.map_or(&[][..], |it| &it.members);
    if columns.is_empty() {
        return vec![list.to_owned()];
    }
    let has = |name: &str| columns.iter().any(|it| it.name == name);
    let is_millis = |it: &Property| has(&format!("{}{ISO}", it.name));
    let shown = columns
        .iter()
        .filter(|it| is_full || !(it.in_full || is_millis(it)));
    shown.map(|it| it.name.clone()).collect()
}

/// The same answer with the CSV of a list in the place of the list.
pub(crate) fn as_csv(structure: Object, list: &str, columns: &[String]) -> Object {
    let members = structure.into_iter().map(|(name, value)| match value {
        Value::Array(rows) if name == list => (CSV.to_owned(), csv(&rows, columns).into()),
        value => (name, value),
    });
    members.collect()
}

/// RFC 4180: a header line, CRLF after every line, quotes where they are needed. A member that a row does not
/// have is an empty field.
fn csv(rows: &[Value], columns: &[String]) -> String {
    csv_header(columns) + &csv_rows(rows, columns)
}

/// The header line.
pub(crate) fn csv_header(columns: &[String]) -> String {
    let mut text = String::new();
    line(&mut text, columns.iter().map(|it| field(it)));
    text
}

/// The lines after it.
pub(crate) fn csv_rows(rows: &[Value], columns: &[String]) -> String {
    let mut text = String::new();
    for row in rows {
        let value = |name: &String| {
            if row.is_object() {
                row.get(name)
            } else {
                Some(row)
            }
        };
        let cells = columns.iter().map(|it| match value(it) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => field(text),
            Some(other) => field(&other.to_string()),
        });
        line(&mut text, cells);
    }
    text
}

fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    for (place, field) in fields.enumerate() {
        if place > 0 {
            text.push(',');
        }
        text.push_str(&field);
    }
    text.push_str("\r\n");
}

fn field(text: &str) -> String {
    let text = disarmed(text);
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

/// Where spreadsheets split a line besides commas, by their region and settings. Quotes do not prevent that: for such a program they are
/// not at the beginning of a cell.
const SPLITTING: [char; 5] = [';', '\t', '|', '\r', '\n'];

/// Returns a text in which nothing is a formula, wherever a spreadsheet splits it: strangers choose how names and messages begin.
fn disarmed(text: &str) -> String {
    let mut disarmed = String::with_capacity(text.len() + 1);
    if begins_formula(text) {
        disarmed.push('\'');
    }
    let mut rest = text;
    while let Some(place) = rest.find(SPLITTING) {
        let (before, from) = rest.split_at(place + 1);
        let cell = from.trim_start_matches([' ', '"']);
        let end = cell.find(SPLITTING).unwrap_or(cell.len());
        disarmed.push_str(before);
        // Between two separators there is nothing.
        let is_formula = end > 0 && begins_formula(cell.get(..end).unwrap_or_default());
        if is_formula {
            disarmed.push('\'');
        }
        rest = from;
    }
    disarmed.push_str(rest);
    disarmed
}

/// The beginnings that OWASP's page on CSV injection names, and their full-width twins. Numbers may be negative.
fn begins_formula(text: &str) -> bool {
    let beginnings = [
        '=', '+', '-', '@', '\t', '\r', '\n', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}',
    ];
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    text.starts_with(beginnings) && !is_number
}
