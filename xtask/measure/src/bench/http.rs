//! Throughput, latency and cost over HTTP, case by case.

use std::rc::Rc;

use serde_json::Value;

use crate::bench::aims::{Found, Quantity};
use crate::bench::cases::{CASES, Case, Era, LEGACY_CALL};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Report, Workbench};
use crate::bench::options::Options;
use crate::bench::programs::{Model, Subject};
use xtask::command::progress;
use xtask::failure::Failure;

const CONNECTIONS: &[usize] = &[1, 16, 64];
/// Over so many of them memory is read.
const MEMORY_READ: usize = 16;

/// One server on one case with so many connections, over all rounds.
struct Row {
    case: &'static Case,
    model: Rc<Model>,
    connections: usize,
    subject: Subject,
    /// The anchor's report and the server's, as they were made one after the other.
    pairs: Vec<(Report, Report)>,
}

/// Measures all cases that the peers know, and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for case in CASES {
        let model = Rc::new(model(bench, case)?);
        for connections in CONNECTIONS {
            for subject in subjects(case, *connections) {
                rows.push(Row {
                    case,
                    model: model.clone(),
                    connections: *connections,
                    subject: *subject,
                    pairs: Vec::new(),
                });
            }
        }
    }
    for round in 1..=options.rounds {
        for row in &mut rows {
            progress(&format!(
                "round {round}: {}, {} connections, {}",
                row.case.name,
                row.connections,
                row.subject.name()
            ))?;
            let anchor = once(bench, row, Subject::Anchor, options.seconds)?;
            let server = once(bench, row, row.subject, options.seconds)?;
            row.pairs.push((anchor, server));
        }
    }
    aims(&rows, found);
    Ok(table(&rows))
}

/// Who does it. What no aim is about is left out: a run of all parts is long enough.
fn subjects(case: &Case, connections: usize) -> &'static [Subject] {
    match (case.tool, case.era, connections) {
        (None, Era::Legacy | Era::Modern, _) | (Some(_), Era::Modern, 1) => &[Subject::Ours],
        (Some(_), Era::Legacy | Era::Modern, _) => &[Subject::Ours, Subject::Parse, Subject::Rmcp],
    }
}

/// Adds the ratios that aims are about.
fn aims(rows: &[Row], found: &mut Found) {
    for ours in rows.iter().filter(|it| it.subject == Subject::Ours) {
        let (era, connections) = (ours.case.era, ours.connections);
        if ours.case.name == LEGACY_CALL.name && connections == MEMORY_READ {
            let mebibytes = |figure: fn(&Report) -> f64| {
                let read = ours.pairs.iter().map(|(_, it)| figure(it) / 1024.0);
                read.collect::<Figures>()
            };
            found.add(Quantity::Idle, mebibytes(|it| it.rss_before_kib));
            found.add(Quantity::Used, mebibytes(|it| it.rss_after_kib));
        }
        if ours.case.tool.is_none() {
            let pairs = ours.pairs.iter();
            let ratios = pairs.map(|(anchor, list)| list.per_second / anchor.per_second);
            found.add(Quantity::ListToConstant(era, connections), ratios.collect());
            continue;
        }
        let to = |subject: Subject| {
            let peer = rows.iter().find(|it| {
                it.subject == subject
                    && it.case.name == ours.case.name
                    && it.connections == connections
            });
            let peers = peer.into_iter().flat_map(|it| &it.pairs);
            // The pairs of one place were measured in the same round.
            let ratios = ours.pairs.iter().zip(peers);
            let ratios = ratios.map(|((_, ours), (_, peer))| ours.per_second / peer.per_second);
            ratios.collect::<Figures>()
        };
        found.add(Quantity::CallToParse(era, connections), to(Subject::Parse));
        found.add(Quantity::CallToRmcp(era, connections), to(Subject::Rmcp));
    }
}

/// Asks our server once, so that the peers can answer as much.
fn model(bench: &Workbench, case: &Case) -> Result<Model, Failure> {
    let serving = bench.serve(Subject::Ours, None)?;
    let (answer, result) = bench.answer(&serving, case)?;
    let file = |kind: &str, value: &Value| {
        let name: String = case
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        bench.file(&format!("{name}.{kind}.json"), value.to_string().as_bytes())
    };
    let tools = match result.get("tools") {
        Some(tools) => Some(file("tools", tools)?),
        None => None,
    };
    Ok(Model {
        // Without the line end that the load writes after the answer.
        size: answer.trim_ascii_end().len(),
        result: file("result", &result)?,
        tools,
    })
}

fn once(bench: &Workbench, row: &Row, subject: Subject, seconds: f64) -> Result<Report, Failure> {
    let serving = bench.serve(subject, Some(&row.model))?;
    let is_examined = subject != Subject::Anchor;
    if is_examined {
        bench.answer(&serving, row.case)?;
    }
    let report = bench.load(&serving, row.case, row.connections, seconds)?;
    if is_examined {
        bench.answer(&serving, row.case)?;
    }
    Ok(report)
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(
        "HTTP",
        &[
            "case",
            "conns",
            "server",
            "req/s",
            "p50 ms",
            "p99 ms",
            "server CPU µs/req",
            "req/s ÷ anchor",
            "CPU × anchor",
            "RSS MiB start → load",
        ],
    );
    let same = |a: &Row, b: &Row| a.case.name == b.case.name && a.connections == b.connections;
    for rows in rows.chunk_by(same) {
        let anchors: Vec<(Report, Report)> = rows
            .iter()
            .flat_map(|row| row.pairs.iter().map(|(anchor, _)| (*anchor, *anchor)))
            .collect();
        if let Some(row) = rows.first() {
            table.row(&cells(row, Subject::Anchor, &anchors));
        }
        for row in rows {
            table.row(&cells(row, row.subject, &row.pairs));
        }
    }
    table.finish()
}

fn cells(row: &Row, subject: Subject, pairs: &[(Report, Report)]) -> Vec<String> {
    let of = |figure: fn(&Report) -> f64| {
        let servers = pairs.iter().map(|(_, server)| figure(server));
        servers.collect::<Figures>()
    };
    let ratio = |figure: fn(&Report) -> f64| {
        let ratios = pairs
            .iter()
            .map(|(anchor, server)| figure(server) / figure(anchor));
        ratios.collect::<Figures>()
    };
    vec![
        row.case.name.to_owned(),
        row.connections.to_string(),
        subject.name().to_owned(),
        of(|report| report.per_second).spread(),
        of(|report| report.p50_us / 1000.0).shown(),
        of(|report| report.p99_us / 1000.0).shown(),
        of(|report| report.cpu_us).shown(),
        ratio(|report| report.per_second).spread(),
        ratio(|report| report.cpu_us).shown(),
        format!(
            "{} → {}",
            of(|report| report.rss_before_kib / 1024.0).shown(),
            of(|report| report.rss_after_kib / 1024.0).shown()
        ),
    ]
}
