//! What is measured, and for how long.

use std::path::PathBuf;
use std::str::FromStr;

use xtask::ArgMatches;
use xtask::failure::Failure;

/// The parts of a run.
const PARTS: &[&str] = &["http", "stdio", "start"];

/// What `--peers` takes, in the order of the table.
pub(super) const PEERS: &[&str] = &["rmcp", "ts", "python", "fastmcp"];

/// The command line of `cargo xtask bench`.
#[derive(Debug)]
pub(super) struct Options {
    /// How often everything is measured; medians are taken over the rounds.
    pub(super) rounds: usize,
    /// How long each single measurement takes.
    pub(super) seconds: f64,
    /// How often each server is started to see how long that takes.
    pub(super) starts: usize,
    /// One part only.
    pub(super) only: Option<String>,
    /// Servers of other SDKs to measure beside ours, and nothing else.
    pub(super) peers: Vec<String>,
    /// Another build of the server than this workspace's release build.
    pub(super) server: Option<PathBuf>,
}

impl Options {
    pub(super) fn read(given: &ArgMatches) -> Result<Self, Failure> {
        let (rounds, seconds, starts) = match given.get_flag("quick") {
            true => (1, 1.0, 5),
            false => (3, 4.0, 20),
        };
        let peers = value::<String>(given, "peers")?;
        let peers = peers.iter().flat_map(|it| it.split(','));
        Ok(Self {
            rounds: value(given, "rounds")?.unwrap_or(rounds),
            seconds: value(given, "seconds")?.unwrap_or(seconds),
            starts,
            only: value::<String>(given, "only")?
                .map(|it| known(it, PARTS))
                .transpose()?,
            peers: peers
                .map(|it| known(it.to_owned(), PEERS))
                .collect::<Result<_, _>>()?,
            server: value(given, "server")?,
        })
    }
}

pub(super) fn value<T: FromStr>(given: &ArgMatches, name: &str) -> Result<Option<T>, Failure> {
    let unreadable = || Failure::Found(format!("--{name} wants a value it can read"));
    let text = given.get_one::<String>(name);
    text.map(|it| it.parse().map_err(|_| unreadable()))
        .transpose()
}

fn known(name: String, of: &[&str]) -> Result<String, Failure> {
    match of.contains(&name.as_str()) {
        true => Ok(name),
        false => Err(Failure::Found(format!(
            "there is no {name}, but {}",
            of.join(", ")
        ))),
    }
}
