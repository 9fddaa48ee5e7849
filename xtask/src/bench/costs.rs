//! What it costs that each request names another set of tools, beside requests that name none.

use crate::bench::cases::{CASES, CHOSEN, Case};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{Report, Workbench};
use crate::bench::options::Options;
use crate::bench::programs::Subject;
use crate::command::progress;
use crate::failure::Failure;

const CONNECTIONS: &[usize] = &[1, 16];

/// Measures both in turn, and returns a table of their ratios: 1 is no cost.
pub(super) fn measure(bench: &Workbench, options: &Options) -> Result<String, Failure> {
    let Some(plain) = CASES.first() else {
        return Err(Failure::Usage("there is no case".to_owned()));
    };
    let columns = ["conns", "time × plain", "p50 × plain", "CPU × plain"];
    let mut table = Table::new(CHOSEN.name, &columns);
    for connections in CONNECTIONS {
        let mut pairs = Vec::new();
        for round in 1..=options.rounds {
            progress(&format!(
                "round {round}: {}, {connections} connections",
                CHOSEN.name
            ))?;
            let plain = once(bench, options, plain, *connections)?;
            pairs.push((plain, once(bench, options, &CHOSEN, *connections)?));
        }
        let ratio = |figure: fn(&Report) -> f64| {
            let ratios = pairs
                .iter()
                .map(|(plain, chosen)| figure(chosen) / figure(plain));
            ratios.collect::<Figures>().spread()
        };
        table.row(&[
            connections.to_string(),
            ratio(|it| 1.0 / it.per_second),
            ratio(|it| it.p50_us),
            ratio(|it| it.cpu_us),
        ]);
    }
    Ok(table.finish())
}

fn once(
    bench: &Workbench,
    options: &Options,
    case: &Case,
    connections: usize,
) -> Result<Report, Failure> {
    let serving = bench.serve(Subject::Ours, case.node, None)?;
    bench.answer(&serving, case)?;
    let seconds = options.seconds.to_string();
    let extent = ["--seconds", seconds.as_str()];
    bench.load(&serving, case, case.needle(), connections, extent)
}
