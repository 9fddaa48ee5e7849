//! The minting status of one account, and the obstacles to minting.

use qortal_client::{
    ApiError, NodeError, PageRequest,
    api::{
        addresses::{Account as NodeAccount, OnlineLevel, RewardShareFilter},
        block_time::BlockTime,
        transactions::TransactionFilter,
    },
};
use qortal_types::{
    Address, Amount, Height, Timestamp, TransactionType,
    main_net::{self, BATCH, Bin, MINTING_GROUP, Share},
};

use crate::{
    declare::{Account, AccountRef, Context, NodeResult, Reply, Tool, ToolError, count},
    family::accounts::known_account,
    support::{estimate::about, owner::is_loopback},
};

/// Maximum number of reward shares counted. An account may give two and rarely receives many.
const SHARES_COUNTED: u32 = 100;

params! {
    pub(crate) struct GetMintingStatus {
        /// Account.
        address: AccountRef,
        /// Include whether it is online now. Slower.
        include_online: bool = false
    }
}

record! {
    pub(crate) struct MintingStatus {
        /// The account's address.
        address: Account,
        /// Whether the account has ever appeared on the chain.
        is_known: bool,
        /// Its level, 0 to 10.
        level: u32,
        /// Whether it is a founder of the chain. Founders count as level 10 for winning blocks, not for rewards.
        is_founder: bool,
        /// Blocks it has minted.
        blocks_minted: i64,
        /// Blocks added when a level was set or another account's privileges were transferred to it.
        blocks_minted_adjustment: i64,
        /// The account this one got its minting privileges from, and the time.
        privileges_from: Option<String>,
        /// Blocks taken off as a penalty, 0 or less.
        blocks_minted_penalty: i64,
        /// Whether it has a reward share with itself, its minting key.
        has_minting_key: bool,
        /// Other accounts receiving a part of its rewards.
        reward_shares_given: u32,
        /// Other accounts sharing their rewards with it.
        reward_shares_received: u32,
        /// Whether it is online as a minter now. Only with include_online.
        is_online: Option<bool>,
        /// Whether this node mints for it. Only if the node is on this machine.
        mints_on_this_node: Option<bool>,
        /// Whether it is in the minting group. Only on the main network.
        is_minting_group_member: Option<bool>,
        /// Obstacles to minting, as far as the chain shows.
        obstacles: Vec<String>,
        /// The way to the next level. Only on the main network, and below level 10.
        next_level: Option<NextLevel>,
        /// The reward of minting. Only on the main network.
        reward: Option<Reward>,
        /// The height of the chain.
        height: Height
    }
}

impl MintingStatus {
    /// Returns whether the chain lets the account mint (the Core's `Account.canMint`), as far as is known, on whichever
    /// node its key is.
    pub(crate) fn can_mint(&self) -> bool {
        let is_barred = self.is_founder && self.blocks_minted_penalty != 0;
        self.is_known
            && self.has_minting_key
            && self.is_minting_group_member != Some(false)
            && !is_barred
    }
}

record! {
    pub(crate) struct NextLevel {
        /// The level.
        level: u32,
        /// The account's counted blocks.
        counted_blocks: i64,
        /// Counted blocks needed for the level.
        blocks_needed: i64,
        /// The number of missing blocks.
        blocks_missing: i64,
        /// The height at which it reaches the level if it mints without a break: one batch of blocks after the last
        /// needed one.
        reached_at_height: Option<u32>,
        /// The time until then, at the pace of the last 1440 blocks and of the entire chain. Absent if the account
        /// cannot mint.
        estimated_time: Option<String>,
        /// The estimated date at the pace of the last 1440 blocks.
        estimated_date: Option<Timestamp>,
        /// The next height for crediting blocks, every 1000 blocks.
        next_credit_height: u32
    }

