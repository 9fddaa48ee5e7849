//! Trades of QORT for foreign coins (resource `/crosschain`).

use std::num::NonZeroU32;

use qortal_types::{Address, Amount, Blockchain, Height, PublicKey, Timestamp, open_enum};
use serde::{Deserialize, Deserializer, de::Error};

use crate::{
    Endpoint, Node, NodeError, NodeFuture, PageRequest, Rows, Socket,
    answer::{Answer, LeftOut, Record, answers},
    call::{Call, UNKNOWN_BLOCKCHAIN},
    options::options,
};

/// Base58 of 25 zero bytes.
const NO_ADDRESS: &str = "1111111111111111111111111";

open_enum! {
    /// The state of a trade (class `AcctMode`).
    TradeMode, "state of a trade", "A value that this version does not know.";
    /// The offer is open.
    Offering = "OFFERING";
    /// A buyer has been accepted.
    Trading = "TRADING";
    /// The seller cancelled the offer.
    Cancelled = "CANCELLED";
    /// The buyer did not pay in time, and the QORT were refunded.
    Refunded = "REFUNDED";
    /// The trade was completed.
    Redeemed = "REDEEMED";
}

answers! {
    /// A trade offer and its state (class `CrossChainTradeData`). Foreign amounts are in coins.
    pub struct Trade {
        /// The automated transaction that holds the QORT. It identifies the trade.
        pub qortal_at_address: Address,
        /// The seller.
        pub qortal_creator: Address,
        /// The key of the seller's trade bot.
        pub qortal_creator_trade_address: Address,
        /// Hash of the seller's foreign public key: Base58 of 20 bytes, 33 for Pirate Chain.
        #[serde(rename = "creatorForeignPKH")]
        pub creator_foreign_pkh: Option<String>,
        /// The time the offer was made.
        pub creation_timestamp: Timestamp,
        /// Minutes that the buyer has.
        pub trade_timeout: i64,
        /// The current balance of the automated transaction.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub qort_balance: Amount,
        /// Base58 of 20 bytes. Present from trading on.
        pub hash_of_secret_a: Option<String>,
        /// Base58 of 20 bytes. First generation of Bitcoin trades only.
        pub hash_of_secret_b: Option<String>,
        /// The amount of QORT sold.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub qort_amount: Amount,
        /// The buyer's trade bot. Present from trading on, absent if the offer was cancelled.
        #[serde(default, deserialize_with = "partner_address")]
        pub qortal_partner_address: Option<Address>,
        /// The time trading began. First generation only.
        pub trade_mode_timestamp: Option<Timestamp>,
        /// Minutes until the refund. Present from trading on.
        pub refund_timeout: Option<i64>,
        /// The height of the refund. Present from trading on.
        pub trade_refund_height: Option<Height>,
        /// The foreign amount that the seller expects.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub expected_foreign_amount: Amount,
        /// The state of the trade.
        pub mode: TradeMode,
        /// Lock time in **seconds** since 1970. Present from trading on.
        pub lock_time_a: Option<i64>,
        /// Lock time in **seconds** since 1970. First generation of Bitcoin trades only.
        pub lock_time_b: Option<i64>,
        /// Hash of the buyer's foreign public key. Present from trading on.
        #[serde(rename = "partnerForeignPKH")]
        pub partner_foreign_pkh: Option<String>,
        /// The address that received the QORT. Present when redeemed.
        #[serde(default, deserialize_with = "partner_address")]
        pub qortal_partner_receiving_address: Option<Address>,
        /// The foreign blockchain.
        pub foreign_blockchain: Blockchain,
        /// The contract, such as `LitecoinACCTv3`.
        #[serde(deserialize_with = "crate::answer::read_code")]
        pub acct_name: String,
        /// The end of the current presence of the seller's trade bot. Absent or in the past if the bot is offline.
        pub creator_presence_expiry: Option<Timestamp>,
        /// The end of the current presence of the buyer's trade bot.
        pub partner_presence_expiry: Option<Timestamp>,
    }

    /// A completed trade (class `CrossChainTradeSummary`). It does not contain the coin that was paid: request one coin at a time.
    pub struct CompletedTrade {
        /// The time it was completed.
        pub trade_timestamp: Timestamp,
        /// The amount of QORT sold.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub qort_amount: Amount,
        /// The amount of the foreign coin paid.
        #[serde(deserialize_with = "crate::answer::unsigned_amount")]
        pub foreign_amount: Amount,
        /// The automated transaction that held the QORT.
        pub at_address: Address,
        /// The seller.
        pub seller_address: Address,
        /// The address that received the QORT.
        pub buyer_receiving_address: Address,
    }

    /// The node's support for a coin (class `ForeignBlockchainStatus`).
    #[derive(Copy, PartialEq, Eq)]
    pub struct CoinStatus {
        /// Whether the coin is enabled.
        pub enabled: bool,
        /// The number of connected coin servers.
        pub connected_servers: u32,
        /// The number of known coin servers.
        pub known_servers: u32,
    }

    /// The node's coin servers (class `ServerConfigurationInfo`).
    pub struct CoinServers {
        /// All servers.
        pub servers: Rows<CoinServer>,
        /// Servers not tried yet.
        #[serde(default)]
        pub remaining_servers: Rows<CoinServer>,
        /// Servers that failed.
        #[serde(default)]
        pub useless_servers: Rows<CoinServer>,
    }

    /// One coin server (class `ServerInfo`).
    pub struct CoinServer {
        /// Mean response time in milliseconds.
        pub average_response_time: i64,
        /// The host name.
        pub host_name: String,
        /// The port.
        pub port: u16,
        /// `SSL` or `TCP`.
        #[serde(deserialize_with = "crate::answer::read_code")]
        pub connection_type: String,
        /// Whether the server is in use.
        pub is_current: bool,
    }

    /// A trade bot that is online (class `TradePresenceData`).
    pub struct TradePresence {
        /// The end of the presence, by the network's time.
        pub timestamp: Timestamp,
        /// The address that the trade bot of a seller or a buyer uses for this trade.
        pub trade_address: Address,
        /// The automated transaction of the trade.
        pub at_address: Option<Address>,
    }
}

