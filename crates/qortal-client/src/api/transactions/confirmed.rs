//! Stable pages of a transaction list at a given block, while the chain grows.
//!
//! To exclude later blocks, the Core would have to read all transactions of all accounts in the other blocks
//! (`HSQLDBTransactionRepository.getSignaturesMatchingCriteria`), which is the entire chain if the list has no first block. Later
//! blocks hold few rows, so the client reads them as well and removes them.

use qortal_types::{Height, PublicKey};

use super::{Confirmation, Transaction, TransactionFilter, newest::Span};
use crate::{Endpoint, Node, NodeError, PageRequest, call::Call};

/// Blocks of about a day, after which a list is read by its blocks.
const RECENT: u32 = 1_500;

/// Rows in later blocks that are taken out, at most.
const MOST_LATER: u32 = 1_000;

/// How often a page is read because blocks come meanwhile. They take a minute.
const MOST_READINGS: u32 = 5;

impl Node {
    /// Returns the confirmed transactions created with a key in the blocks up to this one, by time.
    ///
    /// Later blocks do not change the result, so its pages are consistent. The method also reads all later transactions of the
    /// account, and returns `None` if there are too many.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`].
    pub async fn transactions_by_up_to(
        &self,
        creator: &PublicKey,
        last: Height,
        page: PageRequest,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let list = || {
            let call = Call::to(Endpoint::TransactionsOfCreator).with(creator);
            call.query("confirmationStatus", Confirmation::Confirmed.as_str())
        };
        let address = creator.address();
        let of_account = TransactionFilter::default().with_address(address);
        let later = || of_account.call();
        let is_one = |it: &Transaction| it.creator_address == Some(address);
        self.up_to(&list, &later, is_one, last, page).await
    }

    /// A page of a list of confirmed transactions in these blocks.
    pub(in crate::api) async fn in_span(
        &self,
        list: &(impl Fn() -> Call + Send + Sync),
        blocks: Span,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, NodeError> {
        let is_from_genesis = blocks.first.is_none_or(|it| it.number() <= 1);
        if let Some(last) = blocks.last.filter(|_| is_from_genesis) {
            let since = self.tip().await?.number().saturating_sub(last.number());
            // Whichever has fewer rows is read.
            if since <= RECENT.min(last.number()) {
                let rows = self.up_to(list, list, |_| true, last, page).await?;
                if let Some(rows) = rows {
                    return Ok(rows);
                }
            }
        }
        self.list(blocks.call(list()).page(page)).await
    }

    /// Returns a page of a list without the rows of later blocks, or `None` if there are too many of them or blocks arrive faster than
    /// they are read. `later` requests those rows, and `is_one` returns whether a row belongs to the list.
    pub(in crate::api) async fn up_to(
        &self,
        list: &(impl Fn() -> Call + Send + Sync),
        later: &(impl Fn() -> Call + Send + Sync),
        is_one: impl Fn(&Transaction) -> bool + Send + Sync,
        last: Height,
        page: PageRequest,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let is_later = |it: &Transaction| it.block_height.is_some_and(|it| it > last);
        if page.offset == 0 {
            let rows = self.list::<Transaction>(list().page(page)).await?;
            if !rows.iter().any(is_later) {
                return Ok(Some(rows));
            }
        }
        let start = last.number().saturating_add(1);
        let mut tip = self.height().await?;
        for _ in 0..MOST_READINGS {
            let newer = later()
                .query("startBlock", start)
                .page(PageRequest::last(MOST_LATER));
            let mut newer = self.list::<Transaction>(newer).await?;
            if newer.len() == MOST_LATER as usize {
                break;
            }
            newer.retain(|it| is_one(it));
            let more = u32::try_from(newer.len()).unwrap_or(u32::MAX);
            let longer = page.with_limit(page.limit.saturating_add(more));
            let rows = self.list::<Transaction>(list().page(longer)).await?;
            // With a block in between one of them may have what the other has not.
            let tip_after = self.height_now().await?;
            if tip_after == tip {
                return Ok(Some(without_later(rows, &newer, is_later, page)));
            }
            tip = tip_after;
        }
        Ok(None)
    }
}

/// The page, of rows from its offset on that are longer by those in later blocks.
fn without_later(
    rows: Vec<Transaction>,
    newer: &[Transaction],
    is_later: impl Fn(&Transaction) -> bool,
    page: PageRequest,
) -> Vec<Transaction> {
    let Some(first) = rows.first().map(|it| it.timestamp) else {
        return rows;
    };
    let is_before = |it: &&Transaction| {
        let is_earlier_row = if page.reverse {
            it.timestamp >= first
        } else {
            it.timestamp <= first
        };
        is_earlier_row && rows.iter().all(|row| row.signature != it.signature)
    };
    // As many were skipped that do not count.
    let skipped = newer.iter().filter(is_before).count();
    let rows = rows.into_iter().filter(|it| !is_later(it));
    rows.skip(skipped).take(page.limit as usize).collect()
}
