//! MCP bundles: a program, a manifest and an icon in one file that a desktop host installs with a double click.

use qortal_tools::{Catalog, Surface};
use serde_json::{Value, json};

use xtask::release::{PROGRAM, Release};

/// The manifest, which `packaging/pack` names the program and the system of each bundle in.
pub(crate) const FILE: &str = "packaging/mcpb/manifest.json";

/// What a host shows of the server.
const LONG: &str = "Ask your Qortal node about accounts, balances, names, blocks, minting, trades, groups, chat, polls and QDN.\n\nThe server only reads: it signs nothing, sends nothing and changes nothing, and it holds no wallet. It talks to your node and to nothing else.\n";

/// What the manifest says of every system.
pub(crate) fn manifest(release: &Release) -> String {
    let node = "http://127.0.0.1:12391";
    let file = format!("server/{PROGRAM}");
    let manifest = json!({
        // The newest version that every host of today reads.
        "manifest_version": "0.3",
        "name": PROGRAM,
        "display_name": "Qortal",
        "version": release.version,
        "description": release.description,
        "long_description": LONG,
        "author": {"name": "The qortal-mcp maintainers", "url": release.repository},
        "repository": {"type": "git", "url": format!("{}.git", release.repository)},
        "homepage": release.repository,
        "documentation": format!("{}#readme", release.repository),
        "support": format!("{}/issues", release.repository),
        "icon": "icon.png",
        "license": "MIT OR Apache-2.0",
        "keywords": ["qortal", "blockchain", "node"],
        "server": {
            "type": "binary",
            "entry_point": file,
            "mcp_config": {
                "command": format!("${{__dirname}}/{file}"),
                "args": [],
                "env": {"QORTAL_BASE_URL": "${user_config.node}"},
            },
        },
        "tools": tools(),
        "tools_generated": true,
        "prompts_generated": true,
        "compatibility": {"platforms": ["darwin", "linux", "win32"]},
        "user_config": {
            "node": {
                "type": "string",
                "title": "Node address",
                "description": "Where your Qortal node answers. Leave it as it is if Qortal Core or Qortal Hub runs on this computer.",
                // A field without a default that is left blank reaches the program as its own placeholder.
                "default": node,
                "required": false,
            },
        },
    });
    format!("{manifest:#}\n")
}

/// The tools of the shortest list, for the page that a host shows before it installs.
fn tools() -> Vec<Value> {
    let entries = Catalog::families().iter().flat_map(|family| family.tools);
    let listed = entries.filter(|entry| Surface::Core.lists(entry));
    let tool = |entry: &qortal_tools::Entry| {
        let first = entry.description.split(". ").next().unwrap_or_default();
        json!({"name": entry.name, "description": format!("{}.", first.trim_end_matches('.'))})
    };
    listed.map(tool).collect()
}
