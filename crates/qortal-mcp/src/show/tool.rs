//! Tools for a person: the list, and one with its parameters and an example.

use mcp_operate::hosts::quoted;
use mcp_protocol::Object;
use qortal_tools::{Catalog, Entry};
use serde_json::Value;

use super::{Labels, Terminal};

/// Spaces before what belongs to a heading.
const INDENT: usize = 2;

/// The listed tools, by family.
pub(crate) fn listing(catalog: &Catalog, terminal: &Terminal) -> String {
    let mut out = String::new();
    for family in Catalog::families() {
        let mut rows = terminal.columns(INDENT);
        for entry in catalog.selection().listed_of(family) {
            rows.add_row([entry.name, entry.description]);
        }
        if rows.row_count() == 0 {
            continue;
        }
        let newline = if out.is_empty() { "" } else { "\n" };
        let heading = terminal.strong(family.name);
        out.push_str(&format!("{newline}{heading}: {}\n", family.purpose));
        terminal.put(&mut out, rows, INDENT, Labels::FirstColumn);
    }
    out.push_str("\n`qortal-mcp tools NAME` shows the parameters of one, and an example.\n");
    out
}

/// One tool.
pub(crate) fn tool(entry: &Entry, terminal: &Terminal) -> String {
    let mut out = format!("{}: {}\n\n", terminal.strong(entry.name), entry.title);
    terminal.wrapped(&mut out, entry.description);
    let parameters = entry.parameters();
    if !parameters.is_empty() {
        out.push_str(&format!("\n{}\n", terminal.strong("Parameters")));
        let mut rows = terminal.columns(INDENT);
        for it in &parameters {
            let kind = it.schema.get("type").and_then(Value::as_str);
            let need = if it.required { "required" } else { "" };
            let accepted = accepted(&it.schema).map(|it| format!(" One of {it}."));
            let meaning = format!("{}{}", it.doc, accepted.unwrap_or_default());
            rows.add_row([&*it.name, kind.unwrap_or("any"), need, &meaning]);
        }
        terminal.put(&mut out, rows, INDENT, Labels::FirstColumn);
    }
    out.push_str(&format!(
        "\n{}\n{:INDENT$}{}\n",
        terminal.strong("Example"),
        "",
        example(entry)
    ));
    out
}

/// The values that a parameter accepts, where they are few.
fn accepted(schema: &Object) -> Option<String> {
    let values = schema.get("enum")?.as_array()?;
    let values: Vec<_> = values.iter().filter_map(Value::as_str).collect();
    Some(values.join(", "))
}

/// The example of a tool as a command line.
fn example(entry: &Entry) -> String {
    let arguments: Object = serde_json::from_str(entry.example).unwrap_or_default();
    command(entry.name, &arguments, &["--demo".to_owned()])
}

/// A call as a command line that a shell reads.
pub(super) fn command(tool: &str, arguments: &Object, options: &[String]) -> String {
    let arguments = arguments.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        format!(" {name}={}", quoted(&value))
    });
    let options = options.iter().map(|it| format!(" {}", quoted(it)));
    let words: String = arguments.chain(options).collect();
    format!("qortal-mcp call {tool}{words}")
}
