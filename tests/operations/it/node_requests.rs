//! At most eight requests at once at a node, however many replicas ask it.

use std::net::SocketAddr;
use std::time::Duration;

use qortal_testnode::{Scenario, TestNode};
use serde_json::json;
use tokio::time::sleep;

use xtask::server::Server;

use crate::balancer::Balancer;
use crate::client::{Clients, NAME, Query, Rhythm, Script};
use crate::site::Site;

/// The most requests that the Core wants at once.
const ALLOWED: usize = 8;
/// The time that the node takes for a response, and the load of each number of replicas lasts.
const NODE_TIME: Duration = Duration::from_millis(500);
const WHILE: Duration = Duration::from_secs(4);
/// Clients of each replica: enough that each of its slots is taken, and that none waits too long for one slot.
const CLIENTS: usize = 16;
const CLIENTS_OF_A_SLOT: usize = 6;
/// One, up to three, and back to two.
const SCALE: [usize; 3] = [1, 3, 2];

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn replicas_behind_the_proxy_send_eight_requests_at_once() {
    let site = Site::begin("node_requests").await;
    let node = slow_node().await;
    let address: SocketAddr = node.url().trim_start_matches("http://").parse().unwrap();
    let proxy = Balancer::HaProxyNode.start([address, address], &site.folder);
    let url = format!("http://{}", proxy.address());
    let most = scale(&site, &node, (&url, &[]), CLIENTS).await;
    println!("| behind deploy/haproxy/node.cfg | {most:?} |");
    assert_eq!(most, [ALLOWED; SCALE.len()], "for {SCALE:?} replicas");
    node.stop().await;
}

/// Without a proxy, each replica gets its part of the eight, in which a heartbeat counts. With the default three replicas send more,
/// which shows that the test counts.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn replicas_with_a_part_each_send_no_more_than_eight_requests_at_once() {
    let site = Site::begin("node_requests").await;
    for (options, clients, is_kept) in [
        (&[][..], CLIENTS, false),
        (&["--node-requests", "1"], CLIENTS_OF_A_SLOT, true),
    ] {
        let node = slow_node().await;
        let most = scale(&site, &node, (node.url(), options), clients).await;
        println!("| {options:?} | {most:?} |");
        let largest = most.iter().max().unwrap();
        assert_eq!(*largest <= ALLOWED, is_kept, "{options:?}: {most:?}");
        node.stop().await;
    }
}

async fn slow_node() -> TestNode {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    node.latency(NODE_TIME);
    node
}

/// Puts load on one replica, then three, then two: the most requests that the node has had at once until the end of each.
async fn scale(
    site: &Site,
    node: &TestNode,
    (url, options): (&str, &[&str]),
    clients: usize,
) -> Vec<usize> {
    let mut replicas: Vec<Server> = Vec::new();
    let mut most = Vec::new();
    for count in SCALE {
        while replicas.len() > count {
            replicas.pop().unwrap().stop().unwrap();
        }
        while replicas.len() < count {
            let mut arguments = vec!["http", "--node", url, "--listen", "ADDRESS"];
            arguments.extend(["--allowed-hosts", NAME, "--client-rate-limit", "0"]);
            arguments.extend(["--cache", "0"]);
            arguments.extend(options);
            replicas.push(site.server(&arguments));
        }
        let script = Script {
            queries: questions().into(),
            rhythm: Rhythm::After(Duration::ZERO),
        };
        let load = replicas
            .iter()
            .map(|it| Clients::with_script(it.address(), clients, true, &script));
        let load: Vec<_> = load.collect();
        sleep(WHILE).await;
        for load in load {
            let seen = load.finish().await;
            seen.check(&format!("{count} replicas"), clients, 0);
        }
        most.push(node.most_concurrent());
    }
    for replica in replicas {
        replica.stop().unwrap();
    }
    most
}

/// Questions that differ, so that no two are one request.
fn questions() -> Vec<Query> {
    let heights = 2..460;
    heights
        .map(|height| Query::call("get_block_by_height", &json!({"height": height})))
        .collect()
}
