//! What the client saw while a tool asked the node, as members of the answer: the same for every tool.

use qortal_client::{Fallback, NodeError, NodeErrorKind, Observation};

/// The URL of the node that answered instead of the configured one, and why it was asked.
pub(crate) fn other_node(seen: &[Observation]) -> Option<(&str, String)> {
    seen.iter().find_map(|it| match it {
        Observation::OtherNode { url, reason, .. } => Some((url.as_ref(), why(*reason))),
        _ => None,
    })
}

fn why(reason: Fallback) -> String {
    match reason {
        Fallback::Unavailable => "the configured node does not answer".to_owned(),
        Fallback::Late => "the configured node takes longer than usual".to_owned(),
        Fallback::Behind { blocks } => format!("the configured node is {blocks} blocks behind"),
        _ => "the configured node cannot answer".to_owned(),
    }
}

/// A sentence for each observation.
pub(crate) fn sentences(seen: &[Observation]) -> Vec<String> {
    seen.iter().filter_map(sentence).collect()
}

fn sentence(seen: &Observation) -> Option<String> {
    Some(match seen {
        Observation::OtherNode {
            url,
            is_own,
            reason,
        } => {
            let whose = if *is_own {
                "another of the user's nodes"
            } else {
                "a public node"
            };
            format!("From {url}, {whose}, because {}.", why(*reason))
        }
        Observation::OtherNodeBehind { blocks } => format!(
            "That node is {blocks} blocks behind others, which do not answer; the latest facts may be missing."
        ),
        Observation::OwnNodeBehind { blocks } => format!(
            "The configured node is {blocks} blocks behind others, which do not answer; the latest facts may be missing."
        ),
        Observation::TimeOfBlock { time } => format!(
            "The configured node does not tell the network's time, so now is the time of the latest block, {time}."
        ),
        Observation::OddRows { endpoint, rows: 1 } => {
            format!("1 row of {endpoint} could not be read and is left out.")
        }
        Observation::OddRows { endpoint, rows } => {
            format!("{rows} rows of {endpoint} could not be read and are left out.")
        }
        Observation::TooManyRows { endpoint, limit } => {
            format!("{endpoint} has more than {limit} rows; the rest is left out.")
        }
        _ => return None,
    })
}

/// Why a part of an answer is missing, as a clause.
pub(crate) fn reason(err: &NodeError) -> String {
    let endpoint = err.endpoint();
    match err.kind() {
        NodeErrorKind::Unreachable if err.is_about_own_node() => {
            "only the configured node knows, and it does not answer".to_owned()
        }
        NodeErrorKind::Unreachable => "the node does not answer".to_owned(),
        NodeErrorKind::TimedOut { .. } if err.is_about_own_node() => {
            "only the configured node knows, and it did not answer in time".to_owned()
        }
        NodeErrorKind::TimedOut { .. } => "the node did not answer in time".to_owned(),
        NodeErrorKind::Overloaded { .. } => "the node is busy".to_owned(),
        NodeErrorKind::Refused {
            code: None, status, ..
        } => {
            format!("the node answered HTTP {status} to {endpoint}")
        }
        NodeErrorKind::Refused {
            code: Some(code), ..
        } => {
            format!("the node refused {endpoint} with code {code}")
        }
        NodeErrorKind::NotInThisVersion {
            needs,
            has: Some(has),
        } => format!("that needs Qortal Core {needs} and the node has {has}"),
        NodeErrorKind::NotInThisVersion { needs, has: None } => {
            format!("that needs Qortal Core {needs} and the node is older")
        }
        NodeErrorKind::NoNetworkTime => "the node has no network time (NTP) yet".to_owned(),
        NodeErrorKind::TooLarge { .. } => format!("the answer to {endpoint} is too large"),
        NodeErrorKind::NoMemory => format!("there is no memory for the answer to {endpoint}"),
        NodeErrorKind::Unreadable { .. } => format!("the answer to {endpoint} could not be read"),
        _ => "the node could not be asked".to_owned(),
    }
}
