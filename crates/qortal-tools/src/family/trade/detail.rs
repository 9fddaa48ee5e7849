//! One trade, in any state.

use qortal_client::{ApiError, Node, api::crosschain::Trade};
use qortal_types::{Address, Amount, Height, Timestamp};

use super::Coin;
use crate::declare::{AtAddress, Context, Flat, Tool, ToolError};

/// The trade, or an error with what the address is instead.
pub(super) async fn trade(node: &Node, at_address: AtAddress) -> Result<Trade, ToolError> {
    let address = at_address.0;
    node.trade(&address).await.map_err(|err| {
        if err.is(ApiError::ADDRESS_UNKNOWN) {
            return ToolError::not_found(
                "Trade not found.",
                format!("There is no automated transaction {address} on this node. list_trade_offers and list_completed_trades show the addresses of trades."),
            );
        }
        if err.is(ApiError::INVALID_CRITERIA) {
            return ToolError::not_found(
                "Not a trade.",
                format!("The automated transaction {address} does not trade QORT. list_trade_offers and list_completed_trades show the addresses of trades."),
            );
        }
        err.into()
    })
}

params! {
    pub(super) struct GetTradeDetail {
        /// The trade's automated transaction.
        at_address: AtAddress
    }
}

record! {
    pub(super) struct TradeDetail {
        /// Identifies the trade: the automated transaction that holds the QORT.
        qortal_at_address: Address,
        /// Its state: OFFERING, TRADING, CANCELLED, REFUNDED or REDEEMED.
        mode: String,
        /// The foreign coin.
        coin: Flat<Coin>,
        /// QORT sold.
        qort_amount: Amount,
        /// What the seller wants for it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount>,
        /// QORT that the automated transaction holds now.
        qort_balance: Amount,
        /// The seller.
        qortal_creator: Address,
        /// The key of the seller's trade bot.
        qortal_creator_trade_address: Address,
        /// The key of the buyer's trade bot; from TRADING on.
        qortal_partner_address: Option<Address>,
        /// Where the QORT went; only when REDEEMED.
        qortal_partner_receiving_address: Option<Address>,
        /// When the offer was made.
        creation_timestamp: Timestamp,
        /// When the trading began; only in contracts of the first generation.
        trade_mode_timestamp: Option<Timestamp>,
        /// Minutes a buyer has in all.
        trade_timeout: i64,
        /// Minutes until the QORT go back to the seller; from TRADING on.
        refund_timeout: Option<i64>,
        /// The block in which they go back unless the buyer has redeemed; from TRADING on.
        trade_refund_height: Option<Height>,
        /// Until when the buyer's coins are locked on the foreign chain; from TRADING on.
        lock_time_a: Option<Timestamp>,
        /// Until when the seller's are; only in Bitcoin contracts of the first generation.
        lock_time_b: Option<Timestamp>,
        /// Hash of the buyer's secret, Base58 of 20 bytes; from TRADING on.
        hash_of_secret_a: Option<String>,
        /// Hash of the seller's secret; only in Bitcoin contracts of the first generation.
        hash_of_secret_b: Option<String>,
        /// Hash of the seller's foreign public key, Base58.
        creator_foreign_pkh: Option<String>,
        /// Hash of the buyer's foreign public key, Base58; from TRADING on.
        partner_foreign_pkh: Option<String>,
        /// The contract.
        acct_name: String,
        /// Until when the seller was last seen online; left out or past if offline.
        creator_presence_expiry: Option<Timestamp>,
        /// The same of the buyer.
        partner_presence_expiry: Option<Timestamp>
    }
}

impl From<Trade> for TradeDetail {
    fn from(it: Trade) -> Self {
        // The Core fills what a cancelled offer never had with zeros.
        let has_partner = it.qortal_partner_address.is_some();
        let moment = |seconds: Option<i64>| {
            seconds
                .filter(|seconds| *seconds > 0)
                .and_then(Timestamp::from_seconds)
        };
        Self {
            price_per_qort: it.expected_foreign_amount.checked_price_of(it.qort_amount),
            qortal_at_address: it.qortal_at_address,
            mode: it.mode.to_string(),
            coin: Flat(Coin::of(&it.foreign_blockchain)),
            qort_amount: it.qort_amount,
            expected_foreign_amount: it.expected_foreign_amount,
            qort_balance: it.qort_balance,
            qortal_creator: it.qortal_creator,
            qortal_creator_trade_address: it.qortal_creator_trade_address,
            qortal_partner_address: it.qortal_partner_address,
            qortal_partner_receiving_address: it.qortal_partner_receiving_address,
            creation_timestamp: it.creation_timestamp,
            trade_mode_timestamp: it.trade_mode_timestamp,
            trade_timeout: it.trade_timeout,
            refund_timeout: it.refund_timeout.filter(|_| has_partner),
            trade_refund_height: it.trade_refund_height.filter(|_| has_partner),
            lock_time_a: moment(it.lock_time_a),
            lock_time_b: moment(it.lock_time_b),
            hash_of_secret_a: it.hash_of_secret_a.filter(|_| has_partner),
            hash_of_secret_b: it.hash_of_secret_b,
            creator_foreign_pkh: it.creator_foreign_pkh,
            partner_foreign_pkh: it.partner_foreign_pkh.filter(|_| has_partner),
            acct_name: it.acct_name,
            creator_presence_expiry: it.creator_presence_expiry,
            partner_presence_expiry: it.partner_presence_expiry,
        }
    }
}

impl Tool for GetTradeDetail {
    const NAME: &str = "get_trade_detail";
    const TITLE: &str = "One trade";
    const DESCRIPTION: &str =
        "All fields of one trade: amounts, parties, hashes, contract. In words: explain_trade.";
    const EXAMPLE: &str = r#"{"at_address":"Aes2JuboJupax6uybgMa2was61y7MRiDJS"}"#;
    const KEYWORDS: &str = "trade detail, atomic swap, hash, htlc, contract of trade";
    type Output = TradeDetail;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(trade(&cx.node, self.at_address).await?.into())
    }
}
