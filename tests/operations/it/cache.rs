//! What popular questions of many clients cost a node, without a cache, with ours, and with nginx before the node.

use std::collections::BTreeSet;
use std::time::Duration;

use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::Catalog;
use reqwest::{Client, Method};
use tokio::time::{sleep, timeout};

use xtask::server::Server;

use crate::balancer::Balancer;
use crate::client::{Clients, NAME, Query, Rhythm, Script, Seen, client};
use crate::site::Site;

/// How long nginx is waited for, which asks again behind an answer.
const PATIENCE: Duration = Duration::from_millis(500);
const CLIENTS: usize = 200;
/// How often each of them asks.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long they ask.
const TIME: Duration = Duration::from_secs(15);
/// How long the node takes for an answer.
const NODE_MILLIS: [u64; 3] = [1, 50, 200];
/// What people ask most, each with the arguments of its example.
const TOOLS: [&str; 13] = [
    "get_node_status",
    "get_block_height",
    "get_last_block",
    "get_balance",
    "get_account_overview",
    "search_names",
    "get_name_info",
    "get_trade_price",
    "list_trade_offers",
    "list_completed_trades",
    "get_market_overview",
    "list_groups",
    "get_chat_messages",
];
/// The most that half of the questions may take when the node takes 200 ms.
const MOST_MEDIAN: Duration = Duration::from_millis(10);
/// How many times fewer requests a node of 1 ms gets, at least.
const LEAST_SAVED: u64 = 10;

/// Who keeps answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeper {
    None,
    Server,
    Nginx,
}

impl Keeper {
    const ALL: [Self; 3] = [Self::None, Self::Server, Self::Nginx];

    const fn name(self) -> &'static str {
        match self {
            Self::None => "no one (`--cache 0`)",
            Self::Server => "the server",
            Self::Nginx => "nginx, 2 s",
        }
    }
}

/// What was seen in one run.
struct Outcome {
    seen: Seen,
    requests: u64,
    distinct: usize,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn kept_answers_spare_the_node() {
    let site = Site::begin("cache").await;
    println!(
        "| the node answers in | answers are kept by | lost | p50 ms | p99 ms | node requests | different ones |"
    );
    for millis in NODE_MILLIS {
        let mut without = 0;
        for keeper in Keeper::ALL {
            let run = run(&site, keeper, Duration::from_millis(millis)).await;
            if keeper == Keeper::None {
                without = run.requests;
            }
            let [median, late] = [50, 99].map(|it| run.seen.percentile(it).as_secs_f64() * 1_000.0);
            println!(
                "| {millis} ms | {} | {} | {median:.1} | {late:.1} | {} | {} |",
                keeper.name(),
                run.seen.lost,
                run.requests,
                run.distinct
            );
            judge(keeper, millis, without, &run);
        }
    }
}

/// Fails with what is wrong with a row.
fn judge(keeper: Keeper, millis: u64, without: u64, run: &Outcome) {
    let place = format!("{millis} ms, {}", keeper.name());
    assert!(run.requests > 0, "{place}: nothing was asked");
    run.seen.check(&place, CLIENTS, 0);
    if keeper != Keeper::Server {
        return;
    }
    let median = run.seen.percentile(50);
    assert!(
        millis != 200 || median <= MOST_MEDIAN,
        "{place}: half take more than {MOST_MEDIAN:?}: {median:?}"
    );
    assert!(
        millis != 1 || without >= LEAST_SAVED * run.requests,
        "{place}: {} requests of {without} without a cache",
        run.requests
    );
}

async fn run(site: &Site, keeper: Keeper, latency: Duration) -> Outcome {
    let node = start_node().await;
    node.latency(latency);
    let nginx = (keeper == Keeper::Nginx).then(|| start_nginx(&node, site));
    let url = match &nginx {
        Some(nginx) => format!("http://{}", nginx.address()),
        None => node.url().to_owned(),
    };
    let mut arguments = vec!["http", "--node", &url, "--listen", "ADDRESS"];
    arguments.extend(["--allowed-hosts", NAME, "--client-rate-limit", "0"]);
    if keeper != Keeper::Server {
        arguments.extend(["--cache", "0"]);
    }
    let server = site.server(&arguments);
    let script = Script {
        queries: TOOLS.map(question).into(),
        rhythm: Rhythm::Each(INTERVAL),
    };
    let before = node.request_count();
    let clients = Clients::with_script(server.address(), CLIENTS, true, &script);
    sleep(TIME).await;
    let seen = clients.finish().await;
    let requests = node.request_count() - before;
    let distinct: BTreeSet<_> = node.journal().into_iter().map(|it| it.target).collect();
    server.stop().unwrap();
    drop(nginx);
    node.stop().await;
    Outcome {
        seen,
        requests,
        distinct: distinct.len(),
    }
}

/// The example of a tool.
fn question(name: &str) -> Query {
    let tool = Catalog::entries().find(|it| it.name == name).unwrap();
    Query::call(name, &serde_json::from_str(tool.example).unwrap())
}

async fn start_node() -> TestNode {
    TestNode::start_lenient(Scenario::recorded()).await.unwrap()
}

fn start_nginx(node: &TestNode, site: &Site) -> Server {
    let address = node.url().trim_start_matches("http://").parse().unwrap();
    Balancer::NginxNodeCache.start([address; 2], &site.folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn nginx_keeps_what_it_may_and_only_that() {
    let site = Site::begin("recipe").await;
    let node = start_node().await;
    let nginx = start_nginx(&node, &site);
    let url = format!("http://{}", nginx.address());
    let client = client(true);
    for (request, times, expected) in [
        ((Method::GET, "/names?limit=2", false), 5, 1),
        ((Method::GET, "/names?limit=3", true), 3, 3),
        // What was told for a key is not there for others.
        ((Method::GET, "/names?limit=3", false), 1, 1),
        ((Method::GET, "/admin/status", false), 3, 3),
        ((Method::POST, "/names/list", false), 3, 3),
        ((Method::GET, "/names/no-such-name", false), 3, 3),
    ] {
        let before = node.request_count();
        for _ in 0..times {
            send(&client, &url, &request).await;
        }
        let came = node.request_count() - before;
        assert_eq!(came, expected, "requests for {times} of {request:?}");
    }
    let kept = node.journal().iter().filter(|it| it.has_api_key).count();
    assert_eq!(kept, 3, "so often came the key");
    // nginx counts whole seconds: two of them end within the third.
    sleep(Duration::from_millis(3_200)).await;
    let before = node.request_count();
    send(&client, &url, &(Method::GET, "/names?limit=2", false)).await;
    // It answers from the cache and asks again meanwhile.
    let asked_again = async {
        while node.request_count() == before {
            sleep(Duration::from_millis(10)).await;
        }
    };
    let asked_again = timeout(PATIENCE, asked_again).await;
    assert!(asked_again.is_ok(), "an answer is kept for longer than 3 s");
    drop(nginx);
    node.stop().await;
}

/// Sends a request, with or without a key, and reads what comes.
async fn send(client: &Client, url: &str, (method, target, has_key): &(Method, &str, bool)) {
    let mut request = client.request(method.clone(), format!("{url}{target}"));
    if *has_key {
        request = request.header("X-API-KEY", API_KEY);
    }
    if *method == Method::POST {
        request = request
            .header("Content-Type", "application/json")
            .body("[]");
    }
    request.send().await.unwrap().bytes().await.unwrap();
}
