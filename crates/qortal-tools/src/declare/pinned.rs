//! Successive pages of a changing list.

use qortal_client::{
    NodeError, PageRequest,
    api::transactions::{Confirmation, Transaction, TransactionFilter},
};
use qortal_types::{Height, Timestamp};

use crate::{
    ToolError,
    context::Context,
    declare::{
        Cursor, Order, Page, Slice, SortKey,
        range::{BEFORE, Blocks, Period, Range, after, height_text, unconfirmed_in_blocks},
    },
    support::words::note_searched,
};

/// Maximum number of unconfirmed transactions that pages are taken from. A node has a few hundred at most.
const MOST_WAITING: u32 = 2_000;

/// Returns the page request for all unconfirmed transactions.
pub(crate) fn all_waiting(newest_first: bool) -> PageRequest {
    PageRequest::first(MOST_WAITING).with_reverse(newest_first)
}

impl Range {
    /// Returns the blocks of a list. A list with its newest rows first ends with the current last block. The calls for
    /// more use the same end, because later rows would shift theirs.
    pub(crate) async fn settled_blocks(
        self,
        cx: &Context,
        newest_first: bool,
    ) -> Result<Blocks, ToolError> {
        let mut blocks = self.blocks(cx).await?;
        if newest_first && blocks.limit.is_none() {
            let end = cx.node.height().await?.number().saturating_add(1);
            cx.pin(BEFORE, height_text(Height::new(end)).into());
            let start = blocks.start.unwrap_or(Height::new(1));
            let limit = Some(end.saturating_sub(start.number()));
            blocks = Blocks {
                start: Some(start),
                limit,
            };
        }
        Ok(blocks)
    }

    /// Returns a page of the matching transactions in the range, unless the filter has its own blocks.
    pub(crate) async fn transactions<const R: bool>(
        self,
        cx: &Context,
        filter: TransactionFilter,
        slice: &Slice,
        order: Order<R>,
    ) -> Result<Page<Transaction>, ToolError> {
        let is_newest_first = order.is_newest_first();
        let filter = match filter.confirmation {
            Confirmation::Confirmed if filter.start_block.is_some() => filter,
            Confirmation::Confirmed => {
                let blocks = self.settled_blocks(cx, is_newest_first).await?;
                let filter = filter.with_start_block(blocks.start);
                filter.with_block_limit(blocks.limit)
            }
            Confirmation::Unconfirmed => {
                let period = self.period_of_waiting(cx).await?;
                let all = all_waiting(is_newest_first);
                let waiting = cx.node.search_transactions(&filter, all).await?;
                return Ok(slice.of_waiting(cx, waiting, period, is_newest_first));
            }
            Confirmation::Both => {
                let before = self.made_before(cx).await?;
                let before = before.filter(|_| is_newest_first);
                if self.is_given() && before.is_none() {
                    return Err(unconfirmed_in_blocks());
                }
                filter.with_made_before(before)
            }
        };
        let is_both = filter.confirmation == Confirmation::Both;
        let pins = is_both && is_newest_first && !self.is_given();
        let ask = |page| {
            let rows = cx.node.search_transactions(&filter, page);
            cx.pinning(rows, pins && page.offset == 0)
        };
        let key = SortKey::by_time(is_newest_first);
        let found = slice.read(cx, key, ask).await?;
        if !is_both {
            self.note_times(cx, &found.items);
        }
        Ok(found)
    }
}

/// Returns the blocks chosen by the older parameters `start_block` and `block_limit`. The calls for more use the same end.
pub(crate) async fn chosen_blocks<const R: bool>(
    cx: &Context,
    (start, limit): (Option<u32>, Option<u32>),
    order: Order<R>,
) -> Result<Blocks, ToolError> {
    let mut blocks = (start, limit);
    if order.is_newest_first() && (start.is_none() || limit.is_none()) {
        let tip = cx.node.height().await?.number();
        // In the Core, the last blocks are those before the tip.
        let (start, end) = match blocks {
            (None, Some(limit)) => (tip.saturating_sub(limit).max(1), tip),
            (start, _) => (start.unwrap_or(1), tip.saturating_add(1)),
        };
        let limit = end.saturating_sub(start);
        cx.pin("start_block", start.into());
        cx.pin("block_limit", limit.into());
        blocks = (Some(start), Some(limit));
    }
    Ok(Blocks {
        start: blocks.0.map(Height::new),
        limit: blocks.1,
    })
}

impl Context {
    /// Limits the calls for more of a list to its current newest row, because newer ones would shift their rows.
    pub(crate) fn pin_newest(&self, newest: Timestamp) {
        self.pin(BEFORE, after(newest).into());
    }

    /// Returns rows of a list with its newest first, and [pins](Self::pin_newest) the first row if it is the newest.
    pub(crate) async fn pinning(
        &self,
        rows: impl Future<Output = Result<Vec<Transaction>, NodeError>>,
        is_newest: bool,
    ) -> Result<Vec<Transaction>, NodeError> {
        let rows = rows.await?;
        if let Some(newest) = rows.first().filter(|_| is_newest) {
            self.pin_newest(newest.timestamp);
        }
        Ok(rows)
    }
}

impl Slice {
    /// Returns the page of unconfirmed transactions that were requested with [`all_waiting`].
    pub(crate) fn of_waiting(
        &self,
        cx: &Context,
        mut waiting: Vec<Transaction>,
        period: Period,
        newest_first: bool,
    ) -> Page<Transaction> {
        note_searched(cx, waiting.len(), MOST_WAITING);
        waiting.retain(|it| period.has(it.timestamp));
        let cursor = Cursor::Pinned(newest_first, |it: &Transaction| Some(it.timestamp));
        self.of_whole(cx, cursor, waiting)
    }
}
