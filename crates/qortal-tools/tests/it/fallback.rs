//! What every tool says while the configured node is down and a public node may answer: chain questions are answered, what
//! only the own node knows is left out or refused, and every answer names the node.

use std::fmt::Write;

use qortal_client::{Node, NodeConfig};
use qortal_testnode::{API_KEY, Fault, Scenario, TestNode};
use qortal_tools::{Catalog, Selection};
use serde_json::Value;

use crate::{Chain, pin};

/// A catalog whose own node is down, and the public node that is allowed to answer.
pub(crate) async fn fallen_back() -> (Chain, TestNode) {
    let public = TestNode::start(Scenario::recorded()).await.unwrap();
    let mut chain = Chain::recorded().await;
    chain.node.fault("/*", Fault::Refuse);
    let mut config = NodeConfig::new(chain.node.url()).with_public_urls([public.url().to_owned()]);
    config.api_key = Some(qortal_client::ApiKey::new(API_KEY).unwrap());
    chain.catalog = Catalog::new(Node::new(config).unwrap(), &Selection::default()).unwrap();
    (chain, public)
}

/// A row of the table: whether there is an answer, and what it says of nodes.
fn row(tool: &str, said: &Result<Value, String>, url: &str) -> String {
    let mut row = format!("{tool}: ");
    match said {
        Err(message) => {
            let sentences = message.split_inclusive(". ").take(2);
            row.push_str(&String::from_iter(sentences));
        }
        Ok(answer) => {
            row.push_str(match answer.get("node") {
                Some(_) => "answered by PUBLIC",
                None => "answered without a node",
            });
            let notes = answer["notes"].as_array().into_iter().flatten();
            let notes = notes.filter_map(Value::as_str);
            for note in notes.filter(|it| it.contains("configured node")) {
                write!(row, "\n    {note}").unwrap();
            }
        }
    }
    row.replace(url, "PUBLIC").trim_end().to_owned()
}

#[tokio::test(start_paused = true)]
async fn every_tool_says_which_node_answered_or_why_none_did() {
    let mut table = Vec::new();
    for entry in Catalog::entries().filter(|it| it.uses_node) {
        let (chain, public) = fallen_back().await;
        let arguments = serde_json::from_str(entry.example).unwrap();
        let said = chain.call(entry.name, arguments).await;
        table.push(row(entry.name, &said, public.url()));
        assert!(
            public.journal().iter().all(|it| !it.has_api_key),
            "{} sent the key to another node",
            entry.name
        );
        let is_asked = !public.journal().is_empty();
        if let Ok(answer) = &said {
            assert_eq!(answer.get("node").is_some(), is_asked, "{}", entry.name);
        }
        chain.stop().await;
        public.stop().await;
    }
    pin("fallback", &table.join("\n"));
}
