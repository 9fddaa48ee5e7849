//! Lists of transactions: of a block, of an account, by a key, and those that wait.

use qortal_client::{
    ApiError,
    api::transactions::{Confirmation, TransactionFilter},
};
use qortal_types::{BlockSignature, PublicKey, TransactionType};
use tool_schema::{Bounded, List};

use crate::{
    catalog::Surface,
    context::{Context, Paged},
    declare::{AccountRef, Reply, Tool},
    error::ToolError,
    family::transactions::{
        MOST, TransactionList, USUAL, info::Detail, search::ConfirmationStatus,
    },
};

pub(crate) struct ListTransactionsByBlock;

params! {
    pub(crate) struct ListTransactionsByBlockParams {
        /// The block's signature.
        signature: BlockSignature,
        /// How many transactions to return.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// How many transactions to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        /// Latest first.
        reverse: bool = false,
        /// full adds what only their types have.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByBlock {
    const NAME: &'static str = "list_transactions_by_block";
    const TITLE: &'static str = "Transactions of a block";
    const DESCRIPTION: &'static str = "List the transactions of one block by the time they were made. get_block_by_height tells a block's signature.";
    const EXAMPLE: &'static str = r#"{"signature":"MSaUg4zA1MRLRqiy6Dwv6aSfdF7xH2avy57KXby8u7fvkUieF4f1Ap3FjezV39cDt9ofcywxBFqEurADof97vfuHgnapNs9pCXKoa3vAJzLpBv6uUPW5Msc7kbctqjE61ycHV19BfkYaQ3f4E1Pxx7HVuqc2S5bqdmx7kvcMCdLm8wr"}"#;
    type Params = ListTransactionsByBlockParams;
    type Output = TransactionList;

    async fn call(
        cx: &Context,
        params: ListTransactionsByBlockParams,
    ) -> Result<TransactionList, ToolError> {
        let found = cx.node.block_transactions(&params.signature).await;
        let mut found = found.map_err(|err| {
            if err.is(ApiError::BLOCK_UNKNOWN) {
                return ToolError::not_found(
                    "Block not found.",
                    "No block on this node has that signature. get_block_by_height tells the signature of a block, get_last_block that of the last one.",
                );
            }
            err.into()
        })?;
        if params.reverse {
            found.reverse();
        }
        // The Core declares paging here and ignores it: everything has come.
        let (total, page) = cx.page_of(found, params.limit.value(), params.offset.value());
        let mut list = TransactionList::of(page, params.detail);
        list.total = Some(total);
        Ok(list)
    }
}

pub(crate) struct ListTransactionsByAddress;

params! {
    pub(crate) struct ListTransactionsByAddressParams {
        /// The account: an address, or a registered name.
        address: AccountRef,
        /// How many transactions to return.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// How many transactions to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        /// Latest first.
        reverse: bool = false,
        /// full adds what only their types have.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByAddress {
    const NAME: &'static str = "list_transactions_by_address";
    const TITLE: &'static str = "Transactions of an account";
    const DESCRIPTION: &'static str = "List the transactions in which an account takes part, as sender, recipient or otherwise, the oldest first unless reversed.";
    const EXAMPLE: &'static str = r#"{"address":"chloe","reverse":true}"#;
    type Params = ListTransactionsByAddressParams;
    type Output = TransactionList;

    async fn call(
        cx: &Context,
        params: ListTransactionsByAddressParams,
    ) -> Result<TransactionList, ToolError> {
        let account = cx.account("address", params.address).await?;
        let (limit, offset) = (params.limit.value(), params.offset.value());
        let page = cx.one_more(limit, offset, params.reverse);
        // The endpoint for accounts ignores the status and always answers what is confirmed.
        let found = match params.confirmation_status.into() {
            Confirmation::Confirmed => cx.node.transactions_of(&account.address, page).await?,
            confirmation @ (Confirmation::Unconfirmed | Confirmation::Both) => {
                let filter = TransactionFilter::default()
                    .with_address(account.address)
                    .with_confirmation(confirmation);
                cx.node.search_transactions(&filter, page).await?
            }
        };
        let mut list = TransactionList::of(cx.paged(found, limit, offset), params.detail);
        list.address = Some(account.address);
        list.resolved_from = account.resolved_from;
        Ok(list)
    }
}

pub(crate) struct ListTransactionsByCreator;

params! {
    pub(crate) struct ListTransactionsByCreatorParams {
        /// The creator's public key. get_account_overview tells it.
        public_key: PublicKey,
        /// How many transactions to return.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// How many transactions to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        /// Latest first.
        reverse: bool = false,
        /// full adds what only their types have.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListTransactionsByCreator {
    const NAME: &'static str = "list_transactions_by_creator";
    const TITLE: &'static str = "Transactions by their creator";
    const DESCRIPTION: &'static str = "List the transactions that were made with one public key, the oldest first unless reversed.";
    const EXAMPLE: &'static str = r#"{"public_key":"7KNBj2MnEb6zq1vvKY1q8G2Voctcc2Z1X4avFyEH2eJC","confirmation_status":"CONFIRMED"}"#;
    type Params = ListTransactionsByCreatorParams;
    type Output = TransactionList;

    async fn call(
        cx: &Context,
        params: ListTransactionsByCreatorParams,
    ) -> Result<TransactionList, ToolError> {
        let (limit, offset) = (params.limit.value(), params.offset.value());
        let page = cx.one_more(limit, offset, params.reverse);
        let found = cx
            .node
            .transactions_by(&params.public_key, params.confirmation_status.into(), page)
            .await?;
        let mut list = TransactionList::of(cx.paged(found, limit, offset), params.detail);
        list.address = Some(params.public_key.address());
        Ok(list)
    }
}

pub(crate) struct ListUnconfirmedTransactions;

params! {
    pub(crate) struct ListUnconfirmedTransactionsParams {
        /// Only of these types, such as PAYMENT.
        tx_types: Option<List<TransactionType, 41>>,
        /// Only those this account made: an address, or a registered name.
        address: Option<AccountRef>,
        /// How many transactions to return.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// How many transactions to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        /// Latest first.
        reverse: bool = false,
        /// full adds what only their types have.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListUnconfirmedTransactions {
    const NAME: &'static str = "list_unconfirmed_transactions";
    const TITLE: &'static str = "Unconfirmed transactions";
    const DESCRIPTION: &'static str = "List the transactions that this node knows and that are in no block yet. Those that get into none within 24 hours are dropped.";
    const EXAMPLE: &'static str = "{}";
    type Params = ListUnconfirmedTransactionsParams;
    type Output = Reply<TransactionList>;

    async fn call(
        cx: &Context,
        params: ListUnconfirmedTransactionsParams,
    ) -> Result<Reply<TransactionList>, ToolError> {
        let (limit, offset) = (params.limit.value(), params.offset.value());
        let mut account = None;
        let mut creator = None;
        if let Some(given) = params.address {
            let found = cx.account("address", given).await?;
            // The Core takes nothing but the key here.
            creator = cx.node.public_key(&found.address).await?;
            account = Some(found);
        }
        let is_keyless = account.is_some() && creator.is_none();
        let found = if is_keyless {
            Vec::new()
        } else {
            let types = params.tx_types.map(List::into_vec).unwrap_or_default();
            let page = cx.one_more(limit, offset, params.reverse);
            cx.node
                .unconfirmed_transactions(&types, creator.as_ref(), page)
                .await?
        };
        let mut list = TransactionList::of(cx.paged(found, limit, offset), params.detail);
        list.address = account.as_ref().map(|it| it.address);
        list.resolved_from = account.and_then(|it| it.resolved_from);
        let reply = Reply::new(list);
        Ok(if is_keyless {
            reply.note("The node does not know this account's public key, as it has no confirmed transaction of its own. Its first one would not be found here but without `address`.")
        } else {
            reply
        })
    }
}

pub(crate) struct ListPendingTransactions;

params! {
    pub(crate) struct ListPendingTransactionsParams {
        /// Only those meant for this group.
        group_id: Option<Bounded<1, 2_147_483_647>>,
        /// How many transactions to return.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// How many transactions to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        /// Latest first.
        reverse: bool = false,
        /// full adds what only their types have.
        detail: Detail = Detail::Summary
    }
}

impl Tool for ListPendingTransactions {
    const NAME: &'static str = "list_pending_transactions";
    const TITLE: &'static str = "Transactions waiting for approval";
    const DESCRIPTION: &'static str = "List the confirmed transactions that take effect only when the admins of their group approve them.";
    const EXAMPLE: &'static str = "{}";
    const SURFACE: Surface = Surface::Full;
    type Params = ListPendingTransactionsParams;
    type Output = TransactionList;

    async fn call(
        cx: &Context,
        params: ListPendingTransactionsParams,
    ) -> Result<TransactionList, ToolError> {
        let (limit, offset) = (params.limit.value(), params.offset.value());
        let page = cx.one_more(limit, offset, params.reverse);
        let group_id = params.group_id.map(Bounded::value);
        let found = cx.node.pending_transactions(group_id, page).await?;
        let found: Paged<_> = cx.paged(found, limit, offset);
        Ok(TransactionList::of(found, params.detail))
    }
}
