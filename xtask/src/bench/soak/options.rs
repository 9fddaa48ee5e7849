//! What is soaked, and for how long.

use std::path::PathBuf;
use std::time::Duration;

use crate::bench::soak::abuse::{FOR_ALL, FOR_SESSIONS};
use crate::bench::soak::target::Target;
use crate::command::{cargo, run};
use crate::failure::Failure;
use crate::tree::root;

/// The command line of `cargo xtask bench --soak`.
#[derive(Debug)]
pub(super) struct Options {
    /// How long all abuses take together.
    pub(super) total: Duration,
    is_debug: bool,
    /// Whether docs/reliability.md is written.
    pub(super) writes: bool,
}

impl Options {
    pub(super) fn read(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self {
            total: Duration::from_secs(100),
            is_debug: false,
            writes: false,
        };
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            match argument {
                "--soak" => (),
                "--debug" => options.is_debug = true,
                "--write" => options.writes = true,
                "--seconds" => {
                    let seconds = arguments.next().and_then(|it| it.parse().ok());
                    let seconds = seconds.filter(|it| (10..=3_600).contains(it));
                    let usage = || Failure::Usage("--seconds is 10 to 3600".to_owned());
                    options.total = Duration::from_secs(seconds.ok_or_else(usage)?);
                }
                other => return Err(Failure::Usage(format!("--soak takes no {other:?}"))),
            }
        }
        Ok(options)
    }

    /// Builds the servers.
    pub(super) fn targets(&self) -> Result<[Target; 2], Failure> {
        if !cfg!(target_os = "linux") {
            let why = "memory and descriptors are read from /proc, so --soak needs Linux";
            return Err(Failure::Usage(why.to_owned()));
        }
        let packages = ["--package", "qortal-mcp", "--package", "everything-server"];
        let mut build = cargo();
        build.args(["build", "--locked", "--quiet"]).args(packages);
        let folder = match self.is_debug {
            true => "target/debug",
            false => {
                build.arg("--release");
                "target/release"
            }
        };
        run(&mut build)?;
        let program = |name: &str| -> PathBuf { root().join(folder).join(name) };
        Ok([
            Target {
                name: "qortal-mcp",
                command: vec![
                    program("qortal-mcp").display().to_string(),
                    "http".to_owned(),
                    "--demo".to_owned(),
                    "--listen".to_owned(),
                ],
                tool: "validate_address",
                needle: "isError\":false",
                abuses: FOR_ALL,
            },
            Target {
                name: "everything-server",
                command: vec![program("everything-server").display().to_string()],
                tool: "test_simple_text",
                needle: "simple text",
                abuses: FOR_SESSIONS,
            },
        ])
    }
}
