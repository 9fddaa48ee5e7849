//! Resident memory: idle, and whether it stays flat however many requests come.

use crate::bench::aims::{Found, Quantity};
use crate::bench::cases::{CASES, Case, LEGACY_CALL, Node};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use crate::bench::programs::Subject;
use xtask::command::progress;
use xtask::failure::Failure;

const CONNECTIONS: usize = 16;
/// After how many requests to one process its memory is read, as far as it answers so many.
const STAGES: [u32; 4] = [1_000, 100_000, USED, GROWN];
/// After how many calls a process has all that it needs.
const USED: u32 = 200_000;
/// After how many it still has no more.
const GROWN: u32 = 1_000_000;

/// Loads one process of each server in stages and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let cases = CASES.iter().filter(|case| case.node == Node::Immediate);
    let loads: Vec<_> = cases
        .flat_map(|case| subjects(case).iter().map(move |subject| (case, *subject)))
        .collect();
    let most = loads.iter().map(|(case, it)| requests(options, case, *it));
    let stages = stages(most.max().unwrap_or(USED));
    let mut columns = vec!["case".to_owned(), "server".to_owned(), "idle".to_owned()];
    columns.extend(stages.iter().map(|it| format!("after {it} requests")));
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("Resident memory, MiB, 16 connections", &columns);
    for (case, subject) in loads {
        progress(&format!("memory: {}, {}", case.name, subject.name()))?;
        let readings = once(bench, case, subject, requests(options, case, subject))?;
        let of = |requests: u32| {
            let known = readings.iter().find(|(stage, _)| *stage == requests);
            known.map(|(_, mebibytes)| *mebibytes)
        };
        if subject == Subject::Ours && case.name == LEGACY_CALL.name {
            found.add(Quantity::Idle, of(0).into_iter().collect());
            found.add(Quantity::Used, of(USED).into_iter().collect());
            let grown = of(GROWN).zip(of(USED)).map(|(last, first)| last - first);
            found.add(Quantity::Grown, grown.into_iter().collect());
        }
        let mut cells = vec![case.name.to_owned(), subject.name().to_owned()];
        let shown = [0].iter().chain(&stages);
        cells.extend(shown.map(|it| of(*it).into_iter().collect::<Figures>().shown()));
        table.row(&cells);
    }
    Ok(table.finish())
}

fn subjects(case: &Case) -> &'static [Subject] {
    match case.tool {
        Some("validate_address") => &[Subject::Ours, Subject::Rmcp],
        _ => &[Subject::Ours],
    }
}

/// How many requests one process answers. A long run shows for one case that memory stays flat.
fn requests(options: &Options, case: &Case, subject: Subject) -> u32 {
    let is_long = subject == Subject::Ours && case.name == LEGACY_CALL.name;
    let usual = match is_long && !options.is_quick {
        true => GROWN,
        false => USED,
    };
    options.requests.unwrap_or(usual)
}

fn stages(requests: u32) -> Vec<u32> {
    let before = STAGES.into_iter().filter(|it| *it < requests);
    before.chain([requests]).collect()
}

/// The memory of one process in MiB, after none and after ever more requests.
fn once(
    bench: &Workbench,
    case: &Case,
    subject: Subject,
    requests: u32,
) -> Result<Vec<(u32, f64)>, Failure> {
    let serving = bench.serve(subject, case.node, None)?;
    let mut readings = Vec::new();
    let mut answered = 0;
    for stage in stages(requests) {
        let more = (stage - answered).to_string();
        answered = stage;
        let extent = ["--requests", more.as_str()];
        let report = bench.load(&serving, case, case.needle(), CONNECTIONS, extent)?;
        if readings.is_empty() {
            readings.push((0, report.rss_before_kib / 1024.0));
        }
        readings.push((stage, report.rss_after_kib / 1024.0));
    }
    Ok(readings)
}

#[cfg(test)]
mod tests {
    use super::stages;

    #[test]
    fn memory_is_read_last_after_the_last_request() {
        for (requests, expected) in [
            (500, &[500][..]),
            (1_000, &[1_000]),
            (200_000, &[1_000, 100_000, 200_000]),
            (1_000_000, &[1_000, 100_000, 200_000, 1_000_000]),
            (2_000_000, &[1_000, 100_000, 200_000, 1_000_000, 2_000_000]),
        ] {
            assert_eq!(stages(requests), expected, "{requests}");
        }
    }
}
