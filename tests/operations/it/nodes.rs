//! Two nodes of which the first fails in every way, under load, by the server itself and with HAProxy between.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use serde_json::json;
use tokio::time::sleep;

use xtask::server::Server;

use crate::balancer::Balancer;
use crate::client::{Clients, NAME, Query, Rhythm, Script, Seen, client, post, whole};
use crate::site::Site;

/// Clients that ask about the chain.
const CLIENTS: usize = 20;
/// Clients that ask what one node alone knows.
const OTHER_CLIENTS: usize = 2;
/// Before something happens to the first node.
const BEFORE: Duration = Duration::from_secs(3);
/// After it: longer than heights go uncompared.
const AFTER: Duration = Duration::from_secs(18);
/// Between two questions of a client.
const PAUSE: Duration = Duration::from_millis(100);
/// How many blocks the first node falls behind.
const BLOCKS: u32 = 100;
/// The height of the recorded chain.
const HEIGHT: u32 = 468;

/// What happens to the first node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    Dead,
    Resets,
    Stalls,
    Fails,
    Slow,
    Behind,
}

/// What is between the server and its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Alone,
    HaProxy,
}

/// What was seen of one trouble.
struct Outcome {
    chain: Seen,
    about_node: Seen,
    /// How long the first node's height was told as the latest, if it fell behind.
    stale: Option<Duration>,
    /// Whether the key went to the first node, and to the second.
    key: [bool; 2],
}

