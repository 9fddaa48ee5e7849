//! `watch` as a process: changes and nothing else on standard output, commands for each, and how it ends.
#![cfg(unix)]

use std::{fs::File, process::Stdio};

use futures_util::future::join_all;
use qortal_testnode::{Event, Fault, Scenario, TestNode};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStderr, ChildStdout},
};

use crate::{program_of, run, signal, soon};

const RITA: &str = "QiuRTi8vnLqAWrkfUXFwDrTcZBTJ8N6UqJ";

/// The program that watches an account of a simulated node.
struct Watching {
    node: TestNode,
    child: Child,
    /// Unless it has been closed.
    output: Option<Lines<BufReader<ChildStdout>>>,
    errors: Lines<BufReader<ChildStderr>>,
}

impl Watching {
    /// One that has begun.
    async fn begun(options: &[&str]) -> Self {
        Self::begun_to(Stdio::piped(), options).await
    }

    /// The same with another standard output.
    async fn begun_to(output: Stdio, options: &[&str]) -> Self {
        let node = TestNode::start(Scenario::recorded()).await.unwrap();
        let words = ["watch", "account", "rita-trades", "--node", node.url()];
        let words = words.into_iter().chain(options.iter().copied());
        let mut child = program_of(words).stdout(output).spawn().unwrap();
        let output = child.stdout.take().map(|it| BufReader::new(it).lines());
        let errors = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut watching = Self {
            node,
            child,
            output,
            errors,
        };
        let waits = "account rita-trades: waiting for payments to it, its level, and whether it mints, press Ctrl-C to stop";
        assert_eq!(watching.error().await, waits);
        let now = "now: level 0, no minting key, block 468 is the last";
        assert_eq!(watching.error().await, now);
        watching
    }

    fn pay(&self, count: u32) {
        self.node.apply(&Event::Payments {
            to: RITA.to_owned(),
            units: 150_000_000,
            count,
        });
    }

    async fn line(&mut self) -> Option<String> {
        soon(self.output.as_mut()?.next_line()).await.unwrap()
    }

    async fn error(&mut self) -> String {
        let line = soon(self.errors.next_line()).await.unwrap();
        line.expect("standard error is closed")
    }

    /// Ends well, without another line.
    async fn ends(mut self) {
        assert_eq!(self.line().await, None);
        assert_eq!(soon(self.child.wait()).await.unwrap().code(), Some(0));
        self.node.stop().await;
    }
}

const PAID: &str = "Z \"Alice Test\" pays 1.50000000 QORT to \"rita-trades\".";

/// It looks at the node every two seconds, so that all of these are watched at once.
#[tokio::test]
async fn changes_are_lines_and_signals_and_a_closed_pipe_end_it_well() {
    let endings: [(&str, &[&str]); 4] = [
        ("TERM", &[]),
        ("INT", &[]),
        ("HUP", &[]),
        ("TERM", &["--exec", "echo runs; exec sleep 3600"]),
    ];
    let signals = join_all(endings.map(async |(name, options)| {
        let mut watching = Watching::begun(options).await;
        watching.pay(2);
        let line = watching.line().await.unwrap();
        assert!(line.ends_with(PAID), "{line}");
        if options.is_empty() {
            let line = watching.line().await.unwrap();
            assert!(line.ends_with(PAID), "{line}");
        } else {
            assert_eq!(watching.error().await, "runs");
        }
        signal(&watching.child, name).await;
        watching.ends().await;
    }));
    let closed_pipe = async {
        let mut watching = Watching::begun(&[]).await;
        watching.output = None;
        watching.pay(1);
        watching.ends().await;
    };
    let full_disk = async {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut watching = Watching::begun_to(full.into(), &[]).await;
        watching.pay(1);
        let said = watching.error().await;
        assert_eq!(said, "error: cannot write to standard output");
        assert_eq!(soon(watching.child.wait()).await.unwrap().code(), Some(4));
        watching.node.stop().await;
    };
    #[cfg(target_os = "linux")]
    tokio::join!(signals, closed_pipe, full_disk);
    #[cfg(not(target_os = "linux"))]
    tokio::join!(signals, closed_pipe);
}

#[tokio::test]
async fn a_node_that_goes_away_is_said_once_and_what_happened_meanwhile_is_told() {
    let mut watching = Watching::begun(&["--once", "--format", "json"]).await;
    watching.node.fault("*", Fault::Refuse);
    let away = watching.error().await;
    assert!(away.starts_with("the node does not answer"), "{away}");
    watching.pay(1);
    watching.node.clear_faults();
    assert_eq!(watching.error().await, "the node answers again");
    let change: Value = serde_json::from_str(&watching.line().await.unwrap()).unwrap();
    assert_eq!(change["event"], "payment");
    assert_eq!(change["data"]["amount"], "1.50000000");
    watching.ends().await;
}

#[tokio::test]
async fn a_command_gets_each_change_in_order_and_may_fail() {
    // Words of a change are data for it: this one prints the first of each line of input.
    let command = "read -r line; echo \"got ${line%%,*}\"; exit 3";
    let mut watching = Watching::begun(&["--exec", command]).await;
    watching.pay(2);
    for _ in 0..2 {
        let line = watching.line().await.unwrap();
        assert!(line.ends_with(PAID), "{line}");
        let got = watching.error().await;
        assert!(got.starts_with("got {\"timestamp\":\"2026-"), "{got}");
        let failed = watching.error().await;
        assert!(failed.ends_with(" failed: exit status: 3"), "{failed}");
    }
    signal(&watching.child, "TERM").await;
    watching.ends().await;
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused() {
    for (line, code, says) in [
        (
            "watch account no-such-name --demo=recorded",
            1,
            "error: Invalid Qortal address. The account is \"no-such-name\"",
        ),
        (
            "watch chat onlyone --demo=recorded",
            1,
            "error: Invalid group. The group is \"onlyone\"",
        ),
        ("watch offers LTC --below cheap --demo", 2, "--below"),
        ("watch moon --demo", 2, "unrecognized subcommand"),
        ("watch --demo", 2, "Usage: qortal-mcp watch"),
    ] {
        let ended = run(line).await;
        assert_eq!((ended.code, ended.output.as_str()), (Some(code), ""));
        assert!(ended.errors.contains(says), "{line}: {}", ended.errors);
        assert!(
            !ended.errors.contains("waiting"),
            "{line}: {}",
            ended.errors
        );
    }
}
