//! The figures of nodes, and of the cache of their answers.

use mcp_operate::{LabeledSamples, MetricDefinition, Metrics, MetricsError};
use qortal_client::{Cause, Circuit, Node, NodeErrorKind, NodeHealth, NodeObserver, NodeRequest};
use qortal_types::Height;

/// What has no name of its own (OpenTelemetry, "Standard attributes").
const OTHER: &str = "_OTHER";
/// Nodes that are told apart. More are counted together.
const MOST_NODES: usize = 16;

/// What is read of a node, and of those that stand in for it, when someone looks.
pub(crate) const NODES: &[MetricDefinition<Node>] = &[
    MetricDefinition::observable_gauges(
        "qortal_node_height",
        "Last height that the node reported, or 0 if it reported none.",
        "node",
        |it| each(it, |it| it.height.map_or(0, Height::number).into()),
    ),
    MetricDefinition::observable_gauges(
        "qortal_node_blocks_behind",
        "Blocks that the node is behind the others, or 0 if within the tolerance.",
        "node",
        |it| each(it, |it| it.blocks_behind.unwrap_or(0).into()),
    ),
    MetricDefinition::observable_gauges(
        "qortal_node_circuit_open",
        "1 while the node does not respond and other nodes are preferred.",
        "node",
        |it| each(it, |it| (it.circuit != Circuit::Closed).into()),
    ),
    MetricDefinition::observable_gauges(
        "qortal_node_requests_in_flight",
        "Requests in progress at the node.",
        "node",
        |it| each(it, |it| it.in_flight as u64),
    ),
    MetricDefinition::observable_gauges(
        "qortal_node_requests_waiting",
        "Requests waiting in the queue of the node.",
        "node",
        |it| each(it, |it| it.waiting as u64),
    ),
    MetricDefinition::observable_counters(
        "qortal_node_cache_requests_total",
        "Requests answered from the cache (hit) or by the node (miss).",
        "result",
        |it| {
            let usage = it.cache_usage();
            vec![
                ("hit".to_owned(), usage.hits),
                ("miss".to_owned(), usage.misses),
            ]
        },
    ),
    MetricDefinition::observable_gauge(
        "qortal_node_cache_bytes",
        "Size of the cached responses, in bytes.",
        |it| it.cache_usage().bytes as u64,
    ),
];

fn each(node: &Node, read: fn(&NodeHealth) -> u64) -> LabeledSamples {
    let health = node.health();
    let rows = health.iter().enumerate().take(MOST_NODES);
    rows.map(|(n, health)| (node_name(n, health.is_own), read(health)))
        .collect()
}

/// Counts and times requests to nodes.
pub(crate) fn asked(metrics: &Metrics) -> Result<NodeObserver, MetricsError> {
    let requests = metrics.register_counter(
        "qortal_node_requests_total",
        "Requests to nodes, by outcome.",
        &["node", "endpoint", "outcome"],
    )?;
    let times = metrics.register_duration_histogram(
        "qortal_node_request_duration_seconds",
        "Time of a request to a node, from entering the queue to the end of the response.",
        &["node"],
    )?;
    Ok(NodeObserver::new(move |request| {
        let node = node_name(request.node, request.is_own);
        let endpoint = request.endpoint.template();
        requests.inc(&[&node, endpoint, outcome(request)]);
        times.observe(&[&node], request.duration);
    }))
}

/// A position and not a URL, which would tell where private nodes are.
pub(super) fn node_name(position: usize, is_own: bool) -> String {
    match position {
        0 => "own".to_owned(),
        it if it < MOST_NODES && is_own => format!("own-{it}"),
        it if it < MOST_NODES => format!("public-{it}"),
        _ => OTHER.to_owned(),
    }
}

/// What came of a request to a node, in one word.
fn outcome(request: &NodeRequest<'_>) -> &'static str {
    let error = match request.result {
        Err(error) => error,
        Ok(200..=299) if request.is_page => return "page",
        Ok(200..=299) => return "ok",
        Ok(400..=499) => return "refused",
        Ok(500..=599) => return "failed",
        Ok(_) => return OTHER,
    };
    match (error.kind(), error.cause()) {
        (NodeErrorKind::Unreachable, Some(cause)) => match cause {
            Cause::Refused => "connection_refused",
            Cause::Dns => "dns",
            Cause::Tls => "tls",
            Cause::ConnectTimeout => "connect_timeout",
            Cause::NoRoute => "no_route",
            Cause::Reset => "reset",
            Cause::Closed => "closed",
            Cause::Broken => "broken",
            _ => "unreachable",
        },
        (NodeErrorKind::Unreachable, None) => "unreachable",
        (NodeErrorKind::TimedOut { .. }, _) => "timed_out",
        (NodeErrorKind::Overloaded { .. }, _) => "overloaded",
        (NodeErrorKind::TooLarge { .. }, _) => "too_large",
        (NodeErrorKind::NoMemory, _) => "no_memory",
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;
    use qortal_testnode::{Fault, Scenario, TestNode};

    use super::*;

    /// The alerts of `deploy/` select nodes by these names.
    #[test]
    fn a_name_says_whose_a_node_is() {
        for (position, is_own, name) in [
            (0, true, "own"),
            (1, true, "own-1"),
            (1, false, "public-1"),
            (MOST_NODES - 1, true, "own-15"),
            (MOST_NODES - 1, false, "public-15"),
            (MOST_NODES, true, OTHER),
            (MOST_NODES, false, OTHER),
        ] {
            assert_eq!(node_name(position, is_own), name, "{position} {is_own}");
        }
    }
    #[tokio::test]
    async fn an_outcome_is_one_word_for_what_an_operator_does_about_it() {
        let simulated = TestNode::start_lenient(Scenario::recorded()).await.unwrap();
        let outcomes = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&outcomes);
        let observer = NodeObserver::new(move |it| told.lock().push(outcome(it)));
        let config = qortal_client::NodeConfig::new(simulated.url());
        let node = Node::new(config.with_observer(Some(observer))).unwrap();
        for (fault, expected) in [
            (Fault::Status(200, "468".to_owned()), "ok"),
            (Fault::NotJson, "page"),
            (Fault::Status(404, String::new()), "refused"),
            (Fault::Status(500, String::new()), "failed"),
            (Fault::Redirect("/".to_owned()), OTHER),
            (Fault::HugeBody, "too_large"),
            (Fault::TruncateBody, "closed"),
        ] {
            simulated.fault("/blocks/height", fault);
            // What comes of it is what the observer is told first: the node may be asked more.
            let _ = node.height().await;
            let told = std::mem::take(&mut *outcomes.lock());
            assert_eq!(told.first(), Some(&expected), "{told:?}");
            simulated.clear_faults();
        }
        simulated.stop().await;
    }
}
