//! What is soaked, and for how long.

use std::path::PathBuf;
use std::time::Duration;

use crate::bench::options::value;
use xtask::ArgMatches;
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

/// How many seconds an abuse goes on, unless the command line says otherwise: every deadline of an idle or slow client but that
/// between requests is over by then.
const EACH: u64 = 8;

/// Where the programs are.
#[derive(Debug)]
pub(super) struct Programs(PathBuf);

impl Options {
    pub(super) fn read(given: &ArgMatches) -> Result<Self, Failure> {
        let seconds: u64 = value(given, "seconds")?.unwrap_or(EACH);
        if !(2..=600).contains(&seconds) {
            return Err(Failure::Found("--seconds is 2 to 600".to_owned()));
        }
        Ok(Self {
            each: Duration::from_secs(seconds),
            rows: Rows(value(given, "only")?),
            is_debug: given.get_flag("debug"),
        })
    }

    /// Builds the servers.
    pub(super) fn programs(&self) -> Result<Programs, Failure> {
        if !cfg!(target_os = "linux") {
            let why = "memory and descriptors are read from /proc, so --soak needs Linux";
            return Err(Failure::Found(why.to_owned()));
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
