//! The second and third sets of recorded exchanges. Each exchange is replayed or has a documented reason not to be.

mod clock;
mod corrected;
mod like;
mod more;
mod old;
mod qdn;
mod ratings;
mod scale;
mod trades;
mod websockets;
mod windows;

use std::collections::BTreeSet;

use serde_json::Value;

use qortal_testnode::{Scenario, TestNode};

use crate::recording::{Order, difference, recordings, repeat};

/// All groups.
const GROUPS: [&Group; 11] = [
    &ratings::GROUP,
    &trades::GROUP,
    &like::GROUP,
    &more::GROUP,
    &qdn::GROUP,
    &old::GROUP,
    &clock::GROUP,
    &websockets::GROUP,
    &scale::GROUP,
    &corrected::GROUP,
    &windows::GROUP,
];

/// Number of exchanges in the sets.
const RECORDED: usize = 333;

/// Source of responses from the recorded chain.
const CHAIN: &str = "chain";

/// Source of responses from a chain with 50,000 names, 100,000 QDN resources and 150,000 payments.
const LARGE_CHAIN: &str = "large chain";

/// Fields that are generated on the large chain, so they differ from the recorded ones.
const DRAWN: [&str; 3] = ["signature", "reference", "latestSignature"];

/// The source of exchanges, and the scenario that simulates it.
type Source = (&'static str, fn() -> Scenario);

/// The exchanges of one directory.
struct Group {
    /// The first part of their IDs.
    name: &'static str,
    /// One exchange per line, with a `source` unless it is the recorded chain.
    recordings: &'static str,
    /// The scenario for each source, or for each prefix of IDs.
    scenarios: &'static [Source],
    /// Replayed exchanges with a different response, and the reasons. The list may only get shorter.
    differences: &'static [(&'static str, &'static str)],
    /// IDs, or prefixes of IDs, that no scenario replays, and the reasons.
    not_played: &'static [(&'static str, &'static str)],
}

impl Group {
    fn rows(&self) -> Vec<Value> {
        recordings(self.recordings)
    }

    /// Returns the simulated source of a row.
    fn source(&self, row: &Value) -> Option<&'static str> {
        let source = row["source"].as_str().unwrap_or(CHAIN);
        let id = row["id"].as_str().unwrap();
        let mut scenarios = self.scenarios.iter();
        let found = scenarios.find(|(known, _)| *known == source || id.starts_with(known));
        found.map(|(known, _)| *known)
    }

    fn reason(&self, id: &str) -> Option<&'static str> {
        let mut reasons = self.not_played.iter();
        let found = reasons.find(|(start, _)| id.starts_with(start));
        found.map(|(_, reason)| *reason)
    }
}

#[test]
fn every_exchange_is_played_or_has_a_reason() {
    let mut ids = BTreeSet::new();
    for group in GROUPS {
        for row in group.rows() {
            let id = row["id"].as_str().unwrap().to_owned();
            assert_eq!(id.split('/').next(), Some(group.name), "{id}");
            let (played, reason) = (group.source(&row), group.reason(&id));
            assert!(
                played.is_some() != reason.is_some(),
                "{id} needs a scenario or a reason, and not both"
            );
            assert!(ids.insert(id), "an id stands for one exchange");
        }
        let listed = group.differences.iter().chain(group.not_played);
        for (start, reason) in listed {
            assert!(!reason.is_empty());
            let is_used = ids.iter().any(|id| id.starts_with(start));
            assert!(is_used, "{start} is on a list, but was never recorded");
        }
    }
    assert_eq!(ids.len(), RECORDED);
}

/// Replays the exchanges of a group in order, with a separate node for each source.
async fn play(group: &Group) {
    let mut problems = Vec::new();
    for (source, scenario) in group.scenarios {
        let node = TestNode::start(scenario()).await.unwrap();
        node.expect_unknown_paths();
        for mut recorded in group.rows() {
            if group.source(&recorded) != Some(*source) {
                continue;
            }
            if *source == LARGE_CHAIN {
                ignore_drawn(&mut recorded);
            }
            let recorded = &recorded;
            let id = recorded["id"].as_str().unwrap();
            let received = repeat(node.url(), recorded).await;
            let known = group.differences.iter().any(|(known, _)| *known == id);
            match (difference(recorded, &received, Order::AsRecorded), known) {
                (None, false) | (Some(_), true) => {}
                (Some(difference), false) => problems.push(format!("{id}: {difference}")),
                (None, true) => problems.push(format!("{id}: agrees now, take it off the list")),
            }
        }
        node.stop().await;
    }
    let count = problems.len();
    assert!(
        problems.is_empty(),
        "{count} problems:\n{}",
        problems.join("\n")
    );
}

/// Excludes generated fields from the comparison.
fn ignore_drawn(recorded: &mut Value) {
    let body = recorded["body"].as_str().unwrap_or_default().to_owned();
    let mut volatile = recorded["volatile"].as_array().cloned().unwrap_or_default();
    let drawn = DRAWN.into_iter();
    let drawn = drawn.filter(|member| body.contains(&format!("\"{member}\":")));
    volatile.extend(drawn.map(Value::from));
    recorded["volatile"] = volatile.into();
}