    pub(crate) struct Reward {
        /// QORT of each block now, for all minters together.
        block_reward: Amount,
        /// The height of the next payout, of the rewards of 1000 blocks.
        next_payout_height: u32,
        /// The time until then, at the pace of the last 1440 blocks and of the entire chain.
        next_payout_time: Option<String>,
        /// The height of the next reward reduction. Absent if there is none.
        falls_at_height: Option<u32>,
        /// The time until then, likewise.
        falls_time: Option<String>,
        /// The lowest level sharing with the account, given the online minters. Absent at level 0.
        lowest_level: Option<u32>,
        /// The highest of these levels.
        highest_level: Option<u32>,
        /// The part of the reward, in percent, shared by online accounts of these levels.
        percent: Option<u32>,
        /// QORT for each of them per block, estimated from the minters online now.
        estimated_each: Option<Amount>,
        /// QORT per day, at the pace of the last 1440 blocks.
        estimated_per_day: Option<Amount>,
        /// The admins' part of the reward, in percent: half for the online admins of the minting group, half for all
        /// admins of the development group.
        admins_percent: Option<u32>
    }
}

impl Tool for GetMintingStatus {
    const NAME: &str = "get_minting_status";
    const TITLE: &str = "Minting status";
    const DESCRIPTION: &str = "An account's minting level, blocks to the next one, rewards, penalty and obstacles. How to become a minter: explain_topic.";
    const EXAMPLE: &str = r#"{"address":"Alice Test","include_online":true}"#;
    const KEYWORDS: &str = "mint, level, next level, level up, why not minting, founder, blocks until level, block left, eta, mint status, key, reward per day, lost level, why did I lose my level, level gone, next payout, when are rewards paid";
    type Output = Reply<MintingStatus>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        status(cx, found, self.include_online).await
    }
}

/// Returns the minting status of one account, and whether it is online if requested.
pub(crate) async fn status(
    cx: &Context,
    found: Account,
    include_online: bool,
) -> Result<Reply<MintingStatus>, ToolError> {
    let address = found.address;
    let involving = RewardShareFilter::default().with_involving(vec![address]);
    let (account, shares, last_block, first_block, on_this_node, is_online) = tokio::try_join!(
        known_account(&cx.node, &address),
        cx.node
            .reward_shares(&involving, PageRequest::first(SHARES_COUNTED)),
        cx.node.last_block(),
        cx.node.first_block(),
        mints_on_this_node(cx, &address),
        is_online(cx, &address, include_online),
    )?;
    let is_main_net = first_block.timestamp == main_net::GENESIS;
    let (is_member, levels, block_time) = if is_main_net {
        let (is_member, levels, block_time) = tokio::join!(
            is_minting_group_member(cx, &address),
            cx.node.online_levels(),
            cx.node.block_time(&last_block),
        );
        let levels = cx.part("How many accounts share the reward is", levels);
        let block_time = cx.part("The time that blocks take is", block_time);
        (is_member, levels, block_time.flatten())
    } else {
        (None, None, None)
    };
    let is_minter = |it: &Option<Address>| it.as_ref() == Some(&address);
    let has_minting_key = shares
        .iter()
        .any(|it| is_minter(&it.minting_account) && it.recipient == address);
    let given = shares
        .iter()
        .filter(|it| is_minter(&it.minting_account) && it.recipient != address);
    let received = shares.iter().filter(|it| !is_minter(&it.minting_account));
    let known = account.as_ref();
    let level = known.map_or(0, |it| it.level);
    let is_founder = known.is_some_and(NodeAccount::is_founder);
    let penalty = known.and_then(|it| it.blocks_minted_penalty).unwrap_or(0);
    let mut status = MintingStatus {
        address: found,
        is_known: account.is_some(),
        level,
        is_founder,
        blocks_minted: known.map_or(0, |it| it.blocks_minted),
        blocks_minted_adjustment: known.map_or(0, |it| it.blocks_minted_adjustment),
        privileges_from: None,
        blocks_minted_penalty: penalty,
        has_minting_key,
        reward_shares_given: count(given.count()),
        reward_shares_received: count(received.count()),
        is_online,
        mints_on_this_node: on_this_node,
        is_minting_group_member: is_member,
        obstacles: Vec::new(),
        next_level: None,
        reward: None,
        height: last_block.height,
    };
    status.obstacles = obstacles(&status);
    if !has_minting_key || status.blocks_minted_adjustment != 0 {
        match privileges(cx, &address).await {
            Some(Privileges::GivenAway(obstacle)) => status.obstacles.push(obstacle),
            Some(Privileges::Received(from)) => status.privileges_from = Some(from),
            None => {}
        }
    }
    if !is_main_net {
        return Ok(Reply::new(status).note(
                "This is not the main network. No endpoint returns how many blocks its levels need or what its blocks pay, so nextLevel and reward are left out.",
            ));
    }
    let now = cx.part("The date of the next level is", cx.node.clock().await);
    status.next_level = next_level(&status, now, block_time);
    status.reward = Some(reward(&status, levels.as_deref(), block_time));
    Ok(Reply::new(status).note(format!(
            "Thresholds and rewards are those of Core 6.1.8 for the main network. Blocks are credited and rewards paid once in {BATCH} blocks, so levels do not change in between. Estimates use the pace of this node's blocks, and assume minting without interruption and as many online minters of each level as now; the node counts founders as level 10."
        )))
}

