//! The workspace's automation: `cargo xtask SUBCOMMAND`. One file a subcommand.
//!
//! What needs the product is in packages of their own beside this one, so that the rest answers at once.

pub mod command;
mod conformance;
pub mod failure;
mod goldens;
mod interop;
pub mod metadata;
mod metrics;
pub mod npm;
pub mod python;
pub mod release;
pub mod requirements;
pub mod server;
pub mod tidy;
pub mod tree;
mod views;

use std::io::Write;
use std::process::{Command as Process, ExitCode};

use clap_plain::{Arg, ArgAction, Command};

use crate::failure::Failure;

/// What a subcommand does with its arguments.
pub type Action = fn(&[String]) -> Result<(), Failure>;

struct Subcommand {
    name: &'static str,
    summary: &'static str,
    run: Run,
}

/// Where a subcommand is done.
enum Run {
    Here(Action),
    /// In a package that needs the product.
    In(&'static str),
}

const CODEGEN: Run = Run::In("xtask-codegen");
const MEASURE: Run = Run::In("xtask-measure");

const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "bench",
        summary: "measure the server beside its peers: [--quick] [--rounds N] [--seconds S] [--only PART] [--server PATH]; or let clients misbehave: --soak [--seconds S] [--only WORDS] [--debug]",
        run: MEASURE,
    },
    Subcommand {
        name: "codegen",
        summary: "write the documents that are made from the code: [--check]",
        run: CODEGEN,
    },
    Subcommand {
        name: "conformance",
        summary: "run the official conformance suite against the servers: [--only PACKAGE]",
        run: Run::Here(conformance::run),
    },
    Subcommand {
        name: "goldens",
        summary: "run the vendors' newest converters on the corpus of mcp-protocol: [--write]",
        run: Run::Here(goldens::run),
    },
    Subcommand {
        name: "interop",
        summary: "drive the servers with real clients, and try the packages of the conversion: [--server PATH] [--only PART]",
        run: Run::Here(interop::run),
    },
    Subcommand {
        name: "metrics",
        summary: "check the figures, the alerts and the dashboard against a running server (needs promtool): [--server PATH]",
        run: Run::Here(metrics::run),
    },
    Subcommand {
        name: "pages",
        summary: "write the manual pages and completions that come with the program: FOLDER",
        run: CODEGEN,
    },
    Subcommand {
        name: "simulate",
        summary: "play the server, its clients and its nodes from seeds: [--seeds N] [--from S] [--seed S] [--seconds T] [--trace]",
        run: Run::In("qortal-simulation"),
    },
    Subcommand {
        name: "tidy",
        summary: "check the rules of the repository",
        run: Run::Here(tidy::run),
    },
    Subcommand {
        name: "tokens",
        summary: "count the tokens of each surface, and fail beyond its budget",
        run: CODEGEN,
    },
    Subcommand {
        name: "views",
        summary: "show every view in a browser, and fail for what is wrong there: [PAGE]… (needs npm and Chromium)",
        run: Run::Here(views::run),
    },
];

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    let matches = command().get_matches();
    let Some((name, matches)) = matches.subcommand() else {
        return ExitCode::FAILURE;
    };
    let arguments = matches.get_many::<String>("arguments");
    let arguments: Vec<String> = arguments.into_iter().flatten().cloned().collect();
    let found = SUBCOMMANDS.iter().find(|known| known.name == name);
    ended(found.map_or(Ok(()), |it| match it.run {
        Run::Here(run) => run(&arguments),
        Run::In(package) => elsewhere(package, name, &arguments),
    }))
}

/// Runs one of the subcommands of a package that needs the product.
pub fn dispatch(known: &[(&str, Action)]) -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let arguments: Vec<String> = arguments.collect();
    ended(match known.iter().find(|(it, _)| *it == name) {
        Some((_, run)) => run(&arguments),
        None => Err(Failure::Usage(format!("there is no {name:?} here"))),
    })
}

fn ended(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // When stderr is gone too, the exit code is all that is left to say.
            let _written = writeln!(std::io::stderr(), "error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn command() -> Command {
    let subcommand = |it: &Subcommand| {
        // Each subcommand reads its own options.
        let arguments = Arg::new("arguments")
            .action(ArgAction::Append)
            .num_args(0..)
            .trailing_var_arg(true)
            .allow_hyphen_values(true);
        Command::new(it.name).about(it.summary).arg(arguments)
    };
    Command::new("cargo xtask")
        .about("The workspace's automation.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(SUBCOMMANDS.iter().map(subcommand))
}

/// Has the program of `package` do it, where this one was started: paths are seen from there. What it found it has said.
fn elsewhere(package: &str, name: &str, arguments: &[String]) -> Result<(), Failure> {
    let mut cargo = Process::new(env!("CARGO"));
    let manifest = tree::root().join("Cargo.toml");
    cargo
        .args(["run", "--quiet", "--manifest-path"])
        .arg(manifest);
    cargo
        .args(["--package", package, "--", name])
        .args(arguments);
    match command::status(&mut cargo)?.success() {
        true => Ok(()),
        false => Err(Failure::Found(format!("{name} failed"))),
    }
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn each_subcommand_has_help_and_takes_its_own_options() {
        command().debug_assert();
        for name in ["bench", "codegen", "tidy"] {
            let help = command().try_get_matches_from(["xtask", name, "--help"]);
            assert_eq!(
                help.unwrap_err().kind(),
                clap_plain::error::ErrorKind::DisplayHelp,
                "{name}"
            );
        }
        let line = ["xtask", "bench", "--soak", "--seconds", "2", "--debug"];
        let matches = command().try_get_matches_from(line).unwrap();
        let (_, bench) = matches.subcommand().unwrap();
        let given: Vec<_> = bench.get_many::<String>("arguments").unwrap().collect();
        assert_eq!(given, ["--soak", "--seconds", "2", "--debug"]);
    }
}
