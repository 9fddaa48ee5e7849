//! `/crosschain/price` and `/crosschain/ledger`: prices and a ledger of the completed trades.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::Value;

use crate::{
    clock::{file_date, ledger_date},
    codec,
    resource::{
        ApiError, Body, Endpoint, Refusal, Request, Row, State, attachment,
        crosschain::{ACCTS, BLOCKCHAINS, Since, completed, receiver, since},
    },
};

pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint::get("/crosschain/price/{blockchain}", price),
    Endpoint::get("/crosschain/ledger/{publicKey}", ledger),
];

/// Default number of trades per kind of contract in a price.
const DEFAULT_TRADES: i64 = 10;

/// Returns the average of the newest trades as an integer × 10⁸: QORT for one coin, or coins for one QORT with `inverse`. Without any
/// trade, the Core divides by zero.
fn price(state: &State, request: &Request) -> Result<Body, Refusal> {
    let blockchain = request.capture("blockchain");
    if !BLOCKCHAINS.iter().any(|(known, _, _)| *known == blockchain) {
        return Err(ApiError::INVALID_CRITERIA.into());
    }
    let asked = request.int("maxtrades")?;
    let most = usize::try_from(asked.unwrap_or(DEFAULT_TRADES)).unwrap_or(0);
    // The newest of each kind of contract, of which two with equal timestamps count once. A number in the request also limits the sum of
    // all kinds.
    let trades = completed(state, Some(blockchain));
    let mut by_time: BTreeMap<i64, &Value> = BTreeMap::new();
    for acct in ACCTS {
        let of_kind = trades.iter().rev();
        let of_kind = of_kind.filter(|row| row.at("trade").text("acctName") == acct);
        by_time.extend(
            of_kind
                .take(most)
                .map(|row| (row.number("completed"), *row)),
        );
    }
    let most = asked.map_or(usize::MAX, |_| most);
    let newest = by_time.into_values().rev().take(most);
    let (mut qort, mut foreign) = (0_i128, 0_i128);
    for row in newest {
        qort += i128::from(row.at("trade").amount("qortAmount"));
        foreign += i128::from(row.at("trade").amount("expectedForeignAmount"));
    }
    let (dividend, divisor) = if request.flag("inverse") {
        (foreign, qort)
    } else {
        (qort, foreign)
    };
    let price = (dividend * 100_000_000)
        .checked_div(divisor)
        .ok_or(Refusal::CRASH)?;
    Ok(Body::Scalar(price.to_string()))
}

/// Returns all trades of a key as a CSV table for tax tools.
fn ledger(state: &State, request: &Request) -> Result<Body, Refusal> {
    let key =
        codec::public_key(request.capture("publicKey")).ok_or(ApiError::INVALID_PUBLIC_KEY)?;
    let since = since(state, request)?;
    if since == Since::BeforeChain {
        return Err(Refusal::CRASH);
    }
    let address = codec::address_of(&key);
    let mut text = String::from(
        "Market,Currency,Quantity,Commission Paid,Commission Currency,Total Price,Date Time,Exchange\n",
    );
    for row in completed(state, None) {
        if since.includes(row) {
            add_lines(&mut text, row, &address);
        }
    }
    let name = format!("ledger-{address}-{}", file_date(state.now()));
    Ok(attachment("text/csv;charset=iso-8859-1", &name, text))
}

/// Adds a line for the seller and one for the buyer, if they are `address`.
fn add_lines(text: &mut String, row: &Value, address: &str) {
    let trade = &row.at("trade");
    let blockchain = trade.text("foreignBlockchain");
    let currency = BLOCKCHAINS
        .iter()
        .find(|(name, _, _)| *name == blockchain)
        .map_or("", |(_, code, _)| code);
    let (qort, foreign) = (
        trade.text("qortAmount"),
        trade.text("expectedForeignAmount"),
    );
    let date = ledger_date(row.number("completed"));
    // Writing to a `String` cannot fail.
    if trade.text("qortalCreator") == address {
        let _ = writeln!(
            text,
            "{currency},QORT,{foreign},0.00000000,{currency},{qort},{date},Qortal"
        );
    }
    if receiver(row) == address {
        let _ = writeln!(
            text,
            "QORT,{currency},{qort},0.00000000,{currency},{foreign},{date},Qortal"
        );
    }
}
