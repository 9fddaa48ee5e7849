//! What tools add to the time of a node, and what each request to it costs.

use std::net::SocketAddr;

use serde_json::json;

use crate::bench::aims::{FOUR_TIMES, Found, ONCE, Quantity};
use crate::bench::cases::{ACCOUNTS, LEGACY, Node, post};
use crate::bench::figures::{Figures, Table};
use crate::bench::load::{ANYTHING, Report, Serving, Target, Workbench};
use crate::bench::options::Options;
use crate::bench::pins::Side;
use crate::bench::programs::free_address;
use xtask::command::progress;
use xtask::failure::Failure;

/// Keeps no answers of the node.
const NONE_KEPT: &[&str] = &["--cache", "0"];

/// A tool, and what it asks the node for at once: paths in which `ADDRESS` stands for the account.
struct Kind {
    tool: &'static str,
    paths: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind {
        tool: ONCE,
        paths: &["/addresses/balance/ADDRESS"],
    },
    Kind {
        tool: FOUR_TIMES,
        paths: &[
            "/addresses/ADDRESS",
            "/addresses/balance/ADDRESS",
            "/names/primary/ADDRESS",
            "/names/address/ADDRESS?limit=21",
        ],
    },
];

const NODES: &[(Node, &str)] = &[
    (Node::Immediate, "node at once"),
    (Node::Distant, "node of 20 ms"),
];

/// Connections of the load that CPU time is measured under.
const CONNECTIONS: usize = 16;
/// Requests to a node that are equal and in flight at once share its answer. No two connections ask for the same.
const APART: &str = "--apart";
/// The timers of the distant node have steps of a millisecond: requests come at all of their phases alike.
const PAUSE: &str = "1000";

/// One round: the node alone, then the tool over one connection and over several.
struct Measured {
    alone: Report,
    one: NodeLoad,
    several: NodeLoad,
}

/// A load, and how many requests to the node each of its calls made, as the node counted them.
#[derive(Clone, Copy)]
struct NodeLoad {
    report: Report,
    requests: f64,
}

/// Measures each tool with each node and returns a table.
pub(super) fn measure(
    bench: &Workbench,
    options: &Options,
    found: &mut Found,
) -> Result<String, Failure> {
    let columns = [
        "tool",
        "node",
        "p50 ms of the node alone",
        "p50 ms, 1 connection",
        "added, ms",
        "calls/s, 16 connections",
        "node requests/call",
        "server CPU µs/call",
        "CPU µs/node request",
    ];
    let mut table = Table::new("Calls that ask a node, no answers kept", &columns);
    let loads: Vec<_> = KINDS
        .iter()
        .flat_map(|kind| NODES.iter().map(move |node| (kind, node)))
        .collect();
    let mut rounds: Vec<Vec<Measured>> = loads.iter().map(|_| Vec::new()).collect();
    for round in 1..=options.rounds {
        for ((kind, (node, name)), rounds) in loads.iter().zip(&mut rounds) {
            progress(&format!("round {round}: {}, {name}", kind.tool))?;
            rounds.push(once(bench, options, kind, *node)?);
        }
    }
    for ((kind, (node, name)), rounds) in loads.iter().zip(&rounds) {
        let of = |figure: fn(&Measured) -> f64| rounds.iter().map(figure).collect::<Figures>();
        let added = of(|it| (it.one.report.p50_us - it.alone.p50_us) / 1000.0);
        let cpu = of(|it| it.several.report.cpu_us / it.several.requests);
        table.row(&[
            kind.tool.to_owned(),
            (*name).to_owned(),
            of(|it| it.alone.p50_us / 1000.0).shown(),
            of(|it| it.one.report.p50_us / 1000.0).shown(),
            added.spread(),
            of(|it| it.several.report.per_second).shown(),
            of(|it| it.several.requests).shown(),
            of(|it| it.several.report.cpu_us).shown(),
            cpu.spread(),
        ]);
        found.add(Quantity::AddedToNode(kind.tool, *node), added);
        found.add(Quantity::NodeRequest(kind.tool, *node), cpu);
    }
    Ok(table.finish())
}

fn once(
    bench: &Workbench,
    options: &Options,
    kind: &Kind,
    node: Node,
) -> Result<Measured, Failure> {
    let seconds = options.seconds.to_string();
    let extent = ["--seconds", seconds.as_str()];
    let pause = || match node {
        Node::Distant => vec!["--pause-us".to_owned(), PAUSE.to_owned()],
        Node::Immediate => Vec::new(),
    };
    let process = bench.node_process(node)?;
    let address = address(process.url())?;
    let alone = Target {
        address,
        process: process.id(),
        messages: &requests(kind, address),
        together: kind.paths.len(),
        needle: ANYTHING,
        // The node is as far away from there as from the server.
        from: Side::Server,
    };
    let alone = bench.load_target(&alone, 1, extent, pause())?;
    let serving = serve(bench, node, NONE_KEPT)?;
    let calls = calls(kind, serving.address());
    examine(bench, &serving, kind, &calls)?;
    let one = load(bench, &serving, node, &calls, 1, extent, pause())?;
    let more = vec![APART.to_owned()];
    let several = load(bench, &serving, node, &calls, CONNECTIONS, extent, more)?;
    Ok(Measured {
        alone,
        one,
        several,
    })
}

