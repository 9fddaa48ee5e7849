//! What the server aims at, and whether the figures of one run reach it.

use crate::bench::cases::Era;
use crate::bench::figures::{Figures, Table};

/// What an aim is about. A part of the bench that measures it adds its figures to [`Found`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Calls a second ÷ those of `parse` in the same round, over so many connections.
    CallToParse(Era, usize),
    /// Calls a second ÷ those of rmcp in the same round.
    CallToRmcp(Era, usize),
    /// Lists a second ÷ those of the anchor right before.
    ListToConstant(Era, usize),
    /// CPU time of a message on stdio, in µs.
    StdioCpu,
    /// Half of the messages on stdio take at most so long, ÷ that of the plain loop.
    StdioTime,
    /// From the spawn to the first answer, in ms.
    StartOverHttp,
    StartOnStdio,
    /// Resident memory of a server that has answered one `initialize`, in MiB.
    Idle,
    /// The same after the calls of a round over 16 connections.
    Used,
    /// The program file, in MB.
    Size,
}

/// Which figures are good enough.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// One row of the table: the part of a run that measures it, what it is called, what it is about, its bound and its unit.
#[derive(Debug)]
struct Aim(&'static str, &'static str, Quantity, Bound, &'static str);

const OF_PARSE: Bound = Bound::AtLeast(0.9);
const OF_RMCP: Bound = Bound::AtLeast(2.5);
const OF_CONSTANT: Bound = Bound::AtLeast(0.9);
const START: Bound = Bound::AtMost(5.0);

#[rustfmt::skip]
const AIMS: &[Aim] = &[
    Aim("http", "`validate_address`, 16 connections: calls/s ÷ `parse`", Quantity::CallToParse(Era::Legacy, 16), OF_PARSE, ""),
    Aim("http", "the same, 64 connections", Quantity::CallToParse(Era::Legacy, 64), OF_PARSE, ""),
    Aim("http", "the same at 2026-07-28, 16 connections", Quantity::CallToParse(Era::Modern, 16), OF_PARSE, ""),
    Aim("http", "the same at 2026-07-28, 64 connections", Quantity::CallToParse(Era::Modern, 64), OF_PARSE, ""),
    Aim("http", "`validate_address`, 16 connections: calls/s ÷ rmcp", Quantity::CallToRmcp(Era::Legacy, 16), OF_RMCP, ""),
    Aim("http", "the same, 64 connections", Quantity::CallToRmcp(Era::Legacy, 64), OF_RMCP, ""),
    Aim("http", "the same at 2026-07-28, 16 connections", Quantity::CallToRmcp(Era::Modern, 16), OF_RMCP, ""),
    Aim("http", "the same at 2026-07-28, 64 connections", Quantity::CallToRmcp(Era::Modern, 64), OF_RMCP, ""),
    Aim("http", "`tools/list`, 16 connections: lists/s ÷ `constant`", Quantity::ListToConstant(Era::Legacy, 16), OF_CONSTANT, ""),
    Aim("http", "the same, 64 connections", Quantity::ListToConstant(Era::Legacy, 64), OF_CONSTANT, ""),
    Aim("http", "the same at 2026-07-28, 16 connections", Quantity::ListToConstant(Era::Modern, 16), OF_CONSTANT, ""),
    Aim("http", "the same at 2026-07-28, 64 connections", Quantity::ListToConstant(Era::Modern, 64), OF_CONSTANT, ""),
    Aim("stdio", "stdio, 16 in flight: CPU time of a message", Quantity::StdioCpu, Bound::AtMost(5.0), " µs"),
    Aim("stdio", "stdio, 1 in flight: p50 ÷ plain loop", Quantity::StdioTime, Bound::AtMost(1.15), ""),
    Aim("start", "start over HTTP", Quantity::StartOverHttp, START, " ms"),
    Aim("start", "start on stdio", Quantity::StartOnStdio, START, " ms"),
    Aim("http", "resident memory, idle", Quantity::Idle, Bound::AtMost(8.0), " MiB"),
    Aim("http", "the same after a round of `validate_address`, 16 connections", Quantity::Used, Bound::AtMost(12.0), " MiB"),
    Aim("start", "the program file", Quantity::Size, Bound::AtMost(17.0), " MB"),
];

/// The figures of a run that aims are about.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<(Quantity, Figures)>);

impl Found {
    pub(super) fn add(&mut self, quantity: Quantity, figures: Figures) {
        self.0.push((quantity, figures));
    }
}

impl Bound {
    pub(super) fn shown(self, unit: &str) -> String {
        match self {
            Self::AtMost(bound) => format!("≤ {bound}{unit}"),
            Self::AtLeast(bound) => format!("≥ {bound}{unit}"),
        }
    }

    /// Judges by the median.
    pub(super) fn judge(self, figures: &Figures) -> &'static str {
        let is_met = match (self, figures.median()) {
            (_, None) => return "not measured",
            (Self::AtMost(bound), Some(median)) => median <= bound,
            (Self::AtLeast(bound), Some(median)) => median >= bound,
        };
        if is_met { "met" } else { "**not met**" }
    }
}

