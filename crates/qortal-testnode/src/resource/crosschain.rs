//! `/crosschain`: trade offers, trades and the coins (`CrossChainResource` and the coins' own resources).

use serde_json::{Value, json};

use crate::{
    codec,
    resource::{
        ApiError, Body, Endpoint, Paging, Refusal, Request, Row, State, Table, blockchain_name,
        empty_list, fits, list, no_rows, refuse_if,
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/crosschain/tradeoffers", offers),
    Endpoint::get("/crosschain/tradeoffers/hidden", hidden_offers),
    Endpoint::get("/crosschain/trade/{ataddress}", trade),
    Endpoint::get("/crosschain/trades", trades),
    Endpoint::get("/crosschain/signedfees", no_rows),
    Endpoint::get("/crosschain/unsignedfees/{address}", no_rows),
    Endpoint::get(
        "/crosschain/htlc/address/{blockchain}/{refundPKH}/{locktime}/{redeemPKH}/{hashOfSecret}",
        htlc_address,
    ),
    Endpoint::get(
        "/crosschain/htlc/status/{blockchain}/{refundPKH}/{locktime}/{redeemPKH}/{hashOfSecret}",
        htlc_status,
    ),
    Endpoint::get("/crosschain/{coin}/status", coin_status),
    Endpoint::get("/crosschain/{coin}/height", coin_height),
    Endpoint::get("/crosschain/{coin}/serverinfos", coin_servers),
    Endpoint::get(
        "/crosschain/{coin}/serverconnectionhistory",
        coin_connections,
    ),
    Endpoint::get("/crosschain/{coin}/feekb", coin_fee),
    Endpoint::get("/crosschain/{coin}/feerequired", coin_fee),
];

/// The foreign blockchains: name, currency code, and the segment of their own resource (`SupportedBlockchain`).
pub(crate) const BLOCKCHAINS: [(&str, &str, &str); 6] = [
    ("BITCOIN", "BTC", "btc"),
    ("LITECOIN", "LTC", "ltc"),
    ("DOGECOIN", "DOGE", "doge"),
    ("DIGIBYTE", "DGB", "dgb"),
    ("RAVENCOIN", "RVN", "rvn"),
    ("PIRATECHAIN", "ARRR", "arrr"),
];

/// The kinds of trading ATs, in the order of the Core's table of code hashes.
pub(super) const ACCTS: [&str; 9] = [
    "BitcoinACCTv1",
    "BitcoinACCTv3",
    "LitecoinACCTv1",
    "LitecoinACCTv3",
    "DogecoinACCTv1",
    "DogecoinACCTv3",
    "DigibyteACCTv3",
    "RavencoinACCTv3",
    "PirateChainACCTv3",
];

/// Returns the blockchain that a request filters by. A name unknown to the Core has no effect and causes no error.
pub(super) fn blockchain_filter(request: &Request) -> Option<&'static str> {
    blockchain_name(request.text("foreignBlockchain")?)
}

fn is_on(row: &Value, blockchain: Option<&str>) -> bool {
    fits(blockchain, row.at("trade").text("foreignBlockchain"))
}

/// Returns open offers. Offset and limit are applied for each kind of AT to all that still run, before ATs without an offer are removed.
/// The limit is applied again to the result (`getExecutableATs`).
fn offers(state: &State, request: &Request) -> Result<Body, Refusal> {
    let blockchain = blockchain_filter(request);
    let paging = Paging::bounded(request)?;
    let mut rows = Vec::new();
    for acct in ACCTS {
        let mut running = state.chain.trades.matching(|row| {
            let trade = row.at("trade");
            let is_running = ["OFFERING", "TRADING"].contains(&trade.text("mode"));
            is_on(row, blockchain) && trade.text("acctName") == acct && is_running
        });
        running.sort_by_cached_key(|row| row.at("trade").number("creationTimestamp"));
        rows.extend(paging.apply(running));
    }
    rows.retain(|row| row.at("trade").text("mode") == "OFFERING" && !row.flag("hidden"));
    rows.sort_by_cached_key(|row| row.at("trade").number("creationTimestamp"));
    let paging = paging.without_offset();
    paging.list_of(rows, |row| row.at("trade").clone())
}

