//! One trade, in any state.

use qortal_client::{ApiError, Node, api::crosschain::Trade};
use qortal_types::{Address, Amount, Height, Timestamp};

use super::Coin;
use crate::declare::{AtAddress, Context, Flat, Tool, ToolError};

/// Returns the trade, or an error that states what else the address is.
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
        /// AT address of the trade.
        at_address: AtAddress
    }
}

record! {
    pub(super) struct TradeDetail from(it: Trade) {
        /// Identifies the trade: the automated transaction with the QORT.
        qortal_at_address: Address,
        /// Its state: OFFERING, TRADING, CANCELLED, REFUNDED or REDEEMED.
        mode: String = it.mode.to_string(),
        /// The foreign coin.
        coin: Flat<Coin> = Flat(Coin::of(&it.foreign_blockchain)),
        /// QORT sold.
        qort_amount: Amount,
        /// The seller's price for all of it, in the foreign coin.
        expected_foreign_amount: Amount,
        /// Foreign coin for one QORT, rounded down to 8 places.
        price_per_qort: Option<Amount> = it.expected_foreign_amount.checked_price_of(it.qort_amount),
        /// QORT held by the automated transaction now.
        qort_balance: Amount,
        /// The seller.
        qortal_creator: Address,
        /// The key of the seller's trade bot.
        qortal_creator_trade_address: Address,
        /// The key of the buyer's trade bot. From TRADING on.
        qortal_partner_address: Option<Address>,
        /// The receiving account. Only when REDEEMED.
        qortal_partner_receiving_address: Option<Address>,
        /// The time of the offer.
        creation_timestamp: Timestamp,
        /// The start of TRADING. Only in contracts of the first generation.
        trade_mode_timestamp: Option<Timestamp>,
        /// Minutes a buyer has in all.
        trade_timeout: i64,
        /// Blocks until the QORT return to the seller. The contract counts them as minutes. From TRADING on.
        refund_timeout: Option<i64> = it.refund_timeout.filter(|_| it.qortal_partner_address.is_some()),
        /// The block of the return unless the buyer has redeemed. From TRADING on.
        trade_refund_height: Option<Height> = it.trade_refund_height.filter(|_| it.qortal_partner_address.is_some()),
        /// End of the lock on the buyer's coins on the foreign chain. From TRADING on.
        lock_time_a: Option<Timestamp> = moment(it.lock_time_a),
        /// End of the lock on the seller's coins. Only in Bitcoin contracts of the first generation.
        lock_time_b: Option<Timestamp> = moment(it.lock_time_b),
        /// Hash of the buyer's secret, Base58 of 20 bytes. From TRADING on.
        hash_of_secret_a: Option<String> = it.hash_of_secret_a.filter(|_| it.qortal_partner_address.is_some()),
        /// Hash of the seller's secret. Only in Bitcoin contracts of the first generation.
        hash_of_secret_b: Option<String>,
        /// Hash of the seller's foreign public key, Base58.
        creator_foreign_pkh: Option<String>,
        /// Hash of the buyer's foreign public key, Base58. From TRADING on.
        partner_foreign_pkh: Option<String> = it.partner_foreign_pkh.filter(|_| it.qortal_partner_address.is_some()),
        /// The contract.
        acct_name: String,
        /// End of the seller's last known online period. Absent or past if offline.
        creator_presence_expiry: Option<Timestamp>,
        /// The same of the buyer.
        partner_presence_expiry: Option<Timestamp>
    }
}

/// Returns the time. The Core fills fields that a cancelled offer never had with zeros.
fn moment(seconds: Option<i64>) -> Option<Timestamp> {
    let seconds = seconds.filter(|seconds| *seconds > 0);
    seconds.and_then(Timestamp::from_seconds)
}

impl Tool for GetTradeDetail {
    const NAME: &str = "get_trade_detail";
    const TITLE: &str = "Trade details";
    const DESCRIPTION: &str =
        "All fields of one trade: amounts, parties, hashes, contract. In words: explain_trade.";
    const EXAMPLE: &str = r#"{"at_address":"Aes2JuboJupax6uybgMa2was61y7MRiDJS"}"#;
    const KEYWORDS: &str = "trade detail, atomic swap, hash, htlc, contract of trade";
    type Output = TradeDetail;

    async fn call(self, cx: &Context) -> Result<Self::Output, ToolError> {
        Ok(TradeDetail::of(trade(&cx.node, self.at_address).await?))
    }
}
