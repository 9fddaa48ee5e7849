//! `qortal-mcp install`: prints the configuration that a host needs, or writes it into the host's own file.

mod edit;
mod file;
mod guide;
mod hosts;
mod page;
mod snippet;

pub(crate) use guide::{Guide, TOKEN, Way, guides};
pub(crate) use hosts::names;
pub use page::page;
pub(crate) use snippet::quoted;

use std::path::PathBuf;

use crate::{args::Install, exit::Exit, show::Terminal, text};

use self::{
    file::{ConfigFile, FileError, Format},
    hosts::{Host, Http, Program},
};

/// The name of the server in every configuration.
const SERVER: &str = "qortal";

#[derive(Debug, thiserror::Error)]
enum InstallError {
    #[error("unknown host {0:?}")]
    Unknown(String),
    #[error(
        "{title} connects to a URL only\nhint: add --http URL, with the address of a server that runs `qortal-mcp http`"
    )]
    NeedsUrl { title: &'static str },
    #[error(
        "{title} has no configuration file that could be written\nhint: omit --write for what to do instead"
    )]
    NoFile { title: &'static str },
    #[error("cannot determine the path of this program")]
    Program(#[source] std::io::Error),
    #[error(
        "cannot determine the home directory\nhint: omit --write for the configuration, and where it belongs"
    )]
    NoHome,
    #[error("{} was left as it was\nhint: omit --write for the configuration to add by hand", path.display())]
    File { path: PathBuf, source: FileError },
}

impl InstallError {
    const fn exit(&self) -> Exit {
        match self {
            Self::File {
                source: FileError::Io(_),
                ..
            } => Exit::Io,
            _ => Exit::Usage,
        }
    }
}

/// Prints or writes the configuration of the host. `arguments` are those that the host passes to the program.
pub(crate) fn install(install: &Install, arguments: Vec<String>) -> Exit {
    match try_install(install, arguments) {
        Ok(shown) => text::print(&shown),
        Err(err) => text::print_error(&err, err.exit()),
    }
}

fn try_install(install: &Install, arguments: Vec<String>) -> Result<String, InstallError> {
    let host = hosts::find(&install.client)
        .ok_or_else(|| InstallError::Unknown(install.client.clone()))?;
    let (setup, command) = match (&install.http, host.stdio) {
        (Some(url), _) => match host.http {
            Http::Entry(entry) => {
                let command = host.http_command.map(|it| it(&quoted(url)));
                (Setup::Entry(entry(url)), command)
            }
            Http::Steps { steps, server } => {
                let lines = steps.lines().chain([server]);
                let lines: String = lines.map(|it| format!("# {it}\n")).collect();
                (Setup::Steps(format!("{lines}{url}")), None)
            }
        },
        (None, Some(stdio)) => {
            let path = std::env::current_exe().map_err(InstallError::Program)?;
            let path = path.to_string_lossy().into_owned();
            let line = snippet::command_line(&path, &arguments);
            let entry = stdio(&Program { path, arguments });
            (Setup::Entry(entry), host.command.map(|it| it(&line)))
        }
        (None, None) => return Err(InstallError::NeedsUrl { title: host.title }),
    };
    let writes = install.write || install.dry_run;
    match (setup, host.file) {
        (Setup::Entry(entry), Some(file)) if writes => write(host, file, &entry, install.dry_run),
        (_, _) if writes => Err(InstallError::NoFile { title: host.title }),
        (Setup::Entry(entry), Some(file)) => Ok(printed(host, file, &entry, command)),
        (Setup::Entry(entry), None) => Ok(format!("{entry:#}")),
        (Setup::Steps(steps), _) => Ok(steps),
    }
}

/// What a host is told.
enum Setup {
    /// A member of its configuration.
    Entry(serde_json::Value),
    /// What a person does by hand.
    Steps(String),
}

/// The place as a comment and the text that belongs there, which the host reads as it is.
fn printed(
    host: &Host,
    file: &ConfigFile,
    entry: &serde_json::Value,
    command: Option<String>,
) -> String {
    let place = match file.path() {
        Some(path) => path.display().to_string(),
        None => file.place().to_owned(),
    };
    let also = host.also.map(str::to_owned);
    let command = command.map(|it| format!("or run: {it}"));
    let hint = "`--write` puts it there".to_owned();
    let comments = [Some(place), also, command, Some(hint)];
    let comments = comments.into_iter().flatten().map(|it| format!("# {it}\n"));
    comments.chain([snippet::of(file, entry)]).collect()
}

fn write(
    host: &Host,
    file: &ConfigFile,
    entry: &serde_json::Value,
    dry_run: bool,
) -> Result<String, InstallError> {
    let path = file.path().ok_or(InstallError::NoHome)?;
    let failed = |source| InstallError::File {
        path: path.clone(),
        source,
    };
    let before = file::read(&path).map_err(failed)?;
    let after = edit::with_entry(file, before.as_deref().unwrap_or(""), entry).map_err(failed)?;
    if before.as_deref() == Some(after.as_str()) {
        return Ok(format!("{} has this configuration already", path.display()));
    }
    if dry_run {
        let before = before.as_deref().unwrap_or("");
        let difference = file::difference(&path, before, &after);
        return Ok(Terminal::of_output().difference(&difference));
    }
    let backup = file::write(&path, before.is_some(), &after).map_err(failed)?;
    let backup = match backup {
        Some(backup) => format!("; the file as it was is {}", backup.display()),
        None => String::new(),
    };
    Ok(format!(
        "added {SERVER} to {}{backup}\nRestart {} to load it.",
        path.display(),
        host.title
    ))
}
