//! Rules of the main network that no endpoint returns, from `blockchain.json` of Core 6.1.8.

use crate::{Amount, Timestamp};

/// The start of the main network (`genesisInfo.timestamp`), which distinguishes it from other chains.
pub const GENESIS: Timestamp = Timestamp::from_millis(1_593_450_000_000);
/// Blocks to mint at each level before the next one (`blocksNeededByLevel`).
const BLOCKS_NEEDED: [i64; 10] = [
    7_200, 64_800, 129_600, 172_800, 244_000, 345_600, 518_400, 691_200, 864_000, 1_036_800,
];
/// Target time of a block, in milliseconds (`blockTimingsByHeight`). Real blocks take longer, so measure the time between them.
pub const TARGET_BLOCK_MILLIS: i64 = 60_000;
/// Largest deviation from the target block time, in milliseconds.
pub const BLOCK_DEVIATION_MILLIS: i64 = 30_000;
/// Number of blocks between payments of rewards and credits of minted blocks (`blockRewardBatchSize`).
pub const BATCH: u32 = 1_000;
/// First height with batched rewards (`blockRewardBatchStartHeight`).
pub const BATCHES_FROM: u32 = 1_508_000;
/// ID of the group whose members may mint (`mintingGroupIds`).
pub const MINTING_GROUP: u32 = 694;
/// Level of founders in the selection of block winners, but not for rewards (`founderEffectiveMintingLevel`).
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
/// The part of the reward, in percent, for holders of legacy QORA (`qoraHoldersShareByHeight`).
const QORA_SHARE: u32 = 1;
/// From level 7 on, levels with some online accounts but fewer than this share with those below them
/// (`minAccountsToActivateShareBin`, `shareBinActivationMinLevel`).
const ENOUGH_ACCOUNTS: u32 = 30;
const MAY_LACK_ACCOUNTS_FROM: u32 = 7;

/// A fee and its start time.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Since {
    /// The time from which the fee applies.
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

/// Minimum fees of a transaction (`unitFees`).
pub const UNIT_FEES: [Since; 2] = [
    since(GENESIS.millis(), 100_000),
    since(1_692_118_800_000, 1_000_000),
];
/// Fees for registering a name (`nameRegistrationUnitFees`).
pub const NAME_FEES: [Since; 2] = [
    since(1_645_372_800_000, 500_000_000),
    since(1_651_420_800_000, 125_000_000),
];
/// Number of bytes that one unit fee covers (`maxBytesPerUnitFee`).
pub const BYTES_PER_UNIT_FEE: u32 = 1_024;
/// Time after which an unconfirmed transaction expires, in milliseconds (`transactionExpiryPeriod`).
pub const EXPIRY_MILLIS: i64 = 86_400_000;

/// Returns the number of blocks that count toward the level.
#[must_use]
pub fn counted_blocks(minted: i64, adjustment: i64, penalty: i64, height: u32) -> i64 {
    let adjustment = if height <= ADJUSTMENT_COUNTS_UNTIL {
        adjustment
    } else {
        0
    };
    minted.saturating_add(adjustment).saturating_add(penalty)
}

/// Returns the number of counted blocks that a level requires, or `None` above the highest level.
#[must_use]
pub fn blocks_needed(level: u32) -> Option<i64> {
    let levels = usize::try_from(level).ok()?;
    let needed = BLOCKS_NEEDED.get(..levels)?;
    Some(needed.iter().sum())
}

/// Returns the next height at which blocks are credited.
#[must_use]
pub fn next_credit(height: u32) -> u32 {
    let next = height.saturating_add(1);
    if next < BATCHES_FROM {
        return next;
    }
    next.div_ceil(BATCH).saturating_mul(BATCH)
}

/// Returns the height at which an account that lacks this many blocks reaches the next level, if it stays online without
/// interruption.
///
/// `Block.increaseAccountLevels` compares levels before it counts a complete batch, with only one block of it added. An account
/// therefore reaches a level one batch after its threshold.
#[must_use]
pub fn level_height(height: u32, blocks_missing: i64) -> Option<u32> {
    let missing = u32::try_from(blocks_missing.max(1)).ok()?;
    let first = next_credit(height);
    if first < BATCHES_FROM {
        return height.checked_add(missing);
    }
    let batches = missing.saturating_sub(1).div_ceil(BATCH);
    first.checked_add(batches.checked_mul(BATCH)?)
}

/// Returns the reward of the block at this height.
#[must_use]
pub fn reward(height: u32) -> Amount {
    let reductions = i64::from(height.saturating_sub(1) / REDUCTION_EVERY);
    let reward = FIRST_REWARD.saturating_sub(REDUCTION.saturating_mul(reductions));
    Amount::from_units(reward.max(LAST_REWARD))
}

/// Returns the first height with a smaller reward, or `None` once the reward no longer falls.
#[must_use]
pub fn next_reduction(height: u32) -> Option<u32> {
    let reductions = height.saturating_sub(1) / REDUCTION_EVERY;
    let next = reductions
        .saturating_add(1)
        .saturating_mul(REDUCTION_EVERY)
        .saturating_add(1);
    Some(next).filter(|it| reward(*it) < reward(height))
}

/// A pair of levels and its share of each reward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bin {
    /// The lowest level.
    pub lowest: u32,
    /// The highest level.
    pub highest: u32,
    /// The share in percent.
    pub percent: u32,
}

/// Returns the share for accounts of this level, or `None` at level 0 and above the highest level.
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

/// A share of the next block's reward, as determined by the accounts online.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Share {
    /// The levels and their share. Pairs that were joined are combined.
    pub bin: Bin,
    /// The number of online accounts in the share.
    pub accounts: u32,
}

