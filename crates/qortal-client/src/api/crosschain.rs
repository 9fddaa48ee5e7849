//! Trades of QORT for foreign coins (resource `/crosschain`).

use std::num::NonZeroU32;

use qortal_types::{Address, Amount, Blockchain, Height, PublicKey, Timestamp};
use serde::{Deserialize, Deserializer, de::Error};

use crate::{
    Endpoint, Node, NodeError, Page, Socket,
    call::{Call, UNKNOWN_BLOCKCHAIN},
    node_enum::node_enum,
    setters::setters,
};

/// Base58 of 25 zero bytes.
const NO_ADDRESS: &str = "1111111111111111111111111";

node_enum! {
    /// How far a trade has come (class `AcctMode`).
    TradeMode {
        /// The offer is open.
        Offering = "OFFERING",
        /// A buyer has been accepted.
        Trading = "TRADING",
        /// The seller took the offer back.
        Cancelled = "CANCELLED",
        /// The buyer did not pay in time, the QORT went back.
        Refunded = "REFUNDED",
        /// Both have what they wanted.
        Redeemed = "REDEEMED",
    }
}

/// A trade offer and what became of it (class `CrossChainTradeData`). Foreign amounts are in coins.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Trade {
    /// The automated transaction that holds the QORT; identifies the trade.
    pub qortal_at_address: Address,
    /// The seller.
    pub qortal_creator: Address,
    /// The key of the seller's trade bot.
    pub qortal_creator_trade_address: Address,
    /// Hash of the seller's foreign public key: Base58 of 20 bytes, 33 for Pirate Chain.
    #[serde(rename = "creatorForeignPKH")]
    pub creator_foreign_pkh: Option<String>,
    /// When the offer was made.
    pub creation_timestamp: Timestamp,
    /// How many minutes the buyer has.
    pub trade_timeout: i64,
    /// What the automated transaction holds now.
    pub qort_balance: Amount,
    /// Base58 of 20 bytes; present from trading on.
    pub hash_of_secret_a: Option<String>,
    /// Base58 of 20 bytes; first generation of Bitcoin trades only.
    pub hash_of_secret_b: Option<String>,
    /// How much QORT is sold.
    pub qort_amount: Amount,
    /// The buyer's trade bot; present from trading on, absent if the offer was cancelled.
    #[serde(default, deserialize_with = "partner_address")]
    pub qortal_partner_address: Option<Address>,
    /// When trading began; first generation only.
    pub trade_mode_timestamp: Option<Timestamp>,
    /// Minutes until the QORT go back; present from trading on.
    pub refund_timeout: Option<i64>,
    /// The block in which they go back; present from trading on.
    pub trade_refund_height: Option<Height>,
    /// What the seller wants for it.
    pub expected_foreign_amount: Amount,
    /// How far the trade has come.
    pub mode: TradeMode,
    /// In **seconds** since 1970; present from trading on.
    pub lock_time_a: Option<i64>,
    /// In **seconds** since 1970; first generation of Bitcoin trades only.
    pub lock_time_b: Option<i64>,
    /// Hash of the buyer's foreign public key; present from trading on.
    #[serde(rename = "partnerForeignPKH")]
    pub partner_foreign_pkh: Option<String>,
    /// Where the QORT went; present when redeemed.
    #[serde(default, deserialize_with = "partner_address")]
    pub qortal_partner_receiving_address: Option<Address>,
    /// The foreign blockchain.
    pub foreign_blockchain: Blockchain,
    /// The contract, such as `LitecoinACCTv3`.
    pub acct_name: String,
    /// Until when the seller's trade bot was last seen; absent or past if it is not online.
    pub creator_presence_expiry: Option<Timestamp>,
    /// Until when the buyer's trade bot was last seen.
    pub partner_presence_expiry: Option<Timestamp>,
}

