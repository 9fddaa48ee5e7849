//! The search over all transactions.

use qortal_client::api::transactions::TransactionFilter;
use qortal_types::TransactionType;
use tool_schema::{BoundedVec, CappedInt};

use crate::{
    declare::{
        AccountRef, Blocks, ConfirmationStatus, Context, Continued, Detail, Order, Range, Tool,
        ToolError, chosen_blocks, given, in_blocks_alone, unconfirmed_in_blocks,
    },
    family::transactions::{MOST, TransactionList, USUAL},
};

/// The Core's limit for a search without types and without an account.
const MOST_UNFILTERED: u32 = 20;

params! {
    pub(crate) struct SearchTransactions {
        /// First block.
        start_block: Option<CappedInt<1, 2_147_483_647>>,
        /// Number of blocks from start_block, or of latest blocks.
        block_limit: Option<CappedInt<1, 2_147_483_647>>,
        #[flatten]
        range: Range,
        /// Types, such as PAYMENT.
        tx_types: Option<BoundedVec<TransactionType, 41>>,
        /// In any role.
        address: Option<AccountRef>,
        /// By confirmation.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        #[flatten("At most 20 without tx_types or address.")]
        page: Continued<USUAL, MOST>,
        #[flatten]
        order: Order,
        /// full adds all fields.
        detail: Detail = Detail::Summary
    }
}

impl Tool for SearchTransactions {
    const NAME: &str = "search_transactions";
    const TITLE: &str = "Search transactions";
    const DESCRIPTION: &str = "Find transactions by type, account and time. As sentences: get_account_activity. Payments: find_payments.";
    const EXAMPLE: &str = r#"{"address":"Alice Test","tx_types":["PAYMENT"]}"#;
    const KEYWORDS: &str = "who left group, left group, lifted ban, former admin, admin removed, removed admin, search transaction, transaction type, last transaction of account, transaction by height, all transaction";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        check_together(&self)?;
        let account = given(self.address, |it| cx.account("address", it)).await?;
        let blocks = self.start_block.map(CappedInt::value);
        let blocks = (blocks, self.block_limit.map(CappedInt::value));
        let blocks = match blocks {
            (None, None) => Blocks::default(),
            blocks => chosen_blocks(cx, blocks, self.order).await?,
        };
        let mut slice = (*self.page).clone();
        let mut types = self.tx_types.map(BoundedVec::into_vec).unwrap_or_default();
        if types.is_empty() && account.is_none() {
            slice = slice.at_most(cx, MOST_UNFILTERED, "without tx_types or address");
            // The Core does not accept blocks without types.
            types = TransactionType::ALL.to_vec();
        }
        let filter = TransactionFilter::default()
            .with_start_block(blocks.start)
            .with_block_limit(blocks.limit)
            .with_types(types)
            .with_address(account.as_ref().map(|it| it.address))
            .with_confirmation(self.confirmation_status.into());
        let page = self.range.transactions(cx, filter, &slice, self.order);
        let page = page.await?;
        Ok(TransactionList::of(cx, account, page, self.detail).await)
    }
}

/// Checks for combinations that the Core refuses with a single code.
fn check_together(params: &SearchTransactions) -> Result<(), ToolError> {
    let has_blocks = params.start_block.is_some() || params.block_limit.is_some();
    in_blocks_alone(has_blocks, params.range)?;
    if has_blocks && params.confirmation_status != ConfirmationStatus::Confirmed {
        return Err(unconfirmed_in_blocks());
    }
    Ok(())
}
