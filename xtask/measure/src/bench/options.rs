//! What is measured, and for how long.

use std::path::PathBuf;
use std::str::FromStr;

use xtask::failure::Failure;

/// The parts of a run.
const PARTS: &[&str] = &[
    "http", "node", "costs", "stdio", "reading", "start", "memory",
];

/// What `--peers` takes, in the order of the table.
pub(super) const PEERS: &[&str] = &["rmcp", "ts", "python", "fastmcp"];

/// The command line of `cargo xtask bench`.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    /// Short, to see that it runs.
    pub(super) is_quick: bool,
    /// How often everything is measured; medians are taken over the rounds.
    pub(super) rounds: usize,
    /// How long each single measurement takes.
    pub(super) seconds: f64,
    /// How often each server is started to see how long that takes.
    pub(super) starts: usize,
    /// One part only.
    pub(super) only: Option<String>,
    /// What a call costs where there is more of something, and nothing else.
    pub(super) growth: bool,
    /// Servers of other SDKs to measure beside ours, and nothing else.
    pub(super) peers: Vec<String>,
    /// How many requests each process answers until its memory is read for the last time, if that was said.
    pub(super) requests: Option<u32>,
    /// Another build of the server than this workspace's release build.
    pub(super) server: Option<PathBuf>,
}

impl Options {
    pub(super) fn read(arguments: &[String]) -> Result<Self, Failure> {
        let quick = arguments.iter().any(|argument| argument == "--quick");
        let mut options = Self {
            is_quick: quick,
            rounds: if quick { 1 } else { 3 },
            seconds: if quick { 1.0 } else { 4.0 },
            starts: if quick { 5 } else { 20 },
            only: None,
            growth: false,
            peers: Vec::new(),
            requests: None,
            server: None,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let name = argument.as_str();
            match name {
                "--quick" => {}
                "--rounds" => options.rounds = value(name, arguments.next())?,
                "--seconds" => options.seconds = value(name, arguments.next())?,
                "--only" => options.only = Some(value(name, arguments.next())?),
                "--growth" => options.growth = true,
                "--peers" => options.peers = list(arguments.next())?,
                "--requests" => options.requests = Some(value(name, arguments.next())?),
                "--server" => options.server = Some(value(name, arguments.next())?),
                _ => return Err(Failure::Usage(format!("bench takes no {argument:?}"))),
            }
        }
        let known = |only: &String| PARTS.contains(&only.as_str());
        if !options.only.iter().all(known) {
            let parts = PARTS.join(", ");
            return Err(Failure::Usage(format!("--only takes one of {parts}")));
        }
        let sensible =
            (1..=100).contains(&options.rounds) && (0.1..=600.0).contains(&options.seconds);
        if !sensible {
            return Err(Failure::Usage(
                "--rounds is 1 to 100, --seconds 0.1 to 600".to_owned(),
            ));
        }
        Ok(options)
    }
}

fn list(names: Option<&String>) -> Result<Vec<String>, Failure> {
    let names: Vec<_> = names.map_or("", String::as_str).split(',').collect();
    match names.iter().all(|it| PEERS.contains(it)) {
        true => Ok(names.into_iter().map(str::to_owned).collect()),
        false => {
            let known = PEERS.join(",");
            Err(Failure::Usage(format!("--peers takes some of {known}")))
        }
    }
}

fn value<T: FromStr>(name: &str, value: Option<&String>) -> Result<T, Failure> {
    value
        .and_then(|value| value.parse().ok())
        .ok_or_else(|| Failure::Usage(format!("{name} wants a value it can read")))
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn check(line: &str, expected: Result<(usize, f64), &str>) {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Options::read(&arguments)
            .map(|options| (options.rounds, options.seconds))
            .map_err(|failure| failure.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{line}");
    }

    #[test]
    fn options_are_read_and_bounded() {
        check("", Ok((3, 4.0)));
        check("--quick", Ok((1, 1.0)));
        check("--seconds 2.5 --quick --rounds 5", Ok((5, 2.5)));
        check("--only stdio", Ok((3, 4.0)));
        check(
            "--only tcp",
            Err("--only takes one of http, node, costs, stdio, reading, start, memory"),
        );
        check("--rounds", Err("--rounds wants a value it can read"));
        check(
            "--rounds 0",
            Err("--rounds is 1 to 100, --seconds 0.1 to 600"),
        );
        check("--fast", Err("bench takes no \"--fast\""));
        check("--growth --requests 1000000 --quick", Ok((1, 1.0)));
        check("--peers ts,rmcp", Ok((3, 4.0)));
        let known = "--peers takes some of rmcp,ts,python,fastmcp";
        check("--peers go", Err(known));
        check("--peers", Err(known));
    }
}
