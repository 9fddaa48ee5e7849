//! The manual pages on settings and commands, made from the declarations themselves.

use clap::{Arg, Command};

use crate::{
    args,
    config::settings::{ROWS, Row},
    run::reload::{ALWAYS, OVER_HTTP},
};

/// Returns `docs/configuration.md`, the page on settings.
#[must_use]
pub fn reference() -> String {
    let quoted = |keys: &[&str]| -> Vec<_> { keys.iter().map(|it| format!("`{it}`")).collect() };
    let groups = ROWS.chunk_by(|one, next| one.heading == next.heading);
    format!(
        include_str!("reference/settings.txt"),
        settings = groups.map(group).collect::<String>(),
        always = quoted(&ALWAYS).join(" and "),
        over_http = quoted(&OVER_HTTP).join(", "),
    )
}

/// Returns `docs/cli.md`, the page on commands. It names the settings that a command takes by their headings.
#[must_use]
pub fn commands() -> String {
    let mut command = args::command().term_width(100);
    command.build();
    let shared: Vec<_> = command.get_arguments().map(Arg::get_id).collect();
    let own = command.get_subcommands();
    let own = own.filter(|it| it.get_name() != "help").map(|it| {
        let settings = settings_of(it);
        let own = it.clone().mut_args(|arg| {
            let is_shared = shared.contains(&arg.get_id());
            arg.hide(is_shared)
        });
        section(&format!("qortal-mcp {}", it.get_name()), &settings, own)
    });
    let all = section("qortal-mcp", &settings_of(&command), command.clone());
    let commands: Vec<_> = [all].into_iter().chain(own).collect();
    format!(
        include_str!("reference/commands.txt"),
        commands = commands.join("\n"),
    )
}

/// A heading, and the table of its settings.
fn group(rows: &[Row]) -> String {
    let heading = rows.first().map_or("", |it| it.heading);
    let head = "| key of the file | meaning | flag, variable |\n| --- | --- | --- |\n";
    let rows: String = rows.iter().map(setting).collect();
    format!("### {heading}\n\n{head}{rows}\n")
}

/// A row of the table.
fn setting(row: &Row) -> String {
    let Row { key, variable, .. } = row;
    let flag = row.flag().map_or_else(String::new, |it| format!("`{it}` "));
    let alias = row.alias.map_or_else(String::new, |it| format!(" `{it}`"));
    let meaning = row.meaning();
    let values = values(row);
    format!("| `{key}` | {meaning}{values} | {flag}`{variable}`{alias} |\n")
}

/// The values that a setting chooses among, with their meanings.
fn values(row: &Row) -> String {
    let values = row.arg().map(|it| it.get_possible_values());
    let values = values.into_iter().flatten().filter_map(|value| {
        let name = value.get_name();
        Some(format!(" `{name}`: {}.", value.get_help()?))
    });
    values.collect()
}

/// The headings of the settings that a command takes as flags.
fn settings_of(command: &Command) -> Vec<&'static str> {
    let takes = |row: &Row| {
        let mut shown = command.get_arguments().filter(|it| !it.is_hide_set());
        shown.any(|it| it.get_id() == row.key)
    };
    let mut headings = Vec::new();
    for row in ROWS.iter().filter(|it| takes(it)) {
        if !headings.contains(&row.heading) {
            headings.push(row.heading);
        }
    }
    headings
}

/// The help of a command without its settings, and links to these.
fn section(title: &str, settings: &[&str], mut command: Command) -> String {
    // Without its settings, a command seems to have no options.
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let mut command = command.override_usage(usage).mut_args(|arg| {
        let is_hidden = arg.is_hide_set() || ROWS.iter().any(|row| arg.get_id() == row.key);
        arg.hide(is_hidden)
    });
    let help = command.render_long_help().to_string();
    let help: Vec<_> = help.lines().map(str::trim_end).collect();
    let help = help.join("\n");
    let links = settings.iter().map(|heading| {
        let anchor = heading.to_lowercase();
        format!("[{heading}](configuration.md#{anchor})")
    });
    let links: Vec<_> = links.collect();
    let links = match links.is_empty() {
        true => String::new(),
        false => format!("\n\nSettings as flags: {}.", links.join(", ")),
    };
    format!("\n## `{title}`\n\n```text\n{}\n```{links}", help.trim_end())
}
