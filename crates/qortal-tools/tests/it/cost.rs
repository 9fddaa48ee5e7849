//! What each tool costs a node: which questions, and in how many rounds, each waiting for the one before.

use std::{fmt::Write, time::Duration};

use insta::{Settings, assert_snapshot};
use qortal_testnode::Exchange;
use qortal_tools::Catalog;
use serde_json::Value;
use tokio::time::Instant;

use crate::{Chain, Renewal};

/// How long the node takes for an answer. On the clock of the test, which stands still while anything moves.
const ROUND: Duration = Duration::from_millis(100);

/// Questions, and rounds of them.
async fn cost(tool: &str, arguments: &str) -> (Vec<String>, u128) {
    let chain = Chain::recorded().await;
    chain.node.latency(ROUND);
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let before = Instant::now();
    chain.call(tool, arguments).await.unwrap();
    let rounds = before.elapsed().as_millis() / ROUND.as_millis();
    let asked = chain.node.journal();
    let mut questions: Vec<_> = asked.iter().map(question).collect();
    // What is asked at once comes in any order.
    questions.sort();
    chain.stop().await;
    (questions, rounds)
}

/// A question, without moments, which are others each time.
fn question(asked: &Exchange) -> String {
    let is_moment = |text: &str| text.len() >= 12 && text.bytes().all(|it| it.is_ascii_digit());
    let parts = asked.target.split_inclusive(['=', '&', '/', '?']);
    let parts = parts.map(
        |part| match part.split_at(part.trim_end_matches(['&', '/']).len()) {
            (text, rest) if is_moment(text) => format!("…{rest}"),
            _ => part.to_owned(),
        },
    );
    format!("{} {}", asked.method, parts.collect::<String>())
}

/// A line that grows is a tool that became slower; the reason belongs into the commit.
#[tokio::test(start_paused = true)]
async fn independent_questions_are_asked_at_once() {
    let mut table = String::new();
    for entry in Catalog::entries() {
        let (questions, rounds) = cost(entry.name, entry.example).await;
        writeln!(table, "{}: {} in {rounds}", entry.name, questions.len()).unwrap();
        for question in questions {
            writeln!(table, "  {question}").unwrap();
        }
    }
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cost");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
        .set_description("Questions to the node and rounds of them, for the example of each tool");
    let _renewal = Renewal;
    settings.bind(|| assert_snapshot!("examples", table));
}
