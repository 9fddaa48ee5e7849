//! The user's other nodes, each asked alone, with its own key.

use futures_util::future::join_all;
use qortal_client::{Node, NodeError, OwnNode};

use super::{Finding, State};
use crate::{config::Config, run::standalone_config};

/// What they answer; `None` if there are none.
pub(super) async fn finding(config: &Config) -> Option<Finding> {
    let nodes = &config.node.own_nodes;
    if nodes.is_empty() || config.values.demo.is_on() {
        return None;
    }
    let found = join_all(nodes.iter().map(|it| examine(config, it))).await;
    let state = State::attention_if(found.iter().any(Result::is_err));
    let each = found.into_iter().map(|it| it.unwrap_or_else(|it| it));
    let each: Vec<_> = each.collect();
    Some(Finding::new("own nodes", (state, each.join("; "))))
}

/// What is good or not about one, in words.
async fn examine(config: &Config, own: &OwnNode) -> Result<String, String> {
    let url = &own.url;
    let mut alone = standalone_config(&config.node, url);
    alone.api_key.clone_from(&own.api_key);
    let node = Node::new(alone).map_err(|err| format!("{url}: {err}"))?;
    let silent = |err: NodeError| format!("{url} does not answer: {}", err.details());
    let height = node.height().await.map_err(silent)?;
    if own.api_key.is_none() {
        return Ok(format!("{url} at height {height}, without an API key"));
    }
    match node.api_key_test().await {
        Ok(true) => Ok(format!("{url} at height {height}, API key accepted")),
        Ok(false) => Err(format!(
            "{url} does not accept its API key, which may be the key of another node"
        )),
        Err(err) => Err(format!("{url} does not accept its API key: {err}")),
    }
}
