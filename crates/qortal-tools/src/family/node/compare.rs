//! Whether nodes have the same chain, and where they diverge.
//!
//! Only configured nodes are queried, never one named by a caller.

use futures_util::future::join_all;
use qortal_client::{ApiError, Node, NodeError, NodeErrorKind, api::blocks::Block};
use qortal_types::{BlockSignature, Height, Timestamp};

use crate::declare::{Context, NodeResult, Reply, Tool, ToolError};

params! { pub(crate) struct CompareNodes; }

record! {
    pub(crate) struct Comparison {
        /// `same chain`, `forked` or `nothing to compare`.
        verdict: &'static str,
        /// The nodes. The others are compared with the first responding one.
        nodes: Vec<ComparedNode>
    }

    pub(crate) struct ComparedNode {
        /// Its configured URL.
        node: String,
        /// The reason if it is not compared, for example that it is unreachable.
        problem: Option<String>,
        /// The height of its chain.
        height: Option<Height>,
        /// The signature of its last block.
        signature: Option<String>,
        /// The time of the block.
        timestamp: Option<Timestamp>,
        /// Blocks it lacks compared with the highest of these nodes.
        blocks_behind: Option<u32>,
        /// Whether it has the same chain as the first node, as far as both have one. Absent for the first node.
        is_same_chain: Option<bool>,
        /// The first block different from the first node's. Absent if there is none.
        forked_at: Option<Height>,
        /// A sentence about the point of divergence.
        remark: Option<String>
    }
}

impl Tool for CompareNodes {
    const NAME: &str = "compare_nodes";
    const TITLE: &str = "Compare nodes";
    const DESCRIPTION: &str = "Is this node on a fork? Compares its chain with those of the other configured nodes, up to where they diverge.";
    const KEYWORDS: &str =
        "fork, am I on a fork, wrong chain, different chain, compare, other node, consensus";
    type Output = Reply<Comparison>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let nodes = &cx.comparison;
        let tips = join_all(nodes.iter().map(Node::last_block)).await;
        let answering = nodes.iter().zip(&tips);
        let answering = answering.filter_map(|(node, tip)| Some((node, tip.as_ref().ok()?)));
        let Some((reference, reference_tip)) = answering.clone().next() else {
            // No node responds. The error of the first one is the best reason.
            let first = tips.into_iter().find_map(Result::err);
            return Err(first.map_or_else(no_nodes, ToolError::from));
        };
        let highest = answering.clone().map(|(_, tip)| tip.height).max();
        let others = answering.clone().skip(1);
        let partings = others.map(|(node, tip)| parting(reference, reference_tip, node, tip));
        let mut partings = join_all(partings).await.into_iter();
        let mut is_reference = true;
        let mut compared = Vec::with_capacity(nodes.len());
        for (node, tip) in nodes.iter().zip(&tips) {
            let mut row = ComparedNode::new(node, tip, highest);
            if tip.is_ok() && !std::mem::take(&mut is_reference) {
                row.tell(partings.next());
            }
            compared.push(row);
        }
        let verdict = if compared.iter().any(|it| it.is_same_chain == Some(false)) {
            "forked"
        } else if compared.iter().any(|it| it.is_same_chain == Some(true)) {
            "same chain"
        } else {
            "nothing to compare"
        };
        let is_alone = nodes.len() < 2;
        let reply = Reply::new(Comparison {
            verdict,
            nodes: compared,
        });
        Ok(reply.note_if(is_alone, "No other node is configured. The user can pass --public to compare with public nodes, or --nodes to name more of their own."))
    }
}

fn no_nodes() -> ToolError {
    ToolError::not_found(
        "No nodes configured.",
        "There is nothing to compare. get_node_health judges this node by the reports of its peers.",
    )
}

impl ComparedNode {
    fn new(node: &Node, tip: &Result<Block, NodeError>, highest: Option<Height>) -> Self {
        let problem = tip.as_ref().err().map(|err| problem(err).to_owned());
        let tip = tip.as_ref().ok();
        Self {
            node: node.url().to_owned(),
            problem,
            height: tip.map(|it| it.height),
            signature: tip.map(|it| it.signature.to_string()),
            timestamp: tip.map(|it| it.timestamp),
            blocks_behind: tip
                .zip(highest)
                .map(|(tip, highest)| highest.number().saturating_sub(tip.height.number())),
            is_same_chain: None,
            forked_at: None,
            remark: None,
        }
    }

