//! Resident memory: idle, and whether it stays flat however many requests come.

use crate::bench::cases::{CASES, Node};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::programs::Subject;
use crate::command::progress;
use crate::failure::Failure;

const CONNECTIONS: usize = 16;
/// Requests to one process, stage after stage.
const STAGES: &[&str] = &["1000", "99000", "100000"];

/// Loads one process of each server in stages and returns a table.
pub(super) fn measure(bench: &Workbench) -> Result<String, Failure> {
    let mut table = Table::new(
        "Resident memory, MiB, 16 connections",
        &[
            "case",
            "server",
            "idle",
            "after 1,000 requests",
            "after 100,000",
            "after 200,000",
        ],
    );
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
            for requests in STAGES {
                let report = bench.load(
                    &serving,
                    case,
                    case.needle(),
                    CONNECTIONS,
                    ["--requests", requests],
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
