//! The waiting times of people where the node is slow: for the newest rows of an account with 150,000 payments, for lists that are long, for charts.

use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use qortal_testnode::{Scenario, TestNode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use xtask::server::Server;

use crate::capacity::processor;
use crate::client::{Clients, NAME, Query, Rhythm, Script, Seen, client, post, whole};
use crate::site::Site;

/// Who has made 150,000 payments.
const PAYER: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
/// What the real Core takes for a row, and the processors of a small machine.
const ROW: Duration = Duration::from_micros(17);
const PROCESSORS: u32 = 2;
/// The last block of the node, and blocks of a window.
const LAST_BLOCK: u32 = 468;
const WINDOW: usize = 10;
/// Each is asked so often, and the median counts.
const TIMES: usize = 3;
/// Pages of the account's lists that are read at once, and the rows between their offsets.
const AT_ONCE: usize = 16;
const OFFSET_STEP: usize = 100;
/// Charts of which the time of the processor is taken.
const CHARTS: u32 = 40;

/// What people wait for, as a name and arguments.
fn questions() -> Vec<(&'static str, Value)> {
    let of_payer = json!({"address": PAYER});
    vec![
        ("list_transactions_by_address", of_payer.clone()),
        ("get_account_activity", of_payer.clone()),
        ("get_account_report", of_payer),
        ("find_payments", json!({"sender": PAYER})),
        ("get_chart", json!({"kind": "balance", "address": PAYER})),
        ("search_names", json!({"query": "%"})),
        ("list_names", json!({})),
        ("search_qdn_resources", json!({"query": "title"})),
    ]
}

fn served(site: &Site, node: &TestNode, options: &[&str]) -> Server {
    let mut all = vec!["http", "--node", node.url(), "--listen", "ADDRESS"];
    all.extend(["--allowed-hosts", NAME, "--client-rate-limit", "0"]);
    all.extend(options);
    site.server(&all)
}

/// Prints the time that people wait, alone and all at once, beside the node's whole list and the longest request of each question. Fails if a
/// question is lost, if the newest rows take a fifth of the whole list, or twice as long as their longest request.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_newest_rows_do_not_wait_for_the_whole_list() {
    let site = Site::begin("waits").await;
    let scenario = Scenario::large().with_costs(PROCESSORS, ROW);
    let node = TestNode::start(scenario).await.unwrap();
    let server = served(&site, &node, &["--cache", "0"]);
    let whole = median(async || list_of_the_node(&node).await).await;
    println!("| question | ms | of the whole list | of its longest request |");
    println!("| the node's whole list | {} | 1 | |", millis(whole));
    for (tool, arguments) in questions() {
        let query = Query::call(tool, &arguments);
        let requests_before = node.journal().len();
        let took = median(async || asked(server.address(), &query).await.longest()).await;
        let request = longest_request(&node, requests_before).await;
        let share = took.as_secs_f64() / whole.as_secs_f64();
        let of_request = took.as_secs_f64() / request.as_secs_f64();
        println!(
            "| `{tool}` {arguments} | {} | {share:.3} | {of_request:.2} |",
            millis(took)
        );
        let is_of_payer = arguments.to_string().contains(PAYER);
        assert!(
            !is_of_payer || (share < 0.2 && of_request < 2.0),
            "{tool}: {share:.3} of {whole:?}, {of_request:.2} of {request:?}"
        );
    }
    let quick = Script {
        queries: [Query::call("get_balance", &json!({"address": PAYER}))].into(),
        rhythm: Rhythm::After(Duration::from_millis(20)),
    };
    let quick = Clients::with_script(server.address(), 1, true, &quick);
    let seen = at_once(server.address()).await;
    let quick = quick.finish().await;
    server.stop().unwrap();
    seen.check("pages at once", AT_ONCE, 0);
    quick.check("a quick one beside", 1, 0);
    println!(
        "| {AT_ONCE} pages at once, the longest | {} | | |",
        millis(seen.longest())
    );
    println!(
        "| quick ones beside, p99 | {} | | |",
        millis(quick.percentile(99))
    );
    for (what, cache) in [("drawn", "0"), ("kept", "64")] {
        let server = served(&site, &node, &["--cache", cache]);
        let query = Query::call("get_chart", &json!({"kind": "balance", "address": PAYER}));
        asked(server.address(), &query).await;
        let before = processor(&server);
        for _ in 0..CHARTS {
            asked(server.address(), &query).await;
        }
        let spent = (processor(&server) - before) / f64::from(CHARTS);
        println!(
            "| a chart, {what}, processor time | {:.1} | | |",
            spent * 1e3
        );
        server.stop().unwrap();
    }
    node.stop().await;
}

