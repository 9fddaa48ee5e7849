//! The reason why a node gave no usable answer, in words, and the next steps.

use std::time::Duration;

use qortal_client::{NodeError, NodeErrorKind};

/// A node without a usable answer. `doctor` and the page at `/` describe it in the same words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodeFault {
    /// The address, the cause and what may be wrong there.
    pub(crate) detail: String,
    /// The steps to take, the most helpful first.
    pub(crate) steps: Vec<&'static str>,
}

impl NodeFault {
    pub(crate) fn new(place: &str, err: &NodeError, uses_public_nodes: bool) -> Self {
        if err.is_unavailable() {
            let details = err.details();
            return Self {
                detail: format!("{place}: {details}. Is Qortal Core running at this address?"),
                steps: start_it(uses_public_nodes),
            };
        }
        let detail = if err.is_not_whitelisted() {
            format!(
                "{place} rejects requests from this machine, whose address must be in apiWhitelist in the node's settings.json"
            )
        } else if matches!(err.kind(), NodeErrorKind::Refused { code: Some(_), .. }) {
            format!(
                "{place}: {err}. A Qortal Core answers every whitelisted client. Is there a proxy in front of it?"
            )
        } else {
            format!("{place} is not the API of a Qortal node: {err}")
        };
        let meanwhile = "Meanwhile, use public nodes for chain queries: --public";
        Self {
            detail,
            steps: [
                Some("Correct the address with --node URL, or let the node accept requests from this machine."),
                (!uses_public_nodes).then_some(meanwhile),
            ]
            .into_iter()
            .flatten()
            .collect(),
        }
    }

    /// Creates the fault of a node that has not answered yet.
    pub(crate) fn late(place: &str, waited: Duration, uses_public_nodes: bool) -> Self {
        let detail = format!(
            "{place}: no response within {waited:?}. Is Qortal Core running at this address, or is it busy?"
        );
        Self {
            detail,
            steps: start_it(uses_public_nodes),
        }
    }
}

/// Returns the steps for a node that does not answer. Public nodes are no advice where they are used already.
fn start_it(uses_public_nodes: bool) -> Vec<&'static str> {
    let public = "If you have no node, use public nodes for chain queries: --public";
    let steps = [
        Some(
            "Start Qortal Core on this machine (https://qortal.org), or name another node with --node URL.",
        ),
        (!uses_public_nodes).then_some(public),
        Some("Try every tool with a simulated node: --demo"),
    ];
    steps.into_iter().flatten().collect()
}
