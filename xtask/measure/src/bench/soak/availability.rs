//! How many questions are answered before, during and after something happens to the node.

use std::time::{Duration, Instant};

use qortal_testnode::TestNode;

use crate::bench::figures::Table;
use crate::bench::soak::clients::{Clients, Seen};
use crate::bench::soak::fault::{ALL, BEHIND, Trouble, get_ahead};
use crate::bench::soak::judgment::Judgment;
use crate::bench::soak::options::{Programs, Rows};
use crate::bench::soak::probe::{Asks, FROM_OTHER, HEALTH, LIST, OFFLINE, OWN, Probe, QUICK, SLOW};
use crate::bench::soak::server::Server;
use crate::bench::soak::stage::Stage;
use xtask::command::progress;
use xtask::failure::Failure;

/// What is asked all the time, by two clients each.
const PROBES: &[Probe] = &[QUICK, SLOW, OWN, OFFLINE, LIST, HEALTH];

/// Connections are opened and code is paged in before anything is measured.
const WARM_UP: Duration = Duration::from_secs(1);
const BEFORE: Duration = Duration::from_secs(2);
const AFTER: Duration = Duration::from_secs(4);
/// After an outage of the node, the first good answer comes within this time.
const SERVED_AGAIN: Duration = Duration::from_secs(2);
/// What asks no node is answered all the time: never is there so long no good answer. Much more than a process waits for
/// its turn.
const UNDISTURBED: Duration = Duration::from_secs(1);

const EXPLANATION: &str = "Good answers a second in the 2 s before, during, and in the 4 s after; then the seconds from its end to the first good \
answer.\nPromised: that one within 2 s; meanwhile everything that asks no node, without a failure or a pause of a second; and with two nodes, \
while the\nfirst is out of order, each answer about the chain.\n\n";

/// A server with its nodes, the configured one first.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) server: Server,
    pub(super) nodes: Vec<TestNode>,
}

impl Site {
    /// With so many nodes.
    pub(super) fn start(stage: &Stage, programs: &Programs, count: usize) -> Result<Self, Failure> {
        let nodes = (0..count).map(|_| stage.node());
        let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
        let urls: Vec<_> = nodes.iter().map(|node| node.url().to_owned()).collect();
        let server = Server::start(programs.qortal_mcp(&urls))?;
        stage
            .clients
            .block_on(OFFLINE.first_answer(server.address))?;
        Ok(Self { server, nodes })
    }
}

/// A table for one node and one for two, with what does not hold.
pub(super) fn measure(
    stage: &Stage,
    programs: &Programs,
    rows: &Rows,
) -> Result<(String, Judgment), Failure> {
    let mut text = EXPLANATION.to_owned();
    let mut judgment = Judgment::default();
    for count in [1, 2] {
        let title = match count {
            1 => "One node, in trouble",
            _ => "Two nodes, the first in trouble",
        };
        let mut columns = vec!["a node that"];
        columns.extend(PROBES.iter().map(|it| it.name));
        columns.push("promise");
        let mut table = Table::new(title, &columns);
        for trouble in ALL.iter().filter(|it| rows.has(it.name)) {
            progress(&format!("{title}: it {}", trouble.name))?;
            let site = Site::start(stage, programs, count)?;
            let (mut cells, broken) = row(stage, &site, trouble);
            let where_ = format!("{title}, it {}", trouble.name);
            cells.push(judgment.note(&where_, broken));
            table.row(&cells);
        }
        text.push_str(&table.finish());
        text.push('\n');
    }
    if rows.has("is behind") {
        text.push_str(&behind(stage, programs, &mut judgment)?);
    }
    Ok((text, judgment))
}

/// The cells of one row, and what it breaks.
fn row(stage: &Stage, site: &Site, trouble: &Trouble) -> (Vec<String>, Vec<String>) {
    let [own, others @ ..] = site.nodes.as_slice() else {
        return Default::default();
    };
    let clients = Clients::start(stage, site.server.address, PROBES);
    stage.pass(WARM_UP);
    let begun = Instant::now();
    stage.pass(BEFORE);
    trouble.begin(own);
    let on = Instant::now();
    stage.pass(trouble.lasts);
    let off = Instant::now();
    trouble.end(own);
    stage.pass(AFTER);
    let over = Instant::now();
    let mut cells = vec![trouble.name.to_owned()];
    let mut broken = Vec::new();
    for (question, seen) in clients.finish(stage) {
        let rates = [(begun, on), (on, off), (off, over)].map(|(from, until)| {
            let rate = seen.rate(from, until);
            format!("{rate:.0}")
        });
        let first = seen.first_good_after(off);
        let shown = first.map_or_else(
            || "never".to_owned(),
            |it| format!("{:.1}", it.as_secs_f64()),
        );
        cells.push(format!("{}, {shown} s", rates.join(" → ")));
        if first.is_none_or(|it| it > SERVED_AGAIN) {
            broken.push(format!(
                "{}: first good answer {shown} s after",
                question.name
            ));
        }
        let is_covered = trouble.is_outage && !others.is_empty();
        broken.extend(missed(&question, &seen, is_covered, on, off));
    }
    (cells, broken)
}

/// What was not answered during the trouble although it should have been.
fn missed(
    question: &Probe,
    seen: &Seen,
    is_covered: bool,
    on: Instant,
    off: Instant,
) -> Option<String> {
    let name = question.name;
    match question.asks {
        Asks::Nothing => {
            let gap = seen.longest_gap(on, off);
            let (failed, why) = seen.failures(on, off);
            if let Some(why) = why {
                return Some(format!(
                    "{name}: {failed} failed meanwhile, the first: {why}"
                ));
            }
            (gap > UNDISTURBED).then(|| format!("{name}: none for {:.1} s", gap.as_secs_f64()))
        }
        // A node that is gone for as long as it takes to notice that costs time, and no answer.
        Asks::Any if is_covered => match seen.failures(on, off) {
            (0, _) => None,
            (failed, why) => {
                let why = why.unwrap_or_default();
                Some(format!(
                    "{name}: {failed} not asked of the other node, the first: {why}"
                ))
            }
        },
        Asks::Any | Asks::Own => None,
    }
}

/// A node that is behind: each answer about the chain comes from the other one, and says so.
fn behind(stage: &Stage, programs: &Programs, judgment: &mut Judgment) -> Result<String, Failure> {
    progress("Two nodes, the first behind")?;
    let site = Site::start(stage, programs, 2)?;
    if let [_, other] = site.nodes.as_slice() {
        get_ahead(other);
    }
    let clients = Clients::start(stage, site.server.address, &[FROM_OTHER]);
    let begun = Instant::now();
    stage.pass(BEFORE + AFTER);
    let over = Instant::now();
    let mut text = String::new();
    for (_, seen) in clients.finish(stage) {
        let (failed, why) = seen.failures(begun, over);
        let rate = seen.rate(begun, over);
        let broken = match why {
            None if rate > 0.0 => None,
            why => Some(format!(
                "{failed} of its own answers: {}",
                why.unwrap_or("none came")
            )),
        };
        let verdict = judgment.note("a node that is behind", broken.into_iter().collect());
        text = format!(
            "With the first of two nodes {BEHIND} blocks behind, {rate:.0} answers a second came from the other and said so, \
             and {failed} did not: {verdict}.\n"
        );
    }
    Ok(text)
}
