//! `qortal-mcp doctor`: whether the node answers, whether it is healthy, and which tools would work.

mod own_nodes;
mod report;

use std::{
    mem,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use qortal_client::{CoreVersion, NodeError, NodeErrorKind, NodeHealth};
use qortal_types::Timestamp;

use crate::{
    args::Doctor,
    config::{Config, choice::Demo},
    exit::Exit,
    run::Started,
    show::Terminal,
};

/// A clock that is off by more needs attention: the network rejects blocks from the future.
const CLOCK_SKEW: Duration = Duration::from_secs(10);
/// A last block older than this means the node is behind; blocks come about every minute.
const BLOCK_AGE: Duration = Duration::from_secs(30 * 60);

/// What one check found.
struct Finding {
    name: &'static str,
    state: State,
    detail: String,
    /// The error, if the node gave no usable answer.
    cause: Option<NodeErrorKind>,
}

impl Finding {
    fn new(name: &'static str, (state, detail): (State, String)) -> Self {
        Self {
            name,
            state,
            detail,
            cause: None,
        }
    }

    fn caused_by(mut self, err: &NodeError) -> Self {
        self.cause = Some(err.kind().clone());
        self
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    Attention,
    Failed,
    /// It failed for the same reason as an earlier check.
    Unknown,
}

impl State {
    const fn attention_if(needed: bool) -> Self {
        if needed { Self::Attention } else { Self::Good }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Good => "ok",
            Self::Attention => "attention",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

pub(crate) async fn examine(
    config: &Config,
    started: &Started,
    doctor: &Doctor,
    terminal: &Terminal,
) -> Exit {
    let node = &started.node.own_only();
    let key = async {
        if node.has_api_key() {
            Some(node.api_key_test().await)
        } else {
            None
        }
    };
    let (status, info, block, key, own, public) = tokio::join!(
        node.status(),
        node.info(),
        node.last_block(),
        key,
        own_nodes::finding(config),
        public_nodes(config, started)
    );
    let unreachable = status.as_ref().is_err_and(NodeError::is_unavailable);
    let mut findings = vec![
        node_finding(config, started, &status),
        found("version", info.as_ref(), |info| {
            version(&info.build_version)
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
            let (height, at, seconds) = (block.height, block.timestamp, age.as_secs());
            let detail = format!("height {height} at {at}, {seconds} s old");
            (State::attention_if(age > BLOCK_AGE), detail)
        }),
        found("peers", status.as_ref(), |status| {
            let count = status.number_of_connections;
            let is_alone = count == 0 && config.values.demo != Demo::Recorded;
            (State::attention_if(is_alone), format!("{count} connected"))
        }),
        found("clock", info.as_ref(), |info| {
            clock(config, info.current_timestamp)
        }),
        api_key(key),
    ];
    findings.extend(own);
    findings.push(public);
    state_each_cause_once(&mut findings);
    let failures = [
        status.err().map(|_| "node"),
        info.err().map(|_| "version"),
        block.err().map(|_| "last block"),
    ];
    findings.push(tools(&failures));
    findings.push(views(config));
    let steps = report::next_steps(config, unreachable, &findings);
    report::report(&findings, &health(started), &steps, doctor, terminal);
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
    let place = if config.values.demo.is_on() {
        "the embedded simulated node"
    } else {
        started.node.url()
    };
    let err = match status {
        Ok(_) => return Finding::new("node", (State::Good, format!("{place} answers"))),
        Err(err) => err,
    };
    let detail = match err.kind() {
        _ if err.is_not_whitelisted() => format!(
            "{place} refuses this machine; add its address to apiWhitelist in the node's settings.json"
        ),
        _ if err.is_unavailable() => {
            format!(
                "{place}: {}; is Qortal Core running at this address?",
                err.details()
            )
        }
        NodeErrorKind::Refused { code: Some(_), .. } => format!(
            "{place}: {err}; a Qortal Core answers every whitelisted client; is there a proxy in front of it?"
        ),
        _ => format!("{place} is not the API of a Qortal node: {err}"),
    };
    Finding::new("node", (State::Failed, detail)).caused_by(err)
}

fn version(build: &str) -> (State, String) {
    let oldest = CoreVersion::OLDEST;
    match build.parse::<CoreVersion>() {
        Ok(version) if version < oldest => (
            State::Attention,
            format!("{build}; releases from {oldest} on are supported"),
        ),
        _ => (State::Good, build.to_owned()),
    }
}

fn found<T>(
    name: &'static str,
    answer: Result<&T, &NodeError>,
    judge: impl FnOnce(&T) -> (State, String),
) -> Finding {
    match answer {
        Ok(answer) => Finding::new(name, judge(answer)),
        Err(err) => Finding::new(name, (State::Failed, format!("unknown: {err}"))).caused_by(err),
    }
}

/// Replaces the detail of a finding with a reference to the first one with the same cause.
fn state_each_cause_once(findings: &mut [Finding]) {
    let mut stated: Vec<(NodeErrorKind, &'static str)> = Vec::new();
    for finding in findings {
        let Some(cause) = finding.cause.take() else {
            continue;
        };
        match stated.iter().find(|(it, _)| is_same(it, &cause)) {
            Some((_, first)) => {
                finding.state = State::Unknown;
                finding.detail = format!("see {first}");
            }
            None => stated.push((cause, finding.name)),
        }
    }
}

/// Whether two requests failed for the same reason; the node's message may differ.
fn is_same(a: &NodeErrorKind, b: &NodeErrorKind) -> bool {
    use NodeErrorKind::Refused;
    match (a, b) {
        (
            Refused {
                status: a, code: c, ..
            },
            Refused {
                status: b, code: d, ..
            },
        ) => (a, c) == (b, d),
        _ => mem::discriminant(a) == mem::discriminant(b),
    }
}

fn clock(config: &Config, node_time: Option<Timestamp>) -> (State, String) {
    let Some(node_time) = node_time else {
        return (
            State::Attention,
            "the node's clock is not synchronized".to_owned(),
        );
    };
    if config.values.demo == Demo::Recorded {
        return (
            State::Good,
            format!("the time of the recorded chain, {node_time}"),
        );
    }
    let skew = Duration::from_millis(now().millis_since(node_time).unsigned_abs());
    let seconds = skew.as_secs_f64();
    let detail = format!("{seconds:.1} s off this machine's clock");
    (State::attention_if(skew > CLOCK_SKEW), detail)
}

fn api_key(key: Option<Result<bool, NodeError>>) -> Finding {
    let name = "API key";
    let judged = match key {
        None => (State::Good, without_key()),
        Some(Ok(true)) => (State::Good, "accepted".to_owned()),
        Some(Ok(false)) => (
            State::Attention,
            "not accepted; is it the key of this node?".to_owned(),
        ),
        Some(Err(err)) => {
            let detail = format!("not accepted: {err}");
            return Finding::new(name, (State::Attention, detail)).caused_by(&err);
        }
    };
    Finding::new(name, judged)
}

/// Which tools a key is for.
fn without_key() -> String {
    let tools = qortal_tools::Catalog::entries().filter(|it| it.needs_key);
    let tools: Vec<_> = tools.map(|it| it.name).collect();
    format!("not configured; only {} need it", tools.join(", "))
}

/// What the other nodes answer, each asked alone.
async fn public_nodes(config: &Config, started: &Started) -> Finding {
    let name = "public nodes";
    let own = 1 + config.node.own_nodes.len();
    let others = started.comparison.iter().skip(own);
    let heights = join_all(others.map(|it| async move { (it.url(), it.height().await) })).await;
    let answering = heights.iter().filter(|(_, height)| height.is_ok()).count();
    let each = heights.iter().map(|(url, height)| match height {
        Ok(height) => format!("{url} at height {height}"),
        Err(err) => format!("{url} does not answer: {}", err.details()),
    });
    let each: Vec<_> = each.collect();
    Finding::new(
        name,
        match (heights.len(), answering) {
            (0, _) if config.values.demo.is_on() => (State::Good, "not used".to_owned()),
            (0, _) => (
                State::Good,
                "not used; --public lets them answer questions about the chain while this node does not".to_owned(),
            ),
            (_, 0) => (State::Attention, each.join("; ")),
            _ => (State::Good, each.join("; ")),
        },
    )
}

/// The tools that would work, given the failed checks: those that query the node depend on its answers alone.
fn tools(failures: &[Option<&'static str>]) -> Finding {
    let all = qortal_tools::Catalog::entries().count();
    let mut failed = failures.iter().flatten();
    let judged = match failed.next() {
        None => (State::Good, format!("all {all} would work")),
        Some(_) if failures.iter().all(Option::is_some) => {
            let offline = qortal_tools::Catalog::entries().filter(|it| !it.uses_node);
            let names: Vec<_> = offline.map(|it| it.name).collect();
            let names = names.join(", ");
            (
                State::Failed,
                format!("only those that do not query the node would work: {names}"),
            )
        }
        Some(first) => (
            State::Attention,
            format!("some of the {all} would fail, see {first}"),
        ),
    };
    Finding::new("tools", judged)
}

/// Whether hosts may show views.
fn views(config: &Config) -> Finding {
    let detail = if config.selection.views {
        "on, for hosts that show pages beside answers"
    } else {
        "off"
    };
    Finding::new("views", (State::Good, detail.to_owned()))
}

/// What the checks showed of each node, the configured one first; nothing is asked. The others were each asked alone.
fn health(started: &Started) -> Vec<NodeHealth> {
    let others = started.comparison.iter().skip(1);
    let own = started.node.health().into_iter().take(1);
    own.chain(others.flat_map(qortal_client::Node::health))
        .collect()
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
