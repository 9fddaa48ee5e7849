//! The newest transactions of a long list, by windows of blocks.
//!
//! The Core reads every row of a list before it takes a page of it, so that the newest rows of an account with 150,000
//! transactions take seconds (`HSQLDBTransactionRepository.getSignaturesMatchingCriteria`). With `startBlock` and `blockLimit`
//! it reads those of the window alone.

use std::cmp::Reverse;

use qortal_types::{Height, Timestamp};

use super::Transaction;
use crate::{Node, NodeError, Page, call::Call};

/// Blocks of the windows, the newest ones, one after the other: where accounts are busy, and where they are not. An account with
/// fewer rows in the last of them has a list that is short enough to be read.
const WINDOWS: [u32; 2] = [30, 2_000];

/// Rows before the end of a page up to which windows are tried.
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
        // What is seen while a window is read is part of the answer only if the window is.
        let (node, seen) = self.observed();
        for blocks in WINDOWS {
            // A window of the whole chain is no less work than the list.
            let Some(start) = tip.number().checked_sub(blocks).filter(|it| *it > 0) else {
                break;
            };
            let window = list().query("startBlock", start).page(Page::last(needed));
            let mut rows: Vec<Transaction> = node.list(window).await?;
            if rows.len() < needed as usize {
                continue;
            }
            let since = node.block_at(Height::new(start)).await?.timestamp;
            if is_newest(&rows, since) {
                seen.all().into_iter().for_each(|it| self.note(it));
                rows.drain(..page.offset as usize);
                return Ok(rows);
            }
        }
        whole().await
    }
}

/// Whether no transaction in an older block is newer than one of these: a list is by the time at which transactions were made,
/// which is before that of their block, and may be long before it.
fn is_newest(rows: &[Transaction], since: Timestamp) -> bool {
    rows.is_sorted_by_key(|it| Reverse(it.timestamp)) && rows.iter().all(|it| it.timestamp >= since)
}
