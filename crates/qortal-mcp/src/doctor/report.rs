//! What `doctor` prints: the findings, the state of each node, and what to do next.

use qortal_client::{Circuit, NodeError, NodeHealth};
use qortal_tools::Object;
use serde_json::{Value, json};

use super::{Finding, NodeFault, State};
use crate::{
    cli::{Labels, Terminal, one_line},
    config::Config,
    exit::Exit,
    text,
};

/// What a person can do about a finding that needs attention.
const STEPS: [(&str, &str); 6] = [
    (
        "version",
        "Update Qortal Core: some tools need a newer release.",
    ),
    (
        "synchronized",
        "Wait until the node has synchronized. Until then, results describe an earlier block.",
    ),
    (
        "last block",
        "If it does not synchronize, restart the node, or bootstrap it (qortal-mcp call explain_topic topic=node_sync).",
    ),
    (
        "peers",
        "Check the node's internet connection, and that its firewall lets it reach other nodes.",
    ),
    (
        "clock",
        "Correct the wrong clock with NTP: the network rejects blocks from the future.",
    ),
    (
        "API key",
        "Pass the key of this node: --api-key-file PATH, the file apikey.txt in its folder.",
    ),
];

/// What a person can do about it, the most helpful first; nothing if all is well.
pub(super) fn next_steps(
    config: &Config,
    fault: Option<&NodeFault>,
    findings: &[Finding],
) -> Vec<&'static str> {
    let is = |state: State, name: &str| {
        findings
            .iter()
            .any(|it| (it.state, it.name) == (state, name))
    };
    if config.values.demo.is_on() {
        return Vec::new();
    }
    if let Some(fault) = fault {
        return fault.steps.clone();
    }
    let needed = STEPS.iter().filter(|(name, _)| is(State::Attention, name));
    needed.map(|(_, step)| *step).collect()
}

pub(super) fn report(
    findings: &[Finding],
    health: &[NodeHealth],
    steps: &[&str],
    is_json: bool,
    terminal: &Terminal,
) -> Exit {
    if is_json {
        let member = |it: &Finding| {
            let found = json!({"state": it.state.word(), "detail": it.detail});
            (camel_case(it.name), found)
        };
        let mut object: Object = findings.iter().map(member).collect();
        let nodes: Vec<_> = health.iter().map(health_object).collect();
        object.insert("nodes".to_owned(), Value::Array(nodes));
        object.insert("nextSteps".to_owned(), json!(steps));
        return text::print(&format!("{:#}", Value::Object(object)));
    }
    let mut out = String::new();
    let (unknown, known): (Vec<_>, Vec<_>) =
        findings.iter().partition(|it| it.state == State::Unknown);
    let row = |it: &Finding| [it.state.word(), it.name, &one_line(&it.detail)].map(str::to_owned);
    let mut rows: Vec<_> = known.into_iter().map(row).collect();
    if !unknown.is_empty() {
        let names: Vec<_> = unknown.iter().map(|it| it.name).collect();
        let same = format!("for the same reason: {}", names.join(", "));
        rows.push([State::Unknown.word(), "", &same].map(str::to_owned));
    }
    terminal.rows(&mut out, 0, Labels::States, rows);
    for (place, step) in steps.iter().enumerate() {
        if place == 0 {
            out.push_str("\nNext steps:\n");
        }
        terminal.step(&mut out, place + 1, step);
    }
    text::print(&out)
}

/// The name of a check as a member of a JSON object: `last block` is `lastBlock`, `API key` is `apiKey`.
fn camel_case(name: &str) -> String {
    let mut words = name.split(' ').map(str::to_ascii_lowercase);
    let first = words.next().unwrap_or_default();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        format!("{text}{}{rest}", initial.to_ascii_uppercase())
    })
}

/// The state of a circuit as a word.
const fn circuit(circuit: Circuit) -> &'static str {
    match circuit {
        Circuit::Closed => "closed",
        Circuit::Open => "open",
        _ => "unknown",
    }
}

fn health_object(it: &NodeHealth) -> Value {
    let error = it.last_error.as_ref();
    let cause = error.and_then(NodeError::cause);
    let members = [
        ("url", Some(json!(it.url))),
        ("circuit", Some(json!(circuit(it.circuit)))),
        ("height", it.height.map(|it| json!(it.number()))),
        ("lastError", error.map(|it| json!(it.details()))),
        ("cause", cause.map(|it| json!(it.to_string()))),
    ];
    let members = members.into_iter();
    let present = members.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}