/// A completed trade (class `CrossChainTradeSummary`). The coin that was paid is not part of it: ask for one coin at a time.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompletedTrade {
    /// When it was completed.
    pub trade_timestamp: Timestamp,
    /// How much QORT was sold.
    pub qort_amount: Amount,
    /// For how much of the foreign coin.
    pub foreign_amount: Amount,
    /// The automated transaction that held the QORT.
    pub at_address: Address,
    /// Who sold.
    pub seller_address: Address,
    /// Where the QORT went.
    pub buyer_receiving_address: Address,
}

/// Which completed trades are wanted. What is absent does not restrict.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TradeFilter {
    /// Paid in the coin of this blockchain.
    pub blockchain: Option<Blockchain>,
    /// Not older than this. Without it the Core reads all trades ever.
    pub since: Option<Timestamp>,
    /// Bought with this key.
    pub buyer: Option<PublicKey>,
    /// Sold with this key.
    pub seller: Option<PublicKey>,
}

setters!(TradeFilter {
    with_blockchain(blockchain: impl Into<Option<Blockchain>>),
    with_since(since: impl Into<Option<Timestamp>>),
    with_buyer(buyer: impl Into<Option<PublicKey>>),
    with_seller(seller: impl Into<Option<PublicKey>>),
});

/// Which way round a price is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PriceOf {
    /// QORT for one foreign coin.
    ForeignCoin,
    /// Foreign coin for one QORT.
    Qort,
}

/// Whether the node can deal with a coin (class `ForeignBlockchainStatus`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CoinStatus {
    /// Whether the coin is switched on.
    pub enabled: bool,
    /// Coin servers that it is connected to.
    pub connected_servers: u32,
    /// Coin servers that it knows.
    pub known_servers: u32,
}

/// The node's coin servers (class `ServerConfigurationInfo`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CoinServers {
    /// All.
    #[serde(default)]
    pub servers: Vec<CoinServer>,
    /// Those not tried yet.
    #[serde(default)]
    pub remaining_servers: Vec<CoinServer>,
    /// Those that did not work.
    #[serde(default)]
    pub useless_servers: Vec<CoinServer>,
}

/// One coin server (class `ServerInfo`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CoinServer {
    /// Mean time to answer in milliseconds.
    pub average_response_time: i64,
    /// Where it is.
    pub host_name: String,
    /// Its port.
    pub port: u16,
    /// `SSL` or `TCP`.
    pub connection_type: String,
    /// Whether it is the one in use.
    pub is_current: bool,
}

/// An offer whose state is another now (class `CrossChainOfferSummary`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TradeOfferChange {
    /// The automated transaction that holds the QORT; identifies the trade.
    pub qortal_at_address: Address,
    /// The seller.
    pub qortal_creator: Address,
    /// How much QORT is sold.
    pub qort_amount: Amount,
    /// What the seller wants for it.
    pub foreign_amount: Amount,
    /// How far the trade has come.
    pub mode: TradeMode,
    /// When it came to that.
    pub timestamp: Timestamp,
    /// The coin.
    pub foreign_blockchain: Blockchain,
}

/// For a cancelled offer the Core writes 25 zero bytes.
fn partner_address<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Address>, D::Error> {
    match Option::<String>::deserialize(deserializer)?.as_deref() {
        None | Some(NO_ADDRESS) => Ok(None),
        Some(address) => address.parse().map(Some).map_err(Error::custom),
    }
}

/// How the head line of the CSV of `CrossChainTradeLedger` begins.
const LEDGER_HEAD: &str = "Market,";

impl Node {
    /// Returns open offers by the time they were made.
    ///
    /// The page is odd: limit and offset are applied to the automated transactions of each contract type **before** those
    /// that are not open are left out, and the limit once more to all. A small limit misses offers and pages overlap;
    /// ask for 100, the most the Core allows, and filter.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the limit is above 100.
    #[doc(alias = "/crosschain/tradeoffers")]
    pub async fn trade_offers(
        &self,
        blockchain: Option<&Blockchain>,
        page: Page,
    ) -> Result<Vec<Trade>, NodeError> {
        let call = Call::to(Endpoint::TradeOffers).blockchain("foreignBlockchain", blockchain);
        self.ask(call.page(page)).await?.list()
    }

