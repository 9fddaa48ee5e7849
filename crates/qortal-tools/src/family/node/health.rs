//! The health of the node, with reasons.

use qortal_client::api::{
    admin::{NodeInfo, NodeStatus},
    blocks::Block,
    peers::Peer,
};
use qortal_types::{Height, Timestamp};

use crate::{
    declare::{Context, Tool, ToolError, count},
    family::node::{duration_text, uptime_text},
};

/// A block comes every 30 to 90 seconds. Five minutes without one are rare.
const LATE_MILLIS: i64 = 5 * 60_000;
/// A connected and synchronized node never waits that long.
const STALE_MILLIS: i64 = 60 * 60_000;
/// Peers send their height every few seconds, and blocks take a few seconds to spread.
const FEW_BLOCKS: u32 = 5;
/// With fewer peers, a single bad one decides the node's view.
const ENOUGH_PEERS: usize = 3;
/// More than the time between two requests and the tolerance of blocks.
const SKEW_MILLIS: i64 = 5_000;

/// The facts that the verdict depends on.
struct Facts {
    now: Option<Timestamp>,
    lacks_network_time: bool,
    skew_millis: Option<i64>,
    is_synchronizing: bool,
    sync_percent: Option<u32>,
    last_block: Option<Timestamp>,
    blocks_behind: Option<u32>,
    peers: Option<usize>,
}

impl Facts {
    fn last_block_age_millis(&self) -> Option<i64> {
        Some(self.now?.millis_since(self.last_block?))
    }

    fn last_block_age(&self) -> Option<String> {
        let millis = self.last_block_age_millis()?;
        Some(duration_text(millis.max(0).unsigned_abs()))
    }
}

/// The further facts that the node reports about itself, as far as it does.
struct Answered {
    info: Option<NodeInfo>,
    last_block: Option<Block>,
    peers: Option<Vec<Peer>>,
    clock: Option<Timestamp>,
}

/// The verdicts, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Healthy,
    Synchronizing,
    Degraded,
    Unhealthy,
}

impl Verdict {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Synchronizing => "synchronizing",
            Self::Degraded => "degraded",
            Self::Unhealthy => "unhealthy",
        }
    }
}

params! { pub(crate) struct GetNodeHealth; }

record! {
    pub(crate) struct NodeHealth {
        /// One of healthy, synchronizing, degraded and unhealthy.
        verdict: &'static str,
        /// The reasons against its health. Empty if it is healthy. The sentences name the thresholds.
        reasons: Vec<String>,
        /// The height of the chain on this node.
        height: Height,
        /// The time of its last block.
        last_block_timestamp: Option<Timestamp>,
        /// The age of the last block.
        last_block_age: Option<String>,
        /// Whether it is downloading blocks.
        is_synchronizing: bool,
        /// The progress of synchronization in percent. Absent if the node does not report it.
        sync_percent: Option<u32>,
        /// Blocks it lacks compared with the median of its peers. Absent without peers.
        blocks_behind: Option<u32>,
        /// Peers with inbound connections.
        inbound_peers: Option<u32>,
        /// Peers with outbound connections.
        outbound_peers: Option<u32>,
        /// Peers for QDN data. Absent from older nodes.
        data_peers: Option<u32>,
        /// Milliseconds by which the machine's clock is ahead of network time. The node itself uses network time.
        clock_skew: Option<i64>,
        /// Whether it can mint blocks. Not a criterion: most nodes do not mint.
        is_minting_possible: bool,
        /// Version and commit of Qortal Core.
        build_version: Option<String>,
        /// Its running time.
        uptime_text: Option<String>
    }
}

impl Tool for GetNodeHealth {
    const NAME: &str = "get_node_health";
    const TITLE: &str = "Node health";
    const DESCRIPTION: &str = "Judge the node's health, with reasons: synchronized, behind, peers, clock. Use it first when something looks wrong. Forks: compare_nodes.";
    const KEYWORDS: &str = "health, node ok, stuck, stuck core, synchronize, synchronize problem, behind, wrong clock, diagnose, is my node up, problem";
    type Output = NodeHealth;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let node = cx.node.own_only();
        let (status, info, last_block, peers, clock) = tokio::join!(
            node.status(),
            node.info(),
            node.last_block(),
            node.peers(),
            node.clock(),
        );
        let status = status?;
        let answered = Answered {
            info: cx.part("Its version and network time are", info),
            last_block: cx.part("Its last block is", last_block),
            peers: cx.part("Its peers are", peers),
            clock: cx.part("The clock of its machine is", clock),
        };
        let facts = facts(&status, &answered);
        let (verdict, reasons) = judge(&facts);
        let directed = |direction| {
            let is_directed = |it: &&Peer| it.direction.as_deref() == Some(direction);
            let peers = answered.peers.as_ref()?;
            Some(count(peers.iter().filter(is_directed).count()))
        };
        Ok(NodeHealth {
            verdict: verdict.as_str(),
            reasons,
            height: status.height,
            last_block_timestamp: facts.last_block,
            last_block_age: facts.last_block_age(),
            is_synchronizing: status.is_synchronizing,
            sync_percent: status.sync_percent,
            blocks_behind: facts.blocks_behind,
            inbound_peers: directed("INBOUND"),
            outbound_peers: directed("OUTBOUND"),
            data_peers: status.number_of_data_connections,
            clock_skew: facts.skew_millis,
            is_minting_possible: status.is_minting_possible,
            uptime_text: answered.info.as_ref().map(|it| uptime_text(it.uptime)),
            build_version: answered.info.map(|it| it.build_version),
        })
    }
}

