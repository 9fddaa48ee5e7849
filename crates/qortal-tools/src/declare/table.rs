//! Tables: long, uniform lists, available as CSV at half the size.

use serde_json::Value;
use tool_schema::{Object, Property, choice, schema_with_type};

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

/// The parameter of every tool with a table.
pub(crate) const FORMAT: &str = "format";

/// The field that replaces the list.
pub(crate) const CSV: &str = "csv";

/// Returns the published parameter [`FORMAT`].
pub(crate) fn format_parameter() -> Property {
    Property::parameter::<Format, Qortal>(FORMAT, "Default json.", None).into_optional()
}

/// Adds the CSV of the list to the fields of an answer. Both become optional.
pub(crate) fn with_csv(list: &str, members: Vec<Property>) -> Vec<Property> {
    let mut both = Vec::with_capacity(members.len() + 1);
    for mut member in members {
        let is_list = member.name == list;
        member.required &= !is_list;
        both.push(member);
        if is_list {
            let doc = format!(
                "Instead of {list}, with format csv: the same rows as CSV with a header line (RFC 4180). Spreadsheet formulas are prefixed with an apostrophe."
            );
            both.push(Property::new(CSV, doc, schema_with_type("string")).into_optional());
        }
    }
    both
}

/// Returns the column names of a list: all of them, or those of a summary. Scalar values form a column with the list's
/// own name.
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

/// Replaces a list in an answer with its CSV.
pub(crate) fn as_csv(structure: Object, list: &str, columns: &[String]) -> Object {
    let members = structure.into_iter().map(|(name, value)| match value {
        Value::Array(rows) if name == list => (CSV.to_owned(), csv(&rows, columns).into()),
        value => (name, value),
    });
    members.collect()
}

/// Formats rows by RFC 4180: a header line, CRLF after every line, and quotes where needed. A missing field is an empty
/// cell.
fn csv(rows: &[Value], columns: &[String]) -> String {
    csv_header(columns) + &csv_rows(rows, columns)
}

/// Returns the header line.
pub(crate) fn csv_header(columns: &[String]) -> String {
    let mut text = String::new();
    line(&mut text, columns.iter().map(|it| field(it)));
    text
}

/// Returns the lines after the header.
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

/// Characters besides the comma at which spreadsheets split a line, depending on region and settings. Quotes do not
/// prevent that: such a program does not see them at the beginning of a cell.
const SPLITTING: [char; 5] = [';', '\t', '|', '\r', '\n'];

/// Returns a text without formulas, wherever a spreadsheet splits it. The beginnings of names and messages are untrusted.
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
        // There is nothing between two adjacent separators.
        let is_formula = end > 0 && begins_formula(cell.get(..end).unwrap_or_default());
        if is_formula {
            disarmed.push('\'');
        }
        rest = from;
    }
    disarmed.push_str(rest);
    disarmed
}

/// Returns whether a text begins with one of the characters in OWASP's page on CSV injection, or its full-width twin.
/// Negative numbers are allowed.
fn begins_formula(text: &str) -> bool {
    let beginnings = [
        '=', '+', '-', '@', '\t', '\r', '\n', '\u{FF1D}', '\u{FF0B}', '\u{FF0D}', '\u{FF20}',
    ];
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    text.starts_with(beginnings) && !is_number
}
