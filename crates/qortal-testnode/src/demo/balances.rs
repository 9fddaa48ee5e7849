//! Who has how much in the demo: what all transactions together come to, and what minting brought.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::assets::exchanged;
use super::minting::earnings;
use super::people::person;
use crate::chain::{Row, amount_text};

/// Units of 10⁻⁸ by address and asset.
type Balances = BTreeMap<(String, i64), i64>;

/// The table of balances, without those of nothing.
pub(super) fn rows(transactions: &[Value], assets: &[Value]) -> Vec<Value> {
    let mut balances = Balances::new();
    let mut fees = 0;
    for row in transactions.iter().filter(|row| is_done(row)) {
        fees += row.amount("fee");
        apply(&mut balances, row);
    }
    for (who, asset, units) in exchanged() {
        add(&mut balances, &person(who).address, asset, units);
    }
    for (minter, units) in earnings(fees) {
        add(&mut balances, &minter.address, 0, units);
    }
    let name = |id: i64| {
        let mut assets = assets.iter();
        let asset = assets.find(|asset| asset.number("assetId") == id);
        asset.map_or("", |asset| asset.text("name")).to_owned()
    };
    let row = |((address, asset), units): ((String, i64), i64)| {
        json!({
            "address": address,
            "assetId": asset,
            "balance": amount_text(units),
            "assetName": name(asset),
        })
    };
    let some = balances.into_iter().filter(|(_, units)| *units != 0);
    some.map(row).collect()
}

/// Whether a transaction has moved anything yet.
fn is_done(row: &Value) -> bool {
    row.number("blockHeight") > 0 && row.text("approvalStatus") != "PENDING"
}

fn add(balances: &mut Balances, address: &str, asset: i64, units: i64) {
    *balances.entry((address.to_owned(), asset)).or_default() += units;
}

/// What a transaction takes and gives. What orders of the exchange do is told with the assets.
fn apply(balances: &mut Balances, row: &Value) {
    let (creator, amount) = (row.text("creatorAddress"), row.amount("amount"));
    add(balances, creator, 0, -row.amount("fee"));
    let asset = row.number("assetId");
    match row.text("type") {
        "GENESIS" => add(balances, row.text("recipient"), asset, amount),
        "PAYMENT" | "TRANSFER_ASSET" => {
            add(balances, creator, asset, -amount);
            add(balances, row.text("recipient"), asset, amount);
        }
        "DEPLOY_AT" => {
            add(balances, creator, asset, -amount);
            add(balances, row.text("aTAddress"), asset, amount);
        }
        "AT" => {
            add(balances, row.text("atAddress"), asset, -amount);
            add(balances, row.text("recipient"), asset, amount);
        }
        "BUY_NAME" => {
            add(balances, creator, 0, -amount);
            add(balances, row.text("seller"), 0, amount);
        }
        "ISSUE_ASSET" => add(balances, creator, asset, row.amount("quantity")),
        _ => {}
    }
}
