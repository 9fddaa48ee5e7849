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

/// How many of the calls are about that account.
const OF_ACCOUNT: usize = 6;
/// How many of these are tried with a million rows as well. The other one asks for the account's names, for which the node would make
/// a million of them in memory, and what grows with the rows exceeds the bound with a tenth of that.
const OF_PAYMENTS: usize = 5;

/// Rows, and what a list of them costs.
struct Point {
    rows: usize,
    requests: usize,
    rounds: u128,
    rows_found: usize,
}

/// What each call costs on a chain of a size, each by a client that has asked nothing yet.
async fn points(rows: usize, scenario: Scenario, calls: &[(&str, Value)]) -> Vec<Point> {
    let mut chain = Chain::of(scenario).await;
    chain.node.latency(ROUND);
    let mut points = Vec::new();
    for (tool, arguments) in calls {
        chain = chain.asked_anew();
        let known = chain.node.journal().len();
        let before = Instant::now();
        chain.call(tool, arguments.clone()).await.unwrap();
        let rounds = before.elapsed().as_millis() / ROUND.as_millis();
        let asked = chain.node.journal().split_off(known);
        points.push(Point {
            rows,
            requests: asked.len(),
            rounds,
            rows_found: asked.iter().map(|it| it.rows_read).sum(),
        });
    }
    chain.stop().await;
    points
}

/// A line for each size; the longer the bar, the more rows the node finds for it: twice as many are one more.
fn plot(points: &[&Point]) -> String {
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

#[tokio::test(start_paused = true)]
async fn a_page_of_a_long_list_costs_no_more_than_a_page_of_a_short_one() {
    let of_account = json!({"address": PAYER});
    let calls = [
        ("list_transactions_by_address", of_account.clone()),
        ("search_transactions", of_account.clone()),
        ("get_account_activity", of_account.clone()),
        ("find_payments", json!({"sender": PAYER})),
        ("get_chart", json!({"kind": "balance", "address": PAYER})),
        ("get_account_report", of_account),
        ("list_names", json!({})),
        ("search_names", json!({"query": "user"})),
        ("search_names", json!({"query": "%"})),
        ("search_qdn_resources", json!({"query": "title"})),
        ("search_qdn_resources", json!({"query": "_"})),
    ];
    let sizes = [
        points(1_000, Scenario::of_size::<1_000>(), &calls).await,
        points(10_000, Scenario::of_size::<10_000>(), &calls).await,
        points(100_000, Scenario::of_size::<100_000>(), &calls).await,
        points(
            1_000_000,
            Scenario::of_size::<1_000_000>(),
            &calls[..OF_PAYMENTS],
        )
        .await,
    ];
    let mut plots = String::new();
    for (place, (tool, arguments)) in calls.iter().enumerate() {
        let points: Vec<_> = sizes.iter().filter_map(|it| it.get(place)).collect();
        if place < OF_ACCOUNT {
            let most = points[0].rows_found.max(20_000);
            for point in &points {
                let (found, rows) = (point.rows_found, point.rows);
                assert!(found <= most, "{tool} {found} of {rows}");
            }
        } else {
            let requests = points.iter().map(|it| it.requests);
            assert!(requests.max() <= Some(6), "{tool} {arguments}");
        }
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
