//! The program over HTTP.

use futures_util::future::join_all;
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::Child,
};

use crate::{access::post, program, run, soon};

/// Starts the server on a free port and returns its address and what it printed on standard error.
pub(crate) async fn start(line: &str) -> (Child, String, String) {
    let mut child = program(line).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut printed = String::new();
    while let Some(line) = soon(lines.next_line()).await.unwrap() {
        printed.push_str(&line);
        printed.push('\n');
        if line.contains("Ctrl-C") {
            break;
        }
    }
    let (_, rest) = printed
        .split_once("http://")
        .unwrap_or_else(|| panic!("{printed}"));
    let (address, _) = rest.split_once("/mcp").unwrap();
    let address = address.to_owned();
    (child, address, printed)
}

pub(crate) async fn exchange(address: &str, request: &str) -> String {
    let mut stream = soon(TcpStream::connect(address)).await.unwrap();
    soon(stream.write_all(request.as_bytes())).await.unwrap();
    let mut answer = String::new();
    soon(stream.read_to_string(&mut answer)).await.unwrap();
    answer
}

#[tokio::test]
async fn it_prints_a_url_a_working_request_and_a_client_configuration() {
    let (child, address, printed) = start("http --demo=recorded --listen 127.0.0.1:0").await;
    assert!(printed.contains("embedded simulated node"), "{printed}");
    assert!(
        printed.contains("recorded from a small private network"),
        "{printed}"
    );
    assert!(
        printed.contains(r#"{"mcpServers": {"qortal": {"type": "http", "url": "#),
        "{printed}"
    );
    let body = printed
        .split('\'')
        .find(|part| part.contains("jsonrpc"))
        .unwrap();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(&address, &request).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains(r#"\"height\":468"#), "{answer}");
    drop(child);
}

#[tokio::test]
async fn it_says_which_nodes_are_asked_while_the_first_does_not_answer() {
    let nodes = "--node http://127.0.0.1:9 --nodes http://127.0.0.1:10,http://127.0.0.1:11";
    let both = format!("{nodes} --public");
    let cases = [
        (
            "--node http://127.0.0.1:9",
            false,
            "no other node is queried.",
        ),
        (nodes, true, ""),
        (
            "--node http://127.0.0.1:9 --public",
            false,
            " public nodes are queried.",
        ),
        (&both, true, " public nodes are queried."),
    ];
    join_all(cases.map(async |(options, own, others)| {
        let (child, _, printed) = start(&format!("http --listen 127.0.0.1:0 {options}")).await;
        let said = "If it does not answer, 2 more of your nodes are queried first.";
        assert_eq!(printed.contains(said), own, "{options}: {printed}");
        let rest = printed.replace(said, "");
        assert_eq!(
            rest.contains("If it does not answer"),
            !others.is_empty(),
            "{options}: {printed}"
        );
        assert!(rest.contains(others), "{options}: {printed}");
        drop(child);
    }))
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_signal_ends_it_and_frees_the_port() {
    let (mut child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let health = format!("GET /health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    assert!(exchange(&address, &health).await.contains("\"ok\""));
    crate::terminate(&child).await;
    assert_eq!(soon(child.wait()).await.unwrap().code(), Some(0));
    assert!(TcpStream::connect(&address).await.is_err());
}

#[tokio::test]
async fn a_port_in_use_is_reported_with_a_hint() {
    let (child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let ended = run(&format!("http --demo --listen {address}")).await;
    assert_eq!(ended.code, Some(4));
    assert!(
        ended.errors.contains("hint: the port may be in use"),
        "{}",
        ended.errors
    );
    drop(child);
}

/// The addresses are for documentation (RFC 5737): no machine has them.
#[tokio::test]
async fn an_address_of_another_machine_is_reported_as_such() {
    for option in ["--listen", "--listen 127.0.0.1:0 --management-listen"] {
        let ended = run(&format!("http --demo --auth none {option} 192.0.2.1:8000")).await;
        assert_eq!(ended.code, Some(4));
        let hint = "hint: this machine does not have that address";
        assert!(ended.errors.contains(hint), "{}", ended.errors);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_socket_that_cannot_be_made_is_reported_with_a_hint_of_its_own() {
    let path = std::env::temp_dir().join("qortal-mcp-no-such-folder/socket");
    for option in ["--listen", "--listen 127.0.0.1:0 --management-listen"] {
        let ended = run(&format!("http --demo {option} unix:{}", path.display())).await;
        assert_eq!(ended.code, Some(4));
        let errors = &ended.errors;
        assert!(errors.contains("hint: the folder must exist"), "{errors}");
        assert!(!errors.contains("port"), "{errors}");
    }
}

#[tokio::test]
async fn each_surface_has_its_own_path() {
    let (child, address, _) = start("http --demo --listen 127.0.0.1:0").await;
    let mut sizes = Vec::new();
    for path in [
        "/mcp/x/dynamic",
        "/mcp/x/core",
        "/mcp/x/python",
        "/mcp",
        "/mcp/x/standard",
        "/mcp/x/extended",
    ] {
        let answer = post(&address, path, None, "tools/list").await;
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\n"),
            "{path}: {answer}"
        );
        sizes.push(answer.matches("\"inputSchema\"").count());
    }
    assert_eq!(sizes[0], 3);
    assert!(sizes.is_sorted(), "{sizes:?}");
    assert_eq!(sizes[1..3], [24, 54]);
    assert_eq!(sizes[3], sizes[4], "the default is the standard surface");
    drop(child);
}

#[cfg(unix)]
#[tokio::test]
async fn r087_neither_the_api_key_nor_credentials_of_clients_are_logged() {
    let secrets = [
        "YTL3yD9Nk272iZ25QbXkEm",
        "c2VjcmV0LXRva2Vu",
        "cookie-of-a-user",
    ];
    let [key, token, cookie] = secrets;
    let line = "http --log-level trace --listen 127.0.0.1:0 --node http://127.0.0.1:9";
    let mut child = program(line)
        .env("QORTAL_MCP_API_KEY", key)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut log = String::new();
    let mut address = None;
    while address.is_none() {
        let line = soon(lines.next_line()).await.unwrap().unwrap();
        let rest = line.split_once("http://127.0.0.1:").map(|(_, rest)| rest);
        let port = rest.and_then(|it| it.split_once("/mcp"));
        address = port.map(|(port, _)| format!("127.0.0.1:{port}"));
        log += &line;
    }
    let body =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_node_status"}}"#;
    let request = format!(
        "POST /mcp?token={token} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nCookie: {cookie}\r\nContent-Length: {}\r\n\r\n{body}",
        address.as_deref().unwrap(),
        body.len()
    );
    let answer = exchange(&address.unwrap(), &request).await;
    assert!(answer.contains("Node unreachable."), "{answer}");
    crate::terminate(&child).await;
    while let Some(line) = soon(lines.next_line()).await.unwrap() {
        log += &line;
    }
    assert!(
        log.contains("tools/call") || log.contains("get_node_status"),
        "{log}"
    );
    for secret in secrets {
        assert!(!log.contains(secret) && !answer.contains(secret), "{log}");
    }
}

/// The tools that are listed for a request with these headers, or the error message.
async fn listed(address: &str, path: &str, headers: &str) -> Result<Vec<String>, String> {
    let body = r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#;
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(address, &request).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["id"], "list");
    if let Some(message) = body["error"]["message"].as_str() {
        assert!(head.starts_with("HTTP/1.1 400 "), "{head}");
        return Err(message.to_owned());
    }
    let tools = body["result"]["tools"].as_array().unwrap().iter();
    Ok(tools
        .map(|it| it["name"].as_str().unwrap().to_owned())
        .collect())
}

#[tokio::test]
async fn clients_choose_the_listed_tools_by_headers() {
    let (child, address, _) =
        start("http --demo --listen 127.0.0.1:0 --exclude-tools get_block_height").await;
    for (path, headers, expected) in [
        (
            "/mcp/x/core",
            "X-MCP-Toolsets: blocks, polls\r\n",
            Ok("get_block_by_height"),
        ),
        (
            "/mcp/x/core",
            "x-mcp-toolsets: polls\r\nX-MCP-Tools: get_poll\r\nX-MCP-Tools: get_fee,get_fee\r\n",
            Ok("get_fee get_poll"),
        ),
        (
            "/mcp/x/extended",
            "X-MCP-Toolsets: polls\r\nX-MCP-Exclude-Tools: get_poll\r\n",
            Ok("list_polls get_app_ratings check_vote"),
        ),
        (
            "/mcp/x/core",
            "X-MCP-Toolsets: ,\r\nX-MCP-Tools: block_height\r\n",
            Err("unknown tool \"block_height\", did you mean get_block_height?"),
        ),
        (
            "/mcp",
            "X-MCP-Toolsets: weather\r\n",
            Err("unknown toolset \"weather\", there are node, accounts"),
        ),
        (
            "/mcp",
            "X-MCP-Tools: \u{e9}\r\n",
            Err("X-MCP-Tools must be a comma-separated list of names"),
        ),
    ] {
        match (listed(&address, path, headers).await, expected) {
            (Ok(names), Ok(expected)) => {
                let expected: Vec<_> = expected.split(' ').collect();
                assert_eq!(names, expected, "{headers}");
            }
            (Err(message), Err(expected)) => {
                assert!(message.contains(expected), "{message}");
            }
            (found, _) => panic!("{path} {headers}: {found:?}"),
        }
    }
    // The choice of one client does not affect the others.
    let all = listed(&address, "/mcp", "").await.unwrap();
    assert!(all.len() > 50, "{all:?}");
    assert!(!all.contains(&"get_block_height".to_owned()));
    drop(child);
}