/// The latest transfer of minting privileges that involves an account.
enum Privileges {
    /// The account gave them away. With a penalty, that is the only way to lose a level.
    GivenAway(String),
    /// The account received them.
    Received(String),
}

/// Finds that transfer. The Core does not return the recipient of privileges: it is the party that did not create the
/// transaction.
async fn privileges(cx: &Context, address: &Address) -> Option<Privileges> {
    let filter = TransactionFilter::default()
        .with_types([TransactionType::TransferPrivs])
        .with_address(*address);
    let found = cx
        .node
        .search_transactions(&filter, PageRequest::last(1))
        .await;
    let found = cx.part("Whether its privileges were transferred is", found)?;
    let it = found.first()?;
    let (height, sender) = (it.block_height?, it.creator_address?);
    let time = it.timestamp;
    Some(if sender == *address {
        Privileges::GivenAway(format!(
            "It gave its minting privileges, level and blocks away in block {height} ({time})."
        ))
    } else {
        Privileges::Received(format!("{sender} in block {height} ({time})"))
    })
}

async fn is_online(
    cx: &Context,
    address: &Address,
    is_wanted: bool,
) -> Result<Option<bool>, NodeError> {
    if !is_wanted {
        return Ok(None);
    }
    let online = cx.node.online_accounts().await;
    let online = cx.part("Whether it is online is", online);
    Ok(online.map(|it| it.iter().any(|it| it.minter_address == *address)))
}

async fn is_minting_group_member(cx: &Context, address: &Address) -> Option<bool> {
    let memberships = cx.node.memberships(MINTING_GROUP, &[*address]).await;
    let memberships = memberships.none_if(ApiError::GROUP_UNKNOWN);
    let memberships = cx.part("Whether it may mint is", memberships).flatten()?;
    memberships.first().map(|it| it.is_member)
}

/// Returns whether this node mints for the account. That is private to its owner, so only a node on this machine is queried.
async fn mints_on_this_node(cx: &Context, address: &Address) -> Result<Option<bool>, NodeError> {
    if !is_loopback(cx.node.url()) {
        return Ok(None);
    }
    let keys = cx.node.minting_accounts().await;
    let Some(keys) = cx.part("The keys that the node mints with are", keys) else {
        return Ok(None);
    };
    let is_theirs = |it: &Option<Address>| it.as_ref() == Some(address);
    let mints = keys
        .iter()
        .any(|it| is_theirs(&it.minting_account) || is_theirs(&it.address));
    Ok(Some(mints))
}

