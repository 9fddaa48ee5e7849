//! Block times, measured on the node's chain.

use qortal_types::{Height, Timestamp};

use crate::{Endpoint, Node, NodeError, api::blocks::Block, call::Call};

/// Blocks that are measured at least, as Qortal Hub does: about a day of them.
const MEASURED: u32 = 1_440;
/// The first measured block is one at a multiple of this height, so that it is requested about once an hour.
const STEP: u32 = 60;
/// Fewer blocks measure nothing.
const FEWEST: u32 = 10;
const DAY_MILLIS: i64 = 86_400_000;

/// The mean time between blocks, over about the last day and since the chain began.
///
/// ```
/// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
/// let last = node.last_block().await?;
/// if let Some(block_time) = node.block_time(&last).await? {
///     let (least, most) = block_time.range_of(7_200);
///     println!("7,200 blocks take {least} to {most} ms");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockTime {
    recent: Mean,
    overall: Mean,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mean {
    millis: i64,
    blocks: u32,
}

impl Mean {
    /// Measures from one block to another one, or `None` if there are too few between.
    fn between(from: (Height, Timestamp), to: (Height, Timestamp)) -> Option<Self> {
        let blocks = to.0.number().checked_sub(from.0.number())?;
        let millis = to.1.millis_since(from.1);
        (blocks >= FEWEST && millis > 0).then_some(Self { millis, blocks })
    }

    fn of(self, blocks: u32) -> i64 {
        let millis = i128::from(self.millis) * i128::from(blocks) / i128::from(self.blocks.max(1));
        i64::try_from(millis).unwrap_or(i64::MAX)
    }
}

impl BlockTime {
    /// Returns the milliseconds that so many blocks take at the pace of the last 1,440.
    #[must_use]
    pub fn millis_of(self, blocks: u32) -> i64 {
        self.recent.of(blocks)
    }

    /// Returns the milliseconds that so many blocks take at the pace of the last 1,440 and at that of the whole chain, the shorter
    /// time first.
    #[must_use]
    pub fn range_of(self, blocks: u32) -> (i64, i64) {
        let (recent, overall) = (self.recent.of(blocks), self.overall.of(blocks));
        (recent.min(overall), recent.max(overall))
    }

    /// Returns the blocks of a day at the pace of the last 1,440.
    #[must_use]
    pub fn blocks_a_day(self) -> i64 {
        let blocks = i64::from(self.recent.blocks).saturating_mul(DAY_MILLIS);
        blocks.saturating_add(self.recent.millis / 2) / self.recent.millis.max(1)
    }
}

impl Node {
    /// Measures the time between blocks up to the last one. Returns `None` on a chain of fewer than a dozen blocks.
    ///
    /// The second block counts as the beginning, because the time of the first one is part of the configuration. Both other blocks
    /// are cached, so most calls need no request.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`].
    pub async fn block_time(&self, last: &Block) -> Result<Option<BlockTime>, NodeError> {
        let tip = (last.height, last.timestamp);
        let Some(second) = self.second_block_time().await? else {
            return Ok(None);
        };
        let Some(overall) = Mean::between((Height::new(2), second), tip) else {
            return Ok(None);
        };
        let from = tip.0.number().saturating_sub(MEASURED) / STEP * STEP;
        let recent = if from <= 2 {
            overall
        } else {
            let call = Call::to(Endpoint::BlockAtHeight).with(Height::new(from));
            // So deep below the tip the block at a height stays the same.
            let earlier = self.immutable_json(call, |it: &Block| Some(it.height));
            let earlier = earlier.await?;
            let measured = Mean::between((earlier.height, earlier.timestamp), tip);
            measured.unwrap_or(overall)
        };
        Ok(Some(BlockTime { recent, overall }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn block(height: u32, seconds: i64) -> (Height, Timestamp) {
        (Height::new(height), Timestamp::from_millis(seconds * 1_000))
    }

    #[test]
    fn a_mean_is_exact_over_any_number_of_blocks() {
        let mean = Mean::between(block(100, 0), block(1_540, 105_264)).unwrap();
        // 73.1 seconds.
        assert_eq!(mean.of(10), 731_000);
        assert_eq!(mean.of(7_200), 526_320_000);
        assert_eq!(mean.of(0), 0);
        assert_eq!(Mean::between(block(2, 0), block(11, 600)), None);
        assert_eq!(Mean::between(block(20, 0), block(10, 600)), None);
        assert_eq!(Mean::between(block(2, 600), block(20, 600)), None);
    }

    #[test]
    fn a_block_time_ranges_from_the_faster_pace_to_the_slower_one() {
        let time = BlockTime {
            recent: Mean {
                millis: 731_000,
                blocks: 10,
            },
            overall: Mean {
                millis: 719_000,
                blocks: 10,
            },
        };
        assert_eq!(time.range_of(10), (719_000, 731_000));
        assert_eq!(time.millis_of(10), 731_000);
        assert_eq!(time.blocks_a_day(), 1_182);
    }
}