    /// Returns all open offers by the time they were made.
    ///
    /// This is the one list that is asked for without a limit: the Core's limit misses offers (see
    /// [`trade_offers`](Self::trade_offers)), and there are a few hundred at most, within the limit on an answer's bytes.
    ///
    /// ```
    /// # async fn example(node: qortal_client::Node) -> Result<(), Box<dyn std::error::Error>> {
    /// use qortal_types::Blockchain;
    ///
    /// for offer in node.all_trade_offers(Some(&Blockchain::Litecoin)).await? {
    ///     println!("{} QORT for {} LTC", offer.qort_amount, offer.expected_foreign_amount);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/tradeoffers")]
    pub async fn all_trade_offers(
        &self,
        blockchain: Option<&Blockchain>,
    ) -> Result<Vec<Trade>, NodeError> {
        let call = Call::to(Endpoint::TradeOffers).blockchain("foreignBlockchain", blockchain);
        self.ask(call).await?.list()
    }

    /// Opens a socket that receives the offers of one coin as they are made, taken or withdrawn from now on.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/websockets/crosschain/tradeoffers")]
    pub async fn trade_offer_socket(
        &self,
        blockchain: &Blockchain,
    ) -> Result<Socket<Vec<TradeOfferChange>>, NodeError> {
        let call = Call::to(Endpoint::TradeOfferSocket)
            .blockchain("foreignBlockchain", Some(blockchain))
            .query_flag("excludeInitialData", true);
        self.open(call).await
    }

    /// Returns the offers that the node hides because buyers failed repeatedly; the Core has no paging here.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/tradeoffers/hidden")]
    pub async fn trade_offers_hidden(
        &self,
        blockchain: Option<&Blockchain>,
    ) -> Result<Vec<Trade>, NodeError> {
        let call =
            Call::to(Endpoint::TradeOffersHidden).blockchain("foreignBlockchain", blockchain);
        self.ask(call).await?.list()
    }

    /// Returns a trade in any state by the address of its automated transaction.
    ///
    /// # Errors
    ///
    /// Fails with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if there is none,
    /// [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if it is something else than a trade.
    #[doc(alias = "/crosschain/trade/{ataddress}")]
    pub async fn trade(&self, at_address: &Address) -> Result<Trade, NodeError> {
        self.ask(Call::to(Endpoint::Trade).with(at_address))
            .await?
            .json()
    }

    /// Returns completed trades by time. Limit and offset apply to each contract type, then they are put together.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the limit is above 100 or `since` not after 1970.
    #[doc(alias = "/crosschain/trades")]
    pub async fn trades(
        &self,
        filter: &TradeFilter,
        page: Page,
    ) -> Result<Vec<CompletedTrade>, NodeError> {
        let call = Call::to(Endpoint::Trades)
            .blockchain("foreignBlockchain", filter.blockchain.as_ref())
            .query_if("minimumTimestamp", filter.since.map(Timestamp::millis))
            .query_if("buyerPublicKey", filter.buyer)
            .query_if("sellerPublicKey", filter.seller);
        self.ask(call.page(page)).await?.list()
    }

    /// Returns all trades for one coin that were completed after a moment, by time.
    ///
    /// It is asked for without a limit, because the Core's limit and offset count for each contract type before the
    /// lists are put together: no sequence of pages is complete. The moment bounds it, and the limit on an answer's bytes.
    ///
    /// # Errors
    ///
    /// Fails with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if `after` is not after 1970.
    #[doc(alias = "/crosschain/trades")]
    pub async fn trades_after(
        &self,
        blockchain: &Blockchain,
        after: Timestamp,
    ) -> Result<Vec<CompletedTrade>, NodeError> {
        let call = Call::to(Endpoint::Trades)
            .blockchain("foreignBlockchain", Some(blockchain))
            .query("minimumTimestamp", after.millis());
        self.ask(call).await?.list()
    }

