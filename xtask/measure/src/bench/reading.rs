//! How long reading what servers say takes, beside rmcp.

use std::process::Command;

use serde_json::Value;

use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use crate::bench::pins::Side;
use xtask::command::{output, progress};
use xtask::failure::Failure;

/// Reads each text for a while in every round, and returns a table.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let program = bench.programs.peers.join("reading").display().to_string();
    let seconds = (options.seconds / 10.0).to_string();
    let command = bench.pinned(Side::Server, vec![program, "--seconds".to_owned(), seconds]);
    let mut rounds = Vec::new();
    for round in 1..=options.rounds {
        progress(&format!("reading: round {round}"))?;
        let mut reading = Command::new(command.first().map_or("", String::as_str));
        let said = output(reading.args(command.iter().skip(1)))?;
        let figures: Vec<Value> =
            serde_json::from_str(&said).map_err(|why| Failure::unreadable("reading", why))?;
        rounds.push(figures);
    }
    let columns = ["what", "bytes", "ours, ns", "rmcp, ns", "ours / rmcp"];
    let mut table = Table::new("Reading results of servers", &columns);
    let first = rounds.first().map_or(&[][..], Vec::as_slice);
    for (row, what) in first.iter().enumerate() {
        let of = |name: &'static str| {
            let rows = rounds.iter().filter_map(move |it| it.get(row));
            rows.filter_map(move |it| it.get(name)?.as_f64())
        };
        let (ours, rmcp): (Figures, Figures) = (of("ours").collect(), of("rmcp").collect());
        let ratios: Figures = of("ours").zip(of("rmcp")).map(|(a, b)| a / b).collect();
        let text = |name: &str| what.get(name).map(Value::to_string).unwrap_or_default();
        table.row(&[
            text("name").trim_matches('"').to_owned(),
            text("bytes"),
            ours.shown(),
            rmcp.shown(),
            ratios.spread(),
        ]);
    }
    Ok(table.finish())
}