fn hidden_offers(state: &State, request: &Request) -> Result<Body, Refusal> {
    let blockchain = blockchain_filter(request);
    if state.network_time().is_none() {
        return empty_list();
    }
    let trades = state.chain.trades.iter();
    let hidden = trades.filter(|row| row.flag("hidden") && is_on(row, blockchain));
    list(hidden.map(|row| row.at("trade").clone()))
}

/// Returns a trade in any state. A non-trading AT is a different error than an unknown one.
fn trade(state: &State, request: &Request) -> Result<Body, Refusal> {
    let address = request.capture("ataddress");
    let mut trades = state.chain.trades.iter().map(|row| row.at("trade"));
    if let Some(trade) = trades.find(|trade| trade.text("qortalAtAddress") == address) {
        return Ok(Body::Json(trade.clone()));
    }
    let mut ats = state.chain.ats.iter().map(|row| row.at("at"));
    let is_at = ats.any(|at| at.text("ATAddress") == address);
    refuse_if(is_at, ApiError::INVALID_CRITERIA)?;
    Err(ApiError::ADDRESS_UNKNOWN.into())
}

/// Returns a public key from the query as an address. An empty one counts as absent.
fn key_filter(request: &Request, name: &str) -> Result<Option<String>, Refusal> {
    let address = |text| {
        let key = codec::public_key(text).ok_or(ApiError::INVALID_PUBLIC_KEY)?;
        Ok(codec::address_of(&key))
    };
    request.text(name).map(address).transpose()
}

/// Returns completed trades. Limit and offset apply to each kind of AT, and the limit again to the result.
fn trades(state: &State, request: &Request) -> Result<Body, Refusal> {
    let blockchain = blockchain_filter(request);
    let paging = Paging::bounded(request)?;
    let since = since(state, request)?;
    let (buyer, seller) = (
        key_filter(request, "buyerPublicKey")?,
        key_filter(request, "sellerPublicKey")?,
    );
    let mut rows = Vec::new();
    for acct in ACCTS {
        let mut completed: Vec<&Value> = completed(state, blockchain);
        completed.retain(|row| {
            row.at("trade").text("acctName") == acct
                && since.includes(row)
                && fits(buyer.as_deref(), receiver(row))
                && fits(seller.as_deref(), row.at("trade").text("qortalCreator"))
        });
        rows.extend(paging.apply(completed));
    }
    rows.sort_by_cached_key(|row| row.number("completed"));
    paging.without_offset().list_of(rows, |row| {
        let trade = row.at("trade");
        json!({
            "tradeTimestamp": row.at("completed"),
            "qortAmount": trade.at("qortAmount"),
            "btcAmount": trade.at("expectedForeignAmount"),
            "foreignAmount": trade.at("expectedForeignAmount"),
            "atAddress": trade.at("qortalAtAddress"),
            "sellerAddress": trade.at("qortalCreator"),
            "buyerReceivingAddress": trade.at("qortalPartnerReceivingAddress"),
        })
    })
}

/// The effect of `minimumTimestamp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// No filter: every trade.
    Ever,
    /// Trades that were completed in blocks after this time.
    After(i64),
    /// No trades: the time is before block 2, and the Core finds no block for it (`getHeightFromTimestamp`).
    BeforeChain,
}

impl Since {
    pub(super) fn includes(self, row: &Value) -> bool {
        match self {
            Self::Ever => true,
            Self::After(time) => row.number("completed") > time,
            Self::BeforeChain => false,
        }
    }
}

/// Parses `minimumTimestamp`, which the Core converts to the height of the newest block at or before it.
pub(super) fn since(state: &State, request: &Request) -> Result<Since, Refusal> {
    let Some(time) = request.long("minimumTimestamp")? else {
        return Ok(Since::Ever);
    };
    refuse_if(time <= 0, ApiError::INVALID_CRITERIA)?;
    let second = state.chain.block(2);
    let is_known = second.is_some_and(|block| block.timestamp() <= time);
    Ok(if is_known {
        Since::After(time)
    } else {
        Since::BeforeChain
    })
}

