//! What lists cost a node by the size of an account, of all names and of all QDN resources.

use std::{fmt::Write, time::Duration};

use insta::{Settings, assert_snapshot};
use qortal_testnode::Scenario;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{Chain, Renewal};

/// How long the node takes for an answer, on the clock of the test.
const ROUND: Duration = Duration::from_millis(100);

/// The account with all the payments.
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";

/// The list that is read of a million rows as well.
const LARGEST: &str = "list_transactions_by_address";

/// Rows, and what a list of them costs.
struct Point {
    rows: usize,
    requests: usize,
    rounds: u128,
    rows_found: usize,
}

/// One call on a chain that nothing was asked about.
async fn point(rows: usize, scenario: Scenario, tool: &str, arguments: Value) -> Point {
    let chain = Chain::of(scenario).await;
    chain.node.latency(ROUND);
    let before = Instant::now();
    chain.call(tool, arguments).await.unwrap();
    let rounds = before.elapsed().as_millis() / ROUND.as_millis();
    let asked = chain.node.journal();
    chain.stop().await;
    Point {
        rows,
        requests: asked.len(),
        rounds,
        rows_found: asked.iter().map(|it| it.rows_read).sum(),
    }
}

/// A line for each size; the longer the bar, the more rows the node finds for it: twice as many are one more.
fn plot(points: &[Point]) -> String {
    let mut plot = String::new();
    for Point {
        rows,
        requests,
        rounds,
        rows_found,
    } in points
    {
        let bar = "#".repeat(rows_found.checked_ilog2().unwrap_or(0) as usize);
        writeln!(
            plot,
            "  {rows:>9} rows: {requests:>2} requests in {rounds}, {rows_found:>7} found {bar}"
        )
        .unwrap();
    }
    plot
}

/// By size; `to_a_million` takes as long as all others together.
async fn points(tool: &str, arguments: &Value, to_a_million: bool) -> Vec<Point> {
    let mut points = vec![
        point(1_000, Scenario::of_size::<1_000>(), tool, arguments.clone()).await,
        point(
            10_000,
            Scenario::of_size::<10_000>(),
            tool,
            arguments.clone(),
        )
        .await,
        point(
            100_000,
            Scenario::of_size::<100_000>(),
            tool,
            arguments.clone(),
        )
        .await,
    ];
    if to_a_million {
        let most = Scenario::of_size::<1_000_000>();
        points.push(point(1_000_000, most, tool, arguments.clone()).await);
    }
    points
}

#[tokio::test(start_paused = true)]
async fn a_page_of_a_long_list_costs_no_more_than_a_page_of_a_short_one() {
    let mut plots = String::new();
    let of_account = json!({"address": PAYER});
    for (tool, arguments) in [
        ("list_transactions_by_address", of_account.clone()),
        ("search_transactions", of_account.clone()),
        ("get_account_activity", of_account.clone()),
        ("get_account_report", of_account.clone()),
        ("find_payments", json!({"sender": PAYER})),
        ("get_picture", json!({"of": "balance", "address": PAYER})),
    ] {
        // All of them read lists in the same way.
        let points = points(tool, &arguments, tool == LARGEST).await;
        let first = points.first().unwrap().rows_found.max(20_000);
        for point in &points {
            assert!(
                point.rows_found <= first,
                "{tool} {} of {}",
                point.rows_found,
                point.rows
            );
        }
        write!(plots, "{tool} {arguments}\n{}", plot(&points)).unwrap();
    }
    for (tool, arguments) in [
        ("list_names", json!({})),
        ("search_names", json!({"query": "user"})),
        ("search_names", json!({"query": "%"})),
        ("search_qdn_resources", json!({"query": "title"})),
        ("search_qdn_resources", json!({"query": "_"})),
    ] {
        let points = points(tool, &arguments, false).await;
        let requests = points.iter().map(|it| it.requests);
        assert!(requests.max() <= Some(6), "{tool} {arguments}");
        write!(plots, "{tool} {arguments}\n{}", plot(&points)).unwrap();
    }
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/cost");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description("Rows that the node finds for a list, by how many there are");
    let _renewal = Renewal;
    settings.bind(|| assert_snapshot!("growth", plots));
}
