//! Tools about the node itself.

mod compare;
mod config;
mod engine;
mod health;
mod lists;
mod network;
mod peers;
mod settings;

use std::collections::BTreeMap;

use qortal_client::api::admin;
use qortal_types::{Height, Timestamp};

use crate::declare::{Context, Tool, ToolError};

family! {
    "node", "Is the node running, synchronized and connected?":
    health::GetNodeHealth,
    GetNodeStatus,
    GetNodeInfo,
    GetNodeSummary,
    GetNodeUptime,
    compare::CompareNodes,
    peers::ListPeers,
    network::GetNetworkStats,
    config::GetServerConfig,
    settings::GetNodeSettings,
    lists::GetNodeLists,
    engine::GetEngineStats,
}

params! { struct GetNodeStatus; }

record! {
    struct NodeStatus from(it: admin::NodeStatus) {
        /// The height of the chain on this node. 0 until it has started.
        height: Height,
        /// Whether it is downloading blocks.
        is_synchronizing: bool,
        /// The progress of synchronization in percent. Absent if the node does not report it.
        sync_percent: Option<u32>,
        /// Whether it can mint blocks.
        is_minting_possible: bool,
        /// Peers it exchanges blocks with.
        number_of_connections: u32,
        /// Peers for QDN data. Absent from older nodes.
        number_of_data_connections: Option<u32>
    }
}

impl Tool for GetNodeStatus {
    const NAME: &str = "get_node_status";
    const TITLE: &str = "Node status";
    const DESCRIPTION: &str = "Height, synchronization, minting and peers of the node as they are. get_node_health judges them.";
    const KEYWORDS: &str = "node status, percent, synchronize percent, peers count, blocks behind";
    type Output = NodeStatus;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(NodeStatus::of(cx.node.status().await?))
    }
}

params! { struct GetNodeInfo; }

record! {
    struct NodeInfo from(it: admin::NodeInfo) {
        /// Version and commit of Qortal Core, such as `qortal-6.1.8-bb6b1bf`.
        build_version: String,
        /// The build time of the version.
        build_timestamp: Option<Timestamp> = Timestamp::from_seconds(it.build_timestamp),
        /// The time of the node's clock. Absent if it is not synchronized.
        current_timestamp: Option<Timestamp>,
        /// Milliseconds since the node was started. Negative if the machine's clock was set back since.
        uptime: i64,
        /// The same as text.
        uptime_text: String = uptime_text(it.uptime),
        /// The node's identifier in the network.
        node_id: Option<String>,
        /// Whether it belongs to a test network.
        is_test_net: bool,
        /// The part of the chain it stores: `full`, `topOnly` or `lite`.
        r#type: Option<String> = it.node_type
    }
}

impl Tool for GetNodeInfo {
    const NAME: &str = "get_node_info";
    const TITLE: &str = "Node version and clock";
    const DESCRIPTION: &str =
        "Version, network and build of the node. Settings: get_node_settings.";
    const KEYWORDS: &str = "version, core version, build, which version do I run, test network, memory of node, cpu of node";
    type Output = NodeInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(NodeInfo::of(cx.node.info().await?))
    }
}

params! {
    struct GetNodeSummary {
        /// Since the first block. Slow, and needs the node's API key.
        all_time: bool = false
    }
}

record! {
    struct NodeSummary from(summary: admin::ActivitySummary) {
        /// Blocks of the period.
        block_count: u64,
        /// Transactions in them.
        total_transaction_count: u64,
        /// Transactions by type. Types without any are absent.
        transaction_count_by_type: BTreeMap<String, u64>,
        /// Assets issued.
        assets_issued: u64,
        /// Names registered.
        names_registered: u64
    }
}

impl Tool for GetNodeSummary {
    const NAME: &str = "get_node_summary";
    const TITLE: &str = "Chain activity";
    const DESCRIPTION: &str = "Transactions by type in the last 24 hours, or of all time with the node's key. Supply and minters: get_network_stats.";
    const KEYWORDS: &str = "chain activity, day summary, all time, blocks in all time, transactions in all time, statistics";
    type Output = NodeSummary;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let summary = if self.all_time {
            cx.node.summary_of_all_time().await?
        } else {
            cx.node.summary().await?
        };
        Ok(NodeSummary::of(summary))
    }
}

params! { struct GetNodeUptime; }

record! {
    struct NodeUptime {
        /// Milliseconds since the node was started. Negative if the machine's clock was set back since.
        uptime: i64,
        /// The same as text.
        uptime_text: String
    }
}

impl Tool for GetNodeUptime {
    const NAME: &str = "get_node_uptime";
    const TITLE: &str = "Node uptime";
    const DESCRIPTION: &str = "How long the node has been running. More: get_node_health.";
    const KEYWORDS: &str = "uptime, running since, restart, how long";
    type Output = NodeUptime;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let uptime = cx.node.uptime().await?;
        Ok(NodeUptime {
            uptime,
            uptime_text: uptime_text(uptime),
        })
    }
}

/// Formats an uptime, which the Core measures by the clock of its machine.
fn uptime_text(millis: i64) -> String {
    match u64::try_from(millis) {
        Ok(millis) => duration_text(millis),
        Err(_) => {
            "unknown, because the clock of the machine was set back since the start".to_owned()
        }
    }
}

/// Formats a duration as `2 d 3 h 4 min`, `4 min 5 s` or `9 s`.
pub(crate) fn duration_text(millis: u64) -> String {
    let seconds = millis / 1000;
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3_600 % 24, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let from = parts.iter().position(|(n, _)| *n > 0).unwrap_or(3);
    let shown = parts
        .iter()
        .skip(from)
        .take(3)
        .filter(|(n, unit)| *n > 0 || (from == 3 && *unit == "s"));
    shown
        .map(|(n, unit)| format!("{n} {unit}"))
        .collect::<Vec<_>>()
        .join(" ")
}
