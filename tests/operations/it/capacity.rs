//! How many calls a core answers, and the memory of clients.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use qortal_testnode::{Scenario, TestNode};
use serde_json::json;
use tokio::net::TcpSocket;
use tokio::task::JoinSet;

use xtask::server::Server;

use crate::client::{NAME, Seen, client, post, whole};
use crate::site::Site;

/// Calls in progress.
const CLIENTS: usize = 32;
/// How long each tool is called, after a warm-up.
const MEASURED: Duration = Duration::from_secs(2);
const WARM_UP: Duration = Duration::from_millis(500);
/// How long the node takes for an answer, in milliseconds.
const NODE: [u64; 3] = [1, 50, 200];
/// Open connections that memory is measured with.
const OPEN: u32 = 200;
/// What the first few make is kept for all, and is not counted.
const FIRST: u32 = 8;
/// The kernel counts the time of a process in these (USER_HZ, which is 100 on every Linux).
const TICKS_PER_SECOND: f64 = 100.0;
/// What people ask most, as a name and arguments that are right on the simulated chain.
const TOOLS: &[(&str, &str)] = &[
    ("get_node_status", "{}"),
    ("get_block_height", "{}"),
    ("get_last_block", "{}"),
    ("get_balance", r#"{"address":"Alice Test"}"#),
    ("get_account_overview", r#"{"address":"Alice Test"}"#),
    ("get_name_info", r#"{"name":"Alice Test"}"#),
    ("get_market_overview", "{}"),
    ("get_trade_order_book", r#"{"blockchain":"LITECOIN"}"#),
    ("search_names", r#"{"query":"al"}"#),
    ("list_groups", "{}"),
];

/// Prints calls a second for each second of a core, and the median of the time of a call.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn no_call_of_many_is_lost() {
    let site = Site::begin("capacity").await;
    let node = TestNode::start(Scenario::demo(now()).frozen())
        .await
        .unwrap();
    println!("| tool | per core, node {NODE:?} ms | p50 ms, node {NODE:?} ms |");
    for (tool, arguments) in TOOLS {
        let (mut rates, mut medians) = (Vec::new(), Vec::new());
        for millis in NODE {
            node.latency(Duration::from_millis(millis));
            let mut options = vec!["http", "--node", node.url(), "--listen", "ADDRESS"];
            options.extend(["--allowed-hosts", NAME, "--client-rate-limit", "0"]);
            let server = site.server(&options);
            let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
            let message =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let message: Arc<str> = message.into();
            load(server.address(), &message, WARM_UP).await;
            let before = processor(&server);
            let seen = load(server.address(), &message, MEASURED).await;
            let spent = processor(&server) - before;
            server.stop().unwrap();
            seen.check(&format!("{tool}, node {millis} ms"), 1, 0);
            let count = u32::try_from(seen.latencies.len()).unwrap_or(u32::MAX);
            // Less than a tick cannot be told.
            rates.push(match spent >= 5.0 / TICKS_PER_SECOND {
                true => format!("{:.0}", f64::from(count) / spent),
                false => "–".to_owned(),
            });
            medians.push(format!("{:.1}", seen.percentile(50).as_secs_f64() * 1e3));
        }
        println!(
            "| `{tool}` | {} | {} |",
            rates.join(" | "),
            medians.join(" | ")
        );
    }
    node.stop().await;
}

/// The milliseconds of the clock.
fn now() -> i64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    i64::try_from(since.as_millis()).unwrap()
}

/// Calls without a pause, for so long.
async fn load(address: SocketAddr, message: &Arc<str>, time: Duration) -> Seen {
    let mut tasks = JoinSet::new();
    let until = Instant::now() + time;
    for _ in 0..CLIENTS {
        let (client, message) = (client(true), Arc::clone(message));
        tasks.spawn(async move {
            let mut seen = Seen::default();
            while Instant::now() < until {
                let begun = Instant::now();
                let answer = whole(post(&client, address, &message)).await;
                seen.take(begun, r#""isError":false"#, answer);
            }
            seen
        });
    }
    let all = tasks.join_all().await;
    let mut seen = all.into_iter().fold(Seen::default(), Seen::and);
    seen.latencies.sort_unstable();
    seen
}

/// Prints what clients take that are connected and ask nothing, and those that are also told of changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn many_clients_stay_connected() {
    let site = Site::begin("memory").await;
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let wanted = json!({"resourceSubscriptions": ["qortal://chain/tip"]});
    let params = json!({"notifications": wanted, "_meta": meta});
    let listen =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
    println!("| each client | MiB per thousand |");
    for (what, message, needle) in [
        (
            "has asked for the tools and keeps its connection",
            list,
            "\"tools\"",
        ),
        ("has a stream of changes open", listen, "acknowledged"),
    ] {
        let mut options = vec!["http", "--demo", "--listen", "ADDRESS"];
        options.extend(["--max-connections", "4000"]);
        let server = site.server(&options);
        let message = message.to_string();
        let mut clients = Vec::new();
        let mut before = 0.0;
        for number in 0..FIRST + OPEN {
            if number == FIRST {
                before = resident(&server);
            }
            let address = server.address();
            let stream = connect(number, address).await.unwrap();
            clients.push(open(stream, address, &message, needle).unwrap());
        }
        let grown = (resident(&server) - before) / 1024.0;
        println!("| {what} | {:.1} |", grown * 1000.0 / f64::from(OPEN));
        drop(clients);
        server.stop().unwrap();
    }
}

/// A connection from an address of its own: limits are counted by client.
async fn connect(number: u32, address: SocketAddr) -> io::Result<TcpStream> {
    let own = Ipv4Addr::from_bits(Ipv4Addr::new(127, 1, 0, 1).to_bits() + number);
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(own.into(), 0))?;
    let stream = socket.connect(address).await?.into_std()?;
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// A client that has sent a message and read the beginning of the answer.
fn open(
    mut stream: TcpStream,
    address: SocketAddr,
    message: &str,
    needle: &str,
) -> io::Result<TcpStream> {
    let length = message.len();
    let method = match message.contains("subscriptions/listen") {
        true => "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
        false => "",
    };
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{method}Content-Length: {length}\r\n\r\n{message}"
    );
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.write_all(request.as_bytes())?;
    let mut text = String::new();
    let mut some = vec![0; 64 << 10];
    while !text.contains(needle) {
        let read = stream.read(&mut some)?;
        assert!(read > 0, "the connection ended after {text:?}");
        text.push_str(&String::from_utf8_lossy(&some[..read]));
    }
    Ok(stream)
}

/// The seconds of all cores that a server has taken.
pub(crate) fn processor(server: &Server) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
    // `utime` and `stime` follow the name in parentheses, which may be anything (proc_pid_stat(5)).
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let times = fields.split_whitespace().skip(11).take(2);
    times.map(|it| it.parse::<f64>().unwrap()).sum::<f64>() / TICKS_PER_SECOND
}

/// The KiB of memory that a server has.
fn resident(server: &Server) -> f64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let figure = line.and_then(|it| it.split_whitespace().next());
    figure.unwrap().parse().unwrap()
}