options! {
    /// A filter for completed trades. Absent fields do not restrict it.
    #[derive(Debug, Clone, Default)]
    pub struct TradeFilter {
        /// Paid in the coin of this blockchain.
        blockchain: Option<Blockchain> => into with_blockchain,
        /// Only trades completed at this time or later, which may be before the chain began. Without it, the Core reads all trades.
        since: Option<Timestamp> => into with_since,
        /// Bought with this key.
        buyer: Option<PublicKey> => into with_buyer,
        /// Sold with this key.
        seller: Option<PublicKey> => into with_seller,
    }
}

impl TradeFilter {
    /// The call for them, from any moment on.
    fn call(&self) -> Call {
        Call::to(Endpoint::Trades)
            .blockchain("foreignBlockchain", self.blockchain.as_ref())
            .query_if("buyerPublicKey", self.buyer)
            .query_if("sellerPublicKey", self.seller)
    }
}

/// The direction of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PriceOf {
    /// QORT for one foreign coin.
    ForeignCoin,
    /// Foreign coin for one QORT.
    Qort,
}

impl Record for CoinServers {
    fn left_out(&self) -> LeftOut {
        let lists = [&self.remaining_servers, &self.useless_servers];
        let left_out = lists.map(|it| it.left_out.clone());
        left_out
            .into_iter()
            .fold(self.servers.left_out.clone(), LeftOut::and)
    }
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

/// The beginning of the header line of the CSV of `CrossChainTradeLedger`.
const LEDGER_HEAD: &str = "Market,";

impl Node {
    /// Returns open offers by the time they were made.
    ///
    /// Paging is unreliable. The Core applies limit and offset to the automated transactions of each contract type **before** it
    /// removes closed ones, and applies the limit again to all. A small limit misses offers, and pages overlap. Request 100, the
    /// Core's maximum, and filter the result.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the limit is above 100.
    #[doc(alias = "/crosschain/tradeoffers")]
    pub fn trade_offers(
        &self,
        blockchain: Option<&Blockchain>,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<Trade>> {
        let call = Call::to(Endpoint::TradeOffers).blockchain("foreignBlockchain", blockchain);
        self.list(call.page(page))
    }

    /// Returns all open offers by the time they were made.
    ///
    /// This request has no limit, because the Core's limit misses offers (see [`trade_offers`](Self::trade_offers)). There are at
    /// most a few hundred offers, which fit into the size limit of a response.
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
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/tradeoffers")]
    pub fn all_trade_offers(&self, blockchain: Option<&Blockchain>) -> NodeFuture<'_, Vec<Trade>> {
        let call = Call::to(Endpoint::TradeOffers).blockchain("foreignBlockchain", blockchain);
        self.list(call)
    }

