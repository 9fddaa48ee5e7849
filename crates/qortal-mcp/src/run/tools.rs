//! `qortal-mcp tools`: the list of tools.

use mcp_protocol::Revision;
use mcp_protocol::render;
use qortal_resources::mcp::definition;
use qortal_tools::Catalog;
use serde_json::Value;

use crate::{
    args::Tools,
    cli::Terminal,
    exit::{Exit, Failure},
    show, text,
};

pub(crate) fn list(tools: &Tools, catalog: &Catalog, terminal: &Terminal) -> Result<Exit, Failure> {
    if tools.json {
        return Ok(text::print(&format!(
            "{:#}",
            Value::Array(definitions(catalog))
        )));
    }
    let Some(name) = &tools.tool else {
        return Ok(text::print(&show::listing(catalog, terminal)));
    };
    Ok(text::print(&show::tool(Catalog::find(name)?, terminal)))
}

/// Each tool as the newest handshake revision shows it, with arguments that work on `--demo`.
fn definitions(catalog: &Catalog) -> Vec<Value> {
    let rules = Revision::LATEST_HANDSHAKE.features();
    let selection = catalog.selection();
    selection
        .listed()
        .map(|entry| {
            let mut definition = render::tool(&definition(selection, entry), rules);
            if let (Value::Object(object), Ok(example)) =
                (&mut definition, serde_json::from_str(entry.example))
            {
                object.insert("example".to_owned(), example);
            }
            definition
        })
        .collect()
}
