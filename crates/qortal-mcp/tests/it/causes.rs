//! Why a node does not answer: told apart in the log, in the figures, and by `doctor`.

use futures_util::future::join_all;
use qortal_testnode::{Fault, Scenario, TestNode};

use crate::{
    access_log::Logging,
    operate::{free_address, probe, value},
    run,
};

/// What keeps the node from answering.
enum Trouble {
    /// The URL leads nowhere.
    Url(String),
    Fault(Fault),
    /// It is asked by TLS, and speaks plain HTTP.
    Tls,
}

#[tokio::test]
async fn why_a_node_does_not_answer_is_told_in_the_log_the_figures_and_by_doctor() {
    let nowhere = format!("http://{}", free_address());
    let cases = [
        (
            Trouble::Url(nowhere),
            "connection_refused",
            "the connection was refused",
        ),
        (
            // No resolver has a name in `.invalid` (RFC 6761 §6.4).
            Trouble::Url("http://node.invalid:12391".to_owned()),
            "dns",
            "the host name has no address",
        ),
        (
            Trouble::Tls,
            "tls",
            "no secure connection could be established",
        ),
        (
            Trouble::Fault(Fault::ResetBeforeResponse),
            "reset",
            "the connection was reset",
        ),
        (
            Trouble::Fault(Fault::TruncateBody),
            "closed",
            "the connection closed too early",
        ),
        (
            Trouble::Fault(Fault::StallBeforeHeaders),
            "timed_out",
            "no response",
        ),
    ];
    // Each has a server of its own.
    join_all(cases.map(async |(trouble, outcome, text)| {
        let node = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
        let url = match trouble {
            Trouble::Url(url) => url,
            Trouble::Tls => node.url().replace("http:", "https:"),
            Trouble::Fault(fault) => {
                node.fault("/*", fault);
                node.url().to_owned()
            }
        };
        let config = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(config.path(), "http_timeout = 0.5\n").unwrap();
        let config = config.path().display();
        let management = free_address();
        let mut server = Logging::start(&format!(
            "--node {url} --config {config} --management-listen {management} --log-level debug"
        ))
        .await;
        server.call("get_block_height", "agent/1", "none").await;
        server.answered(1).await;
        let (_, figures) = probe(&management, "/metrics").await;
        let series = format!(
            "qortal_node_requests_total{{endpoint=\"/blocks/height\",node=\"own\",outcome=\"{outcome}\"}}"
        );
        assert!(
            value(&figures, &series).is_some_and(|it| it >= 1.0),
            "{url}: {series}: {figures}"
        );
        // The look of the management address may be the first to find it, and writes its line on a thread of its own.
        server
            .lines(1, |it| {
                it.contains("node does not answer") && it.contains(text)
            })
            .await;
        let ended = run(&format!("doctor --node {url} --config {config}")).await;
        assert!(
            ended.output.contains(text),
            "{url}: {text}: {}",
            ended.output
        );
        drop(server.child);
        node.stop().await;
    }))
    .await;
}
