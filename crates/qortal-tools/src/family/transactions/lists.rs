//! Lists of transactions: of a block, of an account, by a key, unconfirmed, and pending approval.

use qortal_client::{
    ApiError,
    api::transactions::{Confirmation, TransactionFilter},
};
use qortal_types::TransactionType;
use tool_schema::List;

use crate::{
    declare::{
        AccountRef, BlockRef, Context, GroupRef, NodeResult, Order, Paging, Range, Reply, Tool,
        ToolError, given, unconfirmed_in_blocks,
    },
    family::transactions::{
        MOST, TransactionList, USUAL, info::Detail, search::ConfirmationStatus,
    },
};

params! {
    pub(crate) struct ListTransactionsByBlock {
        /// The block.
        signature: BlockRef,
        #[flatten]
        page: Paging<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByBlock {
    const NAME: &str = "list_transactions_by_block";
    const TITLE: &str = "Transactions of a block";
    const DESCRIPTION: &str =
        "The transactions of one block, by its height or signature, the newest first.";
    const EXAMPLE: &str = r#"{"signature":"19","limit":3}"#;
    const KEYWORDS: &str = "transaction in block, block content";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let signature = cx.block_signature(self.signature).await?;
        let found = cx.node.block_transactions(&signature).await;
        let found = found.error_if(ApiError::BLOCK_UNKNOWN, || ToolError::not_found(
                    "Block not found.",
                    "No block on this node has that signature. get_block_by_height returns the signature of a block, get_last_block that of the last one.",
                ))?;
        // The Core declares paging here and ignores it: this is the whole list.
        let page = self.page.of_all(cx, self.order.of(found));
        let total = Some(page.total);
        let mut list = TransactionList::of(cx, None, page.with_total(()), self.detail).await;
        list.transactions.total = total;
        Ok(list)
    }
}

params! {
    pub(crate) struct ListTransactionsByAddress {
        /// The account.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Paging<USUAL, MOST>,
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByAddress {
    const NAME: &str = "list_transactions_by_address";
    const TITLE: &str = "Transactions of an account";
    const DESCRIPTION: &str = "The transactions of an account in any role. One type: search_transactions. As sentences: get_account_activity.";
    const EXAMPLE: &str = r#"{"address":"chloe"}"#;
    const KEYWORDS: &str = "transaction of address, transaction of account, address history";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let account = cx.account("address", self.address).await?;
        let page = self.order.one_more(*self.page);
        // The endpoint for accounts ignores the status and always returns confirmed transactions.
        let found = match self.confirmation_status.into() {
            Confirmation::Confirmed => {
                self.range
                    .transactions_of(cx, &account.address, page)
                    .await?
            }
            _ if self.range.is_given() => return Err(unconfirmed_in_blocks()),
            confirmation @ (Confirmation::Unconfirmed | Confirmation::Both) => {
                let filter = TransactionFilter::default()
                    .with_address(account.address)
                    .with_confirmation(confirmation);
                cx.node.search_transactions(&filter, page).await?
            }
        };
        let page = self.page.of(cx, found);
        Ok(TransactionList::of(cx, Some(account), page, self.detail).await)
    }
}

params! {
    pub(crate) struct ListTransactionsByCreator {
        /// Who made them.
        address: AccountRef,
        #[flatten]
        page: Paging<USUAL, MOST>,
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByCreator {
    const NAME: &str = "list_transactions_by_creator";
    const TITLE: &str = "Transactions by their creator";
    const DESCRIPTION: &str =
        "The transactions an account made itself. In any role: list_transactions_by_address.";
    const EXAMPLE: &str = r#"{"address":"chloe","confirmation_status":"CONFIRMED"}"#;
    const KEYWORDS: &str = "transaction by public key, creator";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let page = self.order.one_more(*self.page);
        let creator = cx.public_key("address", self.address).await?;
        let found = cx
            .node
            .transactions_by(&creator.key, self.confirmation_status.into(), page)
            .await?;
        let page = self.page.of(cx, found);
        Ok(TransactionList::of(cx, Some(creator.account), page, self.detail).await)
    }
}

params! {
    pub(crate) struct ListUnconfirmedTransactions {
        /// Only of these types, such as PAYMENT.
        tx_types: Option<List<TransactionType, 41>>,
        /// Only those this account made.
        address: Option<AccountRef>,
        #[flatten]
        page: Paging<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListUnconfirmedTransactions {
    const NAME: &str = "list_unconfirmed_transactions";
    const TITLE: &str = "Unconfirmed transactions";
    const DESCRIPTION: &str = "Transactions that wait for a block. Why one waits: explain_transaction. For approval: list_pending_transactions.";
    const KEYWORDS: &str = "unconfirmed, unconfirmed transaction, unconfirmed transaction of node, mempool, waiting transaction, pending transaction, transaction stuck";
    type Output = Reply<TransactionList>;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let mut account = None;
        let mut creator = None;
        if let Some(given) = self.address {
            let found = cx.account("address", given).await?;
            // The Core accepts only the key here.
            creator = cx.node.public_key(&found.address).await?;
            account = Some(found);
        }
        let is_keyless = account.is_some() && creator.is_none();
        let found = if is_keyless {
            Vec::new()
        } else {
            let types = self.tx_types.map(List::into_vec).unwrap_or_default();
            let page = self.order.one_more(*self.page);
            cx.node
                .unconfirmed_transactions(&types, creator.as_ref(), page)
                .await?
        };
        let page = self.page.of(cx, found);
        let reply = Reply::new(TransactionList::of(cx, account, page, self.detail).await);
        Ok(reply.note_if(is_keyless, "The node does not know this account's public key, as it has no confirmed transaction of its own. Its first one is only found without `address`."))
    }
}

params! {
    pub(crate) struct ListPendingTransactions {
        /// Only for this group (number or name).
        group_id: Option<GroupRef>,
        #[flatten]
        page: Paging<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListPendingTransactions {
    const NAME: &str = "list_pending_transactions";
    const TITLE: &str = "Transactions waiting for approval";
    const DESCRIPTION: &str = "Confirmed transactions that wait for the approval of their group's admins. One admin's: list_pending_approvals.";
    const KEYWORDS: &str = "pending approval, group approval, transaction waiting for approval";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let page = self.order.one_more(*self.page);
        let group_id = given(self.group_id, |it| cx.group("group_id", it)).await?;
        let found = cx.node.pending_transactions(group_id, page).await?;
        let page = self.page.of(cx, found);
        Ok(TransactionList::of(cx, None, page, self.detail).await)
    }
}
