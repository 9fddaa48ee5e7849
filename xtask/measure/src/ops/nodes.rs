//! `cargo xtask ops nodes`: two nodes of which the first fails in every way, under load, by the server itself and with HAProxy between.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use qortal_testnode::{API_KEY, Event, Fault, Scenario, TestNode};
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use crate::bench::figures::Table;
use crate::ops::balancer::Balancer;
use crate::ops::client::{Clients, NAME, Query, Rhythm, Script, Seen, client, post, whole};
use xtask::command::progress;
use xtask::failure::Failure;
use xtask::server::{Server, free_address};

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
    /// Whether a key went where it does not belong, or nowhere.
    key: Option<&'static str>,
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
                    second.happen(&Event::Block);
                }
            }
        }
    }
}

/// The text of the table, and what is not as it should be.
pub(super) fn measure(program: &Path, folder: &Path) -> Result<(String, Vec<String>), Failure> {
    // reqwest wants TLS even where only plain HTTP is spoken; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(Failure::io("runtime"))?;
    let title = format!("Two nodes, {CLIENTS} clients that ask about the chain, nothing kept");
    let columns = [
        "the first node",
        "by",
        "chain questions",
        "lost",
        "p99 ms",
        "longest ms",
        "questions about the node",
        "failed",
        "stale s",
    ];
    let mut table = Table::new(&title, &columns);
    let mut broken = Vec::new();
    for way in [Way::Alone, Way::HaProxy] {
        for trouble in Trouble::ALL {
            let by = match way {
                Way::Alone => "`--nodes`",
                Way::HaProxy => "HAProxy",
            };
            progress(&format!("{}, {by}", trouble.name()))?;
            let seen = run(&runtime, program, folder, way, trouble)?;
            broken.extend(
                judge(way, trouble, &seen)
                    .map(|why| format!("the first node {}, {by}: {why}", trouble.name())),
            );
            table.row(&[
                trouble.name().to_owned(),
                by.to_owned(),
                seen.chain.latencies.len().to_string(),
                seen.chain.lost.to_string(),
                seen.chain.percentile(99).as_millis().to_string(),
                seen.chain.longest().as_millis().to_string(),
                seen.about_node.latencies.len().to_string(),
                seen.about_node.lost.to_string(),
                seen.stale
                    .map_or("–".to_owned(), |it| format!("{:.1}", it.as_secs_f64())),
            ]);
        }
    }
    // Below a heading of the page.
    let text = table.finish().replacen("## ", "### ", 1);
    Ok((text, broken))
}

/// What is wrong with a row. HAProxy knows nothing of heights.
fn judge(way: Way, trouble: Trouble, seen: &Outcome) -> Option<String> {
    if let Some(why) = seen.key {
        return Some(why.to_owned());
    }
    if seen.chain.latencies.len() < CLIENTS {
        return Some("nothing was asked".to_owned());
    }
    if seen.chain.lost > trouble.losses() {
        let first = seen.chain.first_loss.as_deref().unwrap_or_default();
        return Some(format!("{} lost, the first: {first}", seen.chain.lost));
    }
    let is_unnoticed = seen.stale.is_some_and(|it| it >= AFTER);
    (way == Way::Alone && is_unnoticed).then(|| "the lag was not noticed".to_owned())
}

fn run(
    runtime: &Runtime,
    program: &Path,
    folder: &Path,
    way: Way,
    trouble: Trouble,
) -> Result<Outcome, Failure> {
    let start = || runtime.block_on(TestNode::start_lenient(Scenario::recorded()));
    let failed = |why| Failure::unreadable("a simulated node", why);
    let (first, second) = (start().map_err(failed)?, start().map_err(failed)?);
    let key = folder.join("apikey.txt");
    fs::write(&key, API_KEY).map_err(Failure::io(key.display()))?;
    let address = |node: &TestNode| {
        let text = node.url().trim_start_matches("http://");
        text.parse()
            .map_err(|why| Failure::unreadable("an address", why))
    };
    let proxy = match way {
        Way::Alone => None,
        Way::HaProxy => {
            let nodes = [address(&first)?, address(&second)?];
            Some(Balancer::HaProxyNodes.start(nodes, folder)?)
        }
    };
    let nodes = match &proxy {
        None => vec![
            ("--node", first.url().to_owned()),
            ("--nodes", second.url().to_owned()),
        ],
        Some(proxy) => vec![("--node", format!("http://{}", proxy.address()))],
    };
    let listen = free_address()?;
    let (listen_text, key_text) = (listen.to_string(), key.display().to_string());
    let mut arguments = vec!["http", "--listen", &listen_text, "--allow-host", NAME];
    arguments.extend([
        "--client-rate-limit",
        "0",
        "--cache",
        "0",
        "--api-key-file",
        &key_text,
    ]);
    arguments.extend(nodes.iter().flat_map(|(flag, url)| [*flag, url.as_str()]));
    let log = folder.join("nodes.log");
    let server = Server::start_at(listen, program, &arguments, &log)?;
    let clients = |count, questions: Vec<Query>| {
        let script = Script {
            queries: questions.into(),
            rhythm: Rhythm::After(PAUSE),
        };
        Clients::with_script(runtime, server.address(), count, true, &script)
    };
    let chain = clients(CLIENTS, chain_questions())?;
    let about_node = clients(OTHER_CLIENTS, node_questions())?;
    runtime.block_on(async { sleep(BEFORE).await });
    trouble.happen(&first, &second);
    let happened = Instant::now();
    let stale = match trouble {
        Trouble::Behind => Some(runtime.block_on(until_noticed(&server))?),
        _ => None,
    };
    runtime.block_on(async { sleep(AFTER.saturating_sub(happened.elapsed())).await });
    let (chain, about_node) = (chain.finish(runtime), about_node.finish(runtime));
    server.stop()?;
    let has_key = |node: &TestNode| node.journal().iter().any(|it| it.has_api_key);
    let key = match (has_key(&first), has_key(&second)) {
        (_, true) => Some("the key went to the second node"),
        (false, false) => Some("the key went to no node"),
        (true, false) => None,
    };
    runtime.block_on(async {
        first.stop().await;
        second.stop().await;
    });
    Ok(Outcome {
        chain,
        about_node,
        stale,
        key,
    })
}

/// How long the height of the first node is told as if it were the latest.
async fn until_noticed(server: &Server) -> Result<Duration, Failure> {
    let client = client(true)?;
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
    Ok(begun.elapsed())
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
