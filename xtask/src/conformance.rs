//! `cargo xtask conformance`: the official conformance suite against the servers of this repository.
//! A failure or warning that a baseline does not list fails, and so does a listed one that now passes.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::{self, cargo, say};
use crate::failure::Failure;
use crate::npm;
use crate::server::Server;
use crate::tree::{root, target};

/// A server that the suite judges.
struct Subject {
    package: &'static str,
    /// As [`Server::start`] takes them.
    arguments: &'static [&'static str],
    runs: &'static [Run],
}

/// One run of the suite.
struct Run {
    name: &'static str,
    select: &'static [&'static str],
    /// A file of `tests/conformance`.
    baseline: &'static str,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        package: "everything-server",
        arguments: &["ADDRESS"],
        runs: &[
            Run {
                name: "requirements 2025-11-25",
                select: &["--requirements", "2025-11-25"],
                baseline: "everything.yml",
            },
            Run {
                name: "requirements 2026-07-28",
                select: &["--requirements", "2026-07-28"],
                baseline: "everything.yml",
            },
            Run {
                name: "json-schema-2020-12 2025-11-25",
                select: &[
                    "--scenario",
                    "json-schema-2020-12",
                    "--spec-version",
                    "2025-11-25",
                ],
                baseline: "everything.yml",
            },
            Run {
                name: "json-schema-2020-12 2026-07-28",
                select: &[
                    "--scenario",
                    "json-schema-2020-12",
                    "--spec-version",
                    "2026-07-28",
                ],
                baseline: "everything.yml",
            },
            Run {
                name: "http-header-validation",
                select: &[
                    "--scenario",
                    "http-header-validation",
                    "--spec-version",
                    "2026-07-28",
                ],
                baseline: "everything.yml",
            },
            Run {
                name: "http-custom-header-server-validation",
                select: &[
                    "--scenario",
                    "http-custom-header-server-validation",
                    "--spec-version",
                    "2026-07-28",
                ],
                baseline: "everything.yml",
            },
            Run {
                name: "server-session-lifecycle",
                select: &[
                    "--scenario",
                    "server-session-lifecycle",
                    "--spec-version",
                    "2025-11-25",
                ],
                baseline: "everything.yml",
            },
            Run {
                name: "server-sse-polling",
                select: &[
                    "--scenario",
                    "server-sse-polling",
                    "--spec-version",
                    "2025-11-25",
                ],
                baseline: "everything.yml",
            },
        ],
    },
    Subject {
        package: "qortal-mcp",
        arguments: &["http", "--demo=recorded", "--listen", "ADDRESS"],
        runs: &[
            Run {
                name: "requirements 2025-11-25",
                select: &["--requirements", "2025-11-25"],
                baseline: "qortal-mcp-2025-11-25.yml",
            },
            Run {
                name: "requirements 2026-07-28",
                select: &["--requirements", "2026-07-28"],
                baseline: "qortal-mcp-2026-07-28.yml",
            },
            Run {
                name: "http-header-validation",
                select: &[
                    "--scenario",
                    "http-header-validation",
                    "--spec-version",
                    "2026-07-28",
                ],
                baseline: "everything.yml",
            },
        ],
    },
];

/// Installs the suite if need be, builds the servers, and judges them.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    let only = match arguments {
        [] => None,
        [name, package] if name == "--only" => Some(package),
        _ => {
            let usage = "conformance takes only --only PACKAGE".to_owned();
            return Err(Failure::Usage(usage));
        }
    };
    let is_wanted = |it: &&Subject| only.is_none_or(|only| it.package == only);
    let suite = root().join("tests/conformance");
    npm::install(&suite)?;
    let schemas = root().join("tests/schema/extract.mjs");
    command::run(Command::new(npm::node(&suite)?).arg(schemas).arg("--check"))?;
    let results = target().join("conformance");
    fs::create_dir_all(&results).map_err(Failure::io(results.display()))?;
    let mut failed = Vec::new();
    for subject in SUBJECTS.iter().filter(is_wanted) {
        let package = subject.package;
        command::run(cargo().args(["build", "--quiet", "--package", package]))?;
        let program = target().join("debug").join(package);
        let log = results.join(format!("{package}.stderr"));
        let server = Server::start(&program, subject.arguments, &log)?;
        for run in subject.runs {
            let log = results.join(format!("{package} {}.log", run.name).replace(' ', "-"));
            let passed = judge(&suite, server.url(), run, &log)?;
            let word = if passed { "passed" } else { "FAILED" };
            say(&format!("{package:<18} {:<38} {word}", run.name))?;
            if !passed {
                let said = fs::read_to_string(&log).map_err(Failure::io(log.display()))?;
                failed.push(format!("{package}, {}:\n{}", run.name, summary(&said)));
            }
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure::Found(failed.join("\n\n"))),
    }
}

/// Runs the suite once; whether it found what the baseline says.
fn judge(suite: &Path, url: &str, run: &Run, log: &Path) -> Result<bool, Failure> {
    let out = File::create(log).map_err(Failure::io(log.display()))?;
    let err = out.try_clone().map_err(Failure::io(log.display()))?;
    let node = npm::node(suite)?;
    let status = Command::new(&node)
        .arg(suite.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"))
        .args(["server", "--url", url])
        .args(run.select)
        .arg("--expected-failures")
        .arg(suite.join(run.baseline))
        .arg("-o")
        .arg(log.with_extension("checks"))
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .status()
        .map_err(Failure::io(node.display()))?;
    Ok(status.success())
}

/// What the suite said at the end; all of it where it has no summary.
fn summary(said: &str) -> &str {
    match said.rfind("=== SUMMARY ===") {
        Some(at) => said.get(at..).unwrap_or(said).trim_end(),
        None => said.trim_end(),
    }
}

#[cfg(test)]
mod tests {
    use super::{SUBJECTS, summary};
    use crate::tree::root;

    #[test]
    fn every_baseline_is_there() {
        for run in SUBJECTS.iter().flat_map(|it| it.runs) {
            let path = root().join("tests/conformance").join(run.baseline);
            assert!(path.is_file(), "{}", path.display());
        }
    }

    #[test]
    fn the_example_has_an_empty_baseline() {
        let path = root().join("tests/conformance/everything.yml");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.lines().any(|line| line == "server: []"), "{text}");
    }

    #[test]
    fn the_summary_is_what_comes_last() {
        assert_eq!(summary("a\n=== SUMMARY ===\nb\n"), "=== SUMMARY ===\nb");
        assert_eq!(summary("a\n"), "a");
    }
}
