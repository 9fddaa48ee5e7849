//! The newest transactions of a long list, by a window of blocks.
//!
//! The Core reads every row of a list before it takes a page of it, so that the newest rows of an account with 150,000
//! transactions take seconds (`HSQLDBTransactionRepository.getSignaturesMatchingCriteria`). With `startBlock` it
//! reads those from there on alone.

use std::cmp::Reverse;

use qortal_types::{Height, Timestamp};

use super::Transaction;
use crate::{Node, NodeError, Page, call::Call};

/// The part of the chain that is looked at first, and what it is at least and at most. An account with fewer rows there than a page
/// has a list that can be read: it has some thousand rows, unless it was busy once and is so no more.
const PART: u32 = 1_000;
const FEWEST_BLOCKS: u32 = 30;
const MOST_BLOCKS: u32 = 2_000;

/// Rows before the end of a page up to which the window is tried.
const MOST_ROWS: u32 = 500;

impl Node {
    /// The page of a list of confirmed transactions, which `list` asks for. It is that of the whole list, which is read where the
    /// newest blocks do not have enough of it.
    pub(super) async fn newest(
        &self,
        list: impl Fn() -> Call + Send + Sync,
        page: Page,
    ) -> Result<Vec<Transaction>, NodeError> {
        let needed = page.offset.saturating_add(page.limit);
        let whole = || self.list(list().page(page));
        if !page.reverse || page.limit == 0 || needed > MOST_ROWS {
            return whole().await;
        }
        let tip = match self.known_tip() {
            Some(tip) => tip,
            None => self.height().await?,
        };
        let blocks = (tip.number() / PART).clamp(FEWEST_BLOCKS, MOST_BLOCKS);
        let start = tip.number().saturating_sub(blocks);
        if start == 0 {
            return whole().await;
        }
        // What is seen while the window is read is part of the answer only if the window is.
        let (node, seen) = self.observed();
        let window = list().query("startBlock", start);
        let mut rows: Vec<Transaction> = node.list(window.page(Page::last(needed))).await?;
        // Another node than the one that has the rows may be behind it.
        if rows.len() == needed as usize
            && let Ok(first) = node.block_at(Height::new(start)).await
            && is_newest(&rows, first.timestamp)
        {
            seen.all().into_iter().for_each(|it| self.note(it));
            rows.drain(..page.offset as usize);
            return Ok(rows);
        }
        whole().await
    }
}

/// Whether no transaction in an older block is newer than one of these: a list is by the time at which transactions were made,
/// which is before that of their block, and may be long before it.
fn is_newest(rows: &[Transaction], since: Timestamp) -> bool {
    rows.is_sorted_by_key(|it| Reverse(it.timestamp)) && rows.iter().all(|it| it.timestamp >= since)
}
