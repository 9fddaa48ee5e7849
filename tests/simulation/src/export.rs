//! A list that is written to a file in several runs, while blocks come, are replaced, and requests fail.

use std::{collections::BTreeMap, io, time::Duration};

use qortal_client::{Connector, Node, NodeConfig};
use qortal_testnode::{Event, Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Place, Selection};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::random::Random;

const PAID: &str = "QfGwnL6cUCKE9g2ofdBBEwNWb7dgPXMmm2";

/// The lists: a tool and its arguments.
const LISTS: [(&str, &str); 4] = [
    (
        "find_payments",
        r#"{"sender":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#,
    ),
    (
        "get_account_ledger",
        r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#,
    ),
    (
        "list_transactions_by_address",
        r#"{"address":"QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v"}"#,
    ),
    ("search_transactions", r#"{"tx_types":["PAYMENT"]}"#),
];

/// The host of the node.
const HOST: &str = "export";

/// Runs of the program, of which each begins where the one before ended or was stopped.
const RUNS: u64 = 6;

/// Plays one file, and returns what is wrong with it.
pub(crate) async fn play(mut random: Random) -> Result<Vec<String>, String> {
    let node = TestNode::in_memory(HOST, Scenario::recorded());
    let dialer = node.dialer().ok_or("the node has a port")?;
    let connector = Connector::new(move |_, _| {
        let dialed = dialer.dial();
        Box::pin(async move { Ok::<_, io::Error>(Box::new(dialed?) as _) })
    });
    let config = NodeConfig::new(node.url()).with_connector(connector);
    let client = Node::new(config).map_err(|err| err.to_string())?;
    let catalog = Catalog::new(client, &Selection::default()).map_err(|err| err.to_string())?;
    let (tool, arguments) = *random.pick(&LISTS);
    let mut arguments: Value = serde_json::from_str(arguments).map_err(|err| err.to_string())?;
    arguments["order"] = "oldest".into();
    arguments["limit"] = random.within(1..30).into();
    if random.percent(70) {
        arguments["after"] = format!("height {}", random.within(440..468)).into();
    }
    (0..random.within(0..8)).for_each(|_| pay(&node, &mut random));
    let mut file = File::default();
    for run in 0..RUNS {
        // The last one reads to the end of a chain that stays.
        let is_last = run + 1 == RUNS;
        file.read(&catalog, &node, (tool, &arguments), &mut random, !is_last)
            .await?;
        if !is_last {
            happen(&node, &mut random);
        }
    }
    let mut fresh = File::default();
    fresh
        .read(&catalog, &node, (tool, &arguments), &mut random, false)
        .await?;
    node.stop().await;
    let (written, expected) = (counted(&file.rows), counted(&fresh.rows));
    let names = written.keys().chain(expected.keys());
    let wrong = names.filter(|it| written.get(*it) != expected.get(*it));
    let mut wrong: Vec<_> = wrong
        .map(|it| {
            format!(
                "{tool} {arguments}: {it} is written {} times",
                written.get(it).unwrap_or(&0)
            )
        })
        .collect();
    wrong.dedup();
    Ok(wrong)
}

/// The rows of a file, and where they go on.
#[derive(Default)]
struct File {
    rows: Vec<Value>,
    place: Option<Place>,
}

impl File {
    /// Goes on to the end, or until the run is stopped; a failed page is read by the next run.
    async fn read(
        &mut self,
        catalog: &Catalog,
        node: &TestNode,
        (tool, arguments): (&str, &Value),
        random: &mut Random,
        is_troubled: bool,
    ) -> Result<(), String> {
        let entry = catalog.entry(tool).ok_or("no such tool")?;
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let mut pages = catalog.pages(entry, arguments).ok_or("no list")?;
        if let Some(place) = self.place.take() {
            pages = pages.starting_at(place);
        }
        loop {
            if is_troubled && random.percent(20) {
                happen(node, random);
            }
            if is_troubled && random.percent(5) {
                node.fault_times("/*", Fault::Status(500, String::new()), 1);
            }
            let page = pages.next().await;
            let is_stopped = is_troubled && random.percent(10);
            match page {
                None => break,
                Some(Err(err)) if is_troubled => {
                    node.clear_faults();
                    drop(err);
                    break;
                }
                Some(Err(err)) => return Err(err.to_string()),
                Some(Ok(page)) => {
                    if let Some(keep) = page.keep {
                        self.rows
                            .truncate(usize::try_from(keep).unwrap_or(usize::MAX));
                    }
                    self.rows.extend(page.rows);
                }
            }
            if is_stopped {
                break;
            }
        }
        node.clear_faults();
        self.place = Some(pages.place().clone());
        // What the client keeps of the height of the chain is gone by then.
        sleep(Duration::from_secs(2)).await;
        Ok(())
    }
}

fn pay(node: &TestNode, random: &mut Random) {
    let count = u32::try_from(random.within(1..4)).unwrap_or(1);
    node.apply(&Event::Payments {
        to: PAID.to_owned(),
        units: 1,
        count,
    });
}

/// A block, one with payments, or a reorganization of up to seven.
fn happen(node: &TestNode, random: &mut Random) {
    match random.within(0..4) {
        0 => node.apply(&Event::Block),
        1 => pay(node, random),
        _ => {
            let blocks = random.within(1..8);
            (0..blocks).for_each(|_| node.apply(&Event::Orphaned));
            for _ in 0..=blocks {
                match random.within(0..3) {
                    0 => node.apply(&Event::Block),
                    1 => node.apply(&Event::Confirmed),
                    _ => pay(node, random),
                }
            }
        }
    }
}

/// How often each transaction is in each block.
fn counted(rows: &[Value]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let member = |names: [&str; 2]| names.iter().find_map(|it| row.get(*it)).cloned();
        let transaction = member(["transaction", "signature"]);
        let height = member(["height", "blockHeight"]);
        *counts
            .entry(json!([height, transaction]).to_string())
            .or_default() += 1;
    }
    counts
}
