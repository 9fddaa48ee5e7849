//! The server beside servers of other SDKs with one equivalent tool, installed when they are asked for.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::bench::cases::{LEGACY_CALL, http_greeting};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Report, Workbench};
use crate::bench::options::{Options, PEERS};
use crate::bench::pins::Side;
use crate::bench::programs::{Subject, free_address};
use crate::bench::startup::starts;
use xtask::command::progress;
use xtask::failure::Failure;
use xtask::npm;
use xtask::python;
use xtask::tree::root;

/// How what is compared was measured.
pub(super) const ORDER: &str =
    "qortal-mcp ran right before every other; ratios are taken pair by pair";

const CONNECTIONS: &[usize] = &[1, 16];

/// A server and how it is started.
struct Peer {
    shown: &'static str,
    /// The words before the port, or one that the bench knows.
    start: Start,
    starts: Figures,
    /// For each number of connections, one report a round: ours and that of the peer.
    pairs: Vec<Vec<(Report, Report)>>,
}

enum Start {
    Known(Subject),
    Program(Vec<String>),
}

impl Peer {
    fn new(shown: &'static str, start: Start) -> Self {
        Self {
            shown,
            start,
            starts: Figures::default(),
            pairs: CONNECTIONS.iter().map(|_| Vec::new()).collect(),
        }
    }

    fn named(name: &str) -> Result<Self, Failure> {
        let folder = root().join("bench/peers");
        let program = |interpreter: PathBuf, script: &str| {
            let script = folder.join(script).display().to_string();
            Start::Program(vec![interpreter.display().to_string(), script])
        };
        let python = || {
            let environment = root().join("target/bench/python");
            python::install(&folder.join("python.txt"), &environment)
        };
        Ok(match name {
            "ts" => {
                npm::install(&folder)?;
                let node = npm::node(&folder);
                Self::new("TypeScript SDK 2.4.0", program(node, "sdk.mjs"))
            }
            "python" => Self::new("Python SDK 2.3.0", program(python()?, "sdk.py")),
            "fastmcp" => Self::new("FastMCP 4.0.11", program(python()?, "fast.py")),
            _ => Self::new("rmcp", Start::Known(Subject::Rmcp)),
        })
    }

    fn command(&self, bench: &Workbench, address: SocketAddr) -> Vec<String> {
        match &self.start {
            Start::Known(subject) => {
                let node = bench.node();
                bench.programs.http(*subject, address, node, None)
            }
            Start::Program(words) => {
                let mut words = words.clone();
                words.push(address.port().to_string());
                words
            }
        }
    }
}

/// Measures the peers that were asked for, ours right before each, and returns a table.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let mut peers = vec![Peer::new("qortal-mcp", Start::Known(Subject::Ours))];
    for name in PEERS {
        if options.peers.iter().any(|it| it == name) {
            peers.push(Peer::named(name)?);
        }
    }
    for peer in &mut peers {
        progress(&format!("start-up: {}", peer.shown))?;
        let address = free_address()?;
        let greeting = bench.file("start.http", http_greeting(address).as_bytes())?;
        let more = ["--address".to_owned(), address.to_string()];
        let command = peer.command(bench, address);
        peer.starts = starts(bench, options.starts, &greeting, &more, command)?;
    }
    for round in 1..=options.rounds {
        for peer in &mut peers {
            for (place, connections) in CONNECTIONS.iter().enumerate() {
                progress(&format!(
                    "round {round}: {connections} connections, {}",
                    peer.shown
                ))?;
                let ours = Peer::new("", Start::Known(Subject::Ours));
                let ours = once(bench, options, &ours, *connections)?;
                let peers = once(bench, options, peer, *connections)?;
                if let Some(pairs) = peer.pairs.get_mut(place) {
                    pairs.push((ours, peers));
                }
            }
        }
    }
    Ok(table(&peers))
}

fn once(
    bench: &Workbench,
    options: &Options,
    peer: &Peer,
    connections: usize,
) -> Result<Report, Failure> {
    let address = free_address()?;
    let command = bench.pinned(Side::Server, peer.command(bench, address));
    let serving = bench.serve_at(address, &command)?;
    bench.answer(&serving, &LEGACY_CALL)?;
    bench.load(&serving, &LEGACY_CALL, connections, options.seconds)
}

fn table(peers: &[Peer]) -> String {
    let columns = [
        "server",
        "conns",
        "calls/s",
        "p50 ms",
        "p99 ms",
        "CPU µs/call",
        "CPU × ours",
        "RSS MiB",
        "start ms",
    ];
    let mut table = Table::new("The same tool with other SDKs, over HTTP", &columns);
    for peer in peers {
        for (connections, pairs) in CONNECTIONS.iter().zip(&peer.pairs) {
            let of = |figure: fn(&Report) -> f64| {
                let reports = pairs.iter().map(|(_, peer)| figure(peer));
                reports.collect::<Figures>()
            };
            let ratios = pairs.iter().map(|(ours, peer)| peer.cpu_us / ours.cpu_us);
            table.row(&[
                peer.shown.to_owned(),
                connections.to_string(),
                of(|it| it.per_second).spread(),
                of(|it| it.p50_us / 1000.0).shown(),
                of(|it| it.p99_us / 1000.0).shown(),
                of(|it| it.cpu_us).shown(),
                ratios.collect::<Figures>().spread(),
                of(|it| it.rss_after_kib / 1024.0).shown(),
                peer.starts.shown(),
            ]);
        }
    }
    table.finish()
}