    /// Opens a socket that receives the online presence of traders: all presences first, and then each new or extended one. Expiry
    /// is never reported, so compare a presence's time with the network time from [`info`](Self::info).
    ///
    /// The Core also has a socket for trade offers. It omits trades that end in a block which the node minted itself or received
    /// together with later blocks, so [`block_socket`](Self::block_socket) is the better signal for changes.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/websockets/crosschain/tradepresence")]
    pub fn trade_presence_socket(&self) -> NodeFuture<'_, Socket<Vec<TradePresence>>> {
        self.open(Call::to(Endpoint::TradePresenceSocket))
    }

    /// Returns the offers that the node hides after repeated failures of buyers. The Core has no paging here.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/tradeoffers/hidden")]
    pub fn trade_offers_hidden(
        &self,
        blockchain: Option<&Blockchain>,
    ) -> NodeFuture<'_, Vec<Trade>> {
        let call =
            Call::to(Endpoint::TradeOffersHidden).blockchain("foreignBlockchain", blockchain);
        self.list(call)
    }

    /// Returns a trade in any state by the address of its automated transaction.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`ADDRESS_UNKNOWN`](crate::ApiError::ADDRESS_UNKNOWN) if there is none,
    /// [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if it is not a trade.
    #[doc(alias = "/crosschain/trade/{ataddress}")]
    pub fn trade(&self, at_address: &Address) -> NodeFuture<'_, Trade> {
        self.json(Call::to(Endpoint::Trade).with(at_address))
    }

    /// Returns completed trades by time. The Core applies limit and offset to each contract type before it merges the lists. With
    /// several types, only a page that begins at the first trade is correct.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`INVALID_CRITERIA`](crate::ApiError::INVALID_CRITERIA) if the limit is above 100.
    #[doc(alias = "/crosschain/trades")]
    pub fn trades(
        &self,
        filter: &TradeFilter,
        page: PageRequest,
    ) -> NodeFuture<'_, Vec<CompletedTrade>> {
        let (call, since) = (filter.call(), filter.since);
        Box::pin(async move {
            let bound = self.minimum_timestamp(since).await?;
            self.list(call.query_if("minimumTimestamp", bound).page(page))
                .await
        })
    }

    /// Returns all trades that match the filter, by time.
    ///
    /// The request has no limit, because the Core applies limit and offset to each contract type before it merges the lists, so no
    /// sequence of pages is complete. The filter's time and the size limit of a response bound the request.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/trades")]
    pub fn all_trades(&self, filter: &TradeFilter) -> NodeFuture<'_, Vec<CompletedTrade>> {
        let (call, since) = (filter.call(), filter.since);
        Box::pin(async move {
            let bound = self.minimum_timestamp(since).await?;
            self.list(call.query_if("minimumTimestamp", bound)).await
        })
    }

    /// The `minimumTimestamp` that asks for what happened at a moment or later.
    ///
    /// The Core turns it into the newest block that is not later, and begins with the block after that; so a moment is asked
    /// for as the millisecond before it. Before the second block it finds no block, and answers as if nothing had ever
    /// happened (`CrossChainResource.getCompletedTrades`), so that the time of that block is the earliest that is asked for.
    async fn minimum_timestamp(&self, since: Option<Timestamp>) -> Result<Option<i64>, NodeError> {
        let Some(since) = since else {
            return Ok(None);
        };
        let before = since.millis().saturating_sub(1).max(1);
        let earliest = self.second_block_time().await?;
        Ok(Some(earliest.map_or(before, |it| before.max(it.millis()))))
    }

    /// Returns the mean price of recent trades: at least five trades over at least four hours, and at most `max_trades`, by default
    /// ten.
    ///
    /// # Errors
    ///
    /// Returns an error with a bare status 500 if there was no trade for that coin at all.
    #[doc(alias = "/crosschain/price/{blockchain}")]
    pub fn trade_price(
        &self,
        blockchain: &Blockchain,
        of: PriceOf,
        max_trades: Option<NonZeroU32>,
    ) -> NodeFuture<'_, Amount> {
        let call = Call::to(Endpoint::TradePrice)
            .with_blockchain(blockchain)
            .query_if("maxtrades", max_trades)
            .query_flag("inverse", of == PriceOf::Qort);
        self.plain(call, Answer::units)
    }

    /// Returns the trades of one key as CSV with a header line, as for a tax declaration. Without a time, it returns all trades,
    /// and otherwise trades completed at that time or later. This request is slow.
    ///
    /// The node fails with a bare status 500 unless all its coin wallets are enabled.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/ledger/{publicKey}")]
    pub fn trade_ledger(
        &self,
        public_key: &PublicKey,
        since: Option<Timestamp>,
    ) -> NodeFuture<'_, String> {
        let call = Call::to(Endpoint::TradeLedger).with(public_key);
        Box::pin(async move {
            let bound = self.minimum_timestamp(since).await?;
            let answer = self.ask(call.query_if("minimumTimestamp", bound)).await?;
            let csv = answer.text_with_head(LEDGER_HEAD, "a CSV ledger")?;
            Ok(csv.to_owned())
        })
    }

    /// Returns the node's support for a coin.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/{coin}/status")]
    pub fn coin_status(&self, blockchain: &Blockchain) -> NodeFuture<'_, CoinStatus> {
        self.json(coin(Endpoint::CoinStatus, blockchain))
    }

    /// Returns the height of the foreign blockchain. The node queries a coin server for it.
    ///
    /// # Errors
    ///
    /// Returns an error with code [`FOREIGN_BLOCKCHAIN_NETWORK_ISSUE`](crate::ApiError::FOREIGN_BLOCKCHAIN_NETWORK_ISSUE) if no
    /// coin server responds, or with a bare status 500 if the coin is disabled.
    #[doc(alias = "/crosschain/{coin}/height")]
    pub fn coin_height(&self, blockchain: &Blockchain) -> NodeFuture<'_, u64> {
        let call = coin(Endpoint::CoinHeight, blockchain);
        self.plain(call, |it| it.value("a whole number"))
    }

    /// Returns the coin servers in the node's list.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/{coin}/serverinfos")]
    pub fn coin_servers(&self, blockchain: &Blockchain) -> NodeFuture<'_, CoinServers> {
        self.record(coin(Endpoint::CoinServers, blockchain))
    }

    /// Returns the foreign fee that the node pays per 1,000 bytes.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/{coin}/feekb")]
    pub fn coin_fee_per_kb(&self, blockchain: &Blockchain) -> NodeFuture<'_, Amount> {
        self.plain(coin(Endpoint::CoinFeePerKb, blockchain), Answer::units)
    }

    /// Returns the foreign fee that the node requires of buyers.
    ///
    /// # Errors
    ///
    /// Returns an error as described in [`NodeError`](crate::NodeError).
    #[doc(alias = "/crosschain/{coin}/feerequired")]
    pub fn coin_fee_required(&self, blockchain: &Blockchain) -> NodeFuture<'_, Amount> {
        self.plain(coin(Endpoint::CoinFeeRequired, blockchain), Answer::units)
    }
}

/// The endpoints of a coin: their path contains one of six known segments.
fn coin(endpoint: Endpoint, blockchain: &Blockchain) -> Call {
    let call = Call::to(endpoint);
    match blockchain.path_segment() {
        Some(segment) => call.with(segment),
        None => call.with("unknown").refuse("coin", UNKNOWN_BLOCKCHAIN),
    }
}