/// Prints what the program takes for all payments of the account, beside the node's windows of ten blocks. Fails if that is more than three
/// times as long.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn all_rows_of_a_long_list_take_at_most_three_times_their_windows() {
    let site = Site::begin("waits-all").await;
    let scenario = Scenario::large().with_core_costs();
    let node = TestNode::start(scenario).await.unwrap();
    let begun = Instant::now();
    for first in (2..=LAST_BLOCK).step_by(WINDOW) {
        let query =
            format!("confirmationStatus=CONFIRMED&limit=0&startBlock={first}&blockLimit={WINDOW}");
        let url = format!(
            "{}/transactions/payments/between?senderAddress={PAYER}&{query}",
            node.url()
        );
        let (status, _) = whole(client(false).get(url)).await.unwrap();
        assert_eq!(status, 200);
    }
    let windows = begun.elapsed();
    let rows = site.folder.join("payments.jsonl");
    let sender = format!("sender={PAYER}");
    let begun = Instant::now();
    let mut call = Command::new(&site.program);
    call.args([
        "call",
        "find_payments",
        &sender,
        "order=oldest",
        "limit=100",
        "--all",
    ]);
    let ended = call
        .args(["--node", node.url(), "--output"])
        .arg(&rows)
        .output();
    let all = begun.elapsed();
    let ended = ended.unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let count = std::fs::read_to_string(&rows).unwrap().lines().count();
    println!(
        "| windows of ten blocks | {} | {count} payments, one after the other |",
        millis(windows)
    );
    println!("| `call find_payments --all` | {} | |", millis(all));
    assert!(count > 150_000, "{count}");
    assert!(all < windows * 3, "{all:?} beside {windows:?}");
    node.stop().await;
}

/// Pages of the account's lists, which begin at offsets from 0 to 1,500.
async fn at_once(address: SocketAddr) -> Seen {
    let mut tasks = JoinSet::new();
    for page in 0..AT_ONCE {
        let (tool, account) = match page % 2 {
            0 => ("find_payments", "sender"),
            _ => ("list_transactions_by_address", "address"),
        };
        let arguments = json!({account: PAYER, "offset": page * OFFSET_STEP});
        let query = Query::call(tool, &arguments);
        tasks.spawn(async move { asked(address, &query).await });
    }
    let all = tasks.join_all().await;
    let mut seen = all.into_iter().fold(Seen::default(), Seen::and);
    seen.latencies.sort_unstable();
    seen
}

/// Asks once, with a connection of its own.
async fn asked(address: SocketAddr, query: &Query) -> Seen {
    let (mut seen, begun) = (Seen::default(), Instant::now());
    let answer = whole(post(&client(false), address, query.message())).await;
    seen.take(begun, r#""isError":false"#, answer);
    seen.check(query.message(), 1, 0);
    seen
}

/// The time of the longest request that a question has sent to the node, sent again alone.
async fn longest_request(node: &TestNode, requests_before: usize) -> Duration {
    let mut targets: Vec<String> = node
        .journal()
        .drain(requests_before..)
        .filter(|it| it.method == "GET")
        .map(|it| it.target)
        .collect();
    targets.sort_unstable();
    targets.dedup();
    let mut longest = Duration::ZERO;
    for target in targets {
        let url = format!("{}{target}", node.url());
        let took = median(async || {
            let begun = Instant::now();
            whole(client(false).get(&url)).await.unwrap();
            begun.elapsed()
        });
        longest = longest.max(took.await);
    }
    longest
}

/// The time of the same rows without a window of blocks.
async fn list_of_the_node(node: &TestNode) -> Duration {
    let query = "confirmationStatus=CONFIRMED&limit=20&reverse=true";
    let url = format!("{}/transactions/search?address={PAYER}&{query}", node.url());
    let begun = Instant::now();
    let (status, _) = whole(client(false).get(url)).await.unwrap();
    assert_eq!(status, 200);
    begun.elapsed()
}

async fn median(measure: impl AsyncFn() -> Duration) -> Duration {
    let mut times = Vec::new();
    for _ in 0..TIMES {
        times.push(measure().await);
    }
    times.sort_unstable();
    times[TIMES / 2]
}

fn millis(time: Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e3)
}
