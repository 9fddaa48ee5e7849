//! `qortal-mcp install`: prints the configuration that a host needs, or writes it into the host's own file.

mod page;

pub use page::page;

use clap::builder::PossibleValue;
use mcp_hosts::{
    ConfigFile, EditOutcome, FileError, Host, HttpAuth, ServerCommand, ServerNames,
    shell_command_line, shell_quoted,
};

use serde_json::{Value, json};

use crate::{
    access::ways,
    args::{Arguments, Install, Options},
    cli::Terminal,
    config::setting::PublicUrl,
    env,
    exit::{Exit, Failure},
    text,
};

/// The server, as hosts know it.
pub(crate) const SERVER: ServerNames = ServerNames::new("qortal", "qortal-mcp");
/// The option that decides whether results have structured content.
const SCHEMAS: &str = "--output-schemas";
/// The folder of the plugin in a release.
const PLUGIN: &str = "\"$PWD/qortal-mcp-plugin\"";

/// The names of hosts for the command line, its help and its completions.
pub(crate) fn names() -> Vec<PossibleValue> {
    let value = |it: &'static Host| PossibleValue::new(&*it.name).aliases(&it.aliases);
    Host::all().iter().map(value).collect()
}

/// Prints or writes the configuration of the host, which passes `options` to the program.
pub(crate) fn install(install: &Install, options: &Options) -> Result<Exit, Failure> {
    Ok(text::print(&text_for(install, options)?))
}

fn text_for(install: &Install, options: &Options) -> Result<String, Failure> {
    let Some(client) = &install.client else {
        return Ok(list());
    };
    let host = Host::find(client);
    let host = host.ok_or_else(|| Failure::new(format!("unknown host {client:?}")))?;
    let terminal = options.terminal();
    let title = host.title.as_str();
    let no_file = || {
        Failure::new(format!(
            "{title} has no configuration file to write\nhint: omit --write to print the steps to take instead"
        ))
    };
    if install.remove {
        let file = host.file.as_ref().ok_or_else(no_file)?;
        let edited = |before: &str| file.without_entry(&SERVER, before);
        return change(host, file, install, &terminal, edited);
    }
    let writes = install.write || install.dry_run;
    let (entry, command) = match &install.http {
        Some(PublicUrl(url)) => match (host.http_entry(&SERVER, url), &host.steps) {
            (Some(entry), _) => (entry, host.add_http_command(&SERVER, &shell_quoted(url))),
            (None, None) => {
                return Err(Failure::new(format!(
                    "{title} does not support HTTP servers\nhint: omit --http, and {title} starts the program itself"
                )));
            }
            (None, Some(_)) if !host.supports_url(url) => {
                return Err(Failure::new(format!(
                    "{title} connects from the internet: the URL needs https and a public host name\nhint: put a TLS proxy in front of the server, see docs/sign-in.md"
                )));
            }
            (None, Some(_)) if writes => return Err(no_file()),
            // A person does it by hand.
            (None, Some(steps)) => {
                let ways = ways(host);
                let lines = steps.add.lines().chain(ways.iter().map(String::as_str));
                let lines: String = lines.map(|it| format!("# {it}\n")).collect();
                return Ok(format!("{lines}{url}"));
            }
        },
        None => {
            let file = std::env::current_exe()
                .map_err(|err| Failure::caused("cannot determine the path of this program", err))?;
            let options = match writes {
                true => kept(host, options),
                false => options.clone(),
            };
            let mut words = options.words();
            // Without output schemas, results are text alone.
            if host.passes_both_contents && !words.iter().any(|it| it.starts_with(SCHEMAS)) {
                words.push(format!("{SCHEMAS}=off"));
            }
            let program = ServerCommand::for_program_file(&SERVER, &file, words);
            let line = shell_command_line(&program.path, &program.arguments);
            let entry = host.stdio_entry(&SERVER, &program);
            let entry = entry.ok_or_else(|| Failure::new(format!("{title} connects only to URLs\nhint: pass --http URL, the address of a server started with `qortal-mcp http`")))?;
            (entry, host.add_command(&SERVER, &line))
        }
    };
    match &host.file {
        Some(file) if writes => {
            let edited = |before: &str| {
                let after = file.with_entry(&SERVER, before, &entry)?;
                Ok(Some(after).filter(|it| it != before))
            };
            change(host, file, install, &terminal, edited)
        }
        None if writes => Err(no_file()),
        Some(file) => {
            // It starts the program.
            let plugin = host
                .plugin_command(&SERVER, PLUGIN)
                .filter(|_| install.http.is_none());
            let command = command.map(|it| format!("or run: {it}"));
            let plugin = plugin.map(|it| {
                format!("or, to add the skills too, run in the folder that contains a release's plugin: {it}")
            });
            let access = install.http.as_ref().map(|_| notes_on_access(host));
            let hint = "pass `--write` to add it to the file".to_owned();
            let notes = [host.also.clone(), command, plugin].into_iter().flatten();
            let notes = notes.chain(access.into_iter().flatten()).chain([hint]);
            let notes: Vec<_> = notes.collect();
            Ok(file.annotated_snippet(&SERVER, &entry, env::read, &notes))
        }
        None => Ok(format!("{entry:#}")),
    }
}

