//! Abuses over and over again, and whether what the server holds stays flat.
//!
//! Each round ends with a rest, in which memory and descriptors are read. After the first fifth of the time, in which
//! caches fill, a line is fitted to these readings: over the rest of the time, it may rise only so much.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::bench::figures::Table;
use crate::bench::soak::abuse::{FOR_ALL, NodeIs, Tally};
use crate::bench::soak::clients::Clients;
use crate::bench::soak::judgment::Judgment;
use crate::bench::soak::options::Programs;
use crate::bench::soak::pressure::mebibytes;
use crate::bench::soak::probe::{OFFLINE, Probe, QUICK};
use crate::bench::soak::server::Server;
use crate::bench::soak::stage::Stage;
use crate::bench::soak::watch::Usage;
use xtask::command::progress;
use xtask::failure::Failure;

const PROBES: &[Probe] = &[QUICK, OFFLINE];
/// How long an abuse goes on in each round.
const ABUSE: Duration = Duration::from_secs(3);
/// How many clients of an abuse there are at most: more would only slow the others down.
const ABUSERS: usize = 64;
/// What is in progress when an abuse ends is over after this time.
const REST: Duration = Duration::from_secs(5);
/// The share of the time in which caches fill, and allocators find their size: one in five.
const FILLING: usize = 5;
/// How much memory may rise, in KiB: what one more arena of the allocator takes.
const RISE_KIB: f64 = (8 << 10) as f64;
/// How many descriptors more there may be: as many as connections to the node come and go.
const RISE_DESCRIPTORS: f64 = 8.0;
/// How many rows are shown.
const ROWS: usize = 15;

/// What the server held at the end of a round.
#[derive(Clone, Copy, Debug)]
struct Reading {
    at: Duration,
    held: Usage,
    /// Since the last one.
    good: f64,
}

/// A table of readings, with what does not hold.
pub(super) fn measure(
    stage: &Stage,
    programs: &Programs,
    total: Duration,
) -> Result<(String, Judgment), Failure> {
    let node = stage.node()?;
    let server = Server::start(programs.qortal_mcp(node.url()))?;
    stage
        .clients
        .block_on(OFFLINE.first_answer(server.address))?;
    let clients = Clients::start(stage, server.address, PROBES);
    let harmless = FOR_ALL.iter().filter(|it| it.node == NodeIs::Well);
    let mut rounds = harmless.cycle();
    let (begun, mut last) = (Instant::now(), Instant::now());
    let mut readings = Vec::new();
    while begun.elapsed() < total {
        let Some(abuse) = rounds.next() else {
            break;
        };
        progress(&format!(
            "{:.0} s: clients that {}",
            begun.elapsed().as_secs_f64(),
            abuse.name
        ))?;
        let mut abusers = JoinSet::new();
        for _ in 0..abuse.clients.min(ABUSERS) {
            let visits = abuse.visit_again_and_again(server.address, Tally::default());
            abusers.spawn_on(visits, stage.abusers.handle());
        }
        stage.pass(ABUSE);
        stage.abusers.block_on(abusers.shutdown());
        stage.pass(REST);
        let now = Instant::now();
        let seen = clients.take();
        let good = seen.iter().map(|(_, seen)| seen.rate(last, now)).sum();
        readings.push(Reading {
            at: begun.elapsed(),
            held: Usage::of(server.process())?,
            good,
        });
        last = now;
    }
    clients.finish(stage);
    Ok(shown(&readings))
}

fn shown(readings: &[Reading]) -> (String, Judgment) {
    let minutes = readings.last().map_or(0.0, |it| it.at.as_secs_f64() / 60.0);
    let mut table = Table::new(
        &format!("Abuses in turn, {minutes:.0} minutes"),
        &[
            "minute",
            "memory, MiB",
            "descriptors",
            "good answers a second",
        ],
    );
    for reading in readings
        .iter()
        .step_by(readings.len().div_ceil(ROWS).max(1))
    {
        table.row(&[
            format!("{:.1}", reading.at.as_secs_f64() / 60.0),
            mebibytes(reading.held.resident_kib),
            reading.held.descriptors.to_string(),
            format!("{:.0}", reading.good),
        ]);
    }
    let judged = readings.get(readings.len() / FILLING..).unwrap_or_default();
    let rise = |held: fn(&Usage) -> f64| {
        let points = judged
            .iter()
            .map(|it| (it.at.as_secs_f64(), held(&it.held)));
        rise(&points.collect::<Vec<_>>())
    };
    let memory = rise(|it| f64::from(u32::try_from(it.resident_kib).unwrap_or(u32::MAX)));
    let descriptors = rise(|it| f64::from(u32::try_from(it.descriptors).unwrap_or(u32::MAX)));
    let mut broken = Vec::new();
    if memory > RISE_KIB {
        broken.push("memory is not flat".to_owned());
    }
    if descriptors > RISE_DESCRIPTORS {
        broken.push("descriptors are not flat".to_owned());
    }
    if judged.len() < 3 {
        broken.push("too short to tell".to_owned());
    }
    let mut judgment = Judgment::default();
    let verdict = judgment.note("abuses in turn", broken);
    let text = format!(
        "{}\nA line through the {} readings after the first fifth of the time rises by {:.1} MiB and {descriptors:.1} descriptors: {verdict}.\n",
        table.finish(),
        judged.len(),
        memory / 1024.0,
    );
    (text, judgment)
}

/// How much the line of least squares through these points rises from the first to the last.
fn rise(points: &[(f64, f64)]) -> f64 {
    let count = f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX));
    let mean = |values: fn(&(f64, f64)) -> f64| points.iter().map(values).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|it| it.0), mean(|it| it.1));
    let products = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y));
    let squares = points.iter().map(|(x, _)| (x - mean_x).powi(2));
    match (points.first(), points.last()) {
        (Some(first), Some(last)) if last.0 > first.0 => {
            products.sum::<f64>() / squares.sum::<f64>() * (last.0 - first.0)
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Reading, rise, shown};
    use crate::bench::soak::watch::Usage;

    #[test]
    fn a_rise_is_that_of_the_line_and_not_of_its_last_point() {
        let level: Vec<_> = (0..10).map(|n| (f64::from(n), f64::from(n % 2))).collect();
        assert!(rise(&level).abs() < 0.5);
        let steep: Vec<_> = (0..10).map(|n| (f64::from(n), f64::from(3 * n))).collect();
        assert!((rise(&steep) - 27.0).abs() < 1e-9);
        assert!(rise(&[]).abs() < 1e-9 && rise(&[(1.0, 5.0)]).abs() < 1e-9);
    }

    #[test]
    fn a_leak_is_told_from_filling() {
        let check = |resident: fn(u32) -> u64, descriptors: fn(u32) -> usize, expected: &[&str]| {
            let readings = (0..50).map(|n| Reading {
                at: Duration::from_secs(u64::from(n) * 30),
                held: Usage {
                    resident_kib: resident(n),
                    descriptors: descriptors(n),
                },
                good: 1.0,
            });
            let (_, judgment) = shown(&readings.collect::<Vec<_>>());
            assert_eq!(judgment.broken(), expected);
        };
        check(|n| 20_000 + u64::from(n.min(9)) * 4_000, |_| 20, &[]);
        check(
            |n| 20_000 + u64::from(n) * 400,
            |_| 20,
            &["abuses in turn: memory is not flat"],
        );
        check(
            |_| 20_000,
            |n| usize::try_from(n).unwrap(),
            &["abuses in turn: descriptors are not flat"],
        );
    }
}
