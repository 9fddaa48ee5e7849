//! The workspace's automation: `cargo xtask SUBCOMMAND`. One file a subcommand.
//!
//! Subcommands that need the product are in packages of their own beside this one. All read their options with the table below.

pub mod command;
pub mod failure;
mod goldens;
pub mod metadata;
pub mod npm;
mod prose;
pub mod python;
pub mod release;
pub mod requirements;
pub mod server;
mod suites;
pub mod tidy;
pub mod tree;

use std::io::Write;
use std::process::{Command as Process, ExitCode};

use clap_plain::{Arg, ArgAction, Command};

pub use clap_plain::ArgMatches;

use crate::failure::Failure;

use self::Opt::{Flag, Value, Words};

/// What a subcommand does with its options.
pub type Action = fn(&ArgMatches) -> Result<(), Failure>;

/// Its name, what it does, its options, and where it is done.
struct Subcommand(&'static str, &'static str, &'static [Opt], Run);

/// An option, by its name, what its value is called, and what it does.
enum Opt {
    Flag(&'static str, &'static str),
    Value(&'static str, &'static str, &'static str),
    /// Words without a name before them: so many, or any number of them.
    Words(&'static str, Option<usize>, &'static str),
}

/// Where a subcommand is done.
enum Run {
    Here(Action),
    /// In a package that needs the product.
    In(&'static str),
}

const CODEGEN: Run = Run::In("xtask-codegen");
const MEASURE: Run = Run::In("xtask-measure");
const PATTERNS: &[Opt] = &[Words(
    "patterns",
    None,
    "only tests whose names match one of these",
)];

#[rustfmt::skip]
const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand("bench", "measure the server beside its peers; or count the instructions of calls; or let clients misbehave", &[
        Flag("quick", "one round of a second each"),
        Value("rounds", "N", "how often everything is measured (3)"),
        Value("seconds", "S", "how long each measurement takes (4)"),
        Value("only", "PART", "one of http, stdio, start; with --soak the rows whose name has this in it"),
        Value("peers", "NAMES", "the same tool on other SDKs, some of rmcp,ts,python,fastmcp, and nothing else"),
        Value("server", "PATH", "another build of the server"),
        Flag("instructions", "count the instructions of each kind of call (needs valgrind), and compare them with bench/instructions.md"),
        Flag("files", "with --instructions: list the files that a call of get_account_overview runs"),
        Flag("debug", "with --instructions or --soak: of the debug build"),
        Flag("write", "with --instructions: keep what was measured"),
        Flag("soak", "let clients misbehave, and judge what the server promises then"),
    ], MEASURE),
    Subcommand("codegen", "write the documents that are made from the code", &[
        Flag("check", "fail where one is not as it would be written"),
    ], CODEGEN),
    Subcommand("conformance", "run the official conformance suite against the servers (needs npm)", PATTERNS,
        Run::Here(|it| suites::run("conformance", it))),
    Subcommand("goldens", "run the vendors' newest converters on the corpus of mcp-convert, and print what changed (needs npm and Python 3.11)", &[
        Flag("write", "keep the new outputs in the corpus"),
    ], Run::Here(|it| goldens::run(it.get_flag("write").then(|| "--write".to_owned()).as_slice()))),
    Subcommand("interop", "drive the servers with real clients, and try the packages of the conversion (needs npm and Python 3.11)", PATTERNS,
        Run::Here(|it| suites::run("interop", it))),
    Subcommand("pages", "write the manual pages and completions that come with the program", &[
        Words("folder", Some(1), "where they are written"),
    ], CODEGEN),
    Subcommand("prose", "count habits of the text per area, and fail where a checked area exceeds its ceilings", &[],
        Run::Here(|_| prose::run())),
    Subcommand("simulate", "play the server, its clients and its nodes from seeds, and print the first in which an invariant does not hold", &[
        Value("seeds", "N", "how many seeds are played (100)"),
        Value("from", "S", "the first of them (0)"),
        Value("seed", "S", "this one alone"),
        Value("seconds", "T", "new ones for so long"),
        Flag("trace", "print step by step what happens"),
    ], Run::In("qortal-simulation")),
    Subcommand("tidy", "check the rules of the repository", &[], Run::Here(|_| tidy::run())),
    Subcommand("tokens", "count the tokens of each surface, and fail beyond its budget", &[], CODEGEN),
    Subcommand("views", "show every view in a browser, and fail for what is wrong there; screenshots are in target/views (needs npm and Chromium)", PATTERNS,
        Run::Here(|it| suites::run("views", it))),
];

/// Runs what the command line asks for.
pub fn main() -> ExitCode {
    let matches = command().get_matches();
    let chosen = matches.subcommand();
    let found = chosen.and_then(|(name, given)| {
        let found = SUBCOMMANDS.iter().find(|known| known.0 == name);
        found.map(|it| (it, given))
    });
    ended(found.map_or(Ok(()), |(it, given)| match it.3 {
        Run::Here(run) => run(given),
        Run::In(package) => elsewhere(package),
    }))
}

/// Runs one of the subcommands of a package that needs the product.
pub fn dispatch(known: &[(&str, Action)]) -> ExitCode {
    let matches = command().get_matches();
    let (name, given) = matches.subcommand().unwrap_or(("", &matches));
    ended(match known.iter().find(|(it, _)| *it == name) {
        Some((_, run)) => run(given),
        None => Err(Failure::Found(format!("there is no {name:?} here"))),
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
        let command = Command::new(it.0).about(it.1);
        command.args(it.2.iter().map(Opt::argument))
    };
    Command::new("cargo xtask")
        .about("The workspace's automation.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(SUBCOMMANDS.iter().map(subcommand))
}

impl Opt {
    fn argument(&self) -> Arg {
        match *self {
            Self::Flag(name, help) => {
                let flag = Arg::new(name).long(name).help(help);
                flag.action(ArgAction::SetTrue)
            }
            Self::Value(name, value, help) => {
                Arg::new(name).long(name).value_name(value).help(help)
            }
            Self::Words(name, count, help) => {
                let words = Arg::new(name).help(help).action(ArgAction::Append);
                match count {
                    Some(count) => words.num_args(count).required(true),
                    None => words.num_args(0..),
                }
            }
        }
    }
}

/// Runs the program of `package` with the same arguments in the current folder. It is built with the features of the whole workspace, which
/// `cargo test --workspace` has built. The program prints its findings itself.
fn elsewhere(package: &str) -> Result<(), Failure> {
    let mut cargo = command::cargo();
    command::run(cargo.args(["build", "--quiet", "--workspace", "--bin", package]))?;
    let mut program = Process::new(tree::target().join("debug").join(package));
    match command::status(program.args(std::env::args().skip(1)))?.success() {
        true => Ok(()),
        false => Err(Failure::Found(format!("{package} failed"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{SUBCOMMANDS, command};

    #[test]
    fn each_subcommand_has_help_and_takes_its_own_options_and_no_others() {
        command().debug_assert();
        for it in SUBCOMMANDS {
            let help = command().try_get_matches_from(["xtask", it.0, "--help"]);
            let kind = help.unwrap_err().kind();
            assert_eq!(kind, clap_plain::error::ErrorKind::DisplayHelp, "{}", it.0);
            let other = command().try_get_matches_from(["xtask", it.0, "--other"]);
            assert!(other.is_err(), "{}", it.0);
        }
        let line = ["xtask", "bench", "--soak", "--seconds", "2", "--debug"];
        let matches = command().try_get_matches_from(line).unwrap();
        let (_, bench) = matches.subcommand().unwrap();
        assert!(bench.get_flag("soak") && bench.get_flag("debug") && !bench.get_flag("write"));
        assert_eq!(bench.get_one::<String>("seconds").unwrap(), "2");
    }
}
