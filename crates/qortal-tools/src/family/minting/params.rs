//! The constants of the chain: block times, levels, rewards and fees.

use qortal_client::{NodeError, api::block_time::BlockTime};
use qortal_types::{
    Amount, Timestamp, TransactionType,
    main_net::{self, Since},
};

use crate::declare::{Context, Reply, Tool, ToolError};

params! { pub(super) struct GetChainParams; }

record! {
    pub(super) struct ChainParams {
        /// Whether the node is on the main network.
        is_main_network: bool,
        /// The time of the first block.
        genesis: Timestamp,
        /// Mean time of the last 1440 blocks of this node, in seconds.
        measured_block_seconds: Option<String>,
        /// Blocks per day at this pace.
        measured_blocks_per_day: Option<i64>,
        /// Target time of a block on the main network, in seconds. This and the fields below, except fees, exist only
        /// there.
        block_seconds: Option<i64>,
        /// Allowed deviation, in seconds.
        block_seconds_deviation: Option<i64>,
        /// The minting levels, the lowest first.
        levels: Option<Vec<LevelParams>>,
        /// The founders' level for winning blocks, not for rewards.
        founder_level: Option<u32>,
        /// Members of this group may mint.
        minting_group_id: Option<u32>,
        /// The reward of a block, by height.
        rewards: Option<Vec<RewardParams>>,
        /// Rewards and minted blocks are credited once in so many blocks.
        reward_batch_size: Option<u32>,
        /// From this height on. Before it, with each block.
        reward_batch_from_height: Option<u32>,
        /// The fees of transactions.
        fees: FeeParams
    }

    pub(super) struct LevelParams {
        /// The level.
        level: u32,
        /// Blocks to have minted in all.
        blocks_needed: i64,
        /// The part of each reward, in percent, shared by this level and the other one of its pair: 1 and 2, 3 and 4,
        /// and so on.
        share_percent: u32
    }

    pub(super) struct RewardParams {
        /// The first block with it.
        height: u32,
        /// QORT a block.
        reward: Amount
    }

    pub(super) struct FeeParams {
        /// The lowest fee of most transactions now, in QORT, as the node has it.
        unit_fee: Option<Amount>,
        /// The fee of registering a name now, in QORT, as the node has it.
        name_registration_fee: Option<Amount>,
        /// The fee of a transaction since when, the latest last. This and all below only on the main network.
        unit_fees: Option<Vec<FeeSince>>,
        /// The fee of registering a name since when, the latest last.
        name_registration_fees: Option<Vec<FeeSince>>,
        /// Bytes of a transaction covered by one fee.
        bytes_per_unit_fee: Option<u32>,
        /// Hours until an unconfirmed transaction expires, at no cost.
        expires_after_hours: Option<i64>
    }

    pub(super) struct FeeSince from(it: &Since) {
        /// The start.
        since: Timestamp,
        /// QORT.
        fee: Amount
    }
}

impl Tool for GetChainParams {
    const NAME: &str = "get_chain_params";
    const TITLE: &str = "Chain parameters";
    const DESCRIPTION: &str = "The chain's genesis and measured block time. Of the main network also levels, rewards by height, fees by date. Rules: explain_topic.";
    const KEYWORDS: &str = "block reward, reward schedule, halving, emission, inflation, level threshold, block time, constants, blockchain.json, reward per block";
    type Output = Reply<ChainParams>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let (first_block, last_block) =
            tokio::try_join!(cx.node.first_block(), cx.node.last_block())?;
        let is_main_network = first_block.timestamp == main_net::GENESIS;
        let block_time = cx.node.block_time(&last_block);
        let block_time = cx.optional("The time that blocks take is", block_time);
        let fees = fees(cx, is_main_network);
        let (block_time, fees): (Option<Option<BlockTime>>, _) =
            tokio::try_join!(block_time, fees)?;
        let block_time = block_time.flatten();
        let main = |seconds: i64| is_main_network.then_some(seconds);
        let reply = Reply::new(ChainParams {
            is_main_network,
            genesis: first_block.timestamp,
            measured_block_seconds: block_time.map(|it| tenths(it.millis_of(1))),
            measured_blocks_per_day: block_time.map(BlockTime::blocks_a_day),
            block_seconds: main(main_net::TARGET_BLOCK_MILLIS / 1_000),
            block_seconds_deviation: main(main_net::BLOCK_DEVIATION_MILLIS / 1_000),
            levels: is_main_network.then(|| levels().collect()),
            founder_level: is_main_network.then_some(main_net::FOUNDER_LEVEL),
            minting_group_id: is_main_network.then_some(main_net::MINTING_GROUP),
            rewards: is_main_network.then(|| rewards().collect()),
            reward_batch_size: is_main_network.then_some(main_net::BATCH),
            reward_batch_from_height: is_main_network.then_some(main_net::BATCHES_FROM),
            fees,
        });
        Ok(if is_main_network {
            reply.note("The constants are those of blockchain.json in Core 6.1.8.")
        } else {
            reply.note("The node is not on the main network. No endpoint returns the levels, the rewards and the earlier fees of its chain, so they are left out.")
        })
    }
}

/// Formats seconds with one decimal place.
fn tenths(millis: i64) -> String {
    let tenths = millis.saturating_add(50) / 100;
    format!("{}.{}", tenths / 10, tenths % 10)
}

async fn fees(cx: &Context, is_main_network: bool) -> Result<FeeParams, NodeError> {
    let fee = async |of: TransactionType| cx.node.unit_fee(&of, None).await;
    let (unit_fee, name_registration_fee) = tokio::try_join!(
        cx.optional("The fee is", fee(TransactionType::Payment)),
        cx.optional("The fee of names is", fee(TransactionType::RegisterName)),
    )?;
    let since = |fees: &[Since]| is_main_network.then(|| fees.iter().map(FeeSince::of).collect());
    Ok(FeeParams {
        unit_fee,
        name_registration_fee,
        unit_fees: since(&main_net::UNIT_FEES),
        name_registration_fees: since(&main_net::NAME_FEES),
        bytes_per_unit_fee: is_main_network.then_some(main_net::BYTES_PER_UNIT_FEE),
        expires_after_hours: is_main_network.then_some(main_net::EXPIRY_MILLIS / 3_600_000),
    })
}

fn levels() -> impl Iterator<Item = LevelParams> {
    (1..).map_while(|level| {
        Some(LevelParams {
            level,
            blocks_needed: main_net::blocks_needed(level)?,
            share_percent: main_net::bin(level)?.percent,
        })
    })
}

fn rewards() -> impl Iterator<Item = RewardParams> {
    let heights = std::iter::successors(Some(1), |height| main_net::next_reduction(*height));
    heights.map(|height| RewardParams {
        height,
        reward: main_net::reward(height),
    })
}
