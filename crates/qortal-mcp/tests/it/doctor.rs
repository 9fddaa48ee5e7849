//! The findings of `doctor` about nodes in every condition.

use std::process::Stdio;

use insta::assert_snapshot;
use qortal_testnode::{API_KEY, Fault, Scenario, TestNode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{access::Secrets, ended, program, run, run_words};

/// The exit code and the output of `doctor`, over a node with these faults by path.
async fn check(faults: &[(&str, Fault)]) -> (Option<i32>, String) {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    for (pattern, fault) in faults {
        node.fault(pattern, fault.clone());
    }
    let ended = run(&format!("doctor --node {}", node.url())).await;
    assert_eq!(ended.errors, "");
    let output = shortened(&ended.output).replace(node.url(), "NODE");
    node.stop().await;
    (ended.code, output)
}

/// The findings without the names of the tools that work without a node, and the age of the last block.
fn shortened(output: &str) -> String {
    let lines = output.lines().filter(|it| {
        let varies = ["ok         last block", "attention  last block"];
        !varies.iter().any(|start| it.starts_with(start))
    });
    let lines: Vec<_> = lines
        .map(|line| {
            line.split_once("would work: ")
                .map_or(line, |(start, _)| start.trim_end())
        })
        .collect();
    lines.join("\n")
}

/// Releases of the Core, and tools that are named for each as too new.
#[tokio::test]
async fn tools_that_a_release_lacks_are_named() {
    for (core, lacking, expected) in [
        ("4.0.0", 16, "search_names (from 4.0.2 on)"),
        ("4.7.1", 9, "find_payments (from 5.0.7 on)"),
        ("6.1.6", 1, "check_membership (from 6.1.7 on)"),
        ("6.1.8", 0, "would work"),
    ] {
        let info = format!(
            r#"{{"currentTimestamp":1763800000000,"uptime":1,"buildVersion":"qortal-{core}-abc","buildTimestamp":1,"nodeId":"N","isTestNet":false,"type":"full"}}"#
        );
        let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
        node.fault("/admin/info", Fault::Status(200, info));
        let ended = run(&format!("doctor --json --node {}", node.url())).await;
        let findings: Value = serde_json::from_str(&ended.output).unwrap();
        let tools = &findings["tools"];
        let detail = tools["detail"].as_str().unwrap();
        let state = if lacking == 0 { "ok" } else { "attention" };
        assert_eq!(tools["state"], state, "{core} {detail}");
        assert_eq!(detail.matches(" on)").count(), lacking, "{core} {detail}");
        assert!(detail.contains(expected), "{core} {detail}");
        node.stop().await;
    }
}

#[tokio::test]
async fn a_healthy_node_passes_every_check() {
    passes("doctor --json --demo").await;
    passes("doctor --json --demo=recorded").await;
}

async fn passes(line: &str) {
    let ended = run(line).await;
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let findings: Value = serde_json::from_str(&ended.output).unwrap();
    let (nodes, checks): (Vec<_>, Vec<_>) = findings
        .as_object()
        .unwrap()
        .iter()
        .partition(|(name, _)| ["nodes", "nextSteps"].contains(&name.as_str()));
    assert_eq!(nodes[0].1[0]["circuit"], "closed");
    for (name, finding) in checks {
        assert_eq!(finding["state"], "ok", "{name}: {finding}");
    }
}

#[tokio::test]
async fn nothing_listens_at_the_address() {
    // A port that was free a moment ago, on loopback: nothing answers there.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let ended = run(&format!("doctor --node http://{address}")).await;
    assert_eq!(ended.code, Some(3), "{}", ended.output);
    let output = shortened(&ended.output).replace(&address.to_string(), "ADDRESS");
    assert_snapshot!(output, @r"
    failed   node          http://ADDRESS: node unreachable for GET /admin/status: the connection was refused. Is Qortal Core running at this address?
    ok       API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok       public nodes  not used, --public allows them to serve chain queries while your node cannot
    failed   tools         only those that do not query the node
    ok       views         on, for hosts that show pages next to results
    unknown                for the same reason: version, synchronized, last block, peers, clock

    Next steps:
    1. Start Qortal Core on this machine (https://qortal.org), or name another node with --node URL.
    2. If you have no node, use public nodes for chain queries: --public
    3. Try every tool with a simulated node: --demo
    ");
}

#[tokio::test]
async fn a_node_refuses_everything() {
    let unauthorized = r#"{"error":4,"message":"API key not generated"}"#;
    let (code, output) = check(&[("*", Fault::Status(403, unauthorized.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r"
    failed   node          NODE: node refused GET /admin/status with HTTP 403, code 4 UNAUTHORIZED: API key not generated. A Qortal Core answers every whitelisted client. Is there a proxy in front of it?
    ok       API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok       public nodes  not used, --public allows them to serve chain queries while your node cannot
    failed   tools         only those that do not query the node
    ok       views         on, for hosts that show pages next to results
    unknown                for the same reason: version, synchronized, last block, peers, clock

    Next steps:
    1. Correct the address with --node URL, or let the node accept requests from this machine.
    2. Meanwhile, use public nodes for chain queries: --public
    ");
}

#[tokio::test]
async fn the_client_is_not_whitelisted() {
    let page = "<html><body>Forbidden</body></html>";
    let (code, output) = check(&[("*", Fault::Status(403, page.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r"
    failed   node          NODE rejects requests from this machine, whose address must be in apiWhitelist in the node's settings.json
    ok       API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok       public nodes  not used, --public allows them to serve chain queries while your node cannot
    failed   tools         only those that do not query the node
    ok       views         on, for hosts that show pages next to results
    unknown                for the same reason: version, synchronized, last block, peers, clock

    Next steps:
    1. Correct the address with --node URL, or let the node accept requests from this machine.
    2. Meanwhile, use public nodes for chain queries: --public
    ");
}

#[tokio::test]
async fn a_web_server_is_not_a_node() {
    let (code, output) = check(&[("*", Fault::NotJson)]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r#"
    failed   node          NODE is not the API of a Qortal node: response to GET /admin/status is not the expected JSON: "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Please log in.</body></html>\n"
    ok       API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok       public nodes  not used, --public allows them to serve chain queries while your node cannot
    failed   tools         only those that do not query the node
    ok       views         on, for hosts that show pages next to results
    unknown                for the same reason: version, synchronized, last block, peers, clock

    Next steps:
    1. Correct the address with --node URL, or let the node accept requests from this machine.
    2. Meanwhile, use public nodes for chain queries: --public
    "#);
    let missing = "<html><body>Not found</body></html>";
    let (code, output) = check(&[("*", Fault::Status(404, missing.to_owned()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r"
    failed   node          NODE is not the API of a Qortal node: node refused GET /admin/status with HTTP 404
    ok       API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok       public nodes  not used, --public allows them to serve chain queries while your node cannot
    failed   tools         only those that do not query the node
    ok       views         on, for hosts that show pages next to results
    unknown                for the same reason: version, synchronized, last block, peers, clock

    Next steps:
    1. Correct the address with --node URL, or let the node accept requests from this machine.
    2. Meanwhile, use public nodes for chain queries: --public
    ");
}

#[tokio::test]
async fn some_answers_fail() {
    let (code, output) = check(&[("/admin/info", Fault::Status(500, String::new()))]).await;
    assert_eq!(code, Some(1), "{output}");
    assert_snapshot!(output, @r"
    ok         node          NODE answers
    failed     version       unknown: node refused GET /admin/info with HTTP 500
    ok         synchronized  at height 468
    attention  peers         0 connected
    ok         API key       not configured, only get_node_lists, get_engine_stats, search_hosted_qdn need it
    ok         public nodes  not used, --public allows them to serve chain queries while your node cannot
    attention  tools         some of the 126 would fail, see version
    ok         views         on, for hosts that show pages next to results
    unknown                  for the same reason: clock

    Next steps:
    1. If it does not synchronize, restart the node, or bootstrap it (qortal-mcp call explain_topic topic=node_sync).
    2. Check the node's internet connection, and that its firewall lets it reach other nodes.
    ");
}

#[tokio::test]
async fn what_fails_for_another_reason_is_said_itself() {
    let refused = |status| Fault::Status(status, String::new());
    for (first, second, expected) in [
        (
            refused(500),
            refused(404),
            "node refused GET /blocks/last with HTTP 404",
        ),
        (
            Fault::NotJson,
            Fault::ResetBeforeResponse,
            "node unreachable for GET /blocks/last: ",
        ),
    ] {
        let (_, output) = check(&[("/admin/info", first), ("/blocks/last", second)]).await;
        let line = format!("failed     last block    unknown: {expected}");
        assert!(output.contains(&line), "{output}");
    }
}

/// What the doctor says about a key, which the node accepts or not.
#[tokio::test]
async fn the_key_is_checked() {
    let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    for (name, key, expected) in [
        ("right", API_KEY, "ok         API key       accepted"),
        (
            "wrong",
            "YTL3yD9Nk272iZ25QbXkEm",
            "attention  API key       not accepted: node refused GET /admin/apikey/test with HTTP 403, code 4 UNAUTHORIZED: API key invalid",
        ),
    ] {
        let file = Secrets::new(&format!("{name}-apikey.txt"), key);
        let path = file.0.to_string_lossy().into_owned();
        let words = ["doctor", "--node", node.url(), "--api-key-file", &path];
        let ended = run_words(words).await;
        let line = ended.output.lines().find(|it| it.contains("API key"));
        assert_eq!(line, Some(expected), "{}", ended.output);
    }
    node.stop().await;
}

/// What it found out about two nodes: the configured one resets connections, the other answers.
#[tokio::test]
async fn the_health_of_each_node_is_shown() {
    let own = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    own.fault("*", Fault::ResetBeforeResponse);
    let public = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
    let examine = async |line: &str| {
        let mut program = program(&format!("{line} --node {}", own.url()));
        program.env("QORTAL_MCP_PUBLIC", "true");
        program.env("QORTAL_MCP_PUBLIC_NODES", public.url());
        let ended = ended(program.stdin(Stdio::null()).spawn().unwrap()).await;
        let output = ended.output.replace(own.url(), "OWN");
        let output = output.replace(public.url(), "PUBLIC");
        // They are sent at once, and each fails: any may be the last.
        let requests = ["/admin/status", "/admin/info", "/blocks/last"];
        requests
            .iter()
            .fold(output, |output, it| output.replace(it, "ANY"))
    };
    // A person is told once of each node.
    let output = examine("doctor").await;
    assert_eq!(output.matches("PUBLIC").count(), 1, "{output}");
    assert!(!output.contains("\nhealth"), "{output}");
    assert!(!output.contains("--public"), "it was given: {output}");
    let said: Value = serde_json::from_str(&examine("doctor --json").await).unwrap();
    let expected = json!([
        {
            "url": "OWN",
            "circuit": "open",
            "lastError": "node unreachable for GET ANY: the connection was reset",
            "cause": "the connection was reset",
        },
        {"url": "PUBLIC", "circuit": "closed", "height": 468},
    ]);
    assert_eq!(said["nodes"], expected);
    own.stop().await;
    public.stop().await;
}

/// A command that is advised can be run.
#[tokio::test]
async fn the_advice_for_a_node_that_is_behind_exists() {
    let (_, output) = check(&[("/admin/info", Fault::Status(500, String::new()))]).await;
    let advised = output.lines().find_map(|it| it.split_once("(qortal-mcp "));
    let (command, _) = advised.unwrap().1.split_once(')').unwrap();
    let ended = run(&format!("{command} --demo")).await;
    assert_eq!(ended.code, Some(0), "{command}: {}", ended.errors);
}

#[tokio::test]
async fn a_release_that_is_too_old_is_said() {
    let old = r#"{"currentTimestamp":1763800000000,"uptime":1,"buildVersion":"qortal-3.9.1-abc","buildTimestamp":1,"nodeId":"N","isTestNet":false,"type":"full"}"#;
    let (_, output) = check(&[("/admin/info", Fault::Status(200, old.to_owned()))]).await;
    let line = "attention  version       qortal-3.9.1-abc is too old, the oldest supported release is 4.0.0";
    assert!(output.contains(line), "{output}");
    assert!(output.contains("Update Qortal Core"), "{output}");
}

#[tokio::test]
async fn what_a_node_says_of_itself_stays_on_its_line() {
    let version = r#"{"currentTimestamp":1763800000000,"uptime":1,"buildVersion":"6.1.8\nok         peers         99 connected","buildTimestamp":1,"nodeId":"N","isTestNet":false,"type":"full"}"#;
    let refusal = r#"{"error":1,"message":"no\nok         peers         99 connected"}"#;
    for (status, body) in [(200, version), (500, refusal)] {
        let (_, output) = check(&[("/admin/info", Fault::Status(status, body.to_owned()))]).await;
        let forged = "ok         peers         99 connected";
        assert!(!output.lines().any(|it| it == forged), "{output}");
        assert!(output.contains("failed     version"), "{output}");
    }
}

#[tokio::test]
async fn colors_are_for_terminals_and_for_those_who_ask() {
    let plain = run("doctor --demo").await.output;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let colored = run("doctor --demo --color always").await.output;
    assert!(colored.contains("\u{1b}[32mok"), "{colored}");
}

#[tokio::test]
async fn each_of_several_own_nodes_is_checked_with_its_own_key() {
    let start = || TestNode::start_lenient(Scenario::recorded());
    let (first, second) = (start().await.unwrap(), start().await.unwrap());
    for (key, state, detail) in [
        (API_KEY, "ok", "API key accepted"),
        ("another", "attention", "does not accept its API key"),
    ] {
        let file = Secrets::new(&format!("{state}-own-key.txt"), key);
        let nodes = format!("{}={}", second.url(), file.0.display());
        let line = format!("doctor --json --node {} --nodes {nodes}", first.url());
        let ended = run(&line).await;
        let findings: Value = serde_json::from_str(&ended.output).unwrap();
        assert_eq!(findings["ownNodes"]["state"], state, "{findings}");
        let told = findings["ownNodes"]["detail"].as_str().unwrap();
        assert!(
            told.starts_with(second.url()) && told.contains(detail),
            "{told}"
        );
    }
    assert!(first.journal().iter().all(|it| !it.has_api_key));
    first.stop().await;
    second.stop().await;
}
