//! The ledger of every account: what its transactions moved, and what blocks paid it.

use std::collections::{BTreeMap, BTreeSet};

use qortal_testnode::{Event, Scenario};
use qortal_types::Amount;
use serde_json::{Value, json};

use crate::{Chain, check, walk};

/// When the invented chain is asked.
const NOW: i64 = 1_795_370_000_000;

/// All accounts that have QORT.
async fn accounts(chain: &Chain) -> Vec<String> {
    let arguments = json!({"asset_ids": [0], "limit": 100});
    let rows = chain
        .rows("get_asset_balances", "balances", arguments)
        .await;
    let addresses = rows.iter().map(|it| it["address"].as_str().unwrap());
    let accounts = addresses.filter(|it| it.starts_with('Q'));
    accounts.map(str::to_owned).collect()
}

/// Those that blocks may have paid: minters, whether they mint any more or not, accounts that gave their privileges away, and the
/// recipients of shares.
async fn rewarded(chain: &Chain) -> BTreeSet<String> {
    let shares = json!({"limit": 100});
    let shares = chain
        .rows("list_reward_shares", "rewardShares", shares)
        .await;
    let minters = json!({"limit": 100});
    let minters = chain
        .rows("list_accounts_by_level", "accounts", minters)
        .await;
    let givers = json!({"tx_types": ["TRANSFER_PRIVS"]});
    let givers = chain
        .rows("search_transactions", "transactions", givers)
        .await;
    let fields = ["minter", "recipient", "address", "creatorAddress"];
    let rows = shares.iter().chain(&minters).chain(&givers);
    rows.flat_map(|row| fields.map(|field| row[field].clone()))
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect()
}

pub(crate) async fn ledger(chain: &Chain, address: &str) -> Value {
    let arguments = json!({"address": address, "limit": 1_000});
    chain.call("get_account_ledger", arguments).await.unwrap()
}

fn units(amount: &Value) -> i64 {
    let amount: Amount = amount.as_str().unwrap().parse().unwrap();
    amount.units()
}

/// The rewards, or why there are none.
fn rewards(ledger: &Value) -> String {
    let notes = ledger["notes"].as_array().unwrap();
    let mut refused = notes.iter().filter_map(Value::as_str);
    let refused = refused.find(|it| it.starts_with("Balances and rewards are left out: "));
    match refused {
        None => ledger["rewards"].as_str().unwrap().to_owned(),
        Some(why) => {
            for member in ["rewards", "openingBalance", "closingBalance"] {
                assert_eq!(ledger[member], Value::Null, "{ledger}");
            }
            why.to_owned()
        }
    }
}

/// All of its transactions are there, and balances are what they come to but for rewards (`demo/tests.rs` of the simulated node).
#[tokio::test]
async fn who_was_never_rewarded_has_what_its_transactions_brought() {
    let chain = Chain::of(Scenario::demo(NOW).frozen()).await;
    let rewarded = rewarded(&chain).await;
    let mut kinds = BTreeMap::new();
    for address in accounts(&chain)
        .await
        .into_iter()
        .filter(|it| walk::tries(it))
    {
        let ledger = ledger(&chain, &address).await;
        let paid = rewards(&ledger);
        if rewarded.contains(&address) {
            assert!(units(&json!(paid)) >= 0, "{address} {paid}");
        } else {
            assert_eq!(paid, "0.00000000", "{address}");
        }
        *kinds.entry(rewarded.contains(&address)).or_insert(0) += 1;
        if ledger["truncated"] == false {
            let sums = |member: &str, is: fn(&Value) -> bool| -> i64 {
                let rows = ledger["rows"].as_array().unwrap().iter();
                rows.filter(|it| is(it)).map(|it| units(&it[member])).sum()
            };
            let moved = sums("amount", |it| it["coin"] == "QORT") - sums("fee", |_| true);
            let closing = moved + units(&json!(paid));
            assert_eq!(units(&ledger["closingBalance"]), closing, "{address}");
            let balance = chain.call("get_balance", json!({"address": address})).await;
            assert_eq!(ledger["closingBalance"], balance.unwrap()["balance"]);
        }
    }
    assert!(kinds[&false] > 10 && kinds[&true] > 60, "{kinds:?}");
    chain.stop().await;
}

