//! MCP bundles: a program, a manifest and an icon in one file that a desktop host installs with a double click.

use std::fs;

use qortal_tools::{Catalog, Surface};
use serde_json::{Value, json};

use crate::dist::channel::{Program, Ready};
use crate::dist::pack::{self, Entry};
use crate::dist::release::PROGRAM;
use crate::failure::Failure;
use crate::tree::root;

/// The name of a bundle. Registries look for "mcp" in it.
pub(crate) fn name(version: &str, platform: &str) -> String {
    format!("qortal-mcp-{version}-{platform}.mcpb")
}

/// What is in the bundle of a platform.
pub(crate) fn entries(
    ready: &Ready,
    platform: &str,
    program: &Program,
) -> Result<Vec<Entry>, Failure> {
    let icon = root().join("packaging/icon.png");
    let icon = fs::read(&icon).map_err(Failure::io(icon.display()))?;
    let manifest = format!("{:#}\n", manifest(ready, platform, program)?);
    let server = format!("server/{}", program.target.program());
    let mut entries = vec![
        Entry::file("manifest.json", manifest),
        Entry::file("icon.png", icon),
        Entry::program(server, &*program.bytes),
    ];
    entries.extend(ready.licenses("")?);
    Ok(entries)
}

/// Writes a bundle for each platform. The official packer dates its files, so two runs of it differ: these are packed here, and
/// compared with what it packs when the release is verified.
pub(crate) fn write(ready: &Ready) -> Result<(), Failure> {
    for (platform, program) in ready.platforms() {
        let bundle = pack::zip(&entries(ready, platform, program)?)?;
        ready.write(&name(&ready.release.version, platform), &bundle)?;
    }
    Ok(())
}

fn manifest(ready: &Ready, platform: &str, program: &Program) -> Result<Value, Failure> {
    let node = "http://127.0.0.1:12391";
    let long = ready.release.fill("mcpb/long_description.md", &[])?;
    let file = format!("server/{}", program.target.program());
    let os = platform.split('-').next().unwrap_or_default();
    Ok(json!({
        // The newest version that every host of today reads.
        "manifest_version": "0.3",
        "name": PROGRAM,
        "display_name": "Qortal",
        "version": ready.release.version,
        "description": ready.release.description,
        "long_description": long,
        "author": {"name": "The qortal-mcp maintainers", "url": ready.release.repository},
        "repository": {"type": "git", "url": format!("{}.git", ready.release.repository)},
        "homepage": ready.release.repository,
        "documentation": format!("{}#readme", ready.release.repository),
        "support": format!("{}/issues", ready.release.repository),
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
        "compatibility": {"platforms": [os]},
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
    }))
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