    fn tell(&mut self, parting: Option<Result<Parting, NodeError>>) {
        match parting {
            Some(Ok(Parting::Nowhere)) => self.is_same_chain = Some(true),
            Some(Ok(Parting::At { height, shared })) => {
                self.is_same_chain = Some(false);
                self.forked_at = Some(height);
                self.remark = Some(if height == Height::GENESIS {
                    "Even the genesis blocks differ: these are different networks.".to_owned()
                } else {
                    format!(
                        "Up to block {} both are the same, the {} blocks from there on differ. One that is a few blocks long settles itself within minutes.",
                        height.number().saturating_sub(1),
                        shared
                            .number()
                            .saturating_sub(height.number())
                            .saturating_add(1)
                    )
                });
            }
            Some(Ok(Parting::Before { height })) => {
                self.is_same_chain = Some(false);
                self.remark = Some(format!(
                    "They differ from block {height} on at the latest. One of the nodes does not keep the blocks before."
                ));
            }
            Some(Ok(Parting::Unknown { height })) => {
                self.remark = Some(format!(
                    "Block {height}, which both should have, was not there on one of them. Try again."
                ));
            }
            Some(Err(err)) => self.problem = Some(problem(&err).to_owned()),
            None => {}
        }
    }
}

fn problem(err: &NodeError) -> &'static str {
    match err.kind() {
        NodeErrorKind::Unreachable | NodeErrorKind::Silent { .. } => "unreachable",
        NodeErrorKind::TimedOut { .. } => "timed out",
        NodeErrorKind::Overloaded { .. } => "busy",
        NodeErrorKind::Refused { .. } => "refuses to answer",
        _ => "did not answer like a node",
    }
}

/// The place where two chains diverge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parting {
    /// Nowhere below the lower of the tips.
    Nowhere,
    /// At this block, the first that differs; `shared` is the height that both have reached.
    At { height: Height, shared: Height },
    /// At this block or below. A block further down is pruned.
    Before { height: Height },
    /// Unknown: even the last block that both should have is missing.
    Unknown { height: Height },
}

/// Finds the first block that differs. It goes down in doubling steps and then halves the remaining range. That takes
/// about 2 log2(d) requests to each node, where d is the number of blocks that differ: about 40 in the worst case.
async fn parting(
    left: &Node,
    left_tip: &Block,
    right: &Node,
    right_tip: &Block,
) -> Result<Parting, NodeError> {
    let shared = left_tip.height.min(right_tip.height);
    match is_same(left, left_tip, right, right_tip, shared).await? {
        Some(true) => return Ok(Parting::Nowhere),
        Some(false) => {}
        None => return Ok(Parting::Unknown { height: shared }),
    }
    let mut differs = shared.number();
    let mut step: u32 = 1;
    let mut agrees = 0;
    while differs > Height::GENESIS.number() {
        let height = differs.saturating_sub(step).max(Height::GENESIS.number());
        match is_same(left, left_tip, right, right_tip, Height::new(height)).await? {
            Some(false) => differs = height,
            Some(true) => {
                agrees = height;
                break;
            }
            None => {
                let height = Height::new(differs);
                return Ok(Parting::Before { height });
            }
        }
        step = step.saturating_mul(2);
    }
    while differs.saturating_sub(agrees) > 1 {
        let middle = agrees.midpoint(differs);
        match is_same(left, left_tip, right, right_tip, Height::new(middle)).await? {
            Some(false) => differs = middle,
            Some(true) => agrees = middle,
            None => {
                let height = Height::new(differs);
                return Ok(Parting::Before { height });
            }
        }
    }
    Ok(Parting::At {
        height: Height::new(differs),
        shared,
    })
}

/// Returns whether both have the same block at this height, or `None` if one of them has no block there.
async fn is_same(
    left: &Node,
    left_tip: &Block,
    right: &Node,
    right_tip: &Block,
    height: Height,
) -> Result<Option<bool>, NodeError> {
    let (left, right) = tokio::try_join!(
        signature_at(left, left_tip, height),
        signature_at(right, right_tip, height)
    )?;
    Ok(left.zip(right).map(|(left, right)| left == right))
}

async fn signature_at(
    node: &Node,
    tip: &Block,
    height: Height,
) -> Result<Option<BlockSignature>, NodeError> {
    if height == tip.height {
        return Ok(Some(tip.signature));
    }
    let block = node.block_at(height).await;
    let block = block.none_if(ApiError::BLOCK_UNKNOWN)?;
    Ok(block.map(|it| it.signature))
}
