//! The settings of the user's own node.

use futures_util::future::try_join_all;
use qortal_client::{NodeError, NodeErrorKind, api::admin::NodeSetting};

use crate::declare::{Context, Reply, Tool, ToolError};

/// Number of concurrent requests. It stays below the client's limit, so that none of them waits for its turn.
const AT_ONCE: usize = 6;

params! { pub(crate) struct GetNodeSettings; }

record! {
    pub(crate) struct NodeSettings {
        /// The settings.
        settings: Vec<Setting>
    }

    pub(crate) struct Setting {
        /// Its name in the node's settings.json.
        name: &'static str,
        /// Its value. Absent if it is not set. A capacity is in bytes.
        value: Option<String>
    }
}

impl Tool for GetNodeSettings {
    const NAME: &str = "get_node_settings";
    const TITLE: &str = "Node settings";
    const DESCRIPTION: &str = "Settings of the user's own node: QDN storage, relay mode, API access, updates, peers. No secrets.";
    const KEYWORDS: &str = "settings, storage policy, storage limit, relay, auto update, disk limit, configuration, api key, api access, port, which port, firewall";
    type Output = Reply<NodeSettings>;

    /// Sends one request for each setting, because a request for all would include secrets.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        cx.require_own_node()?;
        let mut found = Vec::with_capacity(NodeSetting::ALL.len());
        for some in NodeSetting::ALL.chunks(AT_ONCE) {
            found.extend(try_join_all(some.iter().map(|it| setting(cx, *it))).await?);
        }
        let mut unknown = Vec::new();
        let mut settings = Vec::new();
        for (setting, found) in NodeSetting::ALL.iter().zip(found) {
            let name = setting.as_str();
            match found {
                Some(value) => settings.push(Setting { name, value }),
                None => unknown.push(name),
            }
        }
        let reply = Reply::new(NodeSettings { settings });
        Ok(reply.note_if(
            !unknown.is_empty(),
            format!("This Core does not have: {}.", unknown.join(", ")),
        ))
    }
}

/// Returns a setting, which may have no value, or `None` if this Core does not have it. The Core then responds with a
/// bare 500.
async fn setting(cx: &Context, setting: NodeSetting) -> Result<Option<Option<String>>, NodeError> {
    let is_unknown = |err: &NodeError| {
        matches!(
            err.kind(),
            NodeErrorKind::Refused {
                status: 500,
                code: None,
                ..
            }
        )
    };
    match cx.node.setting(setting).await {
        Ok(value) => Ok(Some(value)),
        Err(err) if is_unknown(&err) => Ok(None),
        Err(err) => Err(err),
    }
}
