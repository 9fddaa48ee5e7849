//! Lists of transactions: of a block, of an account, by a key, unconfirmed, and pending approval.

use qortal_client::{
    ApiError,
    api::transactions::{Confirmation, Transaction, TransactionFilter},
};
use qortal_types::{PublicKey, TransactionType};
use tool_schema::BoundedVec;

use crate::{
    declare::{
        AccountRef, BlockRef, ConfirmationStatus, Context, Continued, Cursor, Detail, GroupRef,
        NodeResult, Order, Page, Paging, Range, Reply, Slice, SortKey, Tool, ToolError,
        all_waiting, given, unconfirmed_in_blocks,
    },
    family::transactions::{MOST, TransactionList, USUAL},
    support::words::note_searched,
};

params! {
    pub(crate) struct ListTransactionsByBlock {
        /// Block.
        signature: BlockRef,
        #[flatten]
        page: Paging<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByBlock {
    const NAME: &str = "list_transactions_by_block";
    const TITLE: &str = "Block transactions";
    const DESCRIPTION: &str =
        "The transactions of one block, by its height or signature, the newest first.";
    const EXAMPLE: &str = r#"{"signature":"1","limit":3}"#;
    const KEYWORDS: &str = "transaction in block, block content";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let signature = cx.block_signature(self.signature).await?;
        let found = cx.node.block_transactions(&signature).await;
        let found = found.error_if(ApiError::BLOCK_UNKNOWN, || ToolError::not_found(
                    "Block not found.",
                    "No block on this node has that signature. get_block_by_height returns the signature of a block, get_last_block that of the last one.",
                ))?;
        // The Core declares paging here and ignores it. This is the whole list.
        let page: Page<_, u32> = self.page.of_whole(cx, Cursor::Offset, self.order.of(found));
        let total = Some(page.total);
        let mut list = TransactionList::of(cx, None, page.with_total(()), self.detail).await;
        list.transactions.total = total;
        Ok(list)
    }
}

params! {
    pub(crate) struct ListTransactionsByAddress {
        /// Account.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<USUAL, MOST>,
        /// By confirmation.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByAddress {
    const NAME: &str = "list_transactions_by_address";
    const TITLE: &str = "Account transactions";
    const DESCRIPTION: &str = "The transactions of an account in any role. One type: search_transactions. As sentences: get_account_activity.";
    const EXAMPLE: &str = r#"{"address":"chloe"}"#;
    const KEYWORDS: &str = "transaction of address, transaction of account, address history";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let account = cx.account("address", self.address).await?;
        let (range, slice, order) = (self.range, &self.page, self.order);
        let filter = TransactionFilter::default()
            .with_address(account.address)
            .with_confirmation(self.confirmation_status.into());
        let page = range.transactions(cx, filter, slice, order).await?;
        Ok(TransactionList::of(cx, Some(account), page, self.detail).await)
    }
}

params! {
    pub(crate) struct ListTransactionsByCreator {
        /// Creator.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<USUAL, MOST>,
        /// By confirmation.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByCreator {
    const NAME: &str = "list_transactions_by_creator";
    const TITLE: &str = "Transactions by creator";
    const DESCRIPTION: &str =
        "Transactions created by an account. In any role: list_transactions_by_address.";
    const EXAMPLE: &str = r#"{"address":"chloe","confirmation_status":"CONFIRMED"}"#;
    const KEYWORDS: &str = "transaction by public key, creator";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let creator = cx.public_key("address", self.address).await?;
        let status = self.confirmation_status.into();
        let (range, slice, order) = (self.range, &self.page, self.order);
        let page = created_by(cx, &creator.key, status, range, slice, order).await?;
        Ok(TransactionList::of(cx, Some(creator.account), page, self.detail).await)
    }
}

/// Maximum number of transactions of an account in any role that are read to find those in a range that it created.
const MOST_IN_RANGE: u32 = 5_000;

/// Returns a page of the transactions created with a key.
async fn created_by(
    cx: &Context,
    key: &PublicKey,
    status: Confirmation,
    range: Range,
    slice: &Slice,
    order: Order,
) -> Result<Page<Transaction>, ToolError> {
    let page = order.one_more(slice);
    match status {
        Confirmation::Unconfirmed => {
            let period = range.period_of_waiting(cx).await?;
            let waiting = cx
                .node
                .transactions_by(key, status, all_waiting(page.reverse));
            return Ok(slice.of_waiting(cx, waiting.await?, period, page.reverse));
        }
        Confirmation::Both if range.is_given() => {
            let before = range.made_before(cx).await?;
            let before = before.filter(|_| order.is_newest_first());
            let before = before.ok_or_else(unconfirmed_in_blocks)?;
            let found = cx
                .node
                .transactions_by_made_before(key, before, page)
                .await?;
            return Ok(slice.of(cx, Cursor::Offset, found.ok_or_else(unconfirmed_in_blocks)?));
        }
        Confirmation::Confirmed if range.is_given() || order.is_newest_first() => {}
        Confirmation::Both | Confirmation::Confirmed => {
            let found = cx.node.transactions_by(key, status, page).await?;
            let newest_first = order.is_newest_first();
            let by_time = Cursor::Pinned(newest_first, |it: &Transaction| Some(it.timestamp));
            return Ok(slice.of(cx, by_time, found));
        }
    }
    let blocks = range.settled_blocks(cx, order.is_newest_first()).await?;
    if let Some(last) = blocks.last().filter(|_| blocks.begins_at_genesis()) {
        let found = cx.node.transactions_by_up_to(key, last, page).await?;
        if let Some(found) = found {
            return Ok(slice.of(cx, Cursor::Offset, found));
        }
    }
    // The node does not support a range for these.
    let filter = TransactionFilter::default()
        .with_address(key.address())
        .with_start_block(blocks.start)
        .with_block_limit(blocks.limit);
    let all = page.with_offset(0).with_limit(MOST_IN_RANGE);
    let mut found = cx.node.search_transactions(&filter, all).await?;
    note_searched(cx, found.len(), MOST_IN_RANGE);
    found.retain(|it| it.creator_address == Some(key.address()));
    Ok(slice.of_whole(cx, Cursor::Offset, found))
}

params! {
    pub(crate) struct ListUnconfirmedTransactions {
        /// Types, such as PAYMENT.
        tx_types: Option<BoundedVec<TransactionType, 41>>,
        /// Only this creator.
        address: Option<AccountRef>,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListUnconfirmedTransactions {
    const NAME: &str = "list_unconfirmed_transactions";
    const TITLE: &str = "Unconfirmed transactions";
    const DESCRIPTION: &str = "Transactions waiting for a block. Why one waits: explain_transaction. For approval: list_pending_transactions.";
    const KEYWORDS: &str = "unconfirmed, unconfirmed transaction, unconfirmed transaction of node, mempool, waiting transaction, pending transaction, transaction stuck";
    type Output = Reply<TransactionList>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let period = self.range.period_of_waiting(cx).await?;
        let mut account = None;
        let mut creator = None;
        if let Some(given) = self.address {
            let found = cx.account("address", given).await?;
            // The Core accepts only the key here.
            creator = cx.node.public_key(&found.address).await?;
            account = Some(found);
        }
        let newest_first = self.order.is_newest_first();
        let is_keyless = account.is_some() && creator.is_none();
        let found = if is_keyless {
            Vec::new()
        } else {
            let types = self.tx_types.map(BoundedVec::into_vec).unwrap_or_default();
            let all = all_waiting(newest_first);
            let waiting = cx
                .node
                .unconfirmed_transactions(&types, creator.as_ref(), all);
            waiting.await?
        };
        let page = self.page.of_waiting(cx, found, period, newest_first);
        let reply = Reply::new(TransactionList::of(cx, account, page, self.detail).await);
        Ok(reply.note_if(is_keyless, "The node does not know this account's public key, as it has no confirmed transaction of its own. Its first one is only found without `address`."))
    }
}

params! {
    pub(crate) struct ListPendingTransactions {
        /// Group number or name.
        group_id: Option<GroupRef>,
        #[flatten]
        page: Continued<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListPendingTransactions {
    const NAME: &str = "list_pending_transactions";
    const TITLE: &str = "Transactions pending approval";
    const DESCRIPTION: &str = "Confirmed transactions awaiting approval by their group's admins. One admin's: list_pending_approvals.";
    const KEYWORDS: &str = "pending approval, group approval, transaction waiting for approval";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let group_id = given(self.group_id, |it| cx.group("group_id", it)).await?;
        let key = SortKey::by_time(self.order.is_newest_first());
        let ask = |page| cx.node.pending_transactions(group_id, page);
        let page = self.page.read(cx, key, ask).await?;
        Ok(TransactionList::of(cx, None, page, self.detail).await)
    }
}
