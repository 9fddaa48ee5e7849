//! `qortal-mcp doctor`: is the node there, is it well, and what would work.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcp_protocol::Object;
use qortal_client::{NodeError, NodeErrorKind};
use qortal_types::Timestamp;
use serde_json::{Value, json};

use crate::{args::Doctor, config::Config, exit::Exit, run::Started, text};

/// A clock further off than this is worth a word: the network refuses blocks from the future.
const CLOCK_SKEW: Duration = Duration::from_secs(10);
/// A last block older than this means the node is behind; blocks come about every minute.
const BLOCK_AGE: Duration = Duration::from_secs(30 * 60);

/// What was found out about one thing.
struct Finding {
    name: &'static str,
    state: State,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    Attention,
    Failed,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Attention => "attention",
            Self::Failed => "failed",
        }
    }
}

pub(crate) async fn examine(config: &Config, started: &Started, doctor: &Doctor) -> Exit {
    let node = &started.node;
    let (status, info, block, key) =
        tokio::join!(node.status(), node.info(), node.last_block(), async {
            if node.has_api_key() {
                Some(node.api_key_test().await)
            } else {
                None
            }
        },);
    let unreachable = status.as_ref().err().is_some_and(|err| {
        matches!(
            err.kind(),
            NodeErrorKind::Unreachable | NodeErrorKind::TimedOut { .. }
        )
    });
    let findings = vec![
        node_finding(config, started, &status),
        found("version", info.as_ref(), |info| {
            (State::Good, info.build_version.clone())
        }),
        found("synchronized", status.as_ref(), |status| {
            if status.is_synchronizing {
                let percent = status
                    .sync_percent
                    .map_or(String::new(), |it| format!(", {it} %"));
                return (
                    State::Attention,
                    format!("synchronizing at height {}{percent}", status.height),
                );
            }
            (State::Good, format!("at height {}", status.height))
        }),
        found("last block", block.as_ref(), |block| {
            let age = age(
                block.timestamp,
                info.as_ref().ok().and_then(|it| it.current_timestamp),
            );
            let state = if age > BLOCK_AGE {
                State::Attention
            } else {
                State::Good
            };
            (
                state,
                format!(
                    "height {} at {}, {} s old",
                    block.height,
                    block.timestamp,
                    age.as_secs()
                ),
            )
        }),
        found("peers", status.as_ref(), |status| {
            let count = status.number_of_connections;
            let state = if count == 0 && !config.demo {
                State::Attention
            } else {
                State::Good
            };
            (state, format!("{count} connected"))
        }),
        found("clock", info.as_ref(), |info| {
            clock(config, info.current_timestamp)
        }),
        api_key(key),
        tools(unreachable),
    ];
    report(&findings, doctor);
    if unreachable {
        return Exit::NodeUnreachable;
    }
    if findings.iter().all(|it| it.state == State::Good) {
        Exit::Success
    } else {
        Exit::Failed
    }
}

fn node_finding<T>(config: &Config, started: &Started, status: &Result<T, NodeError>) -> Finding {
    let place = if config.demo {
        "the embedded simulated node"
    } else {
        started.node.url()
    };
    match status {
        Ok(_) => Finding {
            name: "node",
            state: State::Good,
            detail: format!("{place} answers"),
        },
        Err(err) if err.is_not_whitelisted() => Finding {
            name: "node",
            state: State::Failed,
            detail: format!(
                "{place} refuses this machine; add its address to apiWhitelist in the node's settings.json"
            ),
        },
        Err(err) => Finding {
            name: "node",
            state: State::Failed,
            detail: format!("{place}: {err}; is Qortal Core running, and is this its address?"),
        },
    }
}

fn found<T>(
    name: &'static str,
    answer: Result<&T, &NodeError>,
    read: impl FnOnce(&T) -> (State, String),
) -> Finding {
    let (state, detail) = match answer {
        Ok(answer) => read(answer),
        Err(err) => (State::Failed, format!("not known: {err}")),
    };
    Finding {
        name,
        state,
        detail,
    }
}

fn clock(config: &Config, node_time: Option<Timestamp>) -> (State, String) {
    let Some(node_time) = node_time else {
        return (
            State::Attention,
            "the node's clock is not synchronized".to_owned(),
        );
    };
    if config.demo {
        return (
            State::Good,
            format!("the recorded chain's own time, {node_time}"),
        );
    }
    let skew = now().millis_since(node_time).unsigned_abs();
    let state = if Duration::from_millis(skew) > CLOCK_SKEW {
        State::Attention
    } else {
        State::Good
    };
    (
        state,
        format!(
            "{:.1} s from this machine's",
            Duration::from_millis(skew).as_secs_f64()
        ),
    )
}

fn api_key(key: Option<Result<bool, NodeError>>) -> Finding {
    let (state, detail) = match key {
        None => (
            State::Good,
            "none configured, and no tool needs one".to_owned(),
        ),
        Some(Ok(true)) => (State::Good, "accepted".to_owned()),
        Some(Ok(false)) => (
            State::Attention,
            "not accepted; is it the key of this node?".to_owned(),
        ),
        Some(Err(err)) => (State::Attention, format!("not accepted: {err}")),
    };
    Finding {
        name: "API key",
        state,
        detail,
    }
}

/// No tool of the catalog needs a key, so either all that ask the node work or none.
fn tools(unreachable: bool) -> Finding {
    let offline = qortal_tools::Catalog::entries().filter(|it| !it.uses_node);
    let all = qortal_tools::Catalog::entries().count();
    let (state, detail) = if unreachable {
        let names: Vec<_> = offline.map(|it| it.name).collect();
        (
            State::Failed,
            format!(
                "only those that ask no node would work: {}",
                names.join(", ")
            ),
        )
    } else {
        (State::Good, format!("all {all} would work"))
    };
    Finding {
        name: "tools",
        state,
        detail,
    }
}

fn report(findings: &[Finding], doctor: &Doctor) {
    if doctor.json {
        let object: Object = findings
            .iter()
            .map(|it| {
                (
                    it.name.to_owned(),
                    json!({"state": it.state.word(), "detail": it.detail}),
                )
            })
            .collect();
        text::print(&format!("{:#}", Value::Object(object)));
        return;
    }
    let lines: Vec<_> = findings
        .iter()
        .map(|it| format!("{:<10} {:<13} {}", it.state.word(), it.name, it.detail))
        .collect();
    text::print(&lines.join("\n"));
}

fn age(timestamp: Timestamp, node_time: Option<Timestamp>) -> Duration {
    let millis = node_time.unwrap_or_else(now).millis_since(timestamp);
    Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}

fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
