//! What the server holds, and what other clients notice, while clients and nodes do what they should not.

use std::time::{Duration, Instant};

use crate::bench::figures::{Figures, Table};
use crate::bench::soak::abuse::{Abuse, Costs, FOR_ALL, FOR_SESSIONS, NodeIs, Tally};
use crate::bench::soak::clients::{Clients, Seen, percentile_ms};
use crate::bench::soak::options::{Programs, Rows};
use crate::bench::soak::probe::{OFFLINE, Probe, QUICK, TEXT};
use crate::bench::soak::server::Server;
use crate::bench::soak::stage::Stage;
use crate::bench::soak::watch::{self, Usage};
use xtask::command::progress;
use xtask::failure::Failure;

const WARM_UP: Duration = Duration::from_secs(1);
/// Long enough for a 99th percentile of some hundred answers.
const CALM: Duration = Duration::from_secs(4);

/// How much more than at rest a server may hold while it is abused, in KiB: its budget of memory, and 64 MiB for what is
/// not counted.
const PEAK_KIB: u64 = (256 + 64) << 10;
/// How much later the slowest answers of other clients may be, in milliseconds.
const DELAY_MS: f64 = 50.0;
/// How much more than at rest it may keep when all is over, in KiB: allocators do not give everything back.
const REST_KIB: u64 = 64 << 10;
/// How many more descriptors than at rest it may keep: its connections to the node, and those of the clients that go on asking.
const REST_DESCRIPTORS: usize = 8;
/// The most that the system may hold for one connection that reads nothing, in KiB: the server bounds its send buffer at 256 KiB, which Linux
/// doubles for its own structures. It holds 128 KiB of requests that the server does not read (`tcp_rmem`), and the two small buffers of the
/// client, which is on this machine, too.
const CONNECTION_KIB: u64 = 2 * 256 + 128 + 2 * 2 * 16;
/// How much more the sockets of other programs of the machine may hold, in KiB.
const OTHER_SOCKETS_KIB: u64 = 16 << 10;
/// How soon a server is at rest again.
const REST: Duration = Duration::from_secs(60);

const EXPLANATION: &str = "Others are clients at another address: on a connection they keep and on new ones, with a tool that asks no node, and with \
one that does\nwhile the node is well. Promised: none of their requests fails; where the abuse is no more than requests, the 99th percentile of theirs rises by\n50 ms at \
most; memory rises by the budget and 64 MiB at most; a minute later it is at rest again, within 64 MiB and 8 descriptors. The memory of TCP, \
which the system\nholds for all of the machine, rises by 704 KiB for each connection at most: 512 for responses (SO_SNDBUF of 256 KiB, which Linux doubles), 128 for requests\n\
that wait, and 64 for the buffers of these clients, which are on the same machine.\n\n";

/// A table for the server without sessions and one for a server with them, with what does not hold. Each abuse goes on for
/// so long.
pub(super) fn measure(
    stage: &Stage,
    programs: &Programs,
    rows: &Rows,
    each: Duration,
) -> Result<(String, Vec<String>), Failure> {
    let mut text = EXPLANATION.to_owned();
    let mut all_broken = Vec::new();
    for (name, abuses) in [("qortal-mcp", FOR_ALL), ("everything-server", FOR_SESSIONS)] {
        let title = format!("{name} under abuse, {:.0} s each", each.as_secs_f64());
        let mut table = Table::new(
            &title,
            &[
                "clients that",
                "of them",
                "what became of them",
                "others calm: p50, p99 ms",
                "others under abuse: p50, p99 ms",
                "failed",
                "memory at rest → peak → after, MiB",
                "memory of TCP at rest → peak → after, MiB",
                "descriptors",
                "at rest again after",
                "promise",
            ],
        );
        for abuse in abuses.iter().filter(|it| rows.has(it.name)) {
            progress(&format!("{name}: clients that {}", abuse.name))?;
            let (mut cells, broken) = row(stage, programs, name, *abuse, each)?;
            let place = format!("{name}, clients that {}", abuse.name);
            cells.push(judged(&broken));
            all_broken.extend(broken.iter().map(|it| format!("{place}: {it}")));
            table.row(&cells);
        }
        text.push_str(&table.finish());
        text.push('\n');
    }
    Ok((text, all_broken))
}

/// The cell of a table that says what is broken.
fn judged(broken: &[String]) -> String {
    match broken {
        [] => "met".to_owned(),
        broken => format!("NOT MET: {}", broken.join("; ")).replace('|', "\\|"),
    }
}

