//! What each tool costs a node: how many questions, and in how many rounds, each waiting for the one before.

use std::{fmt::Write, time::Duration};

use insta::{Settings, assert_snapshot};
use qortal_tools::Catalogue;
use serde_json::Value;
use tokio::time::Instant;

use crate::Chain;

/// How long the node takes for an answer. On the clock of the test, which stands still while anything moves.
const ROUND: Duration = Duration::from_millis(100);

/// Questions, and rounds of them.
async fn cost(tool: &str, arguments: &str) -> (usize, u128) {
    let chain = Chain::recorded().await;
    chain.node.latency(ROUND);
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let before = Instant::now();
    chain.call(tool, arguments).await.unwrap();
    let rounds = before.elapsed().as_millis() / ROUND.as_millis();
    let questions = chain.node.journal().len();
    chain.stop().await;
    (questions, rounds)
}

/// A line that grows is a tool that became slower; the reason belongs into the commit.
#[tokio::test(start_paused = true)]
async fn independent_questions_are_asked_at_once() {
    let mut table = String::new();
    for entry in Catalogue::entries() {
        let (questions, rounds) = cost(entry.name, entry.example).await;
        writeln!(table, "{:30} {questions:2} in {rounds}", entry.name).unwrap();
    }
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cost");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
        .set_description("Questions to the node and rounds of them, for the example of each tool");
    settings.bind(|| assert_snapshot!("examples", table));
}
