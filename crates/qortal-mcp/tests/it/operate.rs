//! What operators and their monitors see of a server over HTTP.

use std::{collections::BTreeSet, net::TcpListener};

use serde_json::{Value, json};

use crate::{
    access::send,
    http::{exchange, start},
    run,
};
#[cfg(unix)]
use crate::{
    access::{Secrets, TOKEN},
    soon,
};

/// An address of the loopback that no one listens at.
pub(crate) fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

/// The status and the body, as a monitor gets them that names the server by an address of its own.
pub(crate) async fn probe(address: &str, path: &str) -> (u16, String) {
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: 10.244.0.5:9464\r\nConnection: close\r\n\r\n");
    let answer = exchange(address, &request).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap();
    (status.parse().unwrap(), body.to_owned())
}

async fn call(address: &str, method: &str, tool: &str) {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"name": tool, "arguments": {}}});
    send(address, "/mcp", None, &message).await;
}

/// The lines that are figures, without their values.
fn series(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|it| !it.starts_with('#'));
    lines
        .filter_map(|it| it.rsplit_once(' '))
        .map(|(it, _)| it)
        .collect()
}

pub(crate) fn value(text: &str, series: &str) -> Option<f64> {
    let line = text.lines().find(|it| {
        it.strip_prefix(series)
            .is_some_and(|it| it.starts_with(' '))
    })?;
    line.rsplit_once(' ')?.1.parse().ok()
}

/// They are all kept, so that no monitor waits until room has been made for it.
#[tokio::test]
async fn many_who_say_nothing_keep_no_monitor_waiting() {
    let management = free_address();
    let line =
        format!("http --demo=recorded --listen 127.0.0.1:0 --management-listen {management}");
    let (child, ..) = start(&line).await;
    let mut silent = Vec::new();
    for _ in 0..300 {
        silent.push(tokio::net::TcpStream::connect(&management).await.unwrap());
    }
    assert_eq!(probe(&management, "/health").await.0, 200);
    for stream in &silent {
        let read = stream.try_read(&mut [0]).map_err(|err| err.kind());
        assert_eq!(read, Err(std::io::ErrorKind::WouldBlock));
    }
    drop(child);
}