/// Starts ours with more options.
fn serve(bench: &Workbench, node: Node, more: &[&str]) -> Result<Serving, Failure> {
    let address = free_address()?;
    let listen = address.to_string();
    let server = bench.programs.server.display().to_string();
    let words = [
        server.as_str(),
        "http",
        "--client-rate-limit",
        "0",
        "--listen",
        &listen,
        "--node",
        bench.node(node),
    ];
    let words = words.iter().chain(more).map(|it| (*it).to_owned());
    let command = bench.pinned(Side::Server, words.collect());
    bench.serve_at(address, &command)
}

/// Loads ours, and counts what it asks the node for.
fn load(
    bench: &Workbench,
    serving: &Serving,
    node: Node,
    calls: &[String],
    connections: usize,
    extent: [&str; 2],
    more: Vec<String>,
) -> Result<NodeLoad, Failure> {
    let process = bench.node_process(node)?;
    let target = Target {
        address: serving.address(),
        process: serving.id(),
        messages: calls,
        together: 1,
        needle: "\"structuredContent\"",
        from: Side::Load,
    };
    let before = process.request_count()?;
    let report = bench.load_target(&target, connections, extent, more)?;
    let requests = process.request_count()?.saturating_sub(before);
    let requests = u32::try_from(requests).map_or(f64::INFINITY, f64::from);
    let sent = report
        .sent
        .ok_or_else(|| Failure::unreadable("the load's report", "no sent"))?;
    Ok(NodeLoad {
        report,
        requests: requests / sent,
    })
}

/// The accounts that all tools ask as much for; the first one has a group besides.
fn accounts() -> impl Iterator<Item = &'static str> {
    ACCOUNTS.iter().skip(1).copied()
}

fn calls(kind: &Kind, server: SocketAddr) -> Vec<String> {
    let call = |account| call(server, kind.tool, &json!({"address": account}));
    accounts().map(call).collect()
}

/// A call of a tool as an HTTP request.
fn call(server: SocketAddr, tool: &str, arguments: &serde_json::Value) -> String {
    let headers = format!("MCP-Protocol-Version: {LEGACY}\r\n");
    let params = json!({"name": tool, "arguments": arguments});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    post(server, &headers, &message.to_string())
}

/// The same accounts asked for at the node.
fn requests(kind: &Kind, node: SocketAddr) -> Vec<String> {
    let of = |account: &'static str| {
        kind.paths
            .iter()
            .map(move |it| it.replace("ADDRESS", account))
    };
    let get = |path| format!("GET {path} HTTP/1.1\r\nHost: {node}\r\nAccept: */*\r\n\r\n");
    accounts().flat_map(of).map(get).collect()
}

/// Looks at one answer.
fn examine(
    bench: &Workbench,
    serving: &Serving,
    kind: &Kind,
    calls: &[String],
) -> Result<(), Failure> {
    let answer = result(bench, serving, calls.first().map_or("", String::as_str))?;
    let account = accounts().next();
    match answer.get("address").and_then(|it| it.as_str()) == account {
        true => Ok(()),
        false => Err(Failure::unreadable(
            format!("the answer to {}", kind.tool),
            answer,
        )),
    }
}

/// The structure that one call returns.
fn result(bench: &Workbench, serving: &Serving, call: &str) -> Result<serde_json::Value, Failure> {
    let answer = bench.ask(serving, call, "\"structuredContent\"")?;
    let mut answer: serde_json::Value = serde_json::from_slice(&answer)
        .map_err(|why| Failure::unreadable("the answer to a call", why))?;
    let found = answer.pointer_mut("/result/structuredContent");
    found
        .map(serde_json::Value::take)
        .ok_or_else(|| Failure::unreadable("the answer to a call", "it has no structure"))
}

/// The address of a node's URL.
fn address(url: &str) -> Result<SocketAddr, Failure> {
    let address = url.strip_prefix("http://").and_then(|it| it.parse().ok());
    address.ok_or_else(|| Failure::unreadable("the node's URL", url))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use super::{KINDS, accounts, address, calls, requests};

    #[test]
    fn the_node_is_asked_for_the_same_accounts_as_the_tool() {
        let node = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        for kind in KINDS {
            let (calls, requests) = (calls(kind, node), requests(kind, node));
            assert_eq!(requests.len(), calls.len() * kind.paths.len());
            let requests = requests.chunks(kind.paths.len());
            for ((account, call), requests) in accounts().zip(&calls).zip(requests) {
                assert!(call.contains(account), "{call}");
                assert!(
                    requests.iter().all(|it| it.contains(account)),
                    "{requests:?}"
                );
            }
        }
    }

    #[test]
    fn a_url_has_an_address() {
        let node = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        assert_eq!(address("http://127.0.0.1:1").unwrap(), node);
        assert!(address("127.0.0.1:1").is_err());
    }
}