/// What blocks paid some accounts in all on the recorded chain: those whose transactions were all recorded, or are derived.
const REWARDS: &[(&str, &str)] = &[
    ("QTKMRnS1tNsUSYLW65BsDonsXvhCxTuYpW", "0.00000000"),
    ("QWTvdCV8aqXUVpZ6NsDbxxr323huQyeDaX", "0.00000000"),
    ("QQJUsqVVmvr3ETGMsuWWHK9dHjJDWS2Zsu", "0.00000000"),
    ("QTw4LDTA7rG5qz3VaCAk7qmxvMZc8umbXH", "0.00000000"),
    ("QYD4eZLe8P1SsrQgEEvNKzHYWmEMaDTn2Y", "0.00000000"),
    ("QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC", "0.00000000"),
    ("QRAyhrkP2e3qk7FgxosXcwATBJiaGgtTzh", "0.00000000"),
    ("QXvtLWWNRAcGbWXeYHUxT4ysomE92krWqt", "0.00000000"),
    ("QMm4tkDnJvzUE7oUWqQBAnssVLt6tFRg2n", "0.00000000"),
    ("QSsBRjKobUenghATsCnodVRfYGDACzreCC", "0.00000000"),
    // Levels 1 and 2 shared a part of each reward, 3 and 4 one that was twice as much.
    ("QYcV6dkg6D52ypATeDpnnHT9gD5R5rKRMi", "0.93800009"),
    ("QZj4pv9Dm4XarTu65EJiDqrTrZMxi67ApE", "0.93800009"),
    ("QTYWVYXcY8tRkHYtGj5gnwWkB159JY6Fsy", "1.87600024"),
    ("QMQiE3u4xPE4rkHwYYnDyyBRiwQqaLFdjP", "1.87600024"),
];

/// Of the 332 transactions of the recorded chain two thirds were recorded: where one is missing that cost a fee, the account has less than its
/// transactions brought, which is said.
#[tokio::test]
async fn of_the_recorded_accounts_rewards_are_said_or_why_not() {
    let chain = Chain::recorded().await;
    let (mut said, mut refused) = (0, BTreeMap::new());
    for address in accounts(&chain).await {
        let rewards = rewards(&ledger(&chain, &address).await);
        match REWARDS.iter().find(|(it, _)| *it == address) {
            Some((_, paid)) => {
                assert_eq!(rewards, *paid, "{address}");
                said += 1;
            }
            None => *refused.entry(rewards).or_insert(0) += 1,
        }
    }
    assert_eq!(said, REWARDS.len());
    let missing = refused
        .iter()
        .find(|(why, _)| why.contains("some are missing"));
    // The keys of 15 trades, each of whose messages cost 0.01 QORT, and four others.
    assert_eq!(missing.map(|it| *it.1), Some(19));
    chain.stop().await;
}

/// Balances at a moment between are known of an account that no block paid.
#[tokio::test]
async fn a_ledger_goes_on_from_one_range_to_the_next() {
    let chain = Chain::of(Scenario::demo(NOW).frozen()).await;
    let rewarded = rewarded(&chain).await;
    let mut compared = 0;
    for address in accounts(&chain)
        .await
        .iter()
        .filter(|it| !rewarded.contains(*it))
    {
        let of = async |range: Value| {
            let mut arguments = range;
            arguments["address"] = json!(address);
            chain.call("get_account_ledger", arguments).await.unwrap()
        };
        let all = ledger(&chain, address).await;
        let (earlier, later) = (
            of(json!({"before": "20d"})).await,
            of(json!({"after": "20d"})).await,
        );
        if all["rewards"] != "0.00000000" {
            continue;
        }
        assert_eq!(earlier["openingBalance"], "0.00000000");
        assert_eq!(
            earlier["closingBalance"], later["openingBalance"],
            "{address}"
        );
        assert_eq!(later["closingBalance"], all["closingBalance"]);
        let rows = [&earlier, &later].map(|it| it["total"].as_u64().unwrap());
        assert_eq!(all["total"], rows[0] + rows[1]);
        compared += u32::from(rows[0] > 0 && rows[1] > 0);
        if compared == 10 {
            break;
        }
    }
    assert_eq!(compared, 10);
    chain.stop().await;
}

