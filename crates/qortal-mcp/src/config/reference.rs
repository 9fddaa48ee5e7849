//! The manual page on configuration, made from the declarations themselves.

use clap::{Arg, Command};

use crate::{
    args,
    config::settings::{ROWS, Row},
    run::reload::{ALWAYS, OVER_HTTP},
};

/// `docs/configuration.md`.
#[must_use]
pub fn reference() -> String {
    let mut command = args::command().term_width(100);
    command.build();
    let shared: Vec<_> = command.get_arguments().map(Arg::get_id).collect();
    let own = command.get_subcommands().map(|it| {
        it.clone().mut_args(|arg| {
            let is_shared = shared.contains(&arg.get_id());
            arg.hide(is_shared)
        })
    });
    let own = own.filter(|it| it.get_name() != "help");
    let own = own.map(|it| section(&format!("qortal-mcp {}", it.get_name()), it));
    let all = section("qortal-mcp", command.clone());
    let commands: Vec<_> = [all].into_iter().chain(own).collect();
    let quoted = |keys: &[&str]| -> Vec<_> { keys.iter().map(|it| format!("`{it}`")).collect() };
    format!(
        include_str!("reference.txt"),
        settings = ROWS.iter().map(setting).collect::<String>(),
        always = quoted(&ALWAYS).join(" and "),
        over_http = quoted(&OVER_HTTP).join(", "),
        commands = commands.join("\n"),
    )
}

/// A row of the table.
fn setting(row: &Row) -> String {
    let Row { key, variable, .. } = row;
    let flag = row.flag().map_or_else(String::new, |it| format!("`{it}` "));
    let alias = row.alias.map_or_else(String::new, |it| format!(" `{it}`"));
    let meaning = row.meaning();
    format!("| `{key}` | {meaning} | {flag}`{variable}`{alias} |\n")
}

fn section(title: &str, mut command: Command) -> String {
    let help = command.render_long_help().to_string();
    let help: Vec<_> = help.lines().map(str::trim_end).collect();
    let help = help.join("\n");
    format!("\n### `{title}`\n\n```text\n{}\n```", help.trim_end())
}
