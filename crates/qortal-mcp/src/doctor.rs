//! `qortal-mcp doctor`: whether the node answers, whether it is healthy, and which tools would work.

mod fault;
mod own_nodes;
mod report;

use std::{mem, time::Duration};

use futures_util::future::join_all;
use qortal_client::{CoreVersion, Node, NodeError, NodeErrorKind, NodeHealth};
use qortal_tools::{Catalog, Entry, is_hidden};
use qortal_types::Timestamp;

pub(crate) use fault::NodeFault;

use crate::{
    cli::Terminal,
    config::{Config, choice::Demo},
    demo::now_millis,
    exit::Exit,
    run::App,
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

/// What a check says.
type Judged = (State, String);

fn good(detail: impl Into<String>) -> Judged {
    (State::Good, detail.into())
}

fn attention(detail: impl Into<String>) -> Judged {
    (State::Attention, detail.into())
}

impl Finding {
    /// Creates a finding. Its detail has the text of a node without hidden characters.
    fn new(name: &'static str, (state, detail): Judged) -> Self {
        Self {
            name,
            state,
            detail: detail.chars().filter(|it| !is_hidden(*it)).collect(),
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
    started: &App,
    is_json: bool,
    terminal: &Terminal,
) -> Exit {
    let node = &started.node.own_only();
    let (status, info, block, key, own, public) = tokio::join!(
        node.status(),
        node.info(),
        node.last_block(),
        api_key(node),
        own_nodes::finding(config),
        public_nodes(config, started)
    );
    let unreachable = status.as_ref().is_err_and(NodeError::is_unavailable);
    let place = if config.values.demo.is_on() {
        "the embedded simulated node"
    } else {
        started.node.url()
    };
    let uses_public_nodes = !config.node.public_urls.is_empty();
    let fault = status.as_ref().err();
    let fault = fault.map(|err| NodeFault::new(place, err, uses_public_nodes));
    let mut findings = vec![
        node_finding(&status, place, fault.as_ref()),
        found("version", &info, |info| version(&info.build_version)),
        found("synchronized", &status, |status| {
            let height = status.height;
            if !status.is_synchronizing {
                return good(format!("at height {height}"));
            }
            let percent = status.sync_percent.map(|it| format!(", {it} %"));
            let percent = percent.unwrap_or_default();
            attention(format!("synchronizing at height {height}{percent}"))
        }),
        found("last block", &block, |block| {
            let node_time = info.as_ref().ok().and_then(|it| it.current_timestamp);
            let millis = node_time.unwrap_or_else(now).millis_since(block.timestamp);
            let age = Duration::from_millis(u64::try_from(millis).unwrap_or(0));
            let (height, at, seconds) = (block.height, block.timestamp, age.as_secs());
            let detail = format!("height {height} at {at}, {seconds} s old");
            (State::attention_if(age > BLOCK_AGE), detail)
        }),
        found("peers", &status, |status| {
            let count = status.number_of_connections;
            let is_alone = count == 0 && config.values.demo != Demo::Recorded;
            (State::attention_if(is_alone), format!("{count} connected"))
        }),
        found("clock", &info, |info| clock(config, info.current_timestamp)),
        key,
    ];
    findings.extend(own);
    findings.push(public);
    state_each_cause_once(&mut findings);
    let failures = [
        status.err().map(|_| "node"),
        info.as_ref().err().map(|_| "version"),
        block.err().map(|_| "last block"),
    ];
    let release = info.ok().and_then(|it| it.build_version.parse().ok());
    findings.push(tools(&failures, release));
    findings.push(views(config));
    let steps = report::next_steps(config, fault.as_ref(), &findings);
    let printed = report::report(&findings, &health(started), &steps, is_json, terminal);
    if printed != Exit::Success {
        return printed;
    }
    if unreachable {
        return Exit::NodeUnreachable;
    }
    if findings.iter().all(|it| it.state == State::Good) {
        Exit::Success
    } else {
        Exit::Failed
    }
}

fn node_finding<T>(
    status: &Result<T, NodeError>,
    place: &str,
    fault: Option<&NodeFault>,
) -> Finding {
    match (status, fault) {
        (Err(err), Some(fault)) => {
            Finding::new("node", (State::Failed, fault.detail.clone())).caused_by(err)
        }
        _ => Finding::new("node", good(format!("{place} answers"))),
    }
}

fn version(build: &str) -> Judged {
    let oldest = CoreVersion::OLDEST;
    match build.parse::<CoreVersion>() {
        Ok(version) if version < oldest => attention(format!(
            "{build} is too old, the oldest supported release is {oldest}"
        )),
        _ => good(build),
    }
}

fn found<T>(
    name: &'static str,
    answer: &Result<T, NodeError>,
    judge: impl FnOnce(&T) -> Judged,
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
    let refusal = |kind: &NodeErrorKind| match kind {
        NodeErrorKind::Refused { status, code, .. } => Some((*status, *code)),
        _ => None,
    };
    mem::discriminant(a) == mem::discriminant(b) && refusal(a) == refusal(b)
}

fn clock(config: &Config, node_time: Option<Timestamp>) -> Judged {
    let Some(node_time) = node_time else {
        return attention("the node's clock is not synchronized");
    };
    if config.values.demo == Demo::Recorded {
        return good(format!("the time of the recorded chain, {node_time}"));
    }
    let skew = Duration::from_millis(now().millis_since(node_time).unsigned_abs());
    let seconds = skew.as_secs_f64();
    let detail = format!("{seconds:.1} s off this machine's clock");
    (State::attention_if(skew > CLOCK_SKEW), detail)
}

async fn api_key(node: &Node) -> Finding {
    let name = "API key";
    if !node.has_api_key() {
        let tools = names(|it| it.needs_key);
        return Finding::new(name, good(format!("not configured, only {tools} need it")));
    }
    match node.api_key_test().await {
        Ok(true) => Finding::new(name, good("accepted")),
        Ok(false) => Finding::new(
            name,
            attention("not accepted, it may be the key of another node"),
        ),
        Err(err) => Finding::new(name, attention(format!("not accepted: {err}"))).caused_by(&err),
    }
}

/// The names of such tools.
fn names(is_such: fn(&Entry) -> bool) -> String {
    let tools = Catalog::entries().filter(|it| is_such(it));
    tools.map(|it| it.name).collect::<Vec<_>>().join(", ")
}

/// What the other nodes answer, each asked alone.
async fn public_nodes(config: &Config, started: &App) -> Finding {
    let own = 1 + config.node.own_nodes.len();
    let others = started.comparison.iter().skip(own);
    let heights = join_all(others.map(|it| async move { (it.url(), it.height().await) })).await;
    let each = heights.iter().map(|(url, height)| match height {
        Ok(height) => format!("{url} at height {height}"),
        Err(err) => format!("{url} does not answer: {}", err.details()),
    });
    let judged = if !heights.is_empty() {
        let is_silent = heights.iter().all(|(_, height)| height.is_err());
        let each: Vec<_> = each.collect();
        (State::attention_if(is_silent), each.join("; "))
    } else if config.values.demo.is_on() {
        good("not used")
    } else {
        good("not used, --public allows them to serve chain queries while your node cannot")
    };
    Finding::new("public nodes", judged)
}

/// The tools that need a newer release of the Core than the oldest one, with that release, as in docs/core-compatibility.md.
const NEEDS: &str = include_str!("doctor/needs.txt");

/// Returns the tools that a node of this release is too old for, each with the release that it needs.
fn too_new(release: CoreVersion) -> Vec<String> {
    let needs = NEEDS.lines().filter_map(|it| it.split_once(' '));
    let needs = needs.filter(|(_, needs)| needs.parse().is_ok_and(|it: CoreVersion| release < it));
    needs
        .map(|(tool, needs)| format!("{tool} (from {needs} on)"))
        .collect()
}

/// The tools that would work, given the failed checks and the release of the node: those that query the node depend on its answers alone.
fn tools(failures: &[Option<&'static str>], release: Option<CoreVersion>) -> Finding {
    let all = Catalog::entries().count();
    let too_new = release.map(too_new).unwrap_or_default();
    let judged = match failures.iter().flatten().next() {
        None if !too_new.is_empty() => attention(format!(
            "{} of {all} would work, the others need a newer release of the Core: {}",
            all - too_new.len(),
            too_new.join(", ")
        )),
        None => good(format!("all {all} would work")),
        Some(_) if failures.iter().all(Option::is_some) => {
            let names = names(|it| !it.uses_node);
            let detail = format!("only those that do not query the node would work: {names}");
            (State::Failed, detail)
        }
        Some(first) => attention(format!("some of the {all} would fail, see {first}")),
    };
    Finding::new("tools", judged)
}

/// Whether hosts may show views.
fn views(config: &Config) -> Finding {
    let is_on = config.selection.views;
    let shown = "on, for hosts that show pages next to results";
    Finding::new("views", good(if is_on { shown } else { "off" }))
}

/// What the checks showed of each node, the configured one first; nothing is asked. The others were each asked alone.
fn health(started: &App) -> Vec<NodeHealth> {
    let others = started.comparison.iter().skip(1);
    let own = started.node.health().into_iter().take(1);
    own.chain(others.flat_map(Node::health)).collect()
}

fn now() -> Timestamp {
    Timestamp::from_millis(now_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_finding_has_hidden_characters_of_a_node() {
        for hidden in "\u{115F}\u{3164}\u{FFA0}\u{17B4}\u{180E}\u{202E}\u{2800}\u{1b}".chars() {
            let finding = Finding::new("version", good(format!("6.1{hidden}.8")));
            assert_eq!(finding.detail, "6.1.8", "{}", hidden.escape_unicode());
        }
    }

    #[test]
    fn the_oldest_supported_version_is_good() {
        for (build, state) in [
            ("qortal-4.0.0-bb6b1bf", State::Good),
            ("qortal-3.9.1-bb6b1bf", State::Attention),
        ] {
            assert!(version(build).0 == state, "{build}");
        }
    }
}
