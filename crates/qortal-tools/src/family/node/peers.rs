//! The peers of the node: versions and heights, and each peer on request.

use qortal_client::api::peers::Peer;
use qortal_types::{Height, Timestamp};
use tool_schema::CappedInt;

use crate::{
    declare::{
        Context, Cursor, Detail, NextPage, Page, Reply, Rows, Slice, Tool, ToolError, count,
        count_by,
    },
    support::untrusted::Untrusted,
};

/// Maximum number of versions and heights shown. Peers may claim any.
const GROUPS_SHOWN: usize = 20;

params! {
    pub(crate) struct ListPeers {
        /// full adds each peer with its address.
        detail: Detail = Detail::Summary,
        /// Peers to return.
        limit: CappedInt<1, 100> = CappedInt::from_const(20),
        /// Peers to skip.
        offset: CappedInt<0, 1_000_000> = CappedInt::from_const(0)
    }
}

record! {
    pub(crate) struct Peers {
        /// Peers the node exchanges blocks with.
        total: u32,
        /// Peers with inbound connections.
        inbound: u32,
        /// Peers with outbound connections.
        outbound: u32,
        /// Peers on a divergent chain, in the node's judgment.
        divergent: u32,
        /// Peers it exchanges QDN data with.
        data_peers: Option<u32>,
        /// The number of peers by version, the most frequent first.
        versions: Vec<PeersOfVersion>,
        /// The number of peers by height, the highest first.
        heights: Vec<PeersAtHeight>,
        /// The peers, the highest first. Only with `detail` full.
        peers: Option<Rows<PeerInfo>>,
        /// Whether there are more peers than these.
        remainder: NextPage
    }

    pub(crate) struct PeersOfVersion {
        /// The version reported by the peers.
        version: Untrusted,
        /// The number of them.
        peers: u32
    }

    pub(crate) struct PeersAtHeight {
        /// The height of their last block.
        height: Height,
        /// The number of them.
        peers: u32
    }

    pub(crate) struct PeerInfo from(it: Peer) {
        /// Host and port.
        address: Option<Untrusted> = it.address.map(Untrusted),
        /// INBOUND or OUTBOUND.
        direction: Option<String>,
        /// The reported version.
        version: Option<Untrusted> = it.version.map(Untrusted),
        /// The height of its last block.
        height: Option<Height> = it.last_height,
        /// The time of the block.
        last_block_timestamp: Option<Timestamp>,
        /// Time of the last ping, in milliseconds.
        last_ping: Option<i64>,
        /// Since when it is connected.
        connected_when: Option<Timestamp>,
        /// Whether its chain diverges, by the node's judgment.
        is_divergent: bool = it.is_too_divergent == Some(true)
    }
}

impl Tool for ListPeers {
    const NAME: &str = "list_peers";
    const TITLE: &str = "Node peers";
    const DESCRIPTION: &str = "Count the node's peers by version and height, or list them.";
    const KEYWORDS: &str =
        "peers, connections, version of others, who is connected, inbound, outbound";
    type Output = Reply<Peers>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let data_peers = cx.optional("The data peers are", cx.node.data_peers());
        let (mut peers, data_peers) = tokio::try_join!(cx.node.peers(), data_peers)?;
        peers.sort_by(|a, b| {
            b.last_height
                .cmp(&a.last_height)
                .then_with(|| a.address.cmp(&b.address))
        });
        let matching =
            |fits: &dyn Fn(&Peer) -> bool| count(peers.iter().filter(|it| fits(it)).count());
        let inbound = matching(&|it| it.direction.as_deref() == Some("INBOUND"));
        let outbound = matching(&|it| it.direction.as_deref() == Some("OUTBOUND"));
        let divergent = matching(&|it| it.is_too_divergent == Some(true));
        let mut answer = Peers {
            total: count(peers.len()),
            inbound,
            outbound,
            divergent,
            data_peers: data_peers.map(|it| count(it.len())),
            versions: versions(&peers),
            heights: heights(&peers),
            peers: None,
            remainder: NextPage::default(),
        };
        if self.detail == Detail::Full {
            let page: Page<_> =
                Slice::new(self.limit, self.offset).of_whole(cx, Cursor::Offset, peers);
            answer.peers = Some(page.items.into_iter().map(PeerInfo::of).collect());
            answer.remainder = page.remainder;
        }
        let is_alone = answer.total == 0;
        let reply = Reply::new(answer);
        Ok(reply.note_if(
            is_alone,
            "The node has no peers now. get_node_health shows whether that is a problem.",
        ))
    }
}

fn versions(peers: &[Peer]) -> Vec<PeersOfVersion> {
    let counts = count_by(peers.iter().filter_map(|it| it.version.as_deref()));
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_cached_key(|(_, count)| std::cmp::Reverse(*count));
    let shown = counts.into_iter().take(GROUPS_SHOWN);
    shown
        .map(|(version, peers)| PeersOfVersion {
            version: version.to_owned().into(),
            peers,
        })
        .collect()
}

fn heights(peers: &[Peer]) -> Vec<PeersAtHeight> {
    let counts = count_by(peers.iter().filter_map(|it| it.last_height));
    let highest_first = counts.into_iter().rev().take(GROUPS_SHOWN);
    highest_first
        .map(|(height, peers)| PeersAtHeight { height, peers })
        .collect()
}
