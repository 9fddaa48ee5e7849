//! `cargo xtask ops capacity`: how many calls a core answers, and the memory of clients.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use qortal_testnode::{Scenario, TestNode};
use serde_json::json;
use tokio::net::TcpSocket;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::bench::figures::Table;
use crate::ops::client::{Seen, client, post, whole};
use xtask::command::progress;
use xtask::failure::Failure;
use xtask::server::Server;

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

/// The text of the tables, and what is not as it should be.
pub(super) fn measure(program: &Path, folder: &Path) -> Result<(String, Vec<String>), Failure> {
    // reqwest wants TLS even where only plain HTTP is spoken; a second installation changes nothing.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Failure::io("runtime"))?;
    let mut broken = Vec::new();
    let mut text = calls(&runtime, program, folder, &mut broken)?;
    text.push('\n');
    text.push_str(&memory(&runtime, program, folder)?);
    Ok((text, broken))
}

/// Calls a second for each second of a core, and the median of the time of a call.
fn calls(
    runtime: &Runtime,
    program: &Path,
    folder: &Path,
    broken: &mut Vec<String>,
) -> Result<String, Failure> {
    let mut columns = vec!["tool".to_owned()];
    columns.extend(NODE.iter().map(|it| format!("per core, node {it} ms")));
    columns.extend(NODE.iter().map(|it| format!("p50 ms, node {it} ms")));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let title = format!("Calls a second per core, {CLIENTS} calls at a time");
    let mut table = Table::new(&title, &columns);
    let now = jiff::Timestamp::now().as_millisecond();
    let started = runtime.block_on(TestNode::start(Scenario::demo(now)));
    let node = started.map_err(|why| Failure::unreadable("the simulated node", why))?;
    for (tool, arguments) in TOOLS {
        let (mut rates, mut medians) = (Vec::new(), Vec::new());
        for millis in NODE {
            progress(&format!("{tool}, node {millis} ms"))?;
            node.latency(Duration::from_millis(millis));
            let options = [
                "http",
                "--node",
                node.url(),
                "--listen",
                "ADDRESS",
                "--allow-host",
                crate::ops::client::NAME,
                "--client-rate-limit",
                "0",
            ];
            let server = Server::start(program, &options, &folder.join("capacity.log"))?;
            let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
            let message =
                format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            let message: Arc<str> = message.into();
            runtime.block_on(load(server.address(), &message, WARM_UP))?;
            let before = processor(server.pid())?;
            let seen = runtime.block_on(load(server.address(), &message, MEASURED))?;
            let spent = processor(server.pid())? - before;
            server.stop()?;
            if let Some(why) = &seen.first_loss {
                broken.push(format!(
                    "{tool}, node {millis} ms: {} lost, the first: {why}",
                    seen.lost
                ));
            }
            let count = u32::try_from(seen.latencies.len()).unwrap_or(u32::MAX);
            // Less than a tick cannot be told.
            rates.push(match spent >= 5.0 / TICKS_PER_SECOND {
                true => format!("{:.0}", f64::from(count) / spent),
                false => "–".to_owned(),
            });
            let median = seen.latencies.get(seen.latencies.len() / 2);
            medians.push(median.map_or_else(
                || "–".to_owned(),
                |it| format!("{:.1}", it.as_secs_f64() * 1e3),
            ));
        }
        let mut cells = vec![format!("`{tool}`")];
        cells.extend(rates);
        cells.extend(medians);
        table.row(&cells);
    }
    runtime.block_on(node.stop());
    Ok(table.finish())
}

/// Calls without a pause, for so long.
async fn load(address: SocketAddr, message: &Arc<str>, time: Duration) -> Result<Seen, Failure> {
    let mut tasks = JoinSet::new();
    let until = Instant::now() + time;
    for _ in 0..CLIENTS {
        let (client, message) = (client(true)?, Arc::clone(message));
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
    Ok(seen)
}

/// What clients take that are connected and ask nothing, and those that are also told of changes.
fn memory(runtime: &Runtime, program: &Path, folder: &Path) -> Result<String, Failure> {
    let mut table = Table::new(
        "Memory of a thousand clients",
        &["each client", "MiB per thousand"],
    );
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let wanted = json!({"resourceSubscriptions": ["qortal://chain/tip"]});
    let params = json!({"notifications": wanted, "_meta": meta});
    let listen =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
    for (what, message, needle) in [
        (
            "has asked for the tools and keeps its connection",
            list,
            "\"tools\"",
        ),
        ("has a stream of changes open", listen, "acknowledged"),
    ] {
        progress(what)?;
        let options = [
            "http",
            "--demo",
            "--listen",
            "ADDRESS",
            "--max-connections",
            "2000",
            "--max-streams",
            "1000",
        ];
        let server = Server::start(program, &options, &folder.join("memory.log"))?;
        let message = message.to_string();
        let mut clients = Vec::new();
        let mut before = 0.0;
        for number in 0..FIRST + OPEN {
            if number == FIRST {
                before = resident(server.pid())?;
            }
            let address = server.address();
            let connected = runtime.block_on(connect(number, address));
            let stream = connected.map_err(Failure::io("a client"))?;
            clients.push(open(stream, address, &message, needle)?);
        }
        let grown = (resident(server.pid())? - before) / 1024.0;
        let per_thousand = grown * 1000.0 / f64::from(OPEN);
        table.row(&[what.to_owned(), format!("{per_thousand:.1}")]);
        drop(clients);
        server.stop()?;
    }
    Ok(table.finish())
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
) -> Result<TcpStream, Failure> {
    let failed = || Failure::io("a client");
    let length = message.len();
    let method = match message.contains("subscriptions/listen") {
        true => "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
        false => "",
    };
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{method}Content-Length: {length}\r\n\r\n{message}"
    );
    let patience = Some(Duration::from_secs(20));
    stream.set_read_timeout(patience).map_err(failed())?;
    stream.write_all(request.as_bytes()).map_err(failed())?;
    let mut text = String::new();
    let mut some = vec![0; 64 << 10];
    while !text.contains(needle) {
        let read = stream.read(&mut some).map_err(failed())?;
        if read == 0 {
            return Err(Failure::unreadable("a client", text));
        }
        text.push_str(&String::from_utf8_lossy(
            some.get(..read).unwrap_or_default(),
        ));
    }
    Ok(stream)
}

/// The seconds of all cores that a process has taken.
fn processor(pid: u32) -> Result<f64, Failure> {
    let path = format!("/proc/{pid}/stat");
    let text = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    ticks(&text)
        .map(|it| it / TICKS_PER_SECOND)
        .ok_or_else(|| Failure::unreadable(&path, "it has no times"))
}

/// The sum of `utime` and `stime`, which follow the name in parentheses (proc_pid_stat(5)).
fn ticks(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(2);
    times.map(|it| it.parse::<f64>().ok()).sum()
}

/// The KiB of memory that a process has.
fn resident(pid: u32) -> Result<f64, Failure> {
    let path = format!("/proc/{pid}/status");
    let text = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    let line = text.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let figure = line.and_then(|it| it.split_whitespace().next()?.parse().ok());
    figure.ok_or_else(|| Failure::unreadable(&path, "it has no VmRSS"))
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn the_times_follow_the_name_whatever_that_is() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 0 0 0 12 30 5 5 20 0 3 0";
        assert_eq!(ticks(stat), Some(42.0));
        assert_eq!(ticks("nonsense"), None);
    }
}
