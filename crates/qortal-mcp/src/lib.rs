//! The program as a library, so that tests can call its parts. Not a public API: use `qortal-tools` instead.

mod access;
mod args;
mod cli;
mod complete;
mod config;
mod demo;
mod doctor;
mod env;
mod exit;
mod health;
mod install;
mod landing;
mod logging;
mod operate;
mod permit;
mod run;
mod show;
mod skills;
mod text;

pub use complete::script as completion_script;
pub use config::{commands as commands_reference, reference as configuration_reference};
pub use install::page as clients_page;
pub use qortal_resources::mcp::{ResourceUpdates, limits};
pub use run::server;

use std::{ffi::OsString, process::ExitCode};

use mcp_operate::log;

use crate::{
    args::{Arguments, Command},
    config::Config,
    exit::{Exit, Failure},
};

/// The command line, for its manual.
#[must_use]
pub fn command() -> clap::Command {
    args::command()
}

/// Runs the program with the command line and environment of the process.
#[must_use]
pub fn main() -> ExitCode {
    start(std::env::args_os()).into()
}

/// Whether a host could start the program with these options. What is refused may be a secret in the wrong place, which the
/// configuration of a host would keep.
fn validate(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config::new(arguments, &|_| None)?;
    qortal_client::Node::new(config.node)?;
    Ok(())
}

/// Prints what is wrong with the command line, or the help that was asked for.
fn refuse(err: clap::Error, is_json: bool) -> Exit {
    let err = args::without_secrets(err);
    let is_help = !err.use_stderr();
    if is_json && !is_help {
        log::print_before_start(&err.to_string(), is_json, logging::PROGRAM);
    } else if err.print().is_ok() && is_help {
        return Exit::Success;
    }
    Exit::Usage
}

fn start(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let words: Vec<OsString> = arguments.into_iter().collect();
    match complete::complete(&words) {
        Ok(false) => {}
        Ok(true) => return Exit::Success,
        Err(err) => return refuse(err, false),
    }
    let format = env::read(env::QORTAL_MCP_LOG_FORMAT);
    let is_json = log::args_select_json(
        words.iter().map(AsRef::as_ref),
        "--log-format",
        format.as_deref(),
    );
    let arguments = match Arguments::read(words) {
        Ok(arguments) => arguments,
        Err(err) => return refuse(err, is_json),
    };
    match &arguments.command {
        Some(Command::Completions { shell }) => {
            let script = complete::script(*shell).map_err(|err| Failure::new(err.to_string()));
            return text::end(script.map(|it| text::print(&String::from_utf8_lossy(&it))));
        }
        Some(Command::Install(install)) => {
            return text::end(
                validate(&arguments).and_then(|()| install::install(install, &arguments.options)),
            );
        }
        Some(Command::Health { target }) => {
            return text::end(health::check(target.as_ref(), &arguments));
        }
        _ => {}
    }
    let config = match Config::new(&arguments, &env::read) {
        Ok(config) => config,
        Err(err) => {
            log::print_before_start(&log::error_report(&err), is_json, logging::PROGRAM);
            return Exit::Usage;
        }
    };
    logging::start(&config);
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let exit = run::run(config, arguments);
    log::finish();
    exit
}
