//! Tools about transactions, confirmed and unconfirmed.

mod decode;
mod explain;
mod fee;
pub(super) mod info;
mod lists;
pub(super) mod narrate;
mod outlook;
mod search;

use qortal_client::{ApiError, api::transactions::Transaction};
use qortal_types::Address;

use crate::{
    declare::{Account, Context, Detail, NodeResult, Page, Tool, ToolError, TransactionRef},
    support::{labels::Labels, primary_names::PrimaryNames},
};
use info::TransactionInfo;

family! {
    "transactions", "What happened on the chain, and what is pending?":
    explain::ExplainTransaction,
    search::SearchTransactions,
    GetTransactionBySignature,
    GetTransactionByReference,
    lists::ListTransactionsByBlock,
    lists::ListTransactionsByAddress,
    lists::ListTransactionsByCreator,
    lists::ListUnconfirmedTransactions,
    lists::ListPendingTransactions,
    fee::GetFee,
    decode::DecodeTransaction,
}

record! {
    pub(crate) struct TransactionList {
        /// The requested account.
        address: Option<Account>,
        /// The transactions, in this order.
        transactions: Page<TransactionInfo, Option<u32>>
    }
}

impl TransactionList {
    /// Adds the names of accounts and groups to a page, with one request for each kind that occurs.
    async fn of(
        cx: &Context,
        address: Option<Account>,
        page: Page<Transaction>,
        detail: Detail,
    ) -> Self {
        let party = address.as_ref().map(|it| it.address);
        let (names, labels) = names(cx, &page.items, party).await;
        Self {
            address,
            transactions: page
                .with_total(None)
                .map(|it| TransactionInfo::of(it, detail, &names, &labels)),
        }
    }
}

/// Returns the names of accounts, groups and other things in transactions.
async fn names(
    cx: &Context,
    transactions: &[Transaction],
    party: Option<Address>,
) -> (PrimaryNames, Labels) {
    tokio::join!(
        PrimaryNames::of_transactions(cx, transactions, None),
        Labels::of_transactions(cx, transactions, party),
    )
}

/// Returns one transaction with these names.
async fn info(cx: &Context, found: Transaction, detail: Detail) -> TransactionInfo {
    let (names, labels) = names(cx, std::slice::from_ref(&found), None).await;
    TransactionInfo::of(found, detail, &names, &labels)
}

/// Maximum number of rows on a page of transactions, which take some 180 tokens each in summary form.
const MOST: u32 = 100;
const USUAL: u32 = 10;

params! {
    struct GetTransactionBySignature {
        /// Transaction.
        signature: TransactionRef,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for GetTransactionBySignature {
    const NAME: &str = "get_transaction_by_signature";
    const TITLE: &str = "Transaction by signature";
    const DESCRIPTION: &str =
        "The fields of one transaction. Its meaning and why it waits: explain_transaction.";
    const EXAMPLE: &str = r#"{"signature":"2ppNzaXEVCWwtmdWyYJvCWhnbZonsF5zUWBQpQsyyx2EYXL3RdqvR1tTha7nHyURVb6AtXkrFdfyRQt3DzHscVw1"}"#;
    const KEYWORDS: &str =
        "transaction by signature, transaction search, txid, raw fields, transaction detail";
    type Output = TransactionInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx
            .node
            .transaction(&cx.signature(self.signature).await?)
            .await;
        let found = found.error_if(ApiError::TRANSACTION_UNKNOWN, no_such_transaction)?;
        Ok(info(cx, found, self.detail).await)
    }
}

fn no_such_transaction() -> ToolError {
    ToolError::not_found(
        "Transaction not found.",
        "This node has no transaction with that signature, confirmed or not: unconfirmed ones are dropped after 24 hours, \
             and a block's signature is twice as long (get_block_by_signature). search_transactions finds transactions by account, type or block.",
    )
}

params! {
    struct GetTransactionByReference {
        /// Normally its creator's previous transaction.
        reference: TransactionRef,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for GetTransactionByReference {
    const NAME: &str = "get_transaction_by_reference";
    const TITLE: &str = "Transaction by reference";
    const DESCRIPTION: &str = "The transaction with this reference, normally its creator's next one. By signature: get_transaction_by_signature.";
    const EXAMPLE: &str = r#"{"reference":"HKJM8XpHmKCGXp3F9mMASJ367kWeNf8Uu5RWy6A58kmeYAjYcAobfckfaSm9MR7U1f8rsCeXy3AUbtFF2RdvXXx"}"#;
    const KEYWORDS: &str = "reference, next transaction, transaction by reference";
    type Output = TransactionInfo;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let reference = cx.signature(self.reference).await?;
        let found = cx.node.transaction_after(&reference).await;
        let found = found.error_if(ApiError::TRANSACTION_UNKNOWN, || ToolError::not_found(
                    "Transaction not found.",
                    "No transaction on this node has that reference: either its creator made none after it, or the reference is something else, \
                     as it may be since 2022. list_transactions_by_address lists an account's transactions.",
                ))?;
        Ok(info(cx, found, self.detail).await)
    }
}
