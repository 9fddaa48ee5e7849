//! The rules of the main network that no endpoint returns: `blockchain.json` of Core 6.1.8.

use crate::{Amount, Timestamp};

/// When the main network began (`genesisInfo.timestamp`): what distinguishes it from other chains.
pub const GENESIS: Timestamp = Timestamp::from_millis(1_593_450_000_000);
/// Blocks to mint at each level before the next one (`blocksNeededByLevel`).
const BLOCKS_NEEDED: [i64; 10] = [
    7_200, 64_800, 129_600, 172_800, 244_000, 345_600, 518_400, 691_200, 864_000, 1_036_800,
];
/// Target time of a block in milliseconds (`blockTimingsByHeight`).
pub const BLOCK_MILLIS: i64 = 60_000;
/// Blocks of a day at that time.
pub const BLOCKS_A_DAY: i64 = 86_400_000 / BLOCK_MILLIS;
/// How much longer or shorter a block may take.
pub const BLOCK_DEVIATION_MILLIS: i64 = 30_000;
/// Rewards are paid and blocks credited once in so many blocks (`blockRewardBatchSize`).
pub const BATCH: u32 = 1_000;
/// From here on (`blockRewardBatchStartHeight`).
pub const BATCHES_FROM: u32 = 1_508_000;
/// Members of this group may mint (`mintingGroupIds`).
pub const MINTING_GROUP: u32 = 694;
/// The level a founder counts as (`founderEffectiveMintingLevel`).
pub const FOUNDER_LEVEL: u32 = 10;
/// Above this height, blocks added by ACCOUNT_LEVEL and TRANSFER_PRIVS transactions no longer count
/// (`mintedBlocksAdjustmentRemovalHeight`).
const ADJUSTMENT_COUNTS_UNTIL: u32 = 2_206_300;
/// Blocks between two reductions of the reward (`rewardsByHeight`).
const REDUCTION_EVERY: u32 = 259_200;
/// The reward of the first blocks, in 10^-8 QORT.
const FIRST_REWARD: i64 = 500_000_000;
/// The size of each reduction.
const REDUCTION: i64 = 25_000_000;
/// The final reward.
const LAST_REWARD: i64 = 200_000_000;
/// The part of the reward, in percent, that online accounts of two neighboring levels share, from levels 1 and 2 on
/// (`sharesByLevelV2`).
const SHARES: [u32; 5] = [6, 13, 19, 26, 32];
/// From level 7 on, levels with fewer online accounts than this share with those below them
/// (`minAccountsToActivateShareBin`, `shareBinActivationMinLevel`).
const ENOUGH_ACCOUNTS: u32 = 30;
const MAY_LACK_ACCOUNTS_FROM: u32 = 7;

/// A fee that holds from a moment on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Since {
    /// The moment.
    pub since: Timestamp,
    /// The fee.
    pub fee: Amount,
}

const fn since(millis: i64, units: i64) -> Since {
    Since {
        since: Timestamp::from_millis(millis),
        fee: Amount::from_units(units),
    }
}

/// The least that a transaction costs (`unitFees`).
pub const UNIT_FEES: [Since; 2] = [
    since(GENESIS.millis(), 100_000),
    since(1_692_118_800_000, 1_000_000),
];
/// The fee of registering a name (`nameRegistrationUnitFees`).
pub const NAME_FEES: [Since; 2] = [
    since(1_645_372_800_000, 500_000_000),
    since(1_651_420_800_000, 125_000_000),
];
/// Bytes that one fee pays for (`maxBytesPerUnitFee`).
pub const BYTES_PER_UNIT_FEE: u32 = 1_024;
/// How long a transaction waits for a block before it expires (`transactionExpiryPeriod`).
pub const EXPIRY_MILLIS: i64 = 86_400_000;

/// Blocks that count for the level.
#[must_use]
pub fn counted_blocks(minted: i64, adjustment: i64, penalty: i64, height: u32) -> i64 {
    let adjustment = if height <= ADJUSTMENT_COUNTS_UNTIL {
        adjustment
    } else {
        0
    };
    minted.saturating_add(adjustment).saturating_add(penalty)
}

/// The counted blocks that a level needs; `None` above the highest.
#[must_use]
pub fn blocks_needed(level: u32) -> Option<i64> {
    let levels = usize::try_from(level).ok()?;
    let needed = BLOCKS_NEEDED.get(..levels)?;
    Some(needed.iter().sum())
}

/// The next height at which blocks are credited.
#[must_use]
pub fn next_credit(height: u32) -> u32 {
    let next = height.saturating_add(1);
    if next < BATCHES_FROM {
        return next;
    }
    next.div_ceil(BATCH).saturating_mul(BATCH)
}

/// The reward of the block at this height.
#[must_use]
pub fn reward(height: u32) -> Amount {
    let reductions = i64::from(height.saturating_sub(1) / REDUCTION_EVERY);
    let reward = FIRST_REWARD.saturating_sub(REDUCTION.saturating_mul(reductions));
    Amount::from_units(reward.max(LAST_REWARD))
}

/// The first height with a smaller reward; `None` once it stays.
#[must_use]
pub fn next_reduction(height: u32) -> Option<u32> {
    let reductions = height.saturating_sub(1) / REDUCTION_EVERY;
    let next = reductions
        .saturating_add(1)
        .saturating_mul(REDUCTION_EVERY)
        .saturating_add(1);
    Some(next).filter(|it| reward(*it) < reward(height))
}

/// The levels that share a part of each reward, and how large it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bin {
    /// The lower level.
    pub lowest: u32,
    /// The higher level.
    pub highest: u32,
    /// The part in percent.
    pub percent: u32,
}

