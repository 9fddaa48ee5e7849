//! `cargo xtask ops cache`: what popular questions of many clients cost a node, without a cache, with ours, and with nginx before the node.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use qortal_testnode::{API_KEY, Scenario, TestNode};
use qortal_tools::Catalog;
use reqwest::{Client, Method};
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

use crate::bench::figures::Table;
use crate::ops::balancer::Balancer;
use crate::ops::client::{Clients, NAME, Query, Rhythm, Script, Seen, client};
use xtask::command::progress;
use xtask::failure::Failure;
use xtask::server::{Server, free_address};

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

/// The text of the table, and what is not as it should be.
pub(super) fn measure(program: &Path, folder: &Path) -> Result<(String, Vec<String>), Failure> {
    // reqwest wants TLS even where only plain HTTP is spoken; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let mut runtime = Builder::new_multi_thread();
    let runtime = runtime.worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(Failure::io("runtime"))?;
    progress("the recipe for nginx")?;
    let mut broken = check_recipe(&runtime, folder)?;
    let title = format!("{CLIENTS} clients, a question a second each, 13 popular tools");
    let columns = [
        "the node answers in",
        "answers are kept by",
        "lost",
        "p50 ms",
        "p99 ms",
        "node requests",
        "different ones",
    ];
    let mut table = Table::new(&title, &columns);
    for millis in NODE_MILLIS {
        let mut without = 0;
        for keeper in Keeper::ALL {
            let place = format!("{millis} ms, {}", keeper.name());
            progress(&place)?;
            let run = run(
                &runtime,
                program,
                folder,
                keeper,
                Duration::from_millis(millis),
            )?;
            if keeper == Keeper::None {
                without = run.requests;
            }
            let why = judge(keeper, millis, without, &run);
            broken.extend(why.map(|why| format!("{place}: {why}")));
            let shown = |it: Duration| format!("{:.1}", it.as_secs_f64() * 1_000.0);
            table.row(&[
                format!("{millis} ms"),
                keeper.name().to_owned(),
                run.seen.lost.to_string(),
                shown(run.seen.percentile(50)),
                shown(run.seen.percentile(99)),
                run.requests.to_string(),
                run.distinct.to_string(),
            ]);
        }
    }
    // Below a heading of the page.
    let text = table.finish().replacen("## ", "### ", 1);
    Ok((text, broken))
}

/// What is wrong with a row.
fn judge(keeper: Keeper, millis: u64, without: u64, run: &Outcome) -> Option<String> {
    if run.seen.latencies.len() < CLIENTS || run.requests == 0 {
        return Some("nothing was asked".to_owned());
    }
    if let Some(why) = &run.seen.first_loss {
        return Some(format!("{} lost, the first: {why}", run.seen.lost));
    }
    if keeper != Keeper::Server {
        return None;
    }
    let median = run.seen.percentile(50);
    if millis == 200 && median > MOST_MEDIAN {
        return Some(format!("half take more than {MOST_MEDIAN:?}: {median:?}"));
    }
    let is_saved = millis != 1 || without >= LEAST_SAVED * run.requests;
    (!is_saved).then(|| format!("{} requests of {without} without a cache", run.requests))
}

