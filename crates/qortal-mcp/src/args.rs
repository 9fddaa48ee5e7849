//! The command line.

mod tips;
mod watch;

use std::{ffi::OsString, path::PathBuf};

use clap::{
    Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
    error::{ContextKind, ContextValue},
};

use mcp_operate::secret::secret_placeholder;
use serde::{Deserialize, Serialize};

pub(crate) use self::watch::{LineFormat, Watch};
use crate::{
    cli::Terminal,
    config::{
        choice::Color,
        setting::{PublicUrl, of_flag},
        settings::{FlagValue, Flags, LIMITS, NODE, OUTPUT, SERVER, TOOLS},
    },
    env,
    health::HealthTarget,
};

/// A read-only Model Context Protocol server in front of a Qortal Core node.
///
/// Without a command, it serves MCP on standard input and output, as desktop hosts expect.
/// It never signs, sends or changes anything.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) options: Options,
}

const EXAMPLES: &str = "\
Examples:
  qortal-mcp --demo                      Serve MCP on stdio, with a simulated node
  qortal-mcp http --demo                 Serve MCP on http://127.0.0.1:8000/mcp, with a simulated node
  qortal-mcp doctor                      Check the node and which tools would work
  qortal-mcp call get_balance address='Alice Test' --demo

Environment variables and the configuration file: docs/configuration.md. Exit codes: docs/cli.md";

/// The error without words that could be a key or a token: standard error is often kept in a journal.
pub(crate) fn without_secrets(mut err: clap::Error) -> clap::Error {
    let kinds = [
        ContextKind::InvalidValue,
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
        ContextKind::TrailingArg,
    ];
    for kind in kinds {
        let Some(ContextValue::String(word)) = err.get(kind) else {
            continue;
        };
        if let Some(instead) = secret_placeholder(word) {
            err.insert(kind, ContextValue::String(instead));
            // Suggestions repeat the word.
            err.remove(ContextKind::Suggested);
        }
    }
    err
}

/// The command line, with the options of all commands shown by those that use them.
pub(crate) fn command() -> clap::Command {
    let command = Arguments::command();
    let shared: Vec<_> = command
        .get_arguments()
        .filter(|it| it.is_global_set())
        .cloned()
        .collect();
    command.mut_subcommands(|command| {
        let used = headings(command.get_name());
        let is_used = |it: &&clap::Arg| used.contains(&it.get_help_heading().unwrap_or_default());
        let unused = shared.iter().filter(|it| !is_used(it));
        command.args(unused.map(|it| it.clone().hide(true)))
    })
}

/// The headings of the options of all commands that a command uses.
fn headings(command: &str) -> &'static [&'static str] {
    match command {
        "http" | "install" => &[NODE, TOOLS, SERVER, LIMITS, OUTPUT],
        "call" | "doctor" | "watch" => &[NODE, OUTPUT],
        "tools" => &[TOOLS, OUTPUT],
        _ => &[],
    }
}

impl Arguments {
    /// Reads the words of a command line.
    ///
    /// # Errors
    /// Says what is wrong with them, or is the help that they ask for.
    pub(crate) fn read(
        words: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        command()
            .try_get_matches_from(&words)
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|err| tips::with_tip(err, &words))
    }

    /// The flags of settings on the command line.
    pub(crate) fn given(&self) -> Vec<FlagValue> {
        let Flags(mut given) = self.options.flags.clone();
        if let Some(Command::Http(flags)) = &self.command {
            given.extend(flags.0.clone());
        }
        given
    }
}

/// The options of every command.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) flags: Flags<false>,
    /// Configuration file, in TOML
    #[arg(long, global = true, value_name = "PATH", help_heading = OUTPUT)]
    pub(crate) config: Option<PathBuf>,
    /// Use of colors in the output
    #[arg(long, global = true, value_name = "WHEN", help_heading = OUTPUT, default_value = "auto")]
    pub(crate) color: Color,
}

impl Options {
    /// The options, and those of an earlier command line that are not among them.
    pub(crate) fn or(&self, earlier: Self) -> Self {
        let Flags(mut flags) = self.flags.clone();
        let Flags(earlier_flags) = earlier.flags;
        let is_given = |key: &str| self.flags.0.iter().any(|(row, _)| row.key == key);
        flags.extend(
            earlier_flags
                .into_iter()
                .filter(|(row, _)| !is_given(row.key)),
        );
        Self {
            flags: Flags(flags),
            config: self.config.clone().or(earlier.config),
            color: self.color,
        }
    }