#[tokio::test]
async fn get_account_ledger() {
    let cases = [
        (
            "received_only",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC"}),
        ),
        (
            "several_payments_in_one",
            json!({"address": "QNd8bKHAZyS1kGcdwBfNeQ7fqykshbw2qV"}),
        ),
        (
            "minter_of_a_day",
            json!({"address": "QZj4pv9Dm4XarTu65EJiDqrTrZMxi67ApE", "after": "2026-11-20T23:00Z"}),
        ),
        (
            "bought_and_sold_names",
            json!({"address": "chloe", "before": "height 45", "limit": 3}),
        ),
        (
            "csv",
            json!({"address": "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC", "format": "csv"}),
        ),
        (
            "automated_transaction",
            json!({"address": "AJzcRLUYQ8S2BzKksJpSx2S17DswCAcCbo"}),
        ),
    ];
    check("get_account_ledger", cases).await;
}

/// An account of the recorded chain that no block paid, and its balance.
pub(crate) const OSCAR: &str = "QTNkKMYELoQ2aHM2oWepDrzgspmRTRFJrC";
pub(crate) const OSCARS: i64 = 4_200_000_005;
const NULL_ACCOUNT: &str = "QdSnUy6sUiEnaN87dWmE92g1uQjrvPgrWG";

/// Adds a transaction of Oscar to a block, and what it does to the balance.
pub(crate) fn add_transaction(
    chain: &Chain,
    like: &str,
    number: u8,
    height: u32,
    but: Value,
    balance: i64,
) {
    let mut row = json!({
        "creatorAddress": OSCAR, "blockHeight": height, "fee": "0.01000000",
        "timestamp": 1_795_212_000_000_i64 + i64::from(height) * 60_000,
        "signature": bs58::encode([number; 64]).into_string(),
    });
    let but = but.as_object().unwrap().clone();
    row.as_object_mut().unwrap().extend(but);
    chain.node.apply(&Event::RowAdded {
        table: "transactions",
        like: json!({"type": like}),
        but: row,
    });
    let of_oscar = json!({"address": OSCAR, "assetId": 0});
    chain.node.apply(&Event::RowsRemoved {
        table: "balances",
        like: of_oscar,
    });
    let balance = Amount::from_units(balance).to_string();
    chain.node.apply(&Event::RowAdded {
        table: "balances",
        like: json!({"assetId": 0}),
        but: json!({"address": OSCAR, "balance": balance}),
    });
}

/// The rows of a ledger as `kind amount coin fee part`.
pub(crate) fn shown(ledger: &Value) -> Vec<String> {
    let rows = ledger["rows"].as_array().unwrap().iter();
    let row = |it: &Value| {
        let text = |field: &str| it[field].as_str().unwrap();
        let part = it["part"]
            .as_u64()
            .map_or_else(String::new, |it| format!(" {it}"));
        format!(
            "{} {} {} {}{part}",
            text("kind"),
            text("amount"),
            text("coin"),
            text("fee")
        )
    };
    rows.map(row).collect()
}

/// The fee is charged on one row of a multi-payment, its rows have identities, and an asset has one name in all of them.
#[tokio::test]
async fn a_ledger_charges_the_fee_of_a_multi_payment_once() {
    let chain = Chain::recorded().await;
    let payment = |asset: u32, amount: &str| json!({"recipient": NULL_ACCOUNT, "assetId": asset, "amount": amount});
    let payments = json!([
        payment(0, "1.00000000"),
        payment(3, "5.00000000"),
        payment(0, "1.00000000")
    ]);
    let but = json!({"payments": payments});
    add_transaction(&chain, "MULTI_PAYMENT", 1, 200, but, OSCARS - 201_000_000);
    let ledger = ledger(&chain, OSCAR).await;
    assert_eq!(ledger["rewards"], "0.00000000", "{ledger:#}");
    assert_eq!(ledger["closingBalance"], "39.99000005");
    assert_eq!(ledger["totals"][0]["fees"], "0.01000000");
    assert_eq!(
        shown(&ledger)[..3],
        [
            "MULTI_PAYMENT -1.00000000 QORT 0.00000000 3",
            "MULTI_PAYMENT -5.00000000 TEST 0.00000000 2",
            "MULTI_PAYMENT -1.00000000 QORT 0.01000000 1",
        ]
    );
    chain.stop().await;
}