fn run(
    runtime: &Runtime,
    program: &Path,
    folder: &Path,
    keeper: Keeper,
    latency: Duration,
) -> Result<Outcome, Failure> {
    let node = start_node(runtime)?;
    node.latency(latency);
    let nginx = match keeper {
        Keeper::Nginx => Some(start_nginx(&node, folder)?),
        Keeper::None | Keeper::Server => None,
    };
    let url = match &nginx {
        Some(nginx) => format!("http://{}", nginx.address()),
        None => node.url().to_owned(),
    };
    let listen = free_address()?;
    let listen_text = listen.to_string();
    let mut arguments = vec!["http", "--node", &url, "--listen", &listen_text];
    arguments.extend(["--allow-host", NAME, "--client-rate-limit", "0"]);
    if keeper != Keeper::Server {
        arguments.extend(["--cache", "0"]);
    }
    let server = Server::start_at(listen, program, &arguments, &folder.join("cache.log"))?;
    let script = Script {
        queries: questions()?.into(),
        rhythm: Rhythm::Each(INTERVAL),
    };
    let before = node.request_count();
    let clients = Clients::with_script(runtime, server.address(), CLIENTS, true, &script)?;
    runtime.block_on(async { sleep(TIME).await });
    let seen = clients.finish(runtime);
    let requests = node.request_count() - before;
    let distinct: BTreeSet<_> = node.journal().into_iter().map(|it| it.target).collect();
    server.stop()?;
    drop(nginx);
    runtime.block_on(node.stop());
    Ok(Outcome {
        seen,
        requests,
        distinct: distinct.len(),
    })
}

/// The example of each tool.
fn questions() -> Result<Vec<Query>, Failure> {
    let question = |name: &str| {
        let unknown = || Failure::unreadable(name, "it is no tool");
        let tool = Catalog::entries()
            .find(|it| it.name == name)
            .ok_or_else(unknown)?;
        let arguments: Value = serde_json::from_str(tool.example)
            .map_err(|why| Failure::unreadable(tool.name, why))?;
        Ok(Query::call(name, &arguments))
    };
    TOOLS.into_iter().map(question).collect()
}

fn start_node(runtime: &Runtime) -> Result<TestNode, Failure> {
    let node = runtime.block_on(TestNode::start_lenient(Scenario::recorded()));
    node.map_err(|why| Failure::unreadable("a simulated node", why))
}

fn start_nginx(node: &TestNode, folder: &Path) -> Result<Server, Failure> {
    let address = node.url().trim_start_matches("http://").parse();
    let address = address.map_err(|why| Failure::unreadable("an address", why))?;
    Balancer::NginxNodeCache.start([address; 2], folder)
}

/// Whether nginx keeps what it may, and only that.
fn check_recipe(runtime: &Runtime, folder: &Path) -> Result<Vec<String>, Failure> {
    let node = start_node(runtime)?;
    let nginx = start_nginx(&node, folder)?;
    let url = format!("http://{}", nginx.address());
    let broken = runtime.block_on(async {
        let client = client(true)?;
        let mut broken = Vec::new();
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
                send(&client, &url, &request).await?;
            }
            let came = node.request_count() - before;
            if came != expected {
                broken.push(format!(
                    "nginx: {times} of {request:?} were {came} requests"
                ));
            }
        }
        let kept = node.journal().iter().filter(|it| it.has_api_key).count();
        if kept != 3 {
            broken.push(format!("nginx: the key came {kept} times of 3"));
        }
        let first = (Method::GET, "/names?limit=2", false);
        // nginx counts whole seconds: two of them end within the third.
        sleep(Duration::from_millis(3_200)).await;
        let before = node.request_count();
        send(&client, &url, &first).await?;
        // It answers from the cache and asks again meanwhile.
        sleep(Duration::from_millis(500)).await;
        if node.request_count() == before {
            broken.push("nginx: an answer is kept for longer than 3 s".to_owned());
        }
        Ok::<_, Failure>(broken)
    })?;
    drop(nginx);
    runtime.block_on(node.stop());
    Ok(broken)
}

/// Sends a request, with or without a key, and reads what comes.
async fn send(
    client: &Client,
    url: &str,
    (method, target, has_key): &(Method, &str, bool),
) -> Result<(), Failure> {
    let mut request = client.request(method.clone(), format!("{url}{target}"));
    if *has_key {
        request = request.header("X-API-KEY", API_KEY);
    }
    if *method == Method::POST {
        request = request
            .header("Content-Type", "application/json")
            .body("[]");
    }
    let failed = |why| Failure::unreadable("nginx", why);
    let answer = request.send().await.map_err(failed)?;
    answer.bytes().await.map_err(failed)?;
    Ok(())
}
