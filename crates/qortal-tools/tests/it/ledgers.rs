//! The ledger of every account: what its transactions moved, and what blocks paid it.

use std::collections::{BTreeMap, BTreeSet};

use qortal_testnode::Scenario;
use qortal_types::Amount;
use serde_json::{Value, json};

use crate::{Chain, check};

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

/// Those that blocks may have paid: minters, whether they mint any more or not, and the recipients of their shares.
async fn rewarded(chain: &Chain) -> BTreeSet<String> {
    let shares = json!({"limit": 100});
    let shares = chain
        .rows("list_reward_shares", "rewardShares", shares)
        .await;
    let minters = json!({"limit": 100});
    let minters = chain
        .rows("list_accounts_by_level", "accounts", minters)
        .await;
    let members = |it: &Value| [&it["minter"], &it["recipient"], &it["address"]].map(Value::clone);
    let members = shares.iter().chain(&minters).flat_map(members);
    members
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect()
}

async fn ledger(chain: &Chain, address: &str) -> Value {
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
        None => ledger["rewardsInAll"].as_str().unwrap().to_owned(),
        Some(why) => {
            for member in ["rewardsInAll", "openingBalance", "closingBalance"] {
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
    for address in accounts(&chain).await {
        let ledger = ledger(&chain, &address).await;
        let paid = rewards(&ledger);
        let is_refused = paid.starts_with("Balances");
        if is_refused {
            assert!(paid.contains("CREATE_ASSET_ORDER"), "{address} {paid}");
        } else if rewarded.contains(&address) {
            assert!(units(&json!(paid)) >= 0, "{address} {paid}");
        } else {
            assert_eq!(paid, "0.00000000", "{address}");
        }
        let kind = (rewarded.contains(&address), is_refused);
        *kinds.entry(kind).or_insert(0) += 1;
        if ledger["truncated"] == false && !is_refused {
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
    assert!(
        kinds[&(false, false)] > 30 && kinds[&(true, false)] > 200,
        "{kinds:?}"
    );
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
    let for_orders = refused
        .iter()
        .find(|(why, _)| why.contains("CREATE_ASSET_ORDER"));
    let missing = refused
        .iter()
        .find(|(why, _)| why.contains("some are missing"));
    assert_eq!(for_orders.map(|it| *it.1), Some(5));
    // The keys of 15 trades, each of whose messages cost 0.01 QORT, and three others.
    assert_eq!(missing.map(|it| *it.1), Some(18));
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
        if all["rewardsInAll"] != "0.00000000" {
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

/// Of who has too many transactions for one ledger, those of a range are listed.
#[tokio::test]
async fn a_long_ledger_is_one_of_a_range() {
    let chain = Chain::of(Scenario::large()).await;
    let of = |range: &str| json!({"address": "Alice Test", "after": range});
    let refused = chain.call("get_account_ledger", of("height 1")).await;
    let refused = refused.unwrap_err();
    assert!(
        refused.starts_with("Too many transactions. `after` leaves more than 5000"),
        "{refused}"
    );
    let ledger = chain
        .call("get_account_ledger", of("height 459"))
        .await
        .unwrap();
    assert_eq!(ledger["total"], 500);
    assert!(rewards(&ledger).ends_with("which are not all read."));
    chain.stop().await;
}
