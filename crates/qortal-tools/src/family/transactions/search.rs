//! The search over all transactions.

use qortal_client::{
    Page,
    api::transactions::{Confirmation, Transaction, TransactionFilter},
};
use qortal_types::{Height, TransactionType};
use tool_schema::{Bounded, List, choice};

use crate::{
    declare::{
        AccountRef, Context, Order, Range, Slice, Tool, ToolError, given, in_blocks_alone,
        unconfirmed_in_blocks,
    },
    family::transactions::{MOST, TransactionList, USUAL, info::Detail},
};

choice! {
    /// Which transactions, by confirmation.
    pub(crate) enum ConfirmationStatus {
        /// Those in a block.
        Confirmed = "CONFIRMED",
        /// Those not in a block.
        Unconfirmed = "UNCONFIRMED",
        /// All.
        Both = "BOTH",
    }
}

impl From<ConfirmationStatus> for Confirmation {
    fn from(it: ConfirmationStatus) -> Self {
        match it {
            ConfirmationStatus::Confirmed => Self::Confirmed,
            ConfirmationStatus::Unconfirmed => Self::Unconfirmed,
            ConfirmationStatus::Both => Self::Both,
        }
    }
}

/// The Core's limit of a search that names neither types nor an account.
const MOST_UNFILTERED: u32 = 20;

params! {
    pub(crate) struct SearchTransactions {
        /// Only from this block on. Confirmed transactions only.
        start_block: Option<Bounded<1, 2_147_483_647>>,
        /// Only in so many blocks from start_block, or the last ones.
        block_limit: Option<Bounded<1, 2_147_483_647>>,
        #[flatten]
        range: Range,
        /// Only of these types, such as PAYMENT.
        tx_types: Option<List<TransactionType, 41>>,
        /// Only those in which this account takes part.
        address: Option<AccountRef>,
        /// Whether they are in a block.
        confirmation_status: ConfirmationStatus = ConfirmationStatus::Confirmed,
        /// At most 20 without tx_types or address.
        limit: Bounded<1, MOST> = Bounded::new(USUAL),
        /// Rows to skip.
        offset: Bounded<0, 1_000_000> = Bounded::new(0),
        #[flatten]
        order: Order,
        /// full adds all members.
        detail: Detail = Detail::Summary
    }
}

impl Tool for SearchTransactions {
    const NAME: &str = "search_transactions";
    const TITLE: &str = "Search transactions";
    const DESCRIPTION: &str = "Find transactions by type, account and time. As sentences: get_account_activity. Payments: find_payments.";
    const EXAMPLE: &str = r#"{"address":"Alice Test","tx_types":["PAYMENT"]}"#;
    const KEYWORDS: &str = "search transaction, transaction type, last transaction of account, transaction by height, all transaction";
    type Output = TransactionList;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        check_together(&self)?;
        let (account, blocks) = tokio::try_join!(
            given(self.address, |it| cx.account("address", it)),
            self.range.blocks(cx),
        )?;
        let start_block = self.start_block.map(|it| Height::new(it.value()));
        let filter = TransactionFilter::default()
            .with_start_block(start_block.or(blocks.start))
            .with_block_limit(self.block_limit.map(Bounded::value).or(blocks.limit))
            .with_types(self.tx_types.map(List::into_vec).unwrap_or_default())
            .with_address(account.as_ref().map(|it| it.address))
            .with_confirmation(self.confirmation_status.into());
        let mut slice = Slice::new(self.limit, self.offset);
        if filter.types.is_empty() && filter.address.is_none() {
            slice = slice.at_most(cx, MOST_UNFILTERED, "without tx_types or address");
        }
        let found = search(cx, &filter, self.order.one_more(slice)).await?;
        let page = slice.of(cx, found);
        Ok(TransactionList::of(cx, account, page, self.detail).await)
    }
}

/// Distinguishes what the Core refuses with a single code.
fn check_together(params: &SearchTransactions) -> Result<(), ToolError> {
    let has_blocks = params.start_block.is_some() || params.block_limit.is_some();
    in_blocks_alone(has_blocks, params.range)?;
    let in_blocks = has_blocks || params.range.is_given();
    if in_blocks && params.confirmation_status != ConfirmationStatus::Confirmed {
        return Err(unconfirmed_in_blocks());
    }
    Ok(())
}

/// Reads a page. One row beyond the Core's limit of an unfiltered search takes a second request.
async fn search(
    cx: &Context,
    filter: &TransactionFilter,
    page: Page,
) -> Result<Vec<Transaction>, ToolError> {
    let is_unfiltered = filter.types.is_empty() && filter.address.is_none();
    if !is_unfiltered || page.limit <= MOST_UNFILTERED {
        return Ok(cx.node.search_transactions(filter, page).await?);
    }
    let first = page.with_limit(MOST_UNFILTERED);
    let one_more = page
        .with_limit(1)
        .with_offset(page.offset.saturating_add(MOST_UNFILTERED));
    let (mut found, more) = tokio::try_join!(
        cx.node.search_transactions(filter, first),
        cx.node.search_transactions(filter, one_more),
    )?;
    if found.len() == MOST_UNFILTERED as usize {
        found.extend(more);
    }
    Ok(found)
}
