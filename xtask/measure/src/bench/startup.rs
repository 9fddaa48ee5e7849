//! How long a user waits for a server: from its spawn to the first answered `initialize`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::bench::aims::{Found, Quantity};
use crate::bench::cases::{http_greeting, stdio_greeting};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::Workbench;
use crate::bench::options::Options;
use crate::bench::pins::Side;
use crate::bench::programs::{Subject, free_address};
use xtask::command::progress;
use xtask::failure::Failure;

/// Starts each server several times on both transports and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let server = &bench.programs.server;
    let size = fs::metadata(server)
        .map_err(Failure::io(server.display()))?
        .len();
    let kilobytes = u32::try_from(size / 1000).map_or(f64::INFINITY, f64::from);
    found.add(Quantity::Size, [kilobytes / 1000.0].into_iter().collect());
    let title = format!("Start-up, {} starts each", options.starts);
    let mut table = Table::new(&title, &["server", "HTTP ms", "stdio ms"]);
    // The anchors answer anything with this, which passes for an answered handshake.
    let result = bench.file("start.result.json", br#"{"protocolVersion":""}"#)?;
    for subject in [Subject::Ours, Subject::Anchor, Subject::Rmcp] {
        progress(&format!("start-up: {}", subject.name()))?;
        let address = free_address()?;
        let node = bench.node();
        let over_http = starts(
            bench,
            options.starts,
            &bench.file("start.http", http_greeting(address).as_bytes())?,
            &["--address".to_owned(), address.to_string()],
            bench.programs.http(subject, address, node, None),
        )?;
        let over_stdio = starts(
            bench,
            options.starts,
            &bench.file("start.stdio", &stdio_greeting())?,
            &[],
            bench.programs.stdio(subject, node, &result),
        )?;
        table.row(&[
            subject.name().to_owned(),
            over_http.spread(),
            over_stdio.spread(),
        ]);
        if subject == Subject::Ours {
            found.add(Quantity::StartOverHttp, over_http);
            found.add(Quantity::StartOnStdio, over_stdio);
        }
    }
    Ok(table.finish())
}

/// How long so many starts of `command` took, in milliseconds.
pub(super) fn starts(
    bench: &Workbench,
    times: usize,
    greeting: &Path,
    more: &[String],
    command: Vec<String>,
) -> Result<Figures, Failure> {
    let (times, greeting) = (times.to_string(), greeting.display().to_string());
    let first = ["start", "--times", &times, "--greeting", &greeting];
    let mut arguments = first.map(str::to_owned).to_vec();
    arguments.extend(more.iter().cloned().chain(["--".to_owned()]));
    arguments.extend(bench.pinned(Side::Server, command));
    let report = bench.run_load(arguments)?;
    let milliseconds = report
        .as_array()
        .ok_or_else(|| Failure::unreadable("the load's report", "no list of times"))?;
    Ok(milliseconds.iter().filter_map(Value::as_f64).collect())
}
