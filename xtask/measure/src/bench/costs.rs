//! What it costs that a request names another set of tools, that each client has a rate, and that arguments are hashed.

use crate::bench::cases::{ASKABLE, CHOSEN, Case, LEGACY_CALL, MODERN_CALL};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Report, Workbench};
use crate::bench::options::Options;
use crate::bench::programs::Subject;
use xtask::command::progress;
use xtask::failure::Failure;

const CONNECTIONS: &[usize] = &[1, 16];

type Load = (Subject, Case);

/// What is added, calls without it, and calls with it.
const COSTS: &[(&str, Load, Load)] = &[
    (
        "1,000 sets of tools by header",
        (Subject::Ours, LEGACY_CALL),
        (Subject::Ours, CHOSEN),
    ),
    (
        "a limit on each client's rate",
        (Subject::Ours, LEGACY_CALL),
        (Subject::Limited, LEGACY_CALL),
    ),
    (
        "hashing the arguments of a client that can be asked",
        (Subject::Ours, MODERN_CALL),
        (Subject::Ours, ASKABLE),
    ),
];

/// Measures calls without and with each in turn, and returns a table of their ratios: 1 is no cost.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let columns = [
        "what is added",
        "conns",
        "time × plain",
        "p50 × plain",
        "CPU × plain",
    ];
    let mut table = Table::new("What is added to validate_address", &columns);
    for (name, without, with) in COSTS {
        for connections in CONNECTIONS {
            let mut pairs = Vec::new();
            for round in 1..=options.rounds {
                progress(&format!("round {round}: {name}, {connections} connections"))?;
                let plain = once(bench, options, without, *connections)?;
                pairs.push((plain, once(bench, options, with, *connections)?));
            }
            let ratio = |figure: fn(&Report) -> f64| {
                let ratios = pairs
                    .iter()
                    .map(|(plain, other)| figure(other) / figure(plain));
                ratios.collect::<Figures>().spread()
            };
            table.row(&[
                (*name).to_owned(),
                connections.to_string(),
                ratio(|it| 1.0 / it.per_second),
                ratio(|it| it.p50_us),
                ratio(|it| it.cpu_us),
            ]);
        }
    }
    Ok(table.finish())
}

fn once(
    bench: &Workbench,
    options: &Options,
    (subject, case): &Load,
    connections: usize,
) -> Result<Report, Failure> {
    let serving = bench.serve(*subject, case.node, None)?;
    bench.answer(&serving, case)?;
    let seconds = options.seconds.to_string();
    let extent = ["--seconds", seconds.as_str()];
    bench.load(&serving, case, case.needle(), connections, extent)
}
