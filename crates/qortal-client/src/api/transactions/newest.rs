//! The newest transactions of a long list, read in windows of blocks.
//!
//! The Core finds every row of a list before it takes a page of it, so the newest rows of an account with 150,000 transactions take
//! seconds (`HSQLDBTransactionRepository.getSignaturesMatchingCriteria`). With `startBlock` and `blockLimit`, it searches only
//! these blocks. The first window is small. Each further window is adjacent to the last and several times as large.

use std::cmp::Reverse;

use qortal_types::Height;
use tokio::join;

use super::Transaction;
use crate::{Node, NodeError, PageRequest, call::Call};

/// The first window is this part of the chain, at least and at most so many blocks. An account that is not in it has some thousand
/// rows, unless it was busy once and is so no more: a list that can be read.
const PART: u32 = 5_000;
const FEWEST_BLOCKS: u32 = 30;
const MOST_BLOCKS: u32 = 500;

/// How much longer the part of the chain is that windows cover, at least, with one more of them.
const GROWTH: u64 = 4;

/// Windows of one page, at most.
const MOST_WINDOWS: u32 = 4;

/// Rows of everyone in a block, all of which the Core reads in a window: a cautious guess.
const ROWS_IN_BLOCK: u64 = 5;

/// Rows of a page, and before its end, up to which windows are tried: longer ones are of lists that are read as a whole.
pub(super) const MOST_LIMIT: u32 = 500;
const MOST_ROWS: u32 = 5_000;

impl Node {
    /// The page of a list of confirmed transactions in these blocks, which `list` asks for. It is that of the whole list, which is
    /// read where windows would cost more.
    pub(super) async fn newest(
        &self,
        list: impl Fn() -> Call + Send + Sync,
        blocks: Span,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, NodeError> {
        let needed = page.offset.saturating_add(page.limit);
        let is_page = (1..=MOST_LIMIT).contains(&page.limit) && needed <= MOST_ROWS;
        if page.reverse && is_page {
            // What is seen while windows are read is part of the answer only if they are.
            let (node, seen) = self.observed();
            let rows = node.newest_in_windows(&list, blocks, needed).await?;
            if let Some(rows) = rows.filter(|_| seen.gaps().is_empty()) {
                seen.all().into_iter().for_each(|it| self.note(it));
                return Ok(of_page(rows, page));
            }
        }
        self.in_span(&list, blocks, page).await
    }

    /// The tip, as far as it is known; windows go on to the end of the chain.
    pub(super) async fn tip(&self) -> Result<Height, NodeError> {
        match self.known_tip() {
            Some(tip) => Ok(tip),
            None => self.height().await,
        }
    }

    /// As many of the newest rows, if windows of blocks have them. They are all that are newer than the blocks before: a list is by the
    /// time at which transactions were made, which is before that of their block, and may be long before it.
    async fn newest_in_windows(
        &self,
        list: &(impl Fn() -> Call + Send + Sync),
        within: Span,
        needed: u32,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let tip = match within.last {
            Some(last) => last.number(),
            None => self.tip().await?.number(),
        };
        let first = within.first.map_or(0, Height::number);
        let mut rows: Vec<Transaction> = Vec::new();
        let mut blocks = (tip / PART).clamp(FEWEST_BLOCKS, MOST_BLOCKS);
        // Without a last block the first window has those that came meanwhile as well.
        let mut end = within.last.map(|last| last.number().saturating_add(1));
        for _ in 0..MOST_WINDOWS {
            let start = tip.saturating_sub(blocks);
            if start <= first {
                break;
            }
            let window = list()
                .query("startBlock", start)
                .query_if("blockLimit", end.map(|end: u32| end - start))
                .page(PageRequest::last(needed));
            let (window, oldest) = join!(
                self.list::<Transaction>(window),
                self.block_at(Height::new(start))
            );
            rows.extend(window?);
            // Stable: of one moment, those in newer blocks are first.
            rows.sort_by_key(|it| Reverse(it.timestamp));
            rows.truncate(needed as usize);
            // Another node than the one that has the rows may be behind it.
            let Ok(oldest) = oldest else { break };
            let is_full = rows.len() == needed as usize;
            if is_full
                && rows
                    .last()
                    .is_some_and(|it| it.timestamp >= oldest.timestamp)
            {
                return Ok(Some(rows));
            }
            let all = tip - first;
            let Some(wider) = wider(all, blocks, needed, rows.len()) else {
                break;
            };
            (end, blocks) = (Some(start), wider);
        }
        Ok(None)
    }
}

/// The blocks of a list; without a first or a last one it goes to that end of the chain.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::api) struct Span {
    pub(super) first: Option<Height>,
    pub(super) last: Option<Height>,
}

impl Span {
    /// That of the two parameters of the Core, or `None` if they count from the end of the chain.
    pub(in crate::api) fn of(start: Option<Height>, limit: Option<u32>) -> Option<Self> {
        let last = match (start, limit) {
            (Some(start), Some(limit)) => {
                Some(start.number().saturating_add(limit).saturating_sub(1))
            }
            (None, Some(_)) => return None,
            (_, None) => None,
        };
        Some(Self {
            first: start,
            last: last.map(Height::new),
        })
    }

    /// A call in these blocks.
    pub(super) fn call(self, call: Call) -> Call {
        let start = self.first.map(Height::number);
        let end = self.last.map(|it| it.number().saturating_add(1));
        let limit = end.map(|end| end.saturating_sub(start.unwrap_or(1)));
        call.query_if("startBlock", start)
            .query_if("blockLimit", limit)
    }
}

/// The page, of the newest rows.
pub(super) fn of_page(rows: Vec<Transaction>, page: PageRequest) -> Vec<Transaction> {
    let rows = rows.into_iter().skip(page.offset as usize);
    rows.take(page.limit as usize).collect()
}

/// Returns the number of blocks for the next windows, given the rows that the last ones had, or `None` if reading the whole list is less
/// work at the rate of the account's rows per block.
fn wider(all: u32, blocks: u32, needed: u32, rows: usize) -> Option<u32> {
    let (all, blocks, needed) = (u64::from(all), u64::from(blocks), u64::from(needed));
    let rows = rows as u64;
    let expected = (blocks * needed).checked_div(rows)?;
    // With a quarter more, it is not missed by little.
    let wider = (expected + expected / 4).max(blocks * GROWTH);
    let is_less_work = wider * ROWS_IN_BLOCK < all * rows / blocks;
    is_less_work.then(|| u32::try_from(wider).ok())?
}

#[cfg(test)]
mod tests {
    use super::wider;

    #[test]
    fn windows_widen_while_that_is_less_work_than_the_whole_list() {
        for (tip, blocks, needed, rows, expected) in [
            // Of an account that is hardly ever in a block the whole list is short.
            (2_500_000, 500, 21, 0, None),
            (2_500_000, 500, 21, 2, None),
            (2_500_000, 500, 21, 5, Some(2_625)),
            (2_500_000, 500, 21, 20, Some(2_000)),
            (2_500_000, 500, 451, 30, Some(9_395)),
            // Enough rows, but some are older than blocks before.
            (2_500_000, 500, 21, 21, Some(2_000)),
            (468, 30, 21, 10, None),
        ] {
            assert_eq!(
                wider(tip, blocks, needed, rows),
                expected,
                "{blocks} {rows}"
            );
        }
    }
}
