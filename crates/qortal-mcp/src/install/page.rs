//! `docs/clients.md`.

use std::path::Path;

use mcp_hosts::{ConfigFile, Host, ServerCommand, shell_command_line};
use qortal_tools::{Selection, Surface};
use serde_json::Value;

use super::{PLUGIN, SERVER};
use crate::access::ways;

const URL: &str = "http://127.0.0.1:8000/mcp";
const OVER_HTTP: &str = "To connect to a running server (HTTP):";

/// The page about hosts.
#[must_use]
pub fn page() -> String {
    let sections: String = Host::all().iter().map(section).collect();
    let listed = |surface| Selection::of(surface).listed().count().to_string();
    let head = include_str!("page.txt")
        .replace("{standard}", &listed(Surface::Standard))
        .replace("{core}", &listed(Surface::Core));
    format!("{head}{sections}")
}

fn section(host: &Host) -> String {
    let program = ServerCommand::for_program_file(&SERVER, Path::new(SERVER.program), Vec::new());
    let line = shell_command_line(&program.path, &program.arguments);
    let stdio = match (host.stdio_entry(&SERVER, &program), &host.file) {
        (Some(entry), Some(file)) => {
            let also = host.also.as_ref().map(|it| format!(", {it}"));
            let place = format!("`{}`{}", file.linux_path(), also.unwrap_or_default());
            let heading = format!("To start the program (stdio), add this to {place}:");
            way(&heading, file, &entry, host.add_command(&SERVER, &line))
        }
        _ => String::new(),
    };
    let http = match (host.http_entry(&SERVER, URL), &host.file, &host.steps) {
        (Some(entry), Some(file), _) => {
            way(OVER_HTTP, file, &entry, host.add_http_command(&SERVER, URL))
        }
        (_, _, Some(steps)) => {
            let ways: String = ways(host).iter().map(|it| format!("- {it}\n")).collect();
            format!("\n{OVER_HTTP}\n\n{}\n\n{ways}", steps.add)
        }
        (..) => "\nIt does not support HTTP servers.\n".to_owned(),
    };
    let plugin = host.plugin_command(&SERVER, PLUGIN).map_or_else(String::new, |it| {
        format!(
            "\nTo add the skills too, run `{it}` in the folder that contains a release's plugin ([Install](install.md)).\n"
        )
    });
    let (title, name) = (&host.title, &host.name);
    format!("\n## {title}\n\n`qortal-mcp install {name}`\n{stdio}{http}{plugin}")
}

/// What belongs into the file, and the command that puts it there.
fn way(heading: &str, file: &ConfigFile, entry: &Value, command: Option<String>) -> String {
    let (format, snippet) = (file.format().name(), file.snippet(&SERVER, entry));
    let command = command.map_or_else(String::new, |it| format!("\nOr run `{it}`.\n"));
    format!("\n{heading}\n\n```{format}\n{snippet}\n```\n{command}")
}
