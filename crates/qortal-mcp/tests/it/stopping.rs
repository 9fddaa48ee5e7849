//! Every request that was accepted is answered before the program ends, and signals do what operators expect.
#![cfg(unix)]

use std::{fs, process::Stdio, time::Duration};

use futures_util::future::join_all;
use mcp_client::{Client, ClientConfig, Endpoint, NotificationBody, NotificationFilter};
use mcp_protocol::Tool;
use qortal_testnode::{Fault, Scenario, TestNode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    net::TcpStream,
    process::{Child, ChildStderr},
};

use crate::{
    access::{Secrets, TOKEN, post, send},
    program, signal, soon,
    stdio::Talk,
    terminate,
};

/// Long enough for a test to send a signal meanwhile.
const SLOW: Duration = Duration::from_millis(500);

fn call(id: u8) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "get_block_height"}})
}

async fn node() -> TestNode {
    TestNode::start(Scenario::recorded()).await.unwrap()
}

/// Waits until the node has been asked for the height.
async fn asked(node: &TestNode) {
    soon(async {
        while !node
            .journal()
            .iter()
            .any(|it| it.target == "/blocks/height")
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// What ends the program while a request is in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Input,
    Signal,
}

/// A conversation with a request in progress that has been asked to end.
async fn ending(node: &TestNode, options: &str, end: End) -> Talk {
    let line = format!("--node {} {options}", node.url());
    let mut talk = Talk::of(program(&line).spawn().unwrap());
    talk.initialize().await;
    talk.send(&call(2).to_string()).await;
    asked(node).await;
    match end {
        End::Input => drop(talk.input.take()),
        End::Signal => terminate(&talk.child).await,
    }
    talk
}

#[tokio::test]
async fn r081_stdio_answers_what_is_in_progress_at_the_end_of_input_and_at_a_signal() {
    join_all([End::Input, End::Signal].map(async |end| {
        let node = node().await;
        node.latency(SLOW);
        let mut talk = ending(&node, "", end).await;
        let answer = talk.receive().await.unwrap();
        assert_eq!(answer["result"]["structuredContent"]["height"], 468);
        assert_eq!(talk.receive().await, None);
        assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
        node.stop().await;
    }))
    .await;
}

#[tokio::test]
async fn r081_stdio_answers_with_an_error_what_takes_too_long_and_the_exit_code_says_so() {
    for (options, end, second_signal) in [
        ("--drain-timeout 0.05", End::Input, false),
        ("--drain-timeout 0.05", End::Signal, false),
        ("", End::Signal, true),
        // A host that has closed the input need not ask twice.
        ("", End::Input, true),
    ] {
        let node = node().await;
        node.fault("/*", Fault::StallBeforeHeaders);
        let mut talk = ending(&node, options, end).await;
        if second_signal {
            if end == End::Signal {
                // Two signals at once are one.
                let errors = talk.child.stderr.take().unwrap();
                says(
                    &mut BufReader::new(errors).lines(),
                    "received a stop signal",
                )
                .await;
            }
            terminate(&talk.child).await;
        }
        let answer = talk.receive().await.unwrap();
        assert_eq!(answer["id"], 2, "{options} {end:?}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("The server stopped"), "{message}");
        assert_eq!(talk.receive().await, None);
        assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(5));
        node.stop().await;
    }
}

/// Reads the log until it says this.
async fn says(log: &mut Lines<BufReader<ChildStderr>>, text: &str) {
    while let Some(line) = soon(log.next_line()).await.unwrap() {
        if line.contains(text) {
            return;
        }
    }
    panic!("the log does not say {text:?}");
}

/// The program over HTTP, with its log.
struct Serving {
    child: Child,
    log: Lines<BufReader<ChildStderr>>,
    address: String,
}

impl Serving {
    async fn start(options: &str) -> Self {
        let line = format!("http --listen 127.0.0.1:0 {options}");
        let mut child = program(&line).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut address = None;
        while address.is_none() {
            let line = soon(log.next_line()).await.unwrap().unwrap();
            let url = line.split_once("serves MCP at http://");
            address = url.and_then(|(_, rest)| Some(rest.split_once("/mcp")?.0.to_owned()));
        }
        Self {
            child,
            log,
            address: address.unwrap(),
        }
    }

    async fn says(&mut self, text: &str) {
        says(&mut self.log, text).await;
    }

    async fn ends(mut self) -> Option<i32> {
        soon(self.child.wait()).await.unwrap().code()
    }
}

#[tokio::test]
async fn over_http_what_is_in_progress_is_answered_or_refused_and_the_exit_code_says_which() {
    let cases = [
        ("", true, false),
        ("--drain-timeout 0.05", false, false),
        ("", false, true),
    ];
    join_all(cases.map(async |(options, finishes, second_signal)| {
        let node = node().await;
        match finishes {
            true => node.latency(SLOW),
            false => node.fault("/*", Fault::StallBeforeHeaders),
        }
        let mut serving = Serving::start(&format!("--node {} {options}", node.url())).await;
        let body = call(7).to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            serving.address,
            body.len()
        );
        let mut client = soon(TcpStream::connect(&serving.address)).await.unwrap();
        soon(client.write_all(request.as_bytes())).await.unwrap();
        asked(&node).await;
        terminate(&serving.child).await;
        if second_signal {
            serving.says("received a stop signal").await;
            terminate(&serving.child).await;
        }
        let mut answer = String::new();
        soon(client.read_to_string(&mut answer)).await.unwrap();
        let expected = match finishes {
            true => r#"\"height\":468"#,
            false => "The server stopped before this request was finished.",
        };
        assert!(answer.contains(expected), "{answer}");
        assert!(answer.contains(r#""id":7"#), "{answer}");
        assert_eq!(serving.ends().await, Some(if finishes { 0 } else { 5 }));
        node.stop().await;
    }))
    .await;
}

#[tokio::test]
async fn a_hang_up_reads_files_again_and_keeps_what_has_become_invalid() {
    let tokens = Secrets::new("hang-up-tokens", &format!("alice {TOKEN}-old\n"));
    let config = Secrets::new("hang-up-config", "log_level = \"info\"\n");
    let mut serving = Serving::start(&format!(
        "--demo --token-file {} --config {}",
        tokens.0.display(),
        config.0.display()
    ))
    .await;
    let address = serving.address.clone();
    let admitted = async |token: &str| {
        let token = format!("{TOKEN}{token}");
        let answer = post(&address, "/mcp", Some(&token), "ping").await;
        answer.contains("200 OK")
    };
    assert!(admitted("-old").await && !admitted("-newer").await);

    fs::write(&tokens.0, format!("alice {TOKEN}-newer\n")).unwrap();
    fs::write(&config.0, "log_level = \"debug\"\n").unwrap();
    signal(&serving.child, "HUP").await;
    serving.says("the configuration was reloaded").await;
    serving.says("the token file was reloaded").await;
    assert!(admitted("-newer").await && !admitted("-old").await);
    // Requests are logged at the level that is in effect now.
    serving.says("method=\"ping\"").await;

    fs::write(&tokens.0, "alice\n").unwrap();
    fs::write(&config.0, "log_level = 7\n").unwrap();
    signal(&serving.child, "HUP").await;
    serving.says("the configuration has become invalid").await;
    serving.says("the token file has become invalid").await;
    assert!(admitted("-newer").await);
    terminate(&serving.child).await;
    assert_eq!(serving.ends().await, Some(0));
}

#[tokio::test]
async fn a_hang_up_applies_what_can_change_and_names_what_cannot() {
    let config = Secrets::new("hang-up-live", "surface = \"standard\"\n");
    let path = config.0.display();
    let mut serving = Serving::start(&format!("--demo --config {path}")).await;
    let address = serving.address.clone();
    let endpoint = Endpoint::new(&format!("http://{address}/mcp")).unwrap();
    let client = Client::connect(endpoint, ClientConfig::new("test", "0"));
    let client = soon(client).await.unwrap();
    let listed = async || client.list_all::<Tool>().await.unwrap().len();
    let standard = listed().await;
    let listening = client.listen(NotificationFilter::default().with_tools());
    let mut listening = soon(listening).await.unwrap();
    let text =
        "surface = \"core\"\nrate_limit = 1\nnode = \"http://127.0.0.1:9\"\ndrain_timeout = 7\n";
    fs::write(&config.0, text).unwrap();
    signal(&serving.child, "HUP").await;
    serving
        .says("the configuration was reloaded changed=\"surface, rate_limit\"")
        .await;
    serving
        .says("changed settings need a restart settings=\"node, drain_timeout\"")
        .await;
    let core = listed().await;
    assert!(0 < core && core < standard, "{core} {standard}");
    let changed = soon(listening.next()).await.unwrap();
    assert_eq!(changed.kind, NotificationBody::ToolsChanged);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "convert_units", "arguments": {"value": "1", "from": "units"}}});
    soon(async {
        while !send(&address, "/mcp", None, &call)
            .await
            .contains("this server allows 1 a second")
        {}
    })
    .await;

    // Whatever the file becomes, the last good one stays in effect.
    let broken = [
        "surface = core\n",
        "surface = \"everything\"\n",
        "sufrace = \"extended\"\n",
        "surface = \"extended\"\ntoolsets = [\"nothing\"]\n",
        "log_level = 7\n",
    ];
    for text in broken {
        fs::write(&config.0, text).unwrap();
        signal(&serving.child, "HUP").await;
        serving.says("the configuration has become invalid").await;
        assert_eq!(listed().await, core, "{text}");
    }
    for is_directory in [false, true] {
        match is_directory {
            false => fs::remove_file(&config.0).unwrap(),
            true => fs::create_dir(&config.0).unwrap(),
        }
        signal(&serving.child, "HUP").await;
        serving.says("the configuration has become invalid").await;
        assert_eq!(listed().await, core);
    }
    fs::remove_dir(&config.0).unwrap();
    fs::write(&config.0, "surface = \"standard\"\n").unwrap();
    signal(&serving.child, "HUP").await;
    serving.says("the configuration was reloaded").await;
    assert_eq!(listed().await, standard);
    terminate(&serving.child).await;
    assert_eq!(serving.ends().await, Some(0));
}

#[tokio::test]
async fn a_hang_up_does_not_end_stdio() {
    let mut talk = Talk::of(program("--demo").stderr(Stdio::null()).spawn().unwrap());
    talk.initialize().await;
    // Sent by programs that rotate logs; nothing is asked for.
    for name in ["USR1", "USR2"] {
        signal(&talk.child, name).await;
    }
    signal(&talk.child, "HUP").await;
    let answer = talk.request("ping", json!({})).await;
    assert_eq!(answer["result"], json!({}));
    drop(talk.input.take());
    assert_eq!(soon(talk.child.wait()).await.unwrap().code(), Some(0));
}
