//! The outcome of the trades of one seller.

use futures_util::future::try_join_all;
use qortal_client::{
    ApiError,
    api::{crosschain::Trade, transactions::TransactionFilter},
};
use qortal_types::{Address, Amount, Timestamp, TransactionType};

use super::{explain, symbol};
use crate::{
    declare::{
        Account, AccountRef, Context, Continued, NodeResult, Order, Page, Range, Reply, Tool,
        ToolError,
    },
    support::primary_names::{Person, PrimaryNames},
};

params! {
    pub(super) struct ListAccountTrades {
        /// Seller.
        address: AccountRef,
        #[flatten]
        range: Range,
        #[flatten]
        page: Continued<10, 25>,
        #[flatten]
        order: Order
    }
}

record! {
    pub(super) struct AccountTrades {
        /// The seller's address.
        address: Account,
        /// The trades it offered, in this order.
        trades: Page<SellersTrade>
    }

    pub(super) struct SellersTrade from(it: Trade, names: &PrimaryNames) {
        /// The time of the offer.
        creation_timestamp: Timestamp,
        /// The outcome: OFFERING, TRADING, CANCELLED, REFUNDED or REDEEMED (sold).
        mode: String = it.mode.to_string(),
        /// The same in words.
        state: &'static str = explain::state(&it.mode),
        /// QORT offered.
        qort_amount: Amount,
        /// The price of all of it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// The coin's symbol.
        symbol: String = symbol(&it.foreign_blockchain),
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = it.expected_foreign_amount.checked_price_of(it.qort_amount),
        /// The receiver of the QORT, if it was sold.
        receiver: Option<Person> = it.qortal_partner_receiving_address.map(|it| names.person(it)),
        /// Identifies the trade. explain_trade returns the next step.
        qortal_at_address: Address
    }
}

impl Tool for ListAccountTrades {
    const NAME: &str = "list_account_trades";
    const TITLE: &str = "Account trades";
    const DESCRIPTION: &str = "Trades offered by one account, with their outcome: open, under way, sold, refunded or cancelled. One: explain_trade.";
    const EXAMPLE: &str = r#"{"address":"rita-trades"}"#;
    const KEYWORDS: &str = "my trade, my trades, what happened to my trades, was it sold, trade status, sold offers, cancelled trade";
    const TABLE: Option<&str> = Some("trades");
    type Output = Reply<AccountTrades>;

    /// Requests the deployments of the account, then the state of each trade.
    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        let found = cx.account("address", self.address).await?;
        let filter = TransactionFilter::default()
            .with_types([TransactionType::DeployAt])
            .with_address(found.address);
        let (slice, order) = (&self.page, self.order);
        let deployed = self.range.transactions(cx, filter, slice, order).await?;
        let trades = deployed.items.iter().map(|it| async move {
            let at = it.detail("aTAddress").and_then(|it| it.parse().ok());
            let Some(at) = at.filter(|_| it.creator_address == Some(found.address)) else {
                return Ok(None);
            };
            // Others are automated transactions of other kinds.
            let trade = cx.node.trade(&at).await;
            Ok(trade.none_if(ApiError::INVALID_CRITERIA)?)
        });
        let states: Vec<Option<Trade>> = try_join_all(trades).await.map_err(|it: ToolError| it)?;
        let receivers = states.iter().flatten();
        let receivers = receivers.filter_map(|it| it.qortal_partner_receiving_address);
        let names = PrimaryNames::of(cx, receivers.collect::<Vec<_>>()).await;
        let mut states = states.into_iter();
        let trades = deployed.filter_map(|_| states.next().flatten());
        Ok(Reply::new(AccountTrades {
            address: found,
            trades: trades.map(|it| SellersTrade::of(it, &names)),
        })
        .note("What the account bought: list_completed_trades with `buyer`."))
    }
}