    /// Returns the mean price of recent trades: at least five of them over at least four hours, at most `max_trades`,
    /// by default ten.
    ///
    /// # Errors
    ///
    /// Fails with a bare 500 if there was no trade for that coin at all.
    #[doc(alias = "/crosschain/price/{blockchain}")]
    pub async fn trade_price(
        &self,
        blockchain: &Blockchain,
        of: PriceOf,
        max_trades: Option<NonZeroU32>,
    ) -> Result<Amount, NodeError> {
        let call = Call::to(Endpoint::TradePrice).with_blockchain(blockchain);
        self.ask(
            call.query_if("maxtrades", max_trades)
                .query_flag("inverse", of == PriceOf::Qort),
        )
        .await?
        .units()
    }

    /// Returns all trades of one key as CSV with a head line, as for a tax declaration; slow.
    ///
    /// The node fails with a bare 500 unless all of its coin wallets are switched on.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/ledger/{publicKey}")]
    pub async fn trade_ledger(
        &self,
        public_key: &PublicKey,
        since: Option<Timestamp>,
    ) -> Result<String, NodeError> {
        let call = Call::to(Endpoint::TradeLedger).with(public_key);
        let call = call.query_if("minimumTimestamp", since.map(Timestamp::millis));
        let answer = self.ask(call).await?;
        let csv = answer.text_with_head(LEDGER_HEAD, "a CSV ledger")?;
        Ok(csv.to_owned())
    }

    /// Returns whether the node can deal with a coin.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/{coin}/status")]
    pub async fn coin_status(&self, blockchain: &Blockchain) -> Result<CoinStatus, NodeError> {
        self.ask(coin(Endpoint::CoinStatus, blockchain))
            .await?
            .json()
    }

    /// Returns the height of the foreign blockchain, for which the node asks a coin server.
    ///
    /// # Errors
    ///
    /// Fails with code [`FOREIGN_BLOCKCHAIN_NETWORK_ISSUE`](crate::ApiError::FOREIGN_BLOCKCHAIN_NETWORK_ISSUE) if none answers, a bare
    /// 500 if the coin is switched off.
    #[doc(alias = "/crosschain/{coin}/height")]
    pub async fn coin_height(&self, blockchain: &Blockchain) -> Result<u64, NodeError> {
        self.ask(coin(Endpoint::CoinHeight, blockchain))
            .await?
            .value("a whole number")
    }

    /// Returns the coin servers that the node knows.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/{coin}/serverinfos")]
    pub async fn coin_servers(&self, blockchain: &Blockchain) -> Result<CoinServers, NodeError> {
        self.ask(coin(Endpoint::CoinServers, blockchain))
            .await?
            .json()
    }

    /// Returns the foreign fee that the node pays for 1,000 bytes.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/{coin}/feekb")]
    pub async fn coin_fee_per_kb(&self, blockchain: &Blockchain) -> Result<Amount, NodeError> {
        self.ask(coin(Endpoint::CoinFeePerKb, blockchain))
            .await?
            .units()
    }

    /// Returns the foreign fee that the node asks of buyers.
    ///
    /// # Errors
    ///
    /// Fails as [`NodeError`](crate::NodeError) describes.
    #[doc(alias = "/crosschain/{coin}/feerequired")]
    pub async fn coin_fee_required(&self, blockchain: &Blockchain) -> Result<Amount, NodeError> {
        self.ask(coin(Endpoint::CoinFeeRequired, blockchain))
            .await?
            .units()
    }
}

/// The endpoints of one coin: their path has one of six known segments, nothing else.
fn coin(endpoint: Endpoint, blockchain: &Blockchain) -> Call {
    let call = Call::to(endpoint);
    match blockchain.path_segment() {
        Some(segment) => call.with(segment),
        None => call.with("unknown").refuse("coin", UNKNOWN_BLOCKCHAIN),
    }
}
