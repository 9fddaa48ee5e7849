//! Tools about trading QORT for foreign coins.

mod candles;
mod completed;
mod detail;
mod explain;
mod foreign;
mod history;
mod ledger;
mod market;
mod mine;
mod offers;
mod order_book;
#[cfg(feature = "charts")]
mod price_chart;
mod purchase;
mod rankings;

use qortal_types::{Amount, Blockchain, Timestamp};

#[cfg(feature = "charts")]
pub(super) use self::order_book::Offers;

family! {
    "trade", "What does QORT cost in other coins, and who sells it?":
    market::GetMarketOverview,
    offers::ListTradeOffers,
    offers::ListHiddenTradeOffers,
    order_book::GetTradeOrderBook,
    detail::GetTradeDetail,
    explain::ExplainTrade,
    completed::ListCompletedTrades,
    mine::ListAccountTrades,
    market::GetTradePrice,
    history::GetPriceHistory,
    #[cfg(feature = "charts")]
    price_chart::GetPriceChart,
    ledger::GetTradeLedger,
    rankings::GetTradeRankings,
    foreign::GetForeignChainStatus,
}

record! {
    /// A foreign coin's blockchain and symbol.
    struct Coin from(blockchain: &Blockchain) {
        /// The foreign coin's blockchain.
        foreign_blockchain: String = blockchain.to_string(),
        /// The coin's symbol.
        symbol: String = symbol(blockchain)
    }
}

/// Returns the symbol of the coin, or the name of a blockchain without a known symbol.
pub(super) fn symbol(blockchain: &Blockchain) -> String {
    blockchain
        .symbol()
        .unwrap_or_else(|| blockchain.as_str())
        .to_owned()
}

/// Returns whether a trade bot is online: a bot extends its presence while it runs, and the presence has not expired.
fn is_online(presence_expiry: Option<Timestamp>, now: Timestamp) -> bool {
    presence_expiry.is_some_and(|it| it > now)
}

/// Adds amounts and saturates at the largest amount, which exceeds the supply of any coin.
pub(super) fn sum(amounts: impl Iterator<Item = Amount>) -> Amount {
    amounts.fold(Amount::ZERO, |sum, it| {
        sum.checked_add(it).unwrap_or(Amount::MAX)
    })
}
