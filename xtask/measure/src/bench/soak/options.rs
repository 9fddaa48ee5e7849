//! What is soaked, and for how long.

use std::path::PathBuf;
use std::time::Duration;

use xtask::command::{cargo, run};
use xtask::failure::Failure;
use xtask::tree::root;

/// The command line of `cargo xtask bench --soak`.
#[derive(Debug)]
pub(super) struct Options {
    /// How long each abuse goes on.
    pub(super) each: Duration,
    pub(super) rows: Rows,
    is_debug: bool,
}

/// Which rows of the tables are measured: those whose name has this in it, or all.
#[derive(Debug, Default)]
pub(super) struct Rows(Option<String>);

/// How long an abuse goes on, unless the command line says otherwise: every deadline of an idle or slow client but that
/// between requests is over by then.
const EACH: Duration = Duration::from_secs(8);

/// Where the programs are.
#[derive(Debug)]
pub(super) struct Programs(PathBuf);

impl Options {
    pub(super) fn read(arguments: &[String]) -> Result<Self, Failure> {
        let mut options = Self {
            each: EACH,
            rows: Rows::default(),
            is_debug: false,
        };
        let mut arguments = arguments.iter().map(String::as_str);
        while let Some(argument) = arguments.next() {
            match argument {
                "--soak" => (),
                "--debug" => options.is_debug = true,
                "--seconds" => {
                    let seconds = number(argument, arguments.next(), 2, 600)?;
                    options.each = Duration::from_secs(seconds);
                }
                "--only" => {
                    let words = arguments.next().map(str::to_owned);
                    options.rows = Rows(Some(words.ok_or_else(|| {
                        Failure::Usage("--only takes words of the names of rows".to_owned())
                    })?));
                }
                other => return Err(Failure::Usage(format!("--soak takes no {other:?}"))),
            }
        }
        Ok(options)
    }

    /// Builds the servers.
    pub(super) fn programs(&self) -> Result<Programs, Failure> {
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
                build.args(["--profile", "dist"]);
                "target/dist"
            }
        };
        run(&mut build)?;
        Ok(Programs(root().join(folder)))
    }
}

impl Rows {
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.as_deref().is_none_or(|words| name.contains(words))
    }
}

fn number(name: &str, value: Option<&str>, least: u64, most: u64) -> Result<u64, Failure> {
    let value = value.and_then(|it| it.parse().ok());
    value
        .filter(|it| (least..=most).contains(it))
        .ok_or_else(|| Failure::Usage(format!("{name} is {least} to {most}")))
}

impl Programs {
    /// The command of the server before this node; the address to listen on follows.
    pub(super) fn qortal_mcp(&self, node: &str) -> Vec<String> {
        let options = ["http", "--node", node, "--listen"].map(str::to_owned);
        std::iter::once(self.path("qortal-mcp"))
            .chain(options)
            .collect()
    }

    /// The command of the server with sessions; the address to listen on follows.
    pub(super) fn everything_server(&self) -> Vec<String> {
        vec![self.path("everything-server")]
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}