fn facts(status: &NodeStatus, answered: &Answered) -> Facts {
    let network_time = answered.info.as_ref().map(|it| it.current_timestamp);
    let lacks_network_time = network_time == Some(None);
    let network_time = network_time.flatten();
    let peers = answered.peers.as_deref();
    let middle_height = peers.and_then(middle_height);
    Facts {
        now: network_time.or(answered.clock),
        lacks_network_time,
        skew_millis: network_time.and_then(|it| Some(answered.clock?.millis_since(it))),
        is_synchronizing: status.is_synchronizing,
        sync_percent: status.sync_percent,
        last_block: answered.last_block.as_ref().map(|it| it.timestamp),
        blocks_behind: middle_height.map(|it| it.saturating_sub(status.height.number())),
        peers: peers.map(<[Peer]>::len),
    }
}

/// Returns the median, which a few lying or lagging peers do not change.
fn middle_height(peers: &[Peer]) -> Option<u32> {
    let mut heights: Vec<_> = peers
        .iter()
        .filter_map(|it| it.last_height)
        .map(Height::number)
        .collect();
    heights.sort_unstable();
    heights.get(heights.len() / 2).copied()
}

fn judge(facts: &Facts) -> (Verdict, Vec<String>) {
    let mut found = Vec::new();
    if facts.is_synchronizing {
        let percent = facts
            .sync_percent
            .map_or_else(String::new, |it| format!(", {it} percent done"));
        let reason = format!("It is still downloading blocks{percent}: wait until it has them.");
        found.push((Verdict::Synchronizing, reason));
    }
    match facts.peers {
        Some(0) => found.push((
            Verdict::Unhealthy,
            "It has no peers: it can neither get nor pass on blocks. Check its internet connection and firewall.".to_owned(),
        )),
        Some(peers) if peers < ENOUGH_PEERS => found.push((
            Verdict::Degraded,
            format!("It has {peers} peers, fewer than {ENOUGH_PEERS}."),
        )),
        _ => {}
    }
    if let Some(behind) = facts.blocks_behind
        && behind > FEW_BLOCKS
        && !facts.is_synchronizing
    {
        let reason = format!(
            "It lacks {behind} blocks that its peers have (more than {FEW_BLOCKS}) and is not synchronizing: compare_nodes shows whether it is on another chain."
        );
        found.push((Verdict::Degraded, reason));
    }
    if let (Some(age_millis), Some(age)) = (facts.last_block_age_millis(), facts.last_block_age())
        && age_millis > LATE_MILLIS
        && !facts.is_synchronizing
    {
        let (verdict, limit) = if age_millis > STALE_MILLIS {
            (Verdict::Unhealthy, STALE_MILLIS)
        } else {
            (Verdict::Degraded, LATE_MILLIS)
        };
        let reason = format!(
            "Its last block is {age} old (more than {}), though a block usually takes less than 90 seconds.",
            duration_text(limit.unsigned_abs())
        );
        found.push((verdict, reason));
    }
    if facts.lacks_network_time {
        let reason = "It could not get network time (NTP), without which it does not synchronize.";
        found.push((Verdict::Unhealthy, reason.to_owned()));
    }
    if let Some(skew) = facts.skew_millis
        && skew.saturating_abs() > SKEW_MILLIS
    {
        let direction = if skew > 0 { "ahead of" } else { "behind" };
        let reason = format!(
            "The clock of its machine is {} {direction} network time (more than {}): the node corrects that, other programs may not.",
            duration_text(skew.unsigned_abs()),
            duration_text(SKEW_MILLIS.unsigned_abs())
        );
        found.push((Verdict::Degraded, reason));
    }
    let worst = found.iter().map(|(verdict, _)| *verdict).max();
    (
        worst.unwrap_or(Verdict::Healthy),
        found.into_iter().map(|(_, reason)| reason).collect(),
    )
}