/// The cells of one row, and what it breaks. Each begins with a server of its own.
fn row(
    stage: &Stage,
    programs: &Programs,
    name: &str,
    abuse: Abuse,
    each: Duration,
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let node = stage.node()?;
    let has_sessions = name != "qortal-mcp";
    let server = Server::start(match has_sessions {
        true => programs.everything_server(),
        false => programs.qortal_mcp(node.url()),
    })?;
    let questions: &[Probe] = match (has_sessions, abuse.node) {
        (true, _) => &[TEXT],
        (false, NodeIs::Well) => &[OFFLINE, QUICK],
        (false, NodeIs::Late(_) | NodeIs::Inventive | NodeIs::Pinging) => &[OFFLINE],
    };
    for question in questions {
        let first = question.first_answer(server.address);
        stage.clients.block_on(first)?;
    }
    abuse.node.make(&node);
    let before = Usage::of(server.process())?;
    let others = Clients::start(stage, server.address, questions);
    stage.pass(WARM_UP);
    let calm = Instant::now();
    stage.pass(CALM);
    let clients = abuse.clients.min(Usage::descriptors_to_spare()?);
    let tally = Tally::default();
    let mut abusers = tokio::task::JoinSet::new();
    for _ in 0..clients {
        let visits = abuse.visit_again_and_again(server.address, tally.clone());
        abusers.spawn_on(visits, stage.abusers.handle());
    }
    let begun = Instant::now();
    let peak = stage.nodes.block_on(watch::peak(server.process(), each))?;
    let over = Instant::now();
    stage.abusers.block_on(abusers.shutdown());
    let (after, at_rest) = settle(stage, &before, server.process())?;
    others.wait_for_all_before(over, stage);
    let seen = others.finish(stage);
    let calm = asked(&seen, calm, begun);
    let abused = asked(&seen, begun, over);
    let failures = abused.iter().map(Seen::all_failures);
    let (failed, why) = failures.fold((0, None), |(failed, why), (more, first)| {
        (failed + more, why.or(first))
    });
    let (calm, under_abuse) = (latencies(&calm), latencies(&abused));
    let mut broken = Vec::new();
    if let Some(why) = why {
        broken.push(format!("{failed} of others failed, the first: {why}"));
    }
    let delay = percentile_ms(&under_abuse, 99) - percentile_ms(&calm, 99);
    if abuse.costs == Costs::Little && (under_abuse.is_empty() || delay > DELAY_MS) {
        broken.push(format!("others waited {delay:.0} ms longer"));
    }
    if peak.resident_kib > before.resident_kib + PEAK_KIB {
        broken.push("it held too much memory".to_owned());
    }
    let connections = u64::try_from(clients).unwrap_or(u64::MAX);
    let sockets_kib = connections.saturating_mul(CONNECTION_KIB) + OTHER_SOCKETS_KIB;
    if peak.sockets_kib > before.sockets_kib + sockets_kib {
        broken.push("the system held too much for it".to_owned());
    }
    if at_rest.is_none() {
        broken.push(format!("not at rest after {} s", REST.as_secs()));
    }
    let cells = vec![
        abuse.name.to_owned(),
        clients.to_string(),
        tally.shown(),
        shown(&calm),
        shown(&under_abuse),
        failed.to_string(),
        [before, peak, after]
            .map(|it| mebibytes(it.resident_kib))
            .join(" → "),
        [before, peak, after]
            .map(|it| mebibytes(it.sockets_kib))
            .join(" → "),
        [before, peak, after]
            .map(|it| it.descriptors.to_string())
            .join(" → "),
        at_rest.map_or_else(
            || "–".to_owned(),
            |it| format!("{:.0} s", it.as_secs_f64().ceil()),
        ),
    ];
    Ok((cells, broken))
}

fn asked(seen: &[(Probe, Seen)], from: Instant, until: Instant) -> Vec<Seen> {
    let seen = seen.iter().map(|(_, seen)| seen.clone());
    seen.map(|seen| seen.asked_within(from, until)).collect()
}

/// The latencies of all, the shortest first.
fn latencies(seen: &[Seen]) -> Vec<Duration> {
    let mut latencies: Vec<_> = seen.iter().flat_map(Seen::latencies).collect();
    latencies.sort_unstable();
    latencies
}

/// Waits until the server holds little more than before; what it holds then, and how long that took, if it did not take too long.
fn settle(
    stage: &Stage,
    before: &Usage,
    process: u32,
) -> Result<(Usage, Option<Duration>), Failure> {
    let begun = Instant::now();
    loop {
        let now = Usage::of(process)?;
        if now.resident_kib <= before.resident_kib + REST_KIB
            && now.descriptors <= before.descriptors + REST_DESCRIPTORS
            && now.sockets_kib <= before.sockets_kib + REST_KIB
        {
            return Ok((now, Some(begun.elapsed())));
        }
        if begun.elapsed() > REST {
            return Ok((now, None));
        }
        stage.pass(watch::SAMPLE);
    }
}

fn shown(latencies: &[Duration]) -> String {
    let percentile = |percent| Figures::from_iter([percentile_ms(latencies, percent)]).shown();
    format!("{}, {}", percentile(50), percentile(99))
}

pub(super) fn mebibytes(kibibytes: u64) -> String {
    kibibytes.div_ceil(1 << 10).to_string()
}