#[tokio::test]
async fn a_ledger_counts_a_payment_to_oneself_on_both_sides() {
    let chain = Chain::recorded().await;
    let but = json!({"recipient": OSCAR, "amount": "5.00000000"});
    add_transaction(&chain, "PAYMENT", 2, 200, but, OSCARS - 1_000_000);
    let ledger = ledger(&chain, OSCAR).await;
    assert_eq!(ledger["rewards"], "0.00000000", "{ledger:#}");
    assert_eq!(ledger["closingBalance"], "41.99000005");
    assert_eq!(
        shown(&ledger)[..2],
        [
            "PAYMENT 5.00000000 QORT 0.00000000 2",
            "PAYMENT -5.00000000 QORT 0.01000000 1",
        ]
    );
    chain.stop().await;
}

/// Opening and closing balance of a range between two blocks, with rows before, in and after it.
#[tokio::test]
async fn a_ledger_of_a_range_with_both_ends_has_its_closing_balance() {
    let chain = Chain::recorded().await;
    let pays = |amount: &str| json!({"recipient": NULL_ACCOUNT, "amount": amount});
    add_transaction(&chain, "PAYMENT", 1, 200, pays("2.00000000"), OSCARS);
    add_transaction(&chain, "PAYMENT", 2, 300, pays("3.00000000"), OSCARS);
    let left = OSCARS - 903_000_000;
    add_transaction(&chain, "PAYMENT", 3, 400, pays("4.00000000"), left);
    for (after, before, opening, closing) in [
        (1, 200, "0.00000000", "42.00000005"),
        (200, 201, "42.00000005", "39.99000005"),
        (201, 300, "39.99000005", "39.99000005"),
        (250, 350, "39.99000005", "36.98000005"),
        (300, 400, "39.99000005", "36.98000005"),
        (301, 401, "36.98000005", "32.97000005"),
        (401, 402, "32.97000005", "32.97000005"),
    ] {
        let arguments = json!({"address": OSCAR, "after": after, "before": before});
        let ledger = chain.call("get_account_ledger", arguments).await.unwrap();
        assert_eq!(ledger["openingBalance"], opening, "{after} {before}");
        assert_eq!(ledger["closingBalance"], closing, "{after} {before}");
    }
    chain.stop().await;
}

/// The Core signs transactions of the genesis block and of automated transactions with the null account, which pays nothing.
#[tokio::test]
async fn a_ledger_of_the_null_account_leaves_out_what_the_core_signs_with_it() {
    let chain = Chain::recorded().await;
    let pays = json!({"recipient": NULL_ACCOUNT, "amount": "2.00000000"});
    add_transaction(&chain, "PAYMENT", 1, 200, pays, OSCARS - 201_000_000);
    chain.node.apply(&Event::RowAdded {
        table: "balances",
        like: json!({"assetId": 0}),
        but: json!({"address": NULL_ACCOUNT, "balance": "2.00000000"}),
    });
    let ledger = ledger(&chain, NULL_ACCOUNT).await;
    assert_eq!(shown(&ledger), ["PAYMENT 2.00000000 QORT 0.00000000"]);
    assert_eq!(ledger["closingBalance"], "2.00000000");
    assert_eq!(ledger["rewards"], "0.00000000");
    chain.stop().await;
}

/// No node returns when blocks paid an account: income of all time is not that of a range.
#[tokio::test]
async fn a_ledger_reports_minting_income_for_its_own_range_only() {
    let chain = Chain::recorded().await;
    let minter = "QTYWVYXcY8tRkHYtGj5gnwWkB159JY6Fsy";
    for (address, range, rewards) in [
        (minter, json!({}), json!("1.87600024")),
        (minter, json!({"after": "height 1"}), json!("1.87600024")),
        (minter, json!({"before": "height 100"}), Value::Null),
        (minter, json!({"after": "height 100"}), Value::Null),
        (minter, json!({"after": 100, "before": 200}), Value::Null),
        // Who never had any had none in a range either.
        (
            OSCAR,
            json!({"after": 100, "before": 200}),
            json!("0.00000000"),
        ),
    ] {
        let mut arguments = range.clone();
        arguments["address"] = address.into();
        let ledger = chain.call("get_account_ledger", arguments).await.unwrap();
        assert_eq!(ledger["rewards"], rewards, "{address} {range}");
        let notes = ledger["notes"].to_string();
        let is_explained = notes.contains("no node returns when");
        assert_eq!(is_explained, rewards.is_null(), "{address} {range}");
    }
    chain.stop().await;
}
