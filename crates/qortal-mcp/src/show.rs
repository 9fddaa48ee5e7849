//! Tools for a person: the list, and one with its parameters and an example.

use qortal_tools::{Catalog, Entry, Object};
use serde_json::Value;

use crate::cli::{self, Labels, Terminal};

/// Spaces before what belongs to a heading.
const INDENT: usize = 2;

/// The listed tools, by family.
pub(crate) fn listing(catalog: &Catalog, terminal: &Terminal) -> String {
    let mut out = String::new();
    for family in Catalog::families() {
        let listed = catalog.selection().listed_of(family);
        let rows: Vec<_> = listed.map(|it| [it.name, it.description]).collect();
        if rows.is_empty() {
            continue;
        }
        let newline = if out.is_empty() { "" } else { "\n" };
        let heading = terminal.strong(family.name);
        out.push_str(&format!("{newline}{heading}: {}\n", family.purpose));
        terminal.rows(&mut out, INDENT, Labels::FirstColumn, rows);
    }
    out.push_str("\n`qortal-mcp tools NAME` prints the parameters of a tool and an example.\n");
    let (listed, all) = (
        catalog.selection().listed().count(),
        Catalog::entries().count(),
    );
    if listed < all {
        out.push_str(&format!(
            "These are {listed} of {all}. `qortal-mcp call` calls the others too, and `qortal-mcp call find_tools query='…'` finds them.\n"
        ));
    }
    out
}

/// One tool.
pub(crate) fn tool(entry: &Entry, terminal: &Terminal) -> String {
    let mut out = format!("{}: {}\n\n", terminal.strong(entry.name), entry.title);
    terminal.wrapped(&mut out, entry.description);
    let parameters = entry.parameters();
    if !parameters.is_empty() {
        out.push_str(&format!("\n{}\n", terminal.strong("Parameters")));
        let rows = parameters.iter().map(|it| {
            let kind = it.schema.get("type").and_then(Value::as_str);
            let need = if it.required { "required" } else { "" };
            let accepted = accepted(&it.schema).map(|it| format!(" One of {it}."));
            let meaning = format!("{}{}", it.doc, accepted.unwrap_or_default());
            [&*it.name, kind.unwrap_or("any"), need, &meaning].map(str::to_owned)
        });
        terminal.rows(&mut out, INDENT, Labels::FirstColumn, rows);
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
pub(crate) fn command(tool: &str, arguments: &Object, options: &[String]) -> String {
    cli::line("qortal-mcp call", tool, arguments, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_shows_its_parameters_and_an_example() {
        let entry = Catalog::find("get_price_chart").unwrap();
        insta::assert_snapshot!(tool(entry, &Terminal::plain(80)));
    }
}
