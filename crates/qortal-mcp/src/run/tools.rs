//! `qortal-mcp tools`: the list of tools.

use mcp_protocol::Revision;
use mcp_protocol::render;
use qortal_tools::Catalog;
use serde_json::Value;

use crate::{
    args::Tools,
    exit::Exit,
    show::{self, Terminal},
    text,
};

pub(crate) fn list(tools: &Tools, catalog: &Catalog, terminal: &Terminal) -> Exit {
    if tools.json {
        return text::print(&format!("{:#}", Value::Array(definitions(catalog))));
    }
    let Some(name) = &tools.tool else {
        return text::print(&show::listing(catalog, terminal));
    };
    match Catalog::find(name) {
        Ok(entry) => text::print(&show::tool(entry, terminal)),
        Err(err) => text::print_error(&err, Exit::Usage),
    }
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
