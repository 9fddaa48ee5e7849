//! One rate of calls for each client over all replicas: two HAProxy instances with `deploy/haproxy/rates.cfg` before two replicas.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};

use xtask::server::{Server, free_address};

use crate::balancer::{Balancer, changed};
use crate::client::{NAME, client, post, whole};
use crate::site::{Site, need};

const FILE: &str = "deploy/haproxy/rates.cfg";
/// The calls that the test allows a client in ten seconds, over all replicas or in each second of each.
const ALLOWED: usize = 5;
/// The calls of a client, far more than that.
const CALLS: usize = 40;
/// The time that peers may take to connect and to send each other their tables, and the pause between two looks at them.
const DEADLINE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(50);

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn replicas_have_a_rate_each_and_haproxy_one_for_all() {
    let site = Site::begin("rates").await;
    let addresses = [(); 2].map(|()| free_address().unwrap());
    let rate = ALLOWED.to_string();
    let replicas = addresses.map(|it| replica(&site, it, &rate));
    let balancer = Balancer::HaProxy.start(addresses, &site.folder);
    let begun = Instant::now();
    let each = answered(balancer.address(), "alice", CALLS).await;
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "| a rate of {ALLOWED} a second in each of two replicas | {each} of {CALLS} in {seconds:.1} s |"
    );
    assert!(each > ALLOWED, "{each} answered by two replicas");
    drop(replicas);

    let addresses = [(); 2].map(|()| free_address().unwrap());
    let _replicas = addresses.map(|it| replica(&site, it, "0"));
    let peers = [(); 2].map(|()| free_address().unwrap());
    let first = haproxy(&site, "a", peers, addresses);
    let second = haproxy(&site, "b", peers, addresses);
    for name in ["a", "b"] {
        until(&site, name, "show peers", "last_status=ESTA").await;
    }
    let all = answered(first.address(), "alice", CALLS).await;
    println!("| {ALLOWED} in ten seconds, {FILE} | {all} of {CALLS} |");
    assert_eq!(all, ALLOWED, "answered through one HAProxy");
    let full = format!("show table rates data.gpc0_rate ge {ALLOWED}");
    until(&site, "b", &full, "key=").await;
    let other = answered(second.address(), "alice", CALLS).await;
    println!("| the same client at a second HAProxy | {other} of {CALLS} |");
    assert_eq!(other, 0, "answered through the second HAProxy");
    let bob = answered(second.address(), "bob", ALLOWED).await;
    assert_eq!(bob, ALLOWED, "another client is limited too");
    rejections_have_the_id_of_the_call(first.address()).await;
    messages_without_a_readable_method_count(first.address()).await;
}

/// The socket on which HAProxy of this name answers its administrator.
fn socket(site: &Site, name: &str) -> PathBuf {
    site.folder.join(format!("{name}.sock"))
}

/// Waits until a response of HAProxy has a text.
async fn until(site: &Site, name: &str, command: &str, text: &str) {
    let path = socket(site, name);
    let waited = timeout(DEADLINE, async {
        loop {
            let mut stream = UnixStream::connect(&path).await.unwrap();
            stream
                .write_all(format!("{command}\n").as_bytes())
                .await
                .unwrap();
            let mut response = String::new();
            stream.read_to_string(&mut response).await.unwrap();
            if response.contains(text) {
                break;
            }
            sleep(PAUSE).await;
        }
    });
    assert!(waited.await.is_ok(), "{name}: no {text} by {command}");
}

fn replica(site: &Site, address: SocketAddr, rate: &str) -> Server {
    let listen = address.to_string();
    let mut arguments = vec!["http", "--demo", "--listen", &listen];
    arguments.extend(["--allowed-hosts", NAME, "--trusted-proxies", "127.0.0.1"]);
    arguments.extend(["--client-rate-limit", rate]);
    let log = site.folder.join(format!("replica-{}.log", address.port()));
    Server::start_at(address, &site.program, &arguments, &log).unwrap()
}

/// Starts HAProxy as the peer of this name.
fn haproxy(site: &Site, name: &str, peers: [SocketAddr; 2], replicas: [SocketAddr; 2]) -> Server {
    let own = free_address().unwrap();
    let bind = format!("bind {own}");
    let [first, second] = replicas.map(|it| it.to_string());
    let [a, b] = peers.map(|it| it.to_string());
    let socket = socket(site, name);
    let local = format!(
        "localpeer {name}\n    stats socket {} level admin",
        socket.display()
    );
    let allowed = format!(" ge {ALLOWED}\n");
    let text = changed(
        FILE,
        &[
            ("localpeer a", &local),
            ("bind :8080", &bind),
            ("10.0.0.1:8000", &first),
            ("10.0.0.2:8000", &second),
            ("10.0.0.3:1024", &a),
            ("10.0.0.4:1024", &b),
            (" ge 100\n", &allowed),
        ],
    );
    let file = site.folder.join(format!("{name}.cfg"));
    fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let log = site.folder.join(format!("haproxy-{name}.log"));
    Server::start_at(own, need("haproxy"), &["-db", "-f", &file], &log).unwrap()
}

/// Calls a tool as this client so often, one call after the other: how many were answered. All others are results that say why not.
async fn answered(address: SocketAddr, token: &str, calls: usize) -> usize {
    let client = client(true);
    let mut answered = 0;
    for _ in 0..calls {
        let (body, text) = called(&client, address, token, &json!(1)).await;
        if body["result"]["isError"] == false {
            answered += 1;
        } else {
            assert!(text.contains("Too many calls"), "{body}");
        }
    }
    answered
}

/// The response to a call, and its text.
async fn called(client: &Client, address: SocketAddr, token: &str, id: &Value) -> (Value, String) {
    let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "get_block_height"}});
    let request = post(client, address, &call.to_string());
    let request = request.header("Authorization", format!("Bearer {token}"));
    let (status, body) = whole(request).await.unwrap();
    assert_eq!(status, 200, "{body}");
    let body: Value = serde_json::from_str(&body).unwrap();
    let text = body["result"]["content"][0]["text"].as_str();
    let text = text.unwrap_or_default().to_owned();
    (body, text)
}

async fn rejections_have_the_id_of_the_call(address: SocketAddr) {
    let client = client(true);
    for id in [
        json!(7),
        json!(-1),
        json!(9_007_199_254_740_991_u64),
        json!("7"),
        json!("a\"b"),
    ] {
        let (body, text) = called(&client, address, "alice", &id).await;
        assert!(text.contains("Too many calls"), "{body}");
        assert_eq!(body["id"], id, "{body}");
    }
}

/// A batch, and a message that is longer than HAProxy reads. No method can be read of either, so none passes for free.
async fn messages_without_a_readable_method_count(address: SocketAddr) {
    let client = client(true);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_block_height"}});
    let padding = "x".repeat(40_000);
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":1,"params":{{"name":"get_block_height","_meta":{{"padding":"{padding}"}}}},"method":"tools/call"}}"#
    );
    for (token, message) in [("carol", json!([call]).to_string()), ("dave", long)] {
        let mut statuses = Vec::new();
        for _ in 0..=ALLOWED {
            let request = post(&client, address, &message);
            let request = request.header("Authorization", format!("Bearer {token}"));
            statuses.push(whole(request).await.unwrap().0);
        }
        let (last, earlier) = statuses.split_last().unwrap();
        assert_eq!(*last, 429, "{token}: {statuses:?}");
        assert!(!earlier.contains(&429), "{token}: {statuses:?}");
    }
}