impl Share {
    /// Returns the reward of each account for a block at this height.
    #[must_use]
    pub fn each(self, height: u32) -> Option<Amount> {
        let part = reward(height)
            .units()
            .checked_mul(i64::from(self.bin.percent))?
            / 100;
        let each = part.checked_div(i64::from(self.accounts))?;
        Some(Amount::from_units(each))
    }
}

/// Returns the shares of a block in ascending order of levels. `count` returns the number of online accounts of a level.
///
/// The rules follow `Block.determineBlockRewardCandidates`. From the top down, a pair of levels with some accounts but too few
/// joins the pair below it. A pair without accounts does not join, and its share goes to the admins.
#[must_use]
pub fn shares(count: impl Fn(u32) -> u32) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    let mut joining: Option<Share> = None;
    for own in (1..=10).rev().step_by(2).filter_map(bin) {
        let levels = own.lowest..=own.highest;
        let online = levels.map(&count).fold(0, u32::saturating_add);
        let above = joining.take();
        let share = Share {
            bin: Bin {
                lowest: own.lowest,
                highest: above.map_or(own.highest, |it| it.bin.highest),
                percent: own.percent + above.map_or(0, |it| it.bin.percent),
            },
            accounts: online.saturating_add(above.map_or(0, |it| it.accounts)),
        };
        match share.accounts {
            0 => {}
            few if own.lowest >= MAY_LACK_ACCOUNTS_FROM && few < ENOUGH_ACCOUNTS => {
                joining = Some(share);
            }
            _ => shares.push(share),
        }
    }
    shares.reverse();
    shares
}

/// Returns the percentage of the reward that goes to the online admins of the minting group and to the admins of the development
/// group.
#[must_use]
pub fn admins_percent(shares: &[Share]) -> u32 {
    let shared: u32 = shares.iter().map(|it| it.bin.percent).sum();
    100_u32.saturating_sub(QORA_SHARE).saturating_sub(shared)
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

    /// The shares as `lowest-highest percent accounts`.
    fn shown(online: [u32; 5]) -> String {
        let count = |level: u32| {
            let pair = (level - 1) / 2;
            // All of a pair are of its lower level.
            online[pair as usize] * (level % 2)
        };
        let shares = shares(count);
        let rows = shares.iter().map(|it| {
            let Bin {
                lowest,
                highest,
                percent,
            } = it.bin;
            format!("{lowest}-{highest} {percent} {}", it.accounts)
        });
        let rest = admins_percent(&shares);
        format!("{} rest {rest}", rows.collect::<Vec<_>>().join(", "))
    }

    /// `Block.determineBlockRewardCandidates`.
    #[test]
    fn bins_of_few_accounts_are_joined_as_the_core_joins_them() {
        for (online, expected) in [
            (
                [100, 100, 100, 100, 100],
                "1-2 6 100, 3-4 13 100, 5-6 19 100, 7-8 26 100, 9-10 32 100 rest 3",
            ),
            // No one at the top: nothing is joined, and the part is left for the admins.
            (
                [100, 100, 100, 100, 0],
                "1-2 6 100, 3-4 13 100, 5-6 19 100, 7-8 26 100 rest 35",
            ),
            (
                [100, 100, 100, 30, 29],
                "1-2 6 100, 3-4 13 100, 5-6 19 100, 7-10 58 59 rest 3",
            ),
            (
                [100, 100, 100, 29, 0],
                "1-2 6 100, 3-4 13 100, 5-8 45 129 rest 35",
            ),
            ([0, 1, 2, 15, 14], "3-4 13 1, 5-10 77 31 rest 9"),
            ([0, 1, 2, 16, 14], "3-4 13 1, 5-6 19 2, 7-10 58 30 rest 9"),
            // The pair between is empty, and what comes down from above goes through it.
            ([1, 0, 0, 0, 7], "1-2 6 1, 5-10 77 7 rest 16"),
            ([1, 0, 0, 29, 30], "1-2 6 1, 5-8 45 29, 9-10 32 30 rest 16"),
            // Below level 7 even a single account has the part of its pair.
            ([1, 1, 1, 0, 0], "1-2 6 1, 3-4 13 1, 5-6 19 1 rest 61"),
            ([0, 0, 0, 0, 0], " rest 99"),
        ] {
            assert_eq!(shown(online), expected, "{online:?}");
        }
    }

    #[test]
    fn each_account_of_a_share_gets_an_equal_part() {
        // 19 % of 2.5 QORT for 100 + 90 accounts.
        let count = |level| match level {
            5 => 100,
            6 => 90,
            _ => 0,
        };
        let share = shares(count)[0];
        let each = share.each(2_721_342).unwrap();
        assert_eq!(each.to_string(), "0.00250000");
        let all = shares(|_| u32::MAX)[0].each(2_721_342);
        assert_eq!(all, Some(Amount::ZERO));
    }

    /// `Block.increaseAccountLevels`.
    #[test]
    fn a_level_comes_one_batch_after_its_blocks() {
        for (height, missing, level) in [
            (2_721_342, -5, 2_722_000),
            (2_721_342, 0, 2_722_000),
            (2_721_342, 1, 2_722_000),
            (2_721_342, 2, 2_723_000),
            (2_721_342, 1_001, 2_723_000),
            (2_721_342, 1_002, 2_724_000),
            (2_721_999, 7_200, 2_730_000),
            (1_000_000, 7_200, 1_007_200),
        ] {
            let found = level_height(height, missing);
            assert_eq!(found, Some(level), "{height} {missing}");
        }
        assert_eq!(level_height(2_721_342, i64::MAX), None);
        assert_eq!(level_height(u32::MAX, 1), Some(u32::MAX));
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
    }
}
