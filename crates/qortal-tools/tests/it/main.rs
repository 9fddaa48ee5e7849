//! Every tool over the simulated node: what it answers, what it refuses, and what it asks the node for.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should say so"
)]

mod accounts;
mod apps;
mod arguments;
mod asset_ledgers;
mod assets;
mod blocks;
mod charts;
mod chat;
mod chat_forms;
mod contents;
mod continued;
mod contract;
mod cost;
mod defaults;
mod demo;
mod details;
mod dynamic;
mod fallback;
mod faults;
mod find_tools;
mod forbidden;
mod forms;
mod group_rules;
mod groups;
mod growing;
mod growth;
mod health;
mod host;
mod keys;
mod ledgers;
mod leniency;
mod links;
mod long_ledgers;
mod minting;
mod names;
mod node;
mod observed;
mod offline;
mod older;
mod paging;
mod parts;
mod people;
mod person;
mod plans;
mod polls;
mod progress;
mod publishers;
mod python;
mod qdn;
mod qdn_peers;
mod questions;
mod ranges;
mod raw_transactions;
mod reach;
mod reorganizations;
mod schemas;
mod sizes;
mod strangers;
mod summaries;
mod sums;
mod tables;
mod tiles;
mod trade;
mod trade_ledgers;
mod traders;
mod transactions;
mod units;
mod whole_lists;

use std::thread;

use insta::{Settings, assert_snapshot};
use qortal_testnode::Scenario;
use serde_json::Value;
use test_chain::{Chain, walk};

/// Says where a test fails that compares with what is pinned, as when a tool is added, how that is written anew.
struct Renewal;

impl Drop for Renewal {
    #[expect(clippy::print_stderr, reason = "beside what the assertion prints")]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!(
                "If that is meant: `INSTA_UPDATE=always cargo test -p qortal-tools` writes the snapshots anew, and \
                 `cargo xtask codegen` the documents. Read every line that changed."
            );
        }
    }
}

/// Pins the calls of one tool as `snapshots/TOOL.snap`, one case after another.
async fn check<'a>(tool: &str, cases: impl IntoIterator<Item = (&'a str, Value)>) {
    check_on(tool, cases, []).await;
}

/// The same, and then calls over other chains.
async fn check_on<'a>(
    tool: &str,
    cases: impl IntoIterator<Item = (&'a str, Value)>,
    elsewhere: impl IntoIterator<Item = (Scenario, &'a str, Value)>,
) {
    let mut sections = Vec::new();
    for (case, arguments) in cases {
        sections.push(section(Scenario::recorded(), tool, case, arguments).await);
    }
    for (scenario, case, arguments) in elsewhere {
        sections.push(section(scenario, tool, case, arguments).await);
    }
    pin(tool, &sections.join("\n\n"));
}

/// One call: its case and arguments, the answer, and the questions to the node in any order.
async fn section(scenario: Scenario, tool: &str, case: &str, arguments: Value) -> String {
    let chain = Chain::of(scenario).await;
    let said = match chain.call(tool, arguments.clone()).await {
        Ok(answer) => format!("{answer:#}"),
        Err(message) => format!("error: {message}"),
    };
    let journal = chain.node.journal();
    let mut asked: Vec<_> = journal
        .iter()
        .map(|it| format!("{} {}", it.method, it.target))
        .collect();
    asked.sort();
    chain.stop().await;
    let asked = asked.join("\n");
    format!("=== {case}\narguments: {arguments}\n---\n{said}\n---\n{asked}")
}

/// Compares a text with `snapshots/FILE.snap`.
fn pin(file: &str, said: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _renewal = Renewal;
    settings.bind(|| assert_snapshot!(file, said));
}
