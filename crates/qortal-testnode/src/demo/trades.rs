//! The deals of the demo as the Core answers them: trades, their automated transactions, and who is online.

use serde_json::{Value, json};

use super::Demo;
use super::deals::{Deal, RESERVE, State, deals};
use super::draw::{Kind, digest, hash160, wide};
use super::people::person;
use super::time::{HOUR, MINUTE};
use crate::chain::{Row, amount_text};
use crate::resource::BLOCKCHAINS;

/// How long a trade bot counts as online after it has said so.
pub(super) const ONLINE_FOR: i64 = 30 * MINUTE;
/// Until when the trade bot of the buyer counts as online.
pub(super) const BUYER_ONLINE: &str = "partnerPresenceExpiry";
/// Minutes for which a buyer may lock coins, and blocks after which the QORT go back.
const TRADE_TIMEOUT: i64 = 1_440;
const REFUND_TIMEOUT: i64 = 720;
/// The receiver on the chain of Pirate Chain is longer than a hash of a key.
const SHIELDED: &str = "sicptkmRUZRQts3Tdd8XQLbhruWNwYzqmFsrgdHHC84zx";

/// Kinds of contracts with the hashes of their code, from the recordings.
const CODES: [(&str, &str); 6] = [
    (
        "LitecoinACCTv3",
        "4KdJETRAdymE7dodDmJbf5d9L1bp4g5Nxky8m47TBkvA",
    ),
    (
        "BitcoinACCTv3",
        "7xmoVpA6aR7cm7E9XZXAz3BRMQufdkTiku5CGxouFjcT",
    ),
    (
        "DogecoinACCTv3",
        "FTe4QDjNre2vRrGJQLKgfNdVYahvbd8CnVdhir9Zk7D",
    ),
    (
        "DigibyteACCTv3",
        "GXPEHes39dxiasWDSAZXyhGjaT44LKvZ7cJnHYgBYtng",
    ),
    (
        "RavencoinACCTv3",
        "Amtrk89znaGrHqsRqtEhEKQZzKfbWAHdetB5SSN8cYL6",
    ),
    (
        "PirateChainACCTv3",
        "HyKCg5oiwMKkRrZKk1e5gET27kfrEVUwCNXGQALXqg9x",
    ),
];
/// An automated transaction that trades nothing, which an example names.
const FROZEN: &str = "AJ9ZYkb9yDmNtbU6zA2nuTzEaTNyQ6BBpE";
const FROZEN_CODE: &str = "DYWeWw9A13tMr7soyYRVVinY2tRACFGcGLrKLfFsEqUh";

/// The currency code of a blockchain.
pub(super) fn symbol(blockchain: &str) -> &'static str {
    let mut known = BLOCKCHAINS.iter();
    known
        .find(|(name, _, _)| *name == blockchain)
        .map_or("", |(_, code, _)| code)
}

pub(super) fn rows(demo: Demo) -> Vec<Value> {
    deals().iter().map(|deal| row(demo, deal)).collect()
}

fn row(demo: Demo, deal: &Deal) -> Value {
    let key_hash = match deal.blockchain {
        "PIRATECHAIN" => SHIELDED.to_owned(),
        _ => hash160(Kind::TradeKey, wide(deal.seller)),
    };
    let held = match deal.has_ended() {
        true => 0,
        false => deal.qort + RESERVE,
    };
    let mut trade = json!({
        "qortalAtAddress": deal.contract,
        "qortalCreator": person(deal.seller).address,
        "qortalCreatorTradeAddress": deal.trade_address(),
        "creatorBitcoinPKH": key_hash,
        "creatorForeignPKH": key_hash,
        "creationTimestamp": demo.before(deal.offered),
        "tradeTimeout": TRADE_TIMEOUT,
        "qortBalance": amount_text(held),
    });
    let (mode, partner) = match deal.state {
        State::Offering(_) | State::Hidden => ("OFFERING", None),
        State::Cancelled(_) => ("CANCELLED", Some(no_buyer())),
        State::Trading(ago) => ("TRADING", Some(buyer(demo, deal, ago))),
        State::Redeemed(ago) => ("REDEEMED", Some(buyer(demo, deal, ago + 20 * MINUTE))),
        State::Refunded(ago) => ("REFUNDED", Some(buyer(demo, deal, ago + 12 * HOUR))),
    };
    let of = |name: &str| partner.as_ref().and_then(|it| it.get(name)).cloned();
    let mut put = |name: &str, value: Option<Value>| {
        if let (Some(members), Some(value)) = (trade.as_object_mut(), value) {
            members.insert(name.to_owned(), value);
        }
    };
    put("hashOfSecretA", of("hashOfSecretA"));
    put("qortAmount", Some(amount_text(deal.qort).into()));
    for name in ["qortalPartnerAddress", "refundTimeout", "tradeRefundHeight"] {
        put(name, of(name));
    }
    put("expectedBitcoin", Some(amount_text(deal.foreign).into()));
    put(
        "expectedForeignAmount",
        Some(amount_text(deal.foreign).into()),
    );
    put("mode", Some(mode.into()));
    for name in ["lockTimeA", "partnerBitcoinPKH", "partnerForeignPKH"] {
        put(name, of(name));
    }
    if mode == "REDEEMED" {
        put("qortalPartnerReceivingAddress", of("qortalPartnerAddress"));
    }
    put("foreignBlockchain", Some(deal.blockchain.into()));
    put("acctName", Some(deal.acct.into()));
    if matches!(deal.state, State::Offering(true) | State::Trading(_)) {
        put("creatorPresenceExpiry", Some(online_until(demo).into()));
    }
    if matches!(deal.state, State::Trading(_)) {
        put(BUYER_ONLINE, Some(online_until(demo).into()));
    }
    let row = json!({"trade": trade});
    match deal.state {
        State::Redeemed(ago) => row.with("completed", demo.block_time_after(ago)),
        State::Hidden => row.with("hidden", true),
        _ => row,
    }
}

