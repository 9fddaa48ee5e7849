//! Confirmed and unconfirmed transactions together, by time.

use std::cmp::Reverse;

use qortal_types::{Height, PublicKey, Timestamp, TransactionType};
use tokio::join;

use super::{
    Confirmation, PaymentFilter, Transaction, TransactionFilter,
    newest::{MOST_LIMIT, Span, of_page},
};
use crate::{ApiError, Node, NodeError, PageRequest, call::Call};

/// Blocks that a transaction can wait for, at most: those of a day, after which it is invalid (`Transaction.getDeadline`).
const WAITING_BLOCKS: u32 = 3_000;

/// Transactions that wait, or were confirmed late, at most. A node has some hundreds.
const MOST_WAITING: u32 = 500;

impl Node {
    /// The newest payments, with those that are in no block yet. Those are few, no matter who made them, and read first: what is
    /// confirmed meanwhile is in both lists.
    pub(super) async fn newest_payments(
        &self,
        filter: PaymentFilter,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, NodeError> {
        let end = page.offset.saturating_add(page.limit);
        if page.reverse && page.limit > 0 && end <= MOST_LIMIT {
            let (node, seen) = self.observed();
            // Windows need the tip, which they learn from it.
            let (waiting, _) = join!(node.waiting_payments(&filter), node.tip());
            let waiting = waiting?;
            let confirmed = filter.clone().with_confirmation(Confirmation::Confirmed);
            let list = || confirmed.call();
            let rows = node
                .newest(list, Span::default(), PageRequest::last(end))
                .await?;
            if let Some(waiting) = waiting.filter(|_| seen.gaps().is_empty()) {
                seen.all().into_iter().for_each(|it| self.note(it));
                return Ok(of_page(merged(rows, waiting), page));
            }
        }
        self.list(filter.call().page(page)).await
    }

    /// The newest payments made before a moment, in a block or not: the same whatever is made, and confirmed, later.
    pub(super) async fn payments_made_before(
        &self,
        filter: PaymentFilter,
        before: Timestamp,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, NodeError> {
        let confirmed = filter.clone().with_confirmation(Confirmation::Confirmed);
        let list = || confirmed.call();
        let waiting = self.waiting_payments(&filter).await?;
        let others = self.others(waiting.unwrap_or_default(), list(), before);
        let others = others.await?;
        let rows = self.newest(list, others.blocks(), others.page(page));
        Ok(others.with(rows.await?, page))
    }

    /// The same of transactions.
    pub(super) async fn transactions_made_before(
        &self,
        filter: TransactionFilter,
        before: Timestamp,
        page: PageRequest,
    ) -> Result<Vec<Transaction>, NodeError> {
        let in_state = |it| filter.clone().with_confirmation(it).call();
        let list = || in_state(Confirmation::Confirmed);
        let waiting = in_state(Confirmation::Unconfirmed).page(PageRequest::last(MOST_WAITING));
        let waiting = self.list(waiting).await?;
        let others = self.others(waiting, list(), before).await?;
        let rows = self.newest(list, others.blocks(), others.page(page));
        Ok(others.with(rows.await?, page))
    }

    /// Returns the newest confirmed and unconfirmed transactions that were created with a key before a given time.
    ///
    /// Later transactions and confirmations do not change the result. The method also reads all later transactions of the account,
    /// and returns `None` if there are too many.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`].
    pub async fn transactions_by_made_before(
        &self,
        creator: &PublicKey,
        before: Timestamp,
        page: PageRequest,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let address = creator.address();
        let page = page.with_reverse(true);
        let all = PageRequest::last(MOST_WAITING);
        let waiting = self.transactions_by(creator, Confirmation::Unconfirmed, all);
        let list = TransactionFilter::default().with_address(address).call();
        let mut others = self.others(waiting.await?, list, before).await?;
        let is_one = |it: &Transaction| it.creator_address == Some(address);
        others.rows.retain(is_one);
        let rows = self.transactions_by_up_to(creator, others.last, others.page(page));
        Ok(rows.await?.map(|rows| others.with(rows, page)))
    }

    /// What of a list was made before a moment and is in no block before it, with what waits.
    async fn others(
        &self,
        waiting: Vec<Transaction>,
        list: Call,
        before: Timestamp,
    ) -> Result<Others, NodeError> {
        let earlier = Timestamp::from_millis(before.millis().saturating_sub(1));
        let last = match self.block_at_time(earlier).await {
            Ok(block) => block.height,
            Err(err) if err.is(ApiError::BLOCK_UNKNOWN) => Height::new(1),
            Err(err) => return Err(err),
        };
        let late = list
            .query("startBlock", last.number().saturating_add(1))
            .query("blockLimit", WAITING_BLOCKS);
        // Those made first are the ones that count. Of one moment the Core has them in the reverse of this order otherwise.
        let mut late = self
            .list(late.page(PageRequest::first(MOST_WAITING)))
            .await?;
        late.reverse();
        let mut rows = merged(late, waiting);
        rows.retain(|it| it.timestamp < before);
        Ok(Others { rows, last })
    }

    /// The payments that wait, the newest first, or `None` if they are too many to tell.
    async fn waiting_payments(
        &self,
        filter: &PaymentFilter,
    ) -> Result<Option<Vec<Transaction>>, NodeError> {
        let types = [TransactionType::Payment];
        let all = PageRequest::last(MOST_WAITING);
        let mut waiting = self.unconfirmed_transactions(&types, None, all).await?;
        let is_all = waiting.len() < MOST_WAITING as usize;
        waiting.retain(|it| filter.fits(it));
        Ok(is_all.then_some(waiting))
    }
}

/// What is not in the blocks up to one, but among what is in them by time; the newest first.
struct Others {
    rows: Vec<Transaction>,
    last: Height,
}

impl Others {
    fn blocks(&self) -> Span {
        Span {
            first: None,
            last: Some(self.last),
        }
    }

    /// How many rows before a page belong to what can be on it.
    fn ahead(&self, page: PageRequest) -> u32 {
        let count = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        count.min(page.offset)
    }

    /// The page of those in the blocks that is needed for a page of all.
    fn page(&self, page: PageRequest) -> PageRequest {
        let ahead = self.ahead(page);
        let longer = page.with_limit(page.limit.saturating_add(ahead));
        longer.with_offset(page.offset - ahead)
    }

    /// The page of all.
    fn with(mut self, rows: Vec<Transaction>, page: PageRequest) -> Vec<Transaction> {
        let ahead = self.ahead(page);
        let first = rows.first().filter(|_| ahead < page.offset);
        let first = first.map(|it| it.timestamp);
        let is_above = |it: &Transaction| first.is_some_and(|first| it.timestamp > first);
        let above = self.rows.iter().filter(|it| is_above(it)).count();
        self.rows.retain(|it| !is_above(it));
        let rows = merged(rows, self.rows).into_iter();
        let skipped = (ahead as usize).saturating_sub(above);
        rows.skip(skipped).take(page.limit as usize).collect()
    }
}

/// Both lists as one, the newest first. What is in the first is not taken from the second.
fn merged(mut rows: Vec<Transaction>, mut others: Vec<Transaction>) -> Vec<Transaction> {
    others.retain(|it| rows.iter().all(|row| row.signature != it.signature));
    rows.extend(others);
    rows.sort_by_key(|it| Reverse(it.timestamp));
    rows
}