/// What accounts of this level share; nothing at level 0.
#[must_use]
pub fn bin(level: u32) -> Option<Bin> {
    let index = level.checked_sub(1)? / 2;
    let percent = *SHARES.get(usize::try_from(index).ok()?)?;
    Some(Bin {
        lowest: index * 2 + 1,
        highest: index * 2 + 2,
        percent,
    })
}

impl Bin {
    /// What one online account of these levels gets of a block, if `count` is how many of a level are online.
    ///
    /// `None` where that depends on how bins with few accounts are put together.
    #[must_use]
    pub fn reward_each(self, height: u32, count: impl Fn(u32) -> u32) -> Option<Amount> {
        let online = |bin: Self| {
            let levels = bin.lowest..=bin.highest;
            levels.map(|it| i64::from(count(it))).sum::<i64>()
        };
        let lacks = (MAY_LACK_ACCOUNTS_FROM..=10)
            .filter_map(bin)
            .any(|it| online(it) < i64::from(ENOUGH_ACCOUNTS));
        if lacks {
            return None;
        }
        let part = reward(height)
            .units()
            .checked_mul(i64::from(self.percent))?
            / 100;
        part.checked_div(online(self)).map(Amount::from_units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_fall_as_in_the_table_of_the_core() {
        for (height, coins) in [
            (1, "5.00000000"),
            (259_200, "5.00000000"),
            (259_201, "4.75000000"),
            (2_073_601, "3.00000000"),
            (2_592_000, "2.75000000"),
            (2_592_001, "2.50000000"),
            (2_851_201, "2.25000000"),
            (3_110_401, "2.00000000"),
            (9_999_999, "2.00000000"),
        ] {
            assert_eq!(reward(height).to_string(), coins, "{height}");
        }
        assert_eq!(next_reduction(2_721_342), Some(2_851_201));
        assert_eq!(next_reduction(2_851_200), Some(2_851_201));
        assert_eq!(next_reduction(3_110_401), None);
    }

    #[test]
    fn levels_need_what_the_core_adds_up() {
        for (level, blocks) in [
            (0, Some(0)),
            (1, Some(7_200)),
            (2, Some(72_000)),
            (3, Some(201_600)),
            (10, Some(4_074_400)),
            (11, None),
            (u32::MAX, None),
        ] {
            assert_eq!(blocks_needed(level), blocks, "{level}");
        }
    }

    #[test]
    fn blocks_are_credited_at_the_end_of_a_batch() {
        for (height, next) in [
            (1_000_000, 1_000_001),
            (1_507_998, 1_507_999),
            (1_507_999, 1_508_000),
            (1_508_000, 1_509_000),
            (2_721_342, 2_722_000),
            (2_721_999, 2_722_000),
            (2_722_000, 2_723_000),
        ] {
            assert_eq!(next_credit(height), next, "{height}");
        }
    }

    #[test]
    fn credits_and_reductions_lie_ahead_at_every_edge() {
        let around = |it: u32| [it.saturating_sub(1), it, it.saturating_add(1)];
        let steps = (0..=20).map(|it| it * REDUCTION_EVERY);
        let batches = (0..=20).map(|it| BATCHES_FROM - 10 * BATCH + it * BATCH);
        let edges = steps.chain(batches).chain([4_294_000_000]);
        for height in edges.flat_map(around) {
            let next = next_credit(height);
            assert!(next > height && next - height <= BATCH, "{height}: {next}");
            assert!(
                next < BATCHES_FROM || next.is_multiple_of(BATCH),
                "{height}: {next}"
            );
            match next_reduction(height) {
                Some(next) => {
                    assert_eq!(reward(next - 1), reward(height), "{height}");
                    assert!(reward(next) < reward(height), "{height}");
                }
                None => assert_eq!(reward(height), reward(u32::MAX), "{height}"),
            }
        }
        assert_eq!(next_credit(u32::MAX), u32::MAX);
        assert_eq!(next_reduction(u32::MAX), None);
    }

    #[test]
    fn a_share_is_that_of_no_one_and_of_more_than_there_can_be() {
        let height = 2_721_342;
        let enough = |level| if level <= 2 { 0 } else { 1_000 };
        assert_eq!(bin(1).unwrap().reward_each(height, enough), None);
        let all = bin(5).unwrap().reward_each(height, |_| u32::MAX);
        assert_eq!(all, Some(Amount::ZERO));
    }

    #[test]
    fn adjustments_stopped_counting() {
        assert_eq!(counted_blocks(100, 50, -3, 2_206_300), 147);
        assert_eq!(counted_blocks(100, 50, -3, 2_206_301), 97);
        assert_eq!(counted_blocks(0, 0, 0, 0), 0);
        assert_eq!(counted_blocks(i64::MAX, 1, 0, 1), i64::MAX);
        assert_eq!(counted_blocks(i64::MIN, 0, -1, 1), i64::MIN);
    }

    #[test]
    fn two_levels_share_a_part() {
        let five = bin(5).unwrap();
        assert_eq!(
            five,
            Bin {
                lowest: 5,
                highest: 6,
                percent: 19
            }
        );
        assert_eq!(bin(6), Some(five));
        assert_eq!(bin(0), None);
        assert_eq!(bin(11), None);
        // 19 % of 2.5 QORT for 100 + 90 accounts.
        let count = |level| if level == 5 { 100 } else { 90 };
        let each = five.reward_each(2_721_342, count).unwrap();
        assert_eq!(each.to_string(), "0.00250000");
        assert_eq!(five.reward_each(2_721_342, |_| 10), None);
    }
}
