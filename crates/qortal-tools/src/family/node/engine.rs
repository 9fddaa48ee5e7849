//! The counters of the node's network code.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::declare::{Context, Tool, ToolError};

params! { pub(crate) struct GetEngineStats; }

record! {
    pub(crate) struct EngineStats {
        /// The kinds of messages, each with its counters since the node was started.
        messages: Vec<MessageStats>,
        /// Counters outside the kinds of messages.
        others: BTreeMap<String, u64>
    }

    pub(crate) struct MessageStats {
        /// The kind of message, by the Core's name.
        name: String,
        /// Its counters, such as requests, cacheHits and unknownBlocks.
        counters: BTreeMap<String, u64>
    }
}

impl Tool for GetEngineStats {
    const NAME: &str = "get_engine_stats";
    const TITLE: &str = "Node counters";
    const DESCRIPTION: &str =
        "Requests of other nodes answered by this node, by kind. Needs the node's API key.";
    const KEYWORDS: &str = "engine, requests served, load by peers";
    const NEEDS_KEY: bool = true;
    type Output = EngineStats;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let stats = cx.node.engine_stats().await?;
        let mut messages = Vec::new();
        let mut others = BTreeMap::new();
        for (name, value) in stats {
            match value {
                Value::Object(counters) => {
                    let counters = counters.into_iter();
                    let counters = counters.filter_map(|(name, it)| Some((name, it.as_u64()?)));
                    messages.push(MessageStats {
                        name,
                        counters: counters.collect(),
                    });
                }
                value => others.extend(value.as_u64().map(|it| (name, it))),
            }
        }
        Ok(EngineStats { messages, others })
    }
}