/// Returns the notes on what the entry for a URL needs where the server does not admit everyone.
fn notes_on_access(host: &Host) -> [String; 2] {
    let entry = host.entry_with_auth_placeholder(&SERVER, json!({}), HttpAuth::Token);
    let fields = entry.as_object().into_iter().flatten();
    let fields = fields.map(|(name, value)| match value {
        Value::String(value) => format!("{name} = \"{value}\""),
        value => format!("\"{name}\": {}", value.to_string().replace("\":", "\": ")),
    });
    let fields: Vec<_> = fields.collect();
    [
        format!(
            "if the server uses --oauth-issuer, {} opens the sign-in page",
            host.title
        ),
        format!(
            "if the server uses --token-file, add your token: {}",
            fields.join(", ")
        ),
    ]
}

/// Returns the hosts, those that are found on this machine first, and the commands for one of them.
fn list() -> String {
    let is_present = |it: &&Host| {
        it.file
            .as_ref()
            .is_some_and(|it| it.is_host_present(env::read))
    };
    let (present, others): (Vec<_>, Vec<_>) = Host::all().iter().partition(is_present);
    let width = Host::all().iter().map(|it| it.name.len()).max();
    let width = width.unwrap_or_default();
    let lines = |hosts: &[&Host]| -> String {
        let line = |it: &&Host| format!("  {:width$}  {}\n", it.name, it.title);
        hosts.iter().map(line).collect()
    };
    let example = present.first().or(others.first());
    let example = example.map_or("HOST", |it| &*it.name);
    let present = match present.as_slice() {
        [] => String::new(),
        present => format!("Found on this machine:\n{}\n", lines(present)),
    };
    format!(
        "{present}Hosts:\n{}\nPrint the configuration of a host: qortal-mcp install {example}\nWrite it to the host's file:       qortal-mcp install {example} --write",
        lines(&others)
    )
}

/// Returns the options with those that the program has in the host's file now, if they can be read.
fn kept(host: &Host, options: &Options) -> Options {
    let file = host.file.as_ref();
    let text = file.and_then(|it| std::fs::read_to_string(it.user_path(env::read)?).ok());
    let entry = file.zip(text);
    let entry = entry.and_then(|(file, text)| file.parse_entry(&SERVER, &text).ok().flatten());
    let words = |name: &str| entry.as_ref()?.get(name)?.as_array().cloned();
    // opencode has the program and its arguments in one list.
    let command = words("command").map(|it| it.into_iter().skip(1).collect());
    let words: Option<Vec<_>> = words("args").or(command);
    let words = words.into_iter().flatten();
    let words: Option<Vec<_>> = words.map(|it| it.as_str().map(str::to_owned)).collect();
    let line = [SERVER.program.to_owned()].into_iter();
    let line = line.chain(words.unwrap_or_default());
    match Arguments::read(line) {
        Ok(earlier) if earlier.command.is_none() => options.or(earlier.options),
        _ => options.clone(),
    }
}

/// Replaces the text of the file with what `edited` makes of it, or previews the difference. Returns a text that names the change, or
/// states that there is none.
fn change(
    host: &'static Host,
    file: &ConfigFile,
    install: &Install,
    terminal: &Terminal,
    edited: impl FnOnce(&str) -> Result<Option<String>, FileError>,
) -> Result<String, Failure> {
    let path = file.user_path(env::read);
    let path = path.ok_or_else(|| Failure::new("cannot determine the home directory\nhint: omit --write to print the configuration and the path of its file"))?;
    let failed = |source| {
        let exit = if matches!(source, FileError::Io(_)) {
            Exit::Io
        } else {
            Exit::Usage
        };
        let path = path.display();
        Failure::caused(
            format!(
                "{path} was not changed\nhint: omit --write to print the configuration, and add it by hand"
            ),
            source,
        )
        .ends(exit)
    };
    let mut had_entry = false;
    let edited = |before: &str| {
        had_entry = file.parse_entry(&SERVER, before)?.is_some();
        edited(before)
    };
    let change = ConfigFile::edit_with(&SERVER, &path, install.dry_run, edited).map_err(failed)?;
    let (backup, difference) = match change {
        EditOutcome::Preview(difference) => return Ok(terminal.difference(&difference)),
        EditOutcome::Written {
            backup, difference, ..
        } => (backup, difference),
        _ if install.remove => return Ok(format!("{} has no entry for qortal", path.display())),
        _ => return Ok(format!("{} already has this configuration", path.display())),
    };
    let done = match (install.remove, had_entry) {
        (true, _) => "removed",
        (false, true) => "replaced",
        (false, false) => "added",
    };
    let backup = backup.map_or_else(String::new, |it| format!(" (backup: {})", it.display()));
    let difference = match done {
        "replaced" => format!("{}\n", terminal.difference(&difference).trim_end()),
        _ => String::new(),
    };
    Ok(format!(
        "{difference}{done} {}: {}{backup}\nRestart {} to load it.",
        SERVER.name,
        path.display(),
        host.title
    ))
}