fn obstacles(status: &MintingStatus) -> Vec<String> {
    let mut found = Vec::new();
    if !status.is_known {
        found.push("The account has never appeared on the chain.".to_owned());
    }
    if status.is_minting_group_member == Some(false) {
        found.push(format!(
            "It is not in group {MINTING_GROUP}, whose members alone may mint on the main network."
        ));
    }
    if !status.has_minting_key {
        found
            .push("It has no minting key: no reward share with itself is on the chain.".to_owned());
    }
    if status.is_online == Some(false) {
        found.push("It is not online as a minter now, as far as this node knows.".to_owned());
    }
    if status.blocks_minted_penalty < 0 {
        let blocks = status.blocks_minted_penalty.unsigned_abs();
        found.push(if status.is_founder {
            format!("A penalty of {blocks} blocks keeps it from minting, as it is a founder.")
        } else {
            format!("A penalty takes {blocks} blocks off its counted blocks.")
        });
    }
    found
}

fn next_level(
    status: &MintingStatus,
    now: Option<Timestamp>,
    block_time: Option<BlockTime>,
) -> Option<NextLevel> {
    let level = status.level.checked_add(1)?;
    let blocks_needed = main_net::blocks_needed(level)?;
    let height = status.height.number();
    let counted_blocks = main_net::counted_blocks(
        status.blocks_minted,
        status.blocks_minted_adjustment,
        status.blocks_minted_penalty,
        height,
    );
    let blocks_missing = blocks_needed.saturating_sub(counted_blocks).max(0);
    let reached_at = main_net::level_height(height, blocks_missing);
    let reached_at = reached_at.filter(|_| status.can_mint());
    let blocks_to_go = reached_at.map(|it| it.saturating_sub(height));
    let to_go = blocks_to_go.zip(block_time);
    let estimated_date = now.zip(to_go).map(|(now, (blocks, time))| {
        Timestamp::from_millis(now.millis().saturating_add(time.millis_of(blocks)))
    });
    Some(NextLevel {
        level,
        counted_blocks,
        blocks_needed,
        blocks_missing,
        reached_at_height: reached_at,
        estimated_time: to_go.map(|(blocks, time)| about(time.range_of(blocks))),
        estimated_date,
        next_credit_height: main_net::next_credit(height),
    })
}

fn reward(
    status: &MintingStatus,
    levels: Option<&[OnlineLevel]>,
    block_time: Option<BlockTime>,
) -> Reward {
    let height = status.height.number();
    let own = main_net::bin(status.level);
    let shares = levels.map(|levels| shares(levels, own));
    let share = shares.as_ref().and_then(|it| {
        let has = |share: &&Share| (share.bin.lowest..=share.bin.highest).contains(&status.level);
        it.iter().find(has).copied()
    });
    let bin = share.map(|it| it.bin).or(own);
    let estimated_each = share.and_then(|it| it.each(height));
    let blocks_a_day = block_time.map(BlockTime::blocks_a_day);
    let estimated_per_day = estimated_each.zip(blocks_a_day);
    let time_until = |to: u32| {
        let blocks = to.saturating_sub(height);
        block_time.map(|it| about(it.range_of(blocks)))
    };
    let next_payout = main_net::next_credit(height);
    let falls_at = main_net::next_reduction(height);
    Reward {
        block_reward: main_net::reward(height),
        next_payout_height: next_payout,
        next_payout_time: time_until(next_payout),
        falls_at_height: falls_at,
        falls_time: falls_at.and_then(time_until),
        lowest_level: bin.map(|it| it.lowest),
        highest_level: bin.map(|it| it.highest),
        percent: bin.map(|it| it.percent),
        estimated_each,
        estimated_per_day: estimated_per_day.and_then(|(each, blocks)| each.checked_mul(blocks)),
        admins_percent: shares.as_deref().map(main_net::admins_percent),
    }
}

/// Returns the shares of a block. If none of the account's own levels is online, the account counts as an online minter.
fn shares(levels: &[OnlineLevel], own: Option<Bin>) -> Vec<Share> {
    let found = |level: u32| {
        let found = levels.iter().find(|it| it.level == level);
        found.map_or(0, |it| it.count)
    };
    let alone = own.filter(|it| (it.lowest..=it.highest).all(|level| found(level) == 0));
    main_net::shares(|level| found(level) + u32::from(alone.is_some_and(|it| it.lowest == level)))
}
