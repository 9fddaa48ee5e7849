//! The constants of the chain: block times, levels, rewards and fees.

use qortal_types::{
    Amount, Timestamp,
    main_net::{self, Since},
};

use crate::declare::{Context, Reply, Tool, ToolError};

params! { pub(super) struct GetChainParams; }

record! {
    pub(super) struct ChainParams {
        /// Whether the node is on the main network, whose constants these are.
        is_main_network: bool,
        /// When the chain began.
        genesis: Timestamp,
        /// Seconds that a block should take.
        block_seconds: i64,
        /// Seconds that one may take more or less.
        block_seconds_deviation: i64,
        /// The minting levels, the lowest first.
        levels: Vec<LevelParams>,
        /// The level that founders count as.
        founder_level: u32,
        /// Members of this group may mint.
        minting_group_id: u32,
        /// The reward of a block, by height.
        rewards: Vec<RewardParams>,
        /// Rewards and minted blocks are credited once in so many blocks.
        reward_batch_size: u32,
        /// From this height on; before, with each block.
        reward_batch_from_height: u32,
        /// The fees of transactions.
        fees: FeeParams
    }

    pub(super) struct LevelParams {
        /// The level.
        level: u32,
        /// Blocks to have minted in all.
        blocks_needed: i64,
        /// The part of each reward, in percent, that this level shares with the other one of its pair: 1 and 2, 3 and 4, and so on.
        share_percent: u32
    }

    pub(super) struct RewardParams {
        /// The first block with it.
        height: u32,
        /// QORT a block.
        reward: Amount
    }

    pub(super) struct FeeParams {
        /// The fee of a transaction, the latest last.
        unit_fees: Vec<FeeSince>,
        /// The fee of registering a name, the latest last.
        name_registration_fees: Vec<FeeSince>,
        /// Bytes of a transaction that one fee pays for.
        bytes_per_unit_fee: u32,
        /// Hours after which a transaction that is in no block expires, and costs nothing.
        expires_after_hours: i64
    }

    pub(super) struct FeeSince from(it: &Since) {
        /// From when on.
        since: Timestamp,
        /// QORT.
        fee: Amount
    }
}

impl Tool for GetChainParams {
    const NAME: &str = "get_chain_params";
    const TITLE: &str = "Chain parameters";
    const DESCRIPTION: &str = "Fixed figures of the main network: block times, levels, rewards by height, fees by date. Rules: explain_topic.";
    const KEYWORDS: &str = "block reward, reward schedule, halving, emission, inflation, level threshold, block time, constants, blockchain.json, reward per block";
    type Output = Reply<ChainParams>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let first_block = cx.node.first_block().await?;
        let is_main_network = first_block.timestamp == main_net::GENESIS;
        let reply = Reply::new(ChainParams {
            is_main_network,
            genesis: main_net::GENESIS,
            block_seconds: main_net::BLOCK_MILLIS / 1_000,
            block_seconds_deviation: main_net::BLOCK_DEVIATION_MILLIS / 1_000,
            levels: levels().collect(),
            founder_level: main_net::FOUNDER_LEVEL,
            minting_group_id: main_net::MINTING_GROUP,
            rewards: rewards().collect(),
            reward_batch_size: main_net::BATCH,
            reward_batch_from_height: main_net::BATCHES_FROM,
            fees: FeeParams {
                unit_fees: main_net::UNIT_FEES.iter().map(FeeSince::of).collect(),
                name_registration_fees: main_net::NAME_FEES.iter().map(FeeSince::of).collect(),
                bytes_per_unit_fee: main_net::BYTES_PER_UNIT_FEE,
                expires_after_hours: main_net::EXPIRY_MILLIS / 3_600_000,
            },
        });
        Ok(if is_main_network {
            reply.note("From blockchain.json of Core 6.1.8. get_fee asks the node itself.")
        } else {
            reply.note("The node is not on the main network: its chain may have other constants. get_fee asks the node itself.")
        })
    }
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
