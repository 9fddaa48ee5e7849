//! Throughput, latency and cost over pipes.

use serde_json::{Value, json};

use crate::bench::aims::{Found, Quantity};
use crate::bench::cases::{LEGACY_CALL, stdio_greeting};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Report, Workbench};
use crate::bench::options::Options;
use crate::bench::pins::Side;
use crate::bench::programs::Subject;
use xtask::command::progress;
use xtask::failure::Failure;

const IN_FLIGHT: &[usize] = &[1, 16, 64];

struct Row {
    in_flight: usize,
    subject: Subject,
    /// Anchor and server, each with the time it took to end after its input.
    pairs: Vec<(Measured, Measured)>,
}

#[derive(Clone, Copy)]
struct Measured {
    report: Report,
    exit_ms: f64,
}

/// Measures `validate_address` with 1, 16 and 64 requests in flight and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let result = examine(bench, Subject::Ours)?;
    examine(bench, Subject::Rmcp)?;
    // The anchor answers the handshake with the same text, which a client only looks through for this member.
    let mut anchored = json!({"protocolVersion": ""});
    if let (Some(anchored), Some(result)) = (anchored.as_object_mut(), result.as_object()) {
        anchored.extend(result.clone());
    }
    bench.file("stdio.result.json", anchored.to_string().as_bytes())?;

    let mut rows = Vec::new();
    for in_flight in IN_FLIGHT {
        for subject in [Subject::Ours, Subject::Rmcp] {
            rows.push(Row {
                in_flight: *in_flight,
                subject,
                pairs: Vec::new(),
            });
        }
    }
    for round in 1..=options.rounds {
        for row in &mut rows {
            progress(&format!(
                "round {round}: stdio, {} in flight, {}",
                row.in_flight,
                row.subject.name()
            ))?;
            let anchor = once(bench, Subject::Anchor, row.in_flight, options.seconds)?;
            let server = once(bench, row.subject, row.in_flight, options.seconds)?;
            row.pairs.push((anchor, server));
        }
    }
    let ours = |in_flight: usize| {
        let is_it = move |row: &&Row| row.subject == Subject::Ours && row.in_flight == in_flight;
        rows.iter().filter(is_it).flat_map(|row| &row.pairs)
    };
    let cpu = ours(16).map(|(_, server)| server.report.cpu_us);
    found.add(Quantity::StdioCpu, cpu.collect());
    let time = ours(1).map(|(anchor, server)| server.report.p50_us / anchor.report.p50_us);
    found.add(Quantity::StdioTime, time.collect());
    Ok(table(&rows))
}

/// What the load program is told to drive `subject` with.
fn arguments(
    bench: &Workbench,
    subcommand: &str,
    subject: Subject,
    more: &[String],
) -> Result<Vec<String>, Failure> {
    let file = |name: &str, content: &[u8]| {
        let path = bench.file(name, content)?;
        Ok::<_, Failure>(path.display().to_string())
    };
    let greeting = file("stdio.greeting", &stdio_greeting())?;
    let request = LEGACY_CALL.message(0).to_string();
    let request = file("stdio.request", request.as_bytes())?;
    let result = bench.file_path("stdio.result.json");
    let command = bench.programs.stdio(subject, bench.node(), &result);
    let mut arguments = [subcommand, "--greeting", &greeting, "--request", &request].to_vec();
    arguments.extend(["--needle", LEGACY_CALL.needle()]);
    let mut arguments: Vec<_> = arguments.into_iter().map(str::to_owned).collect();
    arguments.extend(more.iter().cloned());
    arguments.push("--".to_owned());
    arguments.extend(bench.pinned(Side::Server, command));
    Ok(arguments)
}

/// Looks at one answer of `subject` and returns its result.
fn examine(bench: &Workbench, subject: Subject) -> Result<Value, Failure> {
    let answer = bench.run_load(arguments(bench, "once", subject, &[])?)?;
    LEGACY_CALL.examine(answer.to_string().as_bytes())
}

fn once(
    bench: &Workbench,
    subject: Subject,
    in_flight: usize,
    seconds: f64,
) -> Result<Measured, Failure> {
    let more = [
        "--in-flight".to_owned(),
        in_flight.to_string(),
        "--seconds".to_owned(),
        seconds.to_string(),
    ];
    let report = bench.run_load(arguments(bench, "stdio", subject, &more)?)?;
    Ok(Measured {
        exit_ms: report
            .get("exit_ms")
            .and_then(Value::as_f64)
            .ok_or_else(|| Failure::unreadable("the load's report", "no exit_ms"))?,
        report: Report::read(&report)?,
    })
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new(
        "stdio, validate_address",
        &[
            "in flight",
            "server",
            "msgs/s",
            "p50 µs",
            "p99 µs",
            "server CPU µs/msg",
            "msgs/s ÷ anchor",
            "RSS MiB start → load",
            "ends after its input, ms",
        ],
    );
    for in_flight in IN_FLIGHT {
        let same = || rows.iter().filter(|row| row.in_flight == *in_flight);
        let anchors: Vec<Measured> = same()
            .flat_map(|row| row.pairs.iter().map(|(anchor, _)| *anchor))
            .collect();
        let mut row = cells(*in_flight, "plain loop (anchor)", &anchors);
        row.insert(6, "1".to_owned());
        table.row(&row);
        for row in same() {
            let servers: Vec<Measured> = row.pairs.iter().map(|(_, server)| *server).collect();
            let ratio: Figures = row
                .pairs
                .iter()
                .map(|(anchor, server)| server.report.per_second / anchor.report.per_second)
                .collect();
            let mut cells = cells(*in_flight, row.subject.name(), &servers);
            cells.insert(6, ratio.spread());
            table.row(&cells);
        }
    }
    table.finish()
}

/// All cells but the ratio.
fn cells(in_flight: usize, name: &str, measured: &[Measured]) -> Vec<String> {
    let of = |figure: fn(&Measured) -> f64| measured.iter().map(figure).collect::<Figures>();
    vec![
        in_flight.to_string(),
        name.to_owned(),
        of(|found| found.report.per_second).spread(),
        of(|found| found.report.p50_us).shown(),
        of(|found| found.report.p99_us).shown(),
        of(|found| found.report.cpu_us).shown(),
        format!(
            "{} → {}",
            of(|found| found.report.rss_before_kib / 1024.0).shown(),
            of(|found| found.report.rss_after_kib / 1024.0).shown()
        ),
        of(|found| found.exit_ms).shown(),
    ]
}
