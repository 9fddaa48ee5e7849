//! `cargo xtask conformance`: the official conformance suite against the servers of this repository.
//! A failure or warning that a baseline does not list fails, and so does a listed one that now passes.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::command::{self, cargo, say};
use crate::failure::Failure;
use crate::npm;
use crate::tree::root;

/// How long a server may take to listen.
const STARTED: Duration = Duration::from_secs(30);

/// A server that the suite judges.
struct Subject {
    package: &'static str,
    /// What it is told, where `ADDRESS` is the address to listen on.
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
        arguments: &["http", "--demo", "--listen", "ADDRESS"],
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
    command::run(Command::new(npm::node(&suite)).arg(schemas).arg("--check"))?;
    let results = target().join("conformance");
    fs::create_dir_all(&results).map_err(Failure::io(results.display()))?;
    let mut failed = Vec::new();
    for subject in SUBJECTS.iter().filter(is_wanted) {
        let package = subject.package;
        command::run(cargo().args(["build", "--quiet", "--package", package]))?;
        let server = Server::start(subject, &results)?;
        for run in subject.runs {
            let log = results.join(format!("{package} {}.log", run.name).replace(' ', "-"));
            let passed = judge(&suite, &server.url, run, &log)?;
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
    let node = npm::node(suite);
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

/// Where this build's programs are.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => root().join("target"),
    }
}

/// A server that listens; ended when dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(subject: &Subject, results: &Path) -> Result<Self, Failure> {
        let address = free_address()?;
        let program = target().join("debug").join(subject.package);
        let arguments = subject.arguments.iter().map(|argument| match *argument {
            "ADDRESS" => address.to_string(),
            other => other.to_owned(),
        });
        let log = results.join(format!("{}.stderr", subject.package));
        let stderr = File::create(&log).map_err(Failure::io(log.display()))?;
        let child = Command::new(&program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(Failure::io(program.display()))?;
        let mut server = Self {
            child,
            url: format!("http://{address}/mcp"),
        };
        server.wait_until_it_listens(address, &log)?;
        Ok(server)
    }

    fn wait_until_it_listens(&mut self, address: SocketAddr, log: &Path) -> Result<(), Failure> {
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            let ended = self.child.try_wait().map_err(Failure::io(log.display()))?;
            if ended.is_some() || begun.elapsed() > STARTED {
                let said = fs::read_to_string(log).map_err(Failure::io(log.display()))?;
                return Err(Failure::Found(format!(
                    "the server does not listen\n{said}"
                )));
            }
            #[expect(
                clippy::disallowed_methods,
                reason = "nothing tells when another program listens"
            )]
            sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; either way it is waited for.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A port of the loopback that is free now.
fn free_address() -> Result<SocketAddr, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map_err(Failure::io("a free port"))
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
    fn the_lockfile_names_no_registry() {
        let path = root().join("tests/conformance/package-lock.json");
        let lock = std::fs::read_to_string(path).unwrap();
        assert!(
            !lock.contains("\"resolved\""),
            "see tests/conformance/README.md"
        );
    }

    #[test]
    fn the_summary_is_what_comes_last() {
        assert_eq!(summary("a\n=== SUMMARY ===\nb\n"), "=== SUMMARY ===\nb");
        assert_eq!(summary("a\n"), "a");
    }
}
