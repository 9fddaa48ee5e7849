//! What the server aims at, and whether the figures of one run reach it.

use crate::bench::cases::{Era, Node};
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
    /// What a tool adds to the time of its requests to a node, in ms.
    AddedToNode(&'static str, Node),
    /// CPU time for each request that the node counted, in µs.
    NodeRequest(&'static str, Node),
    /// CPU time for each member of each row of a page, in µs.
    Member,
    /// From the spawn to the first answer, in ms.
    StartOverHttp,
    StartOnStdio,
    /// Resident memory of a server that has answered one `initialize`, in MiB.
    Idle,
    /// The same after 200,000 calls.
    Used,
    /// How much more that is after a million, in MiB.
    Grown,
    /// The program file, in MB.
    Size,
}

/// Which figures are good enough.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// One row of the table.
#[derive(Debug)]
struct Aim {
    /// The part of a run that measures it.
    part: &'static str,
    what: &'static str,
    quantity: Quantity,
    bound: Bound,
    unit: &'static str,
}

const fn aim(
    part: &'static str,
    what: &'static str,
    quantity: Quantity,
    bound: Bound,
    unit: &'static str,
) -> Aim {
    Aim {
        part,
        what,
        quantity,
        bound,
        unit,
    }
}

/// A tool that asks the node once, and one that asks it four times at once.
pub(super) const ONCE: &str = "get_balance";
pub(super) const FOUR_TIMES: &str = "get_account_overview";

const OF_PARSE: Bound = Bound::AtLeast(0.9);
const OF_RMCP: Bound = Bound::AtLeast(2.5);
const OF_CONSTANT: Bound = Bound::AtLeast(0.9);
const ADDED: Bound = Bound::AtMost(0.1);
const NODE_REQUEST: Bound = Bound::AtMost(60.0);
const START: Bound = Bound::AtMost(5.0);

#[rustfmt::skip]
const AIMS: &[Aim] = &[
    aim("http", "`validate_address`, 16 connections: calls/s ÷ `parse`", Quantity::CallToParse(Era::Legacy, 16), OF_PARSE, ""),
    aim("http", "the same, 64 connections", Quantity::CallToParse(Era::Legacy, 64), OF_PARSE, ""),
    aim("http", "the same at 2026-07-28, 16 connections", Quantity::CallToParse(Era::Modern, 16), OF_PARSE, ""),
    aim("http", "the same at 2026-07-28, 64 connections", Quantity::CallToParse(Era::Modern, 64), OF_PARSE, ""),
    aim("http", "`validate_address`, 16 connections: calls/s ÷ rmcp", Quantity::CallToRmcp(Era::Legacy, 16), OF_RMCP, ""),
    aim("http", "the same, 64 connections", Quantity::CallToRmcp(Era::Legacy, 64), OF_RMCP, ""),
    aim("http", "the same at 2026-07-28, 16 connections", Quantity::CallToRmcp(Era::Modern, 16), OF_RMCP, ""),
    aim("http", "the same at 2026-07-28, 64 connections", Quantity::CallToRmcp(Era::Modern, 64), OF_RMCP, ""),
    aim("http", "`tools/list`, 16 connections: lists/s ÷ `constant`", Quantity::ListToConstant(Era::Legacy, 16), OF_CONSTANT, ""),
    aim("http", "the same, 64 connections", Quantity::ListToConstant(Era::Legacy, 64), OF_CONSTANT, ""),
    aim("http", "the same at 2026-07-28, 16 connections", Quantity::ListToConstant(Era::Modern, 16), OF_CONSTANT, ""),
    aim("http", "the same at 2026-07-28, 64 connections", Quantity::ListToConstant(Era::Modern, 64), OF_CONSTANT, ""),
    aim("stdio", "stdio, 16 in flight: CPU time of a message", Quantity::StdioCpu, Bound::AtMost(5.0), " µs"),
    aim("stdio", "stdio, 1 in flight: p50 ÷ plain loop", Quantity::StdioTime, Bound::AtMost(1.15), ""),
    aim("node", "`get_balance`, 1 connection: p50 added to a node that answers at once", Quantity::AddedToNode(ONCE, Node::Immediate), ADDED, " ms"),
    aim("node", "the same, to a node that takes 20 ms", Quantity::AddedToNode(ONCE, Node::Distant), ADDED, " ms"),
    aim("node", "`get_account_overview`, 1 connection: p50 added to a node that answers at once", Quantity::AddedToNode(FOUR_TIMES, Node::Immediate), ADDED, " ms"),
    aim("node", "the same, to a node that takes 20 ms", Quantity::AddedToNode(FOUR_TIMES, Node::Distant), ADDED, " ms"),
    aim("node", "`get_balance`, 16 connections: CPU time per node request, node at once", Quantity::NodeRequest(ONCE, Node::Immediate), NODE_REQUEST, " µs"),
    aim("node", "the same, node of 20 ms", Quantity::NodeRequest(ONCE, Node::Distant), NODE_REQUEST, " µs"),
    aim("node", "`get_account_overview`, 16 connections: CPU time per node request, node at once", Quantity::NodeRequest(FOUR_TIMES, Node::Immediate), NODE_REQUEST, " µs"),
    aim("node", "the same, node of 20 ms", Quantity::NodeRequest(FOUR_TIMES, Node::Distant), NODE_REQUEST, " µs"),
    aim("node", "`list_names`, 100 rows, 16 connections: CPU time per row and member", Quantity::Member, Bound::AtMost(1.0), " µs"),
    aim("start", "start over HTTP", Quantity::StartOverHttp, START, " ms"),
    aim("start", "start on stdio", Quantity::StartOnStdio, START, " ms"),
    aim("memory", "resident memory, idle", Quantity::Idle, Bound::AtMost(8.0), " MiB"),
    aim("memory", "the same after 200,000 calls of `validate_address`", Quantity::Used, Bound::AtMost(12.0), " MiB"),
    aim("memory", "what is added until a million calls", Quantity::Grown, Bound::AtMost(0.5), " MiB"),
    aim("start", "the program file", Quantity::Size, Bound::AtMost(12.0), " MB"),
];

/// The figures of a run that aims are about.
#[derive(Debug, Default)]
pub(super) struct Found {
    figures: Vec<(Quantity, Figures)>,
    /// What a reader has to know of them.
    notes: Vec<String>,
}

impl Found {
    pub(super) fn add(&mut self, quantity: Quantity, figures: Figures) {
        self.figures.push((quantity, figures));
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn of(&self, quantity: Quantity) -> Figures {
        let known = self.figures.iter().find(|(known, _)| *known == quantity);
        known
            .map(|(_, figures)| figures.clone())
            .unwrap_or_default()
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
pub(super) fn table(only: Option<&str>, found: &Found) -> Option<String> {
    let wanted = |aim: &&Aim| only.is_none_or(|only| only == aim.part);
    let mut aims = AIMS.iter().filter(wanted).peekable();
    aims.peek()?;
    let mut table = Table::new("Aims", &["what", "aim", "this run", "met"]);
    for aim in aims {
        let figures = found.of(aim.quantity);
        table.row(&[
            aim.what.to_owned(),
            aim.bound.shown(aim.unit),
            figures.spread(),
            aim.bound.judge(&figures).to_owned(),
        ]);
    }
    let mut text = table.finish();
    for note in &found.notes {
        text.push_str(&format!("\n{note}\n"));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{AIMS, Bound, Found, Quantity, table};

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
        found.add(Quantity::Idle, [8.5].into_iter().collect());
        found.add(Quantity::Used, [9.0].into_iter().collect());
        found.note("A note.".to_owned());
        let text = table(Some("memory"), &found).unwrap();
        assert_eq!(
            text,
            "## Aims\n\n| what | aim | this run | met |\n| --- | --- | --- | --- |\n\
             | resident memory, idle | ≤ 8 MiB | 8.50 | **not met** |\n\
             | the same after 200,000 calls of `validate_address` | ≤ 12 MiB | 9.00 | met |\n\
             | what is added until a million calls | ≤ 0.5 MiB | – | not measured |\n\
             \nA note.\n"
        );
        assert_eq!(table(Some("reading"), &found), None);
        let rows = table(None, &found).unwrap().matches("\n| ").count();
        assert_eq!(rows, AIMS.len() + 2);
    }

    #[test]
    fn no_two_aims_are_about_the_same() {
        for (place, aim) in AIMS.iter().enumerate() {
            let more = AIMS.iter().skip(place + 1);
            let same = more.filter(|other| other.quantity == aim.quantity);
            assert_eq!(same.count(), 0, "{aim:?}");
        }
    }
}