/// Returns redeemed trades, the oldest first.
pub(super) fn completed<'state>(
    state: &'state State,
    blockchain: Option<&str>,
) -> Vec<&'state Value> {
    let trades = &state.chain.trades;
    let mut rows = trades.matching(|row| row.number("completed") > 0 && is_on(row, blockchain));
    rows.sort_by_cached_key(|row| row.number("completed"));
    rows
}

/// Returns the recipient of a trade's QORT.
pub(super) fn receiver(row: &Value) -> &str {
    row.at("trade").text("qortalPartnerReceivingAddress")
}

/// Returns the recorded address of one contract. Creating others would require the coins' own code.
fn htlc_address(state: &State, request: &Request) -> Result<Body, Refusal> {
    let blockchain = request.capture("blockchain");
    if !BLOCKCHAINS.iter().any(|(known, _, _)| *known == blockchain) {
        return Err(Refusal::CRASH);
    }
    request.capture_int("locktime")?;
    for name in ["refundPKH", "redeemPKH", "hashOfSecret"] {
        let bytes = codec::base58_decode(request.capture(name));
        if bytes.is_none_or(|bytes| bytes.len() != 20) {
            return Err(ApiError::INVALID_PUBLIC_KEY.into());
        }
    }
    let recorded = state.chain.facts.rows("htlcAddresses");
    let address = recorded.row("path", &request.path);
    let address = address.ok_or(ApiError::INVALID_CRITERIA)?;
    Ok(Body::Text(address.text("address").to_owned()))
}

/// Requires the API key, and then a coin server that this node does not have.
fn htlc_status(state: &State, request: &Request) -> Result<Body, Refusal> {
    state.require_key(request)?;
    Err(ApiError::FOREIGN_NETWORK.into())
}

/// Returns the coin in the path. Any other segment is an unknown path of the Core.
fn coin(request: &Request) -> Result<&str, Refusal> {
    let coin = request.capture("coin");
    let is_known = BLOCKCHAINS.iter().any(|(_, _, segment)| *segment == coin);
    is_known.then_some(coin).ok_or(Refusal::Page(404))
}

/// Returns the node's data on the network of the coin in the path. The recorded node had no coin servers.
fn network<'state>(
    state: &'state State,
    request: &Request,
    what: &str,
) -> Result<Option<&'state Value>, Refusal> {
    let coin = coin(request)?;
    Ok(state.chain.facts.at("coins").at(coin).get(what))
}

fn coin_status(state: &State, request: &Request) -> Result<Body, Refusal> {
    let none = || json!({"enabled": true, "connectedServers": 0, "knownServers": 0});
    let status = network(state, request, "status")?;
    Ok(Body::Json(status.cloned().unwrap_or_else(none)))
}

fn coin_height(state: &State, request: &Request) -> Result<Body, Refusal> {
    let height = network(state, request, "height")?;
    Ok(Body::Scalar(
        height.ok_or(ApiError::FOREIGN_NETWORK)?.to_string(),
    ))
}

fn coin_servers(state: &State, request: &Request) -> Result<Body, Refusal> {
    let none = || json!({"servers": [], "remainingServers": [], "uselessServers": []});
    let servers = network(state, request, "servers")?;
    Ok(Body::Json(servers.cloned().unwrap_or_else(none)))
}

fn coin_connections(_: &State, request: &Request) -> Result<Body, Refusal> {
    coin(request)?;
    empty_list()
}

/// Returns the recorded fee of the coin in the path. Coins without one return Litecoin's, from which most were copied.
fn coin_fee(state: &State, request: &Request) -> Result<Body, Refusal> {
    let fees = state.chain.facts.at("coinFees");
    let fees = fees.get(coin(request)?).unwrap_or(fees.at("ltc"));
    let kind = request.segments().last().map_or("", String::as_str);
    Ok(Body::Scalar(fees.number(kind).to_string()))
}