#[tokio::test]
async fn readiness_is_told_to_all_and_how_the_nodes_are_to_the_operator() {
    let management = free_address();
    let line =
        format!("http --demo=recorded --listen 127.0.0.1:0 --management-listen {management}");
    let (child, address, _) = start(&line).await;
    let (status, body) = probe(&address, "/ready").await;
    assert_eq!((status, &*body), (200, r#"{"status":"ready"}"#));
    assert_eq!(probe(&address, "/metrics").await.0, 404);
    let (status, body) = probe(&management, "/ready").await;
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["status"], "ready");
    assert_eq!(body["nodes"][0]["node"], "own");
    assert_eq!(body["nodes"][0]["circuit"], "closed");
    assert_eq!(body["nodes"][0]["height"], 468);
    let (status, body) = probe(&management, "/health").await;
    assert_eq!((status, &*body), (200, r#"{"status":"ok"}"#));
    assert_eq!(probe(&management, "/mcp").await.0, 404);
    assert_eq!(probe(&management, "/").await.0, 404);
    drop(child);
}

#[tokio::test]
async fn a_node_that_no_client_asks_is_looked_at_while_there_is_a_management_address() {
    let (nowhere, other) = (free_address(), free_address());
    let management = free_address();
    let (child, _, _) = start(&format!(
        "http --node http://{nowhere} --nodes http://{other} --listen 127.0.0.1:0 --management-listen {management}"
    ))
    .await;
    let is_known = async || {
        let (_, text) = probe(&management, "/metrics").await;
        ["own", "own-1"].into_iter().all(|node| {
            let series = format!("qortal_node_circuit_open{{node=\"{node}\"}}");
            value(&text, &series) == Some(1.0)
        })
    };
    soon(async { while !is_known().await {} }).await;
    drop(child);
}

#[tokio::test]
async fn without_its_node_a_server_is_ready_unless_it_is_told_otherwise() {
    let node = format!("--node http://{}", free_address());
    for (option, status, word) in [
        ("", 200, "ready"),
        ("--ready-needs-node", 503, "node not ready"),
    ] {
        let management = free_address();
        let line =
            format!("http --listen 127.0.0.1:0 --management-listen {management} {node} {option}");
        let (child, address, _) = start(&line).await;
        let (found, body) = probe(&management, "/ready").await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(found, status, "{body}");
        assert_eq!(body["status"], word);
        assert_eq!(body["node"], "no answer");
        assert_eq!(body["nodes"][0]["circuit"], "open");
        assert_eq!(body["nodes"][0]["lastError"], "the connection was refused");
        assert_eq!(probe(&address, "/ready").await.0, status);
        let (_, text) = probe(&management, "/metrics").await;
        let refused = r#"qortal_node_requests_total{endpoint="/admin/status",node="own",outcome="connection_refused"}"#;
        assert!(value(&text, refused).is_some_and(|it| it >= 1.0), "{text}");
        assert_eq!(
            value(&text, r#"qortal_node_circuit_open{node="own"}"#),
            Some(1.0)
        );
        drop(child);
    }
}

#[tokio::test]
async fn requests_are_counted_by_what_our_tables_name_and_clients_invent_no_label() {
    let management = free_address();
    let line =
        format!("http --demo=recorded --listen 127.0.0.1:0 --management-listen {management}");
    let (child, address, _) = start(&line).await;
    call(&address, "tools/call", "get_block_height").await;
    call(&address, "tools/call", "get_balance").await;
    call(&address, "tools/call", "invented_0").await;
    call(&address, "invented/0", "x").await;
    let (status, before) = probe(&management, "/metrics").await;
    assert_eq!(status, 200, "{before}");
    for n in 1..100 {
        call(&address, "tools/call", &format!("invented_{n}")).await;
        call(&address, &format!("invented/{n}"), "x").await;
    }
    let (_, text) = probe(&management, "/metrics").await;
    assert_eq!(series(&text), series(&before));
    assert!(!text.contains("invented"), "{text}");
    let operations = |tool: &str, method: &str, error: &str| {
        let labels = format!(
            r#"{{error_type="{error}",gen_ai_tool_name="{tool}",mcp_method_name="{method}",network_transport="tcp"}}"#
        );
        value(
            &text,
            &format!("mcp_server_operation_duration_seconds_count{labels}"),
        )
    };
    assert_eq!(
        operations("get_block_height", "tools/call", ""),
        Some(1.0),
        "{text}"
    );
    assert_eq!(
        operations("get_balance", "tools/call", "tool_error"),
        Some(1.0)
    );
    assert_eq!(operations("_OTHER", "tools/call", "-32602"), Some(100.0));
    assert_eq!(operations("", "_OTHER", "-32601"), Some(100.0));
    let version = format!(
        "qortal_mcp_build_info{{version=\"{}\"}}",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(value(&text, &version), Some(1.0));
    assert_eq!(
        value(&text, r#"qortal_node_height{node="own"}"#),
        Some(468.0)
    );
    assert_eq!(value(&text, "qortal_mcp_draining"), Some(0.0));
    drop(child);
}

#[tokio::test]
async fn the_management_address_follows_the_rule_for_open_addresses() {
    let ended =
        run("http --demo=recorded --listen 127.0.0.1:0 --management-listen 0.0.0.0:0").await;
    assert_eq!(ended.code, Some(2), "{}", ended.errors);
    assert!(
        ended
            .errors
            .contains("0.0.0.0:0 can be reached from other machines"),
        "{}",
        ended.errors
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let ended = run(&format!(
        "http --demo=recorded --listen 127.0.0.1:0 --management-listen {address}"
    ))
    .await;
    assert!(
        ended
            .errors
            .contains(&format!("cannot listen on {address}")),
        "{}",
        ended.errors
    );
}

#[cfg(unix)]
#[tokio::test]
async fn monitors_are_told_that_a_server_drains_until_it_has_ended() {
    let tokens = Secrets::new("operate-tokens", &format!("alice {TOKEN}\n"));
    let management = free_address();
    let line = format!(
        "http --demo=recorded --listen 127.0.0.1:0 --management-listen {management} --token-file {}",
        tokens.0.display()
    );
    let (mut child, address, _) = start(&line).await;
    // A request whose body has not come yet keeps the server from ending.
    let mut pending = soon(tokio::net::TcpStream::connect(&address))
        .await
        .unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 46\r\n\r\n"
    );
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let (first, rest) = body.split_at(10);
    tokio::io::AsyncWriteExt::write_all(&mut pending, format!("{head}{first}").as_bytes())
        .await
        .unwrap();
    let accepted = async {
        loop {
            let (_, text) = probe(&management, "/metrics").await;
            if value(&text, "qortal_mcp_connections") == Some(1.0) {
                break;
            }
        }
    };
    soon(accepted).await;
    assert_eq!(probe(&management, "/ready").await.0, 200);
    crate::terminate(&child).await;
    let draining = async {
        loop {
            let (status, body) = probe(&management, "/ready").await;
            if status == 503 {
                break body;
            }
        }
    };
    let body = soon(draining).await;
    assert!(body.contains(r#""status":"draining""#), "{body}");
    let (_, text) = probe(&management, "/metrics").await;
    assert_eq!(value(&text, "qortal_mcp_draining"), Some(1.0));
    tokio::io::AsyncWriteExt::write_all(&mut pending, rest.as_bytes())
        .await
        .unwrap();
    let ended = soon(child.wait()).await.unwrap();
    assert_eq!(ended.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn as_many_clients_listen_as_the_setting_says() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// A quarter of the connections, and more than a server has by default.
    const STREAMS: u32 = 300;
    let line = "http --demo=recorded --listen 127.0.0.1:0 --max-connections 1200";
    let (child, address, _) = start(line).await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let wanted = json!({"resourceSubscriptions": ["qortal://chain/tip"]});
    let params = json!({"notifications": wanted, "_meta": meta});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params});
    let body = body.to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut clients = Vec::new();
    for number in 1..=STREAMS {
        // One client gets half of the streams.
        let own = std::net::Ipv4Addr::from_bits(0x7f01_0000 + number);
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket
            .bind(std::net::SocketAddr::new(own.into(), 0))
            .unwrap();
        let connected = socket.connect(address.parse().unwrap());
        let mut client = soon(connected).await.unwrap();
        soon(client.write_all(request.as_bytes())).await.unwrap();
        let mut text = String::new();
        while !text.contains("subscriptions/acknowledged") {
            let mut some = [0; 4096];
            let read = soon(client.read(&mut some)).await.unwrap();
            text += std::str::from_utf8(&some[..read]).unwrap();
            assert!(!text.contains("\"error\""), "{number}: {text}");
        }
        clients.push(client);
    }
    drop(child);
}