/// Until when those who are online now count as online.
fn online_until(demo: Demo) -> i64 {
    (demo.start + ONLINE_FOR).div_euclid(MINUTE) * MINUTE
}

/// What the contract knows of the buyer, from the time on at which it was told.
fn buyer(demo: Demo, deal: &Deal, ago: i64) -> Value {
    let key_hash = hash160(Kind::Deal, wide(deal.buyer));
    let lock_time = demo.before(ago) + TRADE_TIMEOUT * MINUTE;
    json!({
        "hashOfSecretA": hash160(Kind::Contract, deal.place),
        "qortalPartnerAddress": person(deal.buyer).address,
        "refundTimeout": REFUND_TIMEOUT,
        "tradeRefundHeight": demo.height_after(ago) + REFUND_TIMEOUT,
        "lockTimeA": lock_time.div_euclid(1_000),
        "partnerBitcoinPKH": key_hash,
        "partnerForeignPKH": key_hash,
    })
}

/// What it says if there was no buyer: zeros.
fn no_buyer() -> Value {
    json!({
        "hashOfSecretA": "11111111111111111111",
        "qortalPartnerAddress": "1111111111111111111111111",
        "refundTimeout": 0,
        "tradeRefundHeight": 0,
        "lockTimeA": 0,
        "partnerBitcoinPKH": "11111111111111111111",
        "partnerForeignPKH": "11111111111111111111",
    })
}

/// Which trade bots are online.
pub(super) fn presences(demo: Demo) -> Vec<Value> {
    let online = deals()
        .iter()
        .filter(|it| matches!(it.state, State::Offering(true) | State::Trading(_)));
    let row = |deal: &Deal| {
        json!({
            "timestamp": online_until(demo),
            "publicKey": digest(Kind::TradeKey, deal.place),
            "atAddress": deal.contract,
            "tradeAddress": deal.trade_address(),
        })
    };
    online.map(row).collect()
}

/// The automated transactions.
pub(super) fn ats(demo: Demo) -> Vec<Value> {
    let first = json!({
        "at": {
            "ATAddress": FROZEN,
            "creatorPublicKey": person(super::people::VICTOR).key,
            "creation": demo.before(200 * 24 * HOUR),
            "version": 2,
            "assetId": 0,
            "codeBytes": "i",
            "codeHash": FROZEN_CODE,
            "isSleeping": false,
            "isFinished": false,
            "hadFatalError": false,
            "isFrozen": true,
            "frozenBalance": "0.00000000",
        },
        "atName": "-",
    });
    let row = |deal: &Deal| {
        let is_asleep = matches!(deal.state, State::Offering(_) | State::Hidden);
        let code = CODES.iter().find(|(acct, _)| *acct == deal.acct);
        let row = json!({
            "at": {
                "ATAddress": deal.contract,
                "creatorPublicKey": person(deal.seller).key,
                "creation": demo.before(deal.offered),
                "version": 2,
                "assetId": 0,
                // The code of a kind of contract stands behind its hash; here is a short text instead.
                "codeBytes": crate::codec::base58_encode(deal.acct.as_bytes()),
                "codeHash": code.map(|(_, hash)| hash),
                "isSleeping": is_asleep,
                "isFinished": deal.has_ended(),
                "hadFatalError": false,
                "isFrozen": false,
            },
        });
        match deal.has_ended() {
            true => row,
            false => row.with("atName", deal.acct),
        }
    };
    std::iter::once(first)
        .chain(deals().iter().map(row))
        .collect()
}