/// The aims of one part, or of all, beside what was found.
pub(super) fn table(only: Option<&str>, found: &Found) -> String {
    let mut table = Table::new("Aims", &["what", "aim", "this run", "met"]);
    let wanted = |aim: &&Aim| only.is_none_or(|only| only == aim.0);
    for Aim(_, what, quantity, bound, unit) in AIMS.iter().filter(wanted) {
        let known = found.0.iter().find(|(known, _)| known == quantity);
        let figures = known.map_or_else(Figures::default, |(_, it)| it.clone());
        table.row(&[
            (*what).to_owned(),
            bound.shown(unit),
            figures.spread(),
            bound.judge(&figures).to_owned(),
        ]);
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use crate::bench::aims::{Bound, Found, Quantity, table};

    fn check(bound: Bound, figures: &[f64], shown: &str, judgment: &str) {
        assert_eq!(bound.shown(" ms"), shown);
        let found = bound.judge(&figures.iter().copied().collect());
        assert_eq!(found, judgment, "{bound:?} of {figures:?}");
    }

    #[test]
    fn the_median_decides() {
        check(Bound::AtMost(5.0), &[5.0], "≤ 5 ms", "met");
        check(Bound::AtMost(5.0), &[5.001], "≤ 5 ms", "**not met**");
        check(Bound::AtMost(0.1), &[0.1, 9.0, 0.0], "≤ 0.1 ms", "met");
        check(Bound::AtMost(5.0), &[], "≤ 5 ms", "not measured");
        check(Bound::AtLeast(0.9), &[0.9], "≥ 0.9 ms", "met");
        check(Bound::AtLeast(0.9), &[0.899], "≥ 0.9 ms", "**not met**");
        check(
            Bound::AtLeast(2.5),
            &[2.4, 9.0, 2.4],
            "≥ 2.5 ms",
            "**not met**",
        );
        check(Bound::AtLeast(2.5), &[], "≥ 2.5 ms", "not measured");
        // A ratio to nothing is no figure that an aim is met by.
        check(Bound::AtLeast(0.9), &[f64::NAN], "≥ 0.9 ms", "**not met**");
    }

    #[test]
    fn a_part_has_its_own_aims() {
        let mut found = Found::default();
        found.add(Quantity::Size, [17.5].into_iter().collect());
        let text = table(Some("start"), &found);
        assert_eq!(
            text,
            "## Aims\n\n| what | aim | this run | met |\n| --- | --- | --- | --- |\n\
             | start over HTTP | ≤ 5 ms | – | not measured |\n\
             | start on stdio | ≤ 5 ms | – | not measured |\n\
             | the program file | ≤ 17 MB | 17.5 | **not met** |\n"
        );
    }
}
