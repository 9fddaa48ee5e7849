//! Whether a call costs more where there are more tools, more open connections, more subscriptions or more threads.

use crate::bench::aims::Bound;
use crate::bench::cases::{LEGACY_CALL, Node, http_subscription};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Beside, Report, Workbench};
use crate::bench::options::Options;
use crate::bench::pins::Side;
use crate::bench::programs::free_address;
use xtask::command::progress;
use xtask::failure::Failure;

/// One kind of growth: what grows, and the server that is measured at each size.
struct Growth {
    what: &'static str,
    sizes: &'static [usize],
    connections: usize,
    server: Server,
}

#[derive(Clone, Copy)]
enum Server {
    /// Has as many tools.
    Tools,
    /// Has as many other connections open, each of which has sent this.
    Beside(Option<fn(std::net::SocketAddr) -> String>),
    /// Has as many CPUs; the second is shared with the load where there are no three.
    Cpus,
}

const GROWTHS: &[Growth] = &[
    Growth {
        what: "tools",
        sizes: &[94, 1_000],
        connections: 16,
        server: Server::Tools,
    },
    Growth {
        what: "idle connections",
        sizes: &[0, 1_000, 10_000],
        connections: 16,
        server: Server::Beside(None),
    },
    Growth {
        what: "subscriptions",
        sizes: &[0, 100, 1_000],
        connections: 16,
        server: Server::Beside(Some(http_subscription)),
    },
    Growth {
        what: "CPUs of the server",
        sizes: &[1, 2],
        connections: 64,
        server: Server::Cpus,
    },
];

/// What a call may cost at any size, as a multiple of the smallest.
const FLAT: Bound = Bound::AtMost(1.1);
/// How many more calls two CPUs answer than one.
const SCALES: Bound = Bound::AtLeast(1.7);
/// What a call may cost on two CPUs so that they could answer 1.7 times as many: 2 ÷ 1.7.
const CONTENTION: Bound = Bound::AtMost(1.18);
/// Below a table whose last row is judged by that.
const TWO_CPUS: &str = "Whether two CPUs answer 1.7 times as many calls as one cannot be judged on this machine: of its two CPUs the load needs \
     one, which a server on two shares with it. Judged is what threads cost that wait for each other: the CPU time of a call on two CPUs, which may be \
     2 ÷ 1.7 of that on one.";

/// How what is compared was measured.
pub(super) const ORDER: &str = "All sizes ran in turn; ratios are taken within a round";

/// Room for all connections of a measurement, and for as many streams of one client.
const CONNECTIONS: &str = "12000";
const STREAMS: &str = "4000";

/// Measures each size in turn, round by round, and returns a table.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let columns = [
        "what grows",
        "size",
        "conns",
        "calls/s",
        "p50 ms",
        "server CPU µs/call",
        "RSS MiB",
        "× smallest",
        "aim",
        "met",
    ];
    let mut table = Table::new("Growth, validate_address", &columns);
    for growth in GROWTHS {
        // The sizes of a round belong together: ratios are taken within it.
        let mut rounds: Vec<Vec<Report>> = Vec::new();
        for round in 1..=options.rounds {
            let mut sizes = Vec::new();
            for size in growth.sizes {
                progress(&format!("round {round}: {size} {}", growth.what))?;
                sizes.push(once(bench, options, growth, *size)?);
            }
            rounds.push(sizes);
        }
        for (place, size) in growth.sizes.iter().enumerate() {
            let of = |figure: fn(&Report) -> f64| {
                let reports = rounds.iter().filter_map(|sizes| sizes.get(place));
                reports.map(figure).collect::<Figures>()
            };
            let ratios = |figure: fn(&Report) -> f64| {
                let ratios = rounds.iter().filter_map(|sizes| {
                    let (first, this) = (sizes.first()?, sizes.get(place)?);
                    Some(figure(this) / figure(first))
                });
                ratios.collect::<Figures>()
            };
            let (what, ratio, aim) = match growth.server {
                Server::Cpus if bench.has_spare_cpu() => {
                    ("calls/s", ratios(|it| it.per_second), SCALES)
                }
                Server::Cpus => ("CPU", ratios(|it| it.cpu_us), CONTENTION),
                Server::Tools | Server::Beside(_) => ("CPU", ratios(|it| it.cpu_us), FLAT),
            };
            let judged = match place {
                // It is what the others are compared with.
                0 => ["–"; 3].map(str::to_owned),
                _ => [
                    format!("{what} {}", ratio.spread()),
                    aim.shown(""),
                    aim.judge(&ratio).to_owned(),
                ],
            };
            let [ratio, aim, met] = judged;
            table.row(&[
                growth.what.to_owned(),
                size.to_string(),
                growth.connections.to_string(),
                of(|it| it.per_second).spread(),
                of(|it| it.p50_us / 1000.0).shown(),
                of(|it| it.cpu_us).spread(),
                of(|it| it.rss_after_kib / 1024.0).shown(),
                ratio,
                aim,
                met,
            ]);
        }
    }
    let mut text = table.finish();
    if !bench.has_spare_cpu() {
        text.push_str(&format!("\n{TWO_CPUS}\n"));
    }
    Ok(text)
}

fn once(
    bench: &Workbench,
    options: &Options,
    growth: &Growth,
    size: usize,
) -> Result<Report, Failure> {
    let address = free_address()?;
    let listen = address.to_string();
    let ours = || {
        let server = bench.programs.server.display().to_string();
        let node = bench.node(Node::Immediate);
        let words = [
            server.as_str(),
            "http",
            "--client-rate-limit",
            "0",
            "--max-connections",
            CONNECTIONS,
            "--max-streams",
            STREAMS,
            "--listen",
            &listen,
            "--node",
            node,
        ];
        words.map(str::to_owned).to_vec()
    };
    let mut beside = Beside::default();
    let command = match growth.server {
        Server::Tools => {
            let count = size.to_string();
            let catalog = bench.programs.peer("catalog");
            let words = [catalog.as_str(), "--listen", &listen, "--tools", &count];
            bench.pinned(Side::Server, words.map(str::to_owned).to_vec())
        }
        Server::Beside(message) => {
            beside = Beside {
                connections: size,
                message,
            };
            bench.pinned(Side::Server, ours())
        }
        Server::Cpus if size == 1 => bench.pinned(Side::Server, ours()),
        Server::Cpus => bench.pinned(Side::ServerOnTwo, ours()),
    };
    let serving = bench.serve_at(address, &command)?;
    bench.answer(&serving, &LEGACY_CALL)?;
    let seconds = options.seconds.to_string();
    bench.load_beside(
        &serving,
        &LEGACY_CALL,
        LEGACY_CALL.needle(),
        growth.connections,
        ["--seconds", &seconds],
        &beside,
    )
}
