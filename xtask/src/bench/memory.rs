//! Resident memory: idle, and whether it stays flat however many requests come.

use crate::bench::cases::{CASES, Node};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use crate::bench::programs::Subject;
use crate::command::progress;
use crate::failure::Failure;

const CONNECTIONS: usize = 16;
/// After how many requests to one process its memory is read, besides the last of them.
const STAGES: [u32; 2] = [1_000, 100_000];

/// Loads one process of each server in stages and returns a table.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let stages: Vec<_> = STAGES
        .into_iter()
        .filter(|it| *it < options.requests)
        .chain([options.requests])
        .collect();
    let mut columns = vec!["case".to_owned(), "server".to_owned(), "idle".to_owned()];
    columns.extend(stages.iter().map(|it| format!("after {it} requests")));
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("Resident memory, MiB, 16 connections", &columns);
    let cases = CASES.iter().filter(|case| case.node == Node::Immediate);
    for case in cases {
        let subjects: &[Subject] = match case.tool {
            Some("validate_address") => &[Subject::Ours, Subject::Rmcp],
            _ => &[Subject::Ours],
        };
        for subject in subjects {
            progress(&format!("memory: {}, {}", case.name, subject.name()))?;
            let serving = bench.serve(*subject, case.node, None)?;
            let mut cells = vec![case.name.to_owned(), subject.name().to_owned()];
            let mut answered = 0;
            for stage in &stages {
                let requests = (stage - answered).to_string();
                answered = *stage;
                let report = bench.load(
                    &serving,
                    case,
                    case.needle(),
                    CONNECTIONS,
                    ["--requests", &requests],
                )?;
                if cells.len() == 2 {
                    cells.push(mebibytes(report.rss_before_kib));
                }
                cells.push(mebibytes(report.rss_after_kib));
            }
            table.row(&cells);
        }
    }
    Ok(table.finish())
}

fn mebibytes(kibibytes: f64) -> String {
    Figures::from_iter([kibibytes / 1024.0]).shown()
}