    /// The options as words of a command line, for the command that a host runs.
    pub(crate) fn words(&self) -> Vec<String> {
        let config = self.config.as_ref();
        let config = config.map(|it| ["--config".to_owned(), it.to_string_lossy().into_owned()]);
        let words = self.flags.0.iter().flat_map(|(row, text)| row.words(text));
        words.chain(config.into_iter().flatten()).collect()
    }

    /// The place where answers are shown.
    pub(crate) fn terminal(&self) -> Terminal {
        let terminal = Terminal::of_output(env::read);
        match self.color {
            Color::Auto => terminal,
            Color::Always => terminal.with_color(true),
            Color::Never => terminal.with_color(false),
        }
    }
}

/// The command to run.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve MCP over HTTP at /mcp, and each surface at its own path, such as /mcp/x/core
    ///
    /// Clients choose the tools they list with the headers X-MCP-Toolsets, X-MCP-Tools and
    /// X-MCP-Exclude-Tools. Each header replaces the option of the same name.
    Http(Box<Flags<true>>),
    /// Call a tool and print its result
    Call(Call),
    /// Watch for changes and print a line for each
    ///
    /// Each change is reported once, including changes in a burst and changes made while the node was unreachable. Stop with Ctrl-C.
    Watch(Watch),
    /// List the tools
    Tools(Tools),
    /// Check the node and which tools would work
    Doctor {
        /// Print the findings as JSON
        #[arg(long)]
        json: bool,
    },
    /// Check whether an HTTP server is healthy, for the health check of a container
    ///
    /// The command reads the server's settings: the command line of process 1 in a container, the environment and the configuration file.
    Health {
        /// Server address: ADDR:PORT or unix:PATH, after https:// if the server uses TLS [default: from the settings]
        #[arg(value_name = "ADDRESS")]
        target: Option<HealthTarget>,
    },
    /// Print the configuration for a host, such as claude-code, codex, cursor or vscode, or write it to the host's file
    Install(Install),
    /// Print a completion script for a shell
    Completions {
        /// Shell that runs the script: bash, elvish, fish, powershell or zsh
        shell: clap_complete::Shell,
    },
}

/// `qortal-mcp call`
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Call {
    /// Name of the tool
    #[arg(required_unless_present = "help")]
    pub(crate) tool: Option<String>,
    /// Arguments as name=value. A value that is valid JSON is read as JSON, any other as a string
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) arguments: Vec<String>,
    /// Output format [default: table in a terminal, otherwise json]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<AnswerFormat>,
    /// File to write the image of the result to, .png or .svg. With --all, file to write the rows to
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Fetch all pages of a list and write one row per line, as JSON or CSV
    #[arg(long)]
    pub(crate) all: bool,
    /// File to record the progress of --all in. The same command continues from there, including rows added to a list with order=oldest
    #[arg(long, value_name = "FILE", requires_all = ["all", "output"])]
    pub(crate) resume: Option<String>,
    /// Print the tool's parameters and an example, or without a tool this help
    #[arg(long, short)]
    pub(crate) help: bool,
}

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AnswerFormat {
    /// Text and tables for people
    Table,
    /// The complete result
    Json,
    /// The rows of a tool with a parameter `format`, or with --all of any list
    Csv,
}

/// `qortal-mcp tools`
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// Tool to print the parameters and an example of
    #[arg(conflicts_with = "json")]
    pub(crate) tool: Option<String>,
    /// Print definitions and examples as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `qortal-mcp install`
#[derive(Debug, Args)]
pub(crate) struct Install {
    /// Host to configure. Without one, the command lists the hosts
    #[arg(value_name = "HOST", value_parser = crate::install::names(), ignore_case = true)]
    pub(crate) client: Option<String>,
    /// Connect to this URL instead of starting the program
    #[arg(long, value_name = "URL", value_parser = of_flag::<PublicUrl>, requires = "client")]
    pub(crate) http: Option<PublicUrl>,
    /// Add the configuration to the host's file. Other entries stay, and a backup is kept next to the file
    #[arg(long, requires = "client")]
    pub(crate) write: bool,
    /// Remove the server from the host's file
    #[arg(long, conflicts_with_all = ["http", "write"], requires = "client")]
    pub(crate) remove: bool,
    /// Print the change of --write or --remove without making it
    #[arg(long, requires = "client")]
    pub(crate) dry_run: bool,
}

#[cfg(test)]
mod tests;