impl Trouble {
    const ALL: [Self; 6] = [
        Self::Dead,
        Self::Resets,
        Self::Stalls,
        Self::Fails,
        Self::Slow,
        Self::Behind,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Dead => "is dead",
            Self::Resets => "resets connections",
            Self::Stalls => "stalls",
            Self::Fails => "answers 500 to all",
            Self::Slow => "answers after 3 s",
            Self::Behind => "falls 100 blocks behind",
        }
    }

    /// How many chain questions may be lost: the Core answers 500 to some bad arguments, so that one says little.
    const fn losses(self) -> usize {
        match self {
            Self::Fails => 5,
            Self::Dead | Self::Resets | Self::Stalls | Self::Slow | Self::Behind => 0,
        }
    }

    fn happen(self, first: &TestNode, second: &TestNode) {
        match self {
            Self::Dead => first.fault("/*", Fault::Refuse),
            Self::Resets => first.fault("/*", Fault::ResetBeforeResponse),
            Self::Stalls => first.fault("/*", Fault::StallBeforeHeaders),
            Self::Fails => first.fault("/*", Fault::Status(500, String::new())),
            Self::Slow => first.latency(Duration::from_secs(3)),
            Self::Behind => {
                for _ in 0..BLOCKS {
                    second.apply(&Event::Block);
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_server_does_without_its_first_node() {
    fails_in_every_way(Way::Alone, "`--nodes`").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn haproxy_does_without_the_first_node() {
    fails_in_every_way(Way::HaProxy, "HAProxy").await;
}

async fn fails_in_every_way(way: Way, by: &str) {
    let site = Site::begin("nodes").await;
    println!(
        "| the first node | by | chain questions | lost | p99 ms | longest ms | questions about the node | failed | stale s |"
    );
    for trouble in Trouble::ALL {
        let seen = run(&site, way, trouble).await;
        let (chain, about_node) = (&seen.chain, &seen.about_node);
        println!(
            "| {} | {by} | {} | {} | {} | {} | {} | {} | {} |",
            trouble.name(),
            chain.latencies.len(),
            chain.lost,
            chain.percentile(99).as_millis(),
            chain.longest().as_millis(),
            about_node.latencies.len(),
            about_node.lost,
            seen.stale
                .map_or("–".to_owned(), |it| format!("{:.1}", it.as_secs_f64()))
        );
        let place = format!("the first node {}, {by}", trouble.name());
        assert_eq!(seen.key, [true, false], "{place}: nodes that got the key");
        chain.check(&place, CLIENTS, trouble.losses());
        // HAProxy knows nothing of heights.
        let is_unnoticed = seen.stale.is_some_and(|it| it >= AFTER);
        assert!(
            way == Way::HaProxy || !is_unnoticed,
            "{place}: the lag was not noticed"
        );
    }
}

async fn run(site: &Site, way: Way, trouble: Trouble) -> Outcome {
    let [first, second] = [start_node().await, start_node().await];
    let key = site.folder.join("apikey.txt");
    fs::write(&key, API_KEY).unwrap();
    fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
    let address = |node: &TestNode| node.url().trim_start_matches("http://").parse().unwrap();
    let proxy = (way == Way::HaProxy).then(|| {
        let nodes = [address(&first), address(&second)];
        Balancer::HaProxyNodes.start(nodes, &site.folder)
    });
    let nodes = match &proxy {
        None => vec![
            ("--node", first.url().to_owned()),
            ("--nodes", second.url().to_owned()),
        ],
        Some(proxy) => vec![("--node", format!("http://{}", proxy.address()))],
    };
    let key = key.display().to_string();
    let mut arguments = vec!["http", "--listen", "ADDRESS", "--allowed-hosts", NAME];
    arguments.extend(["--client-rate-limit", "0", "--cache", "0"]);
    arguments.extend(["--api-key-file", &key]);
    arguments.extend(nodes.iter().flat_map(|(flag, url)| [*flag, url.as_str()]));
    let server = site.server(&arguments);
    let clients = |count, questions: Vec<Query>| {
        let script = Script {
            queries: questions.into(),
            rhythm: Rhythm::After(PAUSE),
        };
        Clients::with_script(server.address(), count, true, &script)
    };
    let chain = clients(CLIENTS, chain_questions());
    let about_node = clients(OTHER_CLIENTS, node_questions());
    sleep(BEFORE).await;
    trouble.happen(&first, &second);
    let happened = Instant::now();
    let stale = match trouble {
        Trouble::Behind => Some(until_noticed(&server).await),
        Trouble::Dead | Trouble::Resets | Trouble::Stalls | Trouble::Fails | Trouble::Slow => None,
    };
    sleep(AFTER.saturating_sub(happened.elapsed())).await;
    let (chain, about_node) = (chain.finish().await, about_node.finish().await);
    server.stop().unwrap();
    let key = [&first, &second].map(|node| node.journal().iter().any(|it| it.has_api_key));
    first.stop().await;
    second.stop().await;
    Outcome {
        chain,
        about_node,
        stale,
        key,
    }
}

async fn start_node() -> TestNode {
    TestNode::start_lenient(Scenario::recorded()).await.unwrap()
}

/// How long the height of the first node is told as if it were the latest.
async fn until_noticed(server: &Server) -> Duration {
    let client = client(true);
    let question = Query::call("get_block_height", &json!({}));
    let latest = format!("{}", HEIGHT + BLOCKS);
    let begun = Instant::now();
    while begun.elapsed() < AFTER {
        let answer = whole(post(&client, server.address(), question.message())).await;
        if answer.is_ok_and(|(_, body)| body.contains(&latest)) {
            break;
        }
        sleep(PAUSE).await;
    }
    begun.elapsed()
}

/// What any node knows: enough that each is seldom asked by two clients at once.
fn chain_questions() -> Vec<Query> {
    const ADDRESS: &str = "QgV4s3xnzLhVBEJxcYui4u4q11yhUHsd9v";
    let blocks = (2..42).map(|height| ("get_block_by_height", json!({"height": height})));
    let others = [
        ("get_balance", json!({"address": ADDRESS})),
        ("list_names", json!({"limit": 5})),
        ("search_names", json!({"query": "al"})),
        ("get_account_overview", json!({"address": ADDRESS})),
        ("list_groups", json!({"limit": 5})),
        ("get_block_height", json!({})),
    ];
    let others = others.iter().cloned().cycle();
    let mixed = blocks.zip(others).flat_map(|(one, other)| [one, other]);
    mixed
        .map(|(tool, arguments)| Query::call(tool, &arguments))
        .collect()
}

/// What one node alone knows, with its key and without.
fn node_questions() -> Vec<Query> {
    ["get_node_status", "get_engine_stats"]
        .map(|tool| Query::call(tool, &json!({})))
        .into()
}
