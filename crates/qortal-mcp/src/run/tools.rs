//! `qortal-mcp tools`: the list of tools.

use mcp_protocol::Revision;
use mcp_protocol::render;
use qortal_tools::Catalog;
use serde_json::Value;

use crate::{args::Tools, exit::Exit, text};

pub(crate) fn list(tools: &Tools, catalog: &Catalog) -> Exit {
    if tools.json {
        return text::print(&format!("{:#}", Value::Array(definitions(catalog))));
    }
    let mut out = String::new();
    for family in Catalog::families() {
        let mut shown = catalog.selection().listed_of(family).peekable();
        if shown.peek().is_none() {
            continue;
        }
        out.push_str(&format!("{}: {}\n", family.name, family.purpose));
        for entry in shown {
            out.push_str(&format!("  {:<24} {}\n", entry.name, entry.description));
        }
    }
    text::print(&out)
}

/// Each tool as the newest handshake revision shows it, with arguments that work on `--demo`.
fn definitions(catalog: &Catalog) -> Vec<Value> {
    let rules = Revision::LATEST_HANDSHAKE.rules();
    let selection = catalog.selection();
    selection
        .listed()
        .map(|entry| {
            let mut definition = render::tool(&selection.definition(entry), rules);
            if let (Value::Object(object), Ok(example)) =
                (&mut definition, serde_json::from_str(entry.example))
            {
                object.insert("example".to_owned(), example);
            }
            definition
        })
        .collect()
}
